import { momentIn } from '../../service/moment';
import { contactFieldNames, type ContactFieldName } from '../../service/records';
import { digest, identityDigestOf, type AnyRecord } from '../digest';

/** Length of the digest of all fields of a contact that can be set, in bytes. */
export const versionBytes = 4;

/** Length of the digest of one field's value, in bytes. */
export const fieldBytes = 2;

/** The parts of a contact that a poll compares. */
export interface ContactSummary {
	identity: string;
	/**
	 * Digest of the fields that can be set. Other fields may change without an update of the contact.
	 */
	version: string;
	/** When it was created and last updated, in ms since 1970; NaN where it does not tell. */
	createdAt: number;
	updatedAt: number;
	/** The later of the two; NaN where it tells neither. */
	latest: number;
}

const made = new WeakMap<AnyRecord, ContactSummary>();

/** @param contact as the service shows it */
export function summaryOf(contact: AnyRecord): ContactSummary {
	const summary = made.get(contact) ?? newSummaryOf(contact);
	made.set(contact, summary);
	return summary;
}

function newSummaryOf(contact: AnyRecord): ContactSummary {
	const createdAt = momentIn(contact.createdAt);
	const updatedAt = momentIn(contact.updatedAt);
	const moments = [createdAt, updatedAt].filter((moment) => !Number.isNaN(moment));
	return {
		identity: identityDigestOf(contact),
		version: digest(valuesOf(contact), versionBytes),
		createdAt,
		updatedAt,
		latest: moments.length > 0 ? Math.max(...moments) : NaN,
	};
}

/** What identifies the creation of a contact among all events. */
export function creationParts(
	contact: AnyRecord,
	{ identity, createdAt }: ContactSummary,
): unknown[] {
	return [contact.id ?? identity, dateIn(createdAt)];
}

/** The same for an update, of which so many were put out before. */
export function updateParts(
	contact: AnyRecord,
	{ identity, updatedAt, version }: ContactSummary,
	updates: number,
): unknown[] {
	return [contact.id ?? identity, dateIn(updatedAt), version, updates];
}

/** A date for an event key, whatever way it was written in: its second, or null. */
function dateIn(moment: number): number | null {
	return Number.isNaN(moment) ? null : Math.floor(moment / 1000);
}

/** The digests of all fields that can be set, in their order, as one text. */
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
