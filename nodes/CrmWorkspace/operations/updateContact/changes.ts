import { toCanonical } from '../../service/contactValues';
import {
	contactFieldNames,
	type ContactFieldName,
	type ContactFields,
} from '../../service/records';

/** What is known of a contact: a field that is absent is not known, unless it is said to be empty. */
export type KnownContact = Readonly<Record<string, unknown>> & { id: string };

/**
 * The old and the new value of each field that differs; null stands for none. There is no old one
 * where it is not known.
 */
export type Changes = Record<string, { old?: unknown; new: unknown }>;

/** Whether two values of a field are the same but for their form: see `toCanonical`. */
function isSameValue(name: string, one: unknown, other: unknown): boolean {
	return one === other || toCanonical(name, one) === toCanonical(name, other);
}

export function isEmpty(name: string, value: unknown): boolean {
	return isSameValue(name, value, undefined);
}

/** Whether a contact is known to have these values. */
export function hasValues(contact: KnownContact, fields: ContactFields): boolean {
	return Object.entries(fields).every(
		([name, value]) => name in contact && isSameValue(name, contact[name], value),
	);
}

/**
 * The values that a contact has in the other fields. What is empty is left out: there is nothing to
 * lose, and the interface does not say how an empty value is written.
 */
export function getUnmappedValues(
	contact: Readonly<Record<string, unknown>>,
	fields: ContactFields,
): ContactFields {
	const others = contactFieldNames.filter(
		(name) => !(name in fields) && !isEmpty(name, contact[name]),
	);
	return Object.fromEntries(others.map((name) => [name, contact[name]])) as ContactFields;
}

/** How a contact differs from before; undefined where nothing was known before. */
export function computeChanges(
	before: KnownContact,
	after: KnownContact,
	written: ContactFields,
): Changes | undefined {
	const isKnown = (name: ContactFieldName) => name in before;
	if (!contactFieldNames.some(isKnown)) return undefined;
	const changed = contactFieldNames.filter((name) =>
		isKnown(name) ? !isSameValue(name, before[name], after[name]) : name in written,
	);
	return Object.fromEntries(
		changed.map((name) => [
			name,
			{ ...(isKnown(name) && { old: before[name] ?? null }), new: after[name] ?? null },
		]),
	);
}
