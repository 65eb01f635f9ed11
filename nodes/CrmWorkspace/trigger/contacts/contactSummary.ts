import { toCanonical } from '../../service/contactValues';
import { momentIn } from '../../service/serviceTime';
import { contactFieldNames, type ContactFieldName } from '../../service/records';
import { digest, identityDigestOf, type AnyRecord } from '../digest';

/** Length of the digest of one field's value, in bytes: one change in 17 million is not seen. */
const fieldBytes = 3;

/** Length of the digests of all fields, in bytes. */
export const fieldsBytes = fieldBytes * contactFieldNames.length;

export interface ContactSummary {
	identity: string;
	/**
	 * The digests of the ten fields that can be set, one after the other. Neither the order of tags
	 * changes them, nor how a value is written. Other fields may change without an update.
	 */
	fields: string;
	/** When it was created and last updated, in ms since 1970; NaN where it does not tell. */
	createdAt: number;
	updatedAt: number;
}

const made = new WeakMap<AnyRecord, ContactSummary>();

/** @param contact as the service shows it */
export function summaryOf(contact: AnyRecord): ContactSummary {
	const summary = made.get(contact) ?? newSummaryOf(contact);
	made.set(contact, summary);
	return summary;
}

function newSummaryOf(contact: AnyRecord): ContactSummary {
	return {
		identity: identityDigestOf(contact),
		fields: contactFieldNames.map((name) => digestOf(name, contact[name])).join(''),
		createdAt: momentIn(contact.createdAt),
		updatedAt: momentIn(contact.updatedAt),
	};
}

/** Most contacts have no value in most fields, which takes no time here. */
function digestOf(name: ContactFieldName, value: unknown): string {
	const text = toCanonical(name, value);
	return text === '' ? '00'.repeat(fieldBytes) : digest(text, fieldBytes);
}

export function differingFields(one: string, other: string): ContactFieldName[] {
	const digits = 2 * fieldBytes;
	const at = (fields: string, index: number) => fields.slice(digits * index, digits * (index + 1));
	return contactFieldNames.filter((_, index) => at(one, index) !== at(other, index));
}

export function creationParts(contact: AnyRecord): unknown[] {
	const { identity, createdAt } = summaryOf(contact);
	return [contact.id ?? identity, secondOf(createdAt)];
}

/** The same for an update, of which so many were told before. */
export function updateParts(contact: AnyRecord, updates: number): unknown[] {
	const { identity, fields, updatedAt } = summaryOf(contact);
	return [contact.id ?? identity, secondOf(updatedAt), fields, updates];
}

/** A date that is the same one whether or not it is written with milliseconds; null for none. */
export function secondOf(moment: number): number | null {
	return Number.isNaN(moment) ? null : Math.floor(moment / 1000);
}
