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
