import { momentIn } from '../../service/moment';
import { contactFieldNames, type ContactFieldName } from '../../service/records';
import { digest, identityOf, type AnyRecord } from '../digest';

/** Bytes of what stands for all fields of a contact that can be set. */
export const versionBytes = 4;

/** Bytes of what stands for the value of one field. */
export const fieldBytes = 2;

/** What a contact shows of itself, as far as a poll looks at it. */
export interface ContactPrint {
	identity: string;
	/**
	 * Changes with the fields that can be set. What the interface does not name may change without the
	 * contact having been changed.
	 */
	version: string;
	/** When it was created and last updated, in ms since 1970; NaN where it does not tell. */
	createdAt: number;
	updatedAt: number;
	/** The later of the two; NaN where it tells neither. */
	latest: number;
}

const made = new WeakMap<AnyRecord, ContactPrint>();

/** @param contact as the service shows it (interface, Contact) */
export function printOf(contact: AnyRecord): ContactPrint {
	const print = made.get(contact) ?? newPrintOf(contact);
	made.set(contact, print);
	return print;
}

function newPrintOf(contact: AnyRecord): ContactPrint {
	const createdAt = momentIn(contact.createdAt);
	const updatedAt = momentIn(contact.updatedAt);
	const moments = [createdAt, updatedAt].filter((moment) => !Number.isNaN(moment));
	return {
		identity: identityOf(contact),
		version: digest(valuesOf(contact), versionBytes),
		createdAt,
		updatedAt,
		latest: moments.length > 0 ? Math.max(...moments) : NaN,
	};
}

/** What makes the creation of a contact unlike every other event. */
export function creationParts(
	contact: AnyRecord,
	{ identity, createdAt }: ContactPrint,
): unknown[] {
	return [contact.id ?? identity, dateIn(createdAt)];
}

/** The same of its update, after so many that were told. */
export function updateParts(
	contact: AnyRecord,
	{ identity, updatedAt, version }: ContactPrint,
	updates: number,
): unknown[] {
	return [contact.id ?? identity, dateIn(updatedAt), version, updates];
}

/** A moment for a key, in whatever way it was written: its second, or none. */
function dateIn(moment: number): number | null {
	return Number.isNaN(moment) ? null : Math.floor(moment / 1000);
}

/** What stands for each of the fields that can be set, in their order, in one text. */
export function fieldDigestsOf(contact: AnyRecord): string {
	return valuesOf(contact)
		.map((value) => digest(value, fieldBytes))
		.join('');
}

/** The names of the fields in which two texts of `fieldDigestsOf` differ. */
export function differingFields(one: string, other: string): ContactFieldName[] {
	const digits = 2 * fieldBytes;
	return contactFieldNames.filter(
		(_, index) =>
			one.slice(digits * index, digits * (index + 1)) !==
			other.slice(digits * index, digits * (index + 1)),
	);
}

/** Null, an absent field and an empty one are three ways to show no value. */
function valuesOf(contact: AnyRecord): unknown[] {
	return contactFieldNames.map((name) => (isNothing(contact[name]) ? null : contact[name]));
}

function isNothing(value: unknown): boolean {
	const isEmptyList = Array.isArray(value) && value.length === 0;
	return value === undefined || value === null || value === '' || isEmptyList;
}
