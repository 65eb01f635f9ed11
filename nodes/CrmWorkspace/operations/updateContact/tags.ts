/**
 * Reads tags: a list of texts, JSON of one, as a table may hold it, text separated by commas, or a
 * number, which is one tag; numbers in a list are tags, too.
 * @returns the tags without empty ones; undefined for anything else
 */
export function tagsIn(value: unknown): string[] | undefined {
	const list = typeof value === 'string' ? (listInJson(value) ?? value.split(',')) : value;
	const tags = typeof list === 'number' ? [list] : list;
	if (!Array.isArray(tags) || !tags.every(isTag)) return undefined;
	return tags.map((tag) => String(tag).trim()).filter((tag) => tag !== '');
}

function isTag(value: unknown): value is string | number {
	return typeof value === 'string' || typeof value === 'number';
}

function listInJson(text: string): unknown[] | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return Array.isArray(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** What becomes of the tags that a contact has: the values of the Tags option. */
export type TagsMode = 'replace' | 'add' | 'remove';

/**
 * The tags that a contact has, in their order and as they are, with these added or without them.
 * Names are the same if they are so but for spaces around.
 */
export function mergedTags(present: string[], given: string[], mode: TagsMode): string[] {
	const name = (tag: unknown) => String(tag).trim();
	const names = new Set(given);
	if (mode === 'remove') return present.filter((tag) => !names.has(name(tag)));
	for (const tag of present) names.delete(name(tag));
	return [...present, ...names];
}
