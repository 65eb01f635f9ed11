import { toCanonical } from '../../service/contactValues';
import { trim } from '../../text/plainText';
import { contactFieldNames, type Contact, type ContactFields } from '../../service/records';

/** Whether a contact was read. */
export function isRead(contact: Contact): boolean {
	return Object.keys(contact).length > 1;
}

/** The old and the new value of each field that differs; null stands for none. */
export type Changes = Record<string, { old: unknown; new: unknown }>;

/** Whether two values of a field are the same but for their form: see `toCanonical`. */
export function isSameValue(name: string, one: unknown, other: unknown): boolean {
	return one === other || toCanonical(name, one) === toCanonical(name, other);
}

export function isEmpty(name: string, value: unknown): boolean {
	return isSameValue(name, value, undefined);
}

/** Whether a contact is known to have these values. */
export function hasValues(contact: Contact, fields: ContactFields): boolean {
	return Object.entries(fields).every(
		([name, value]) => name in contact && isSameValue(name, contact[name], value),
	);
}

/** How a contact differs from before; undefined if it wasn't read before. */
export function computeChanges(before: Contact, after: Contact): Changes | undefined {
	if (!isRead(before)) return undefined;
	const changed = contactFieldNames.filter((name) => !isSameValue(name, before[name], after[name]));
	return Object.fromEntries(
		changed.map((name) => [name, { old: before[name] ?? null, new: after[name] ?? null }]),
	);
}

/** What becomes of the tags that a contact has: the values of the 'Tag Mode' option. */
export type TagMode = 'replace' | 'add' | 'remove';

/**
 * The tags that a contact has, in their order and as they are, with these added or without them.
 * Names are the same if they are so but for spaces around and for how Unicode composes a letter.
 */
export function mergeTags(present: string[], given: string[], mode: TagMode): string[] {
	const name = (tag: unknown) => trim(String(tag)).normalize();
	const [held, named] = [present, given].map((tags) => new Set(tags.map(name)));
	if (mode === 'remove') return present.filter((tag) => !named.has(name(tag)));
	return [...present, ...new Set(given.filter((tag) => !held.has(name(tag))))];
}
