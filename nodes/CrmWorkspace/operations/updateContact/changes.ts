import { toCanonical } from '../../service/contactValues';
import { contactFieldNames, type Contact, type ContactFields } from '../../service/records';

/** What is known of a contact: a record, or only its ID. */
export type KnownContact = Readonly<Contact>;

/** Whether a contact was read. */
export function isRead(contact: KnownContact): boolean {
	return Object.keys(contact).length > 1;
}

/** The old and the new value of each field that differs; null stands for none. */
export type Changes = Record<string, { old: unknown; new: unknown }>;

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

/** How a contact differs from before; undefined if it wasn't read before. */
export function computeChanges(before: KnownContact, after: KnownContact): Changes | undefined {
	if (!isRead(before)) return undefined;
	const changed = contactFieldNames.filter((name) => !isSameValue(name, before[name], after[name]));
	return Object.fromEntries(
		changed.map((name) => [name, { old: before[name] ?? null, new: after[name] ?? null }]),
	);
}
