/**
 * Reads tags: a list of texts, JSON of one, as a table may hold it, or text separated by commas.
 * @returns the tags without empty ones; undefined for anything else
 */
export function tagsIn(value: unknown): string[] | undefined {
	const list = typeof value === 'string' ? (listInJson(value) ?? value.split(',')) : value;
	if (!Array.isArray(list) || list.some((tag) => typeof tag !== 'string')) return undefined;
	return (list as string[]).map((tag) => tag.trim()).filter((tag) => tag !== '');
}

function listInJson(text: string): unknown[] | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return Array.isArray(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
