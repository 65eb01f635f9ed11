import { trim } from '../../text/plainText';

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
