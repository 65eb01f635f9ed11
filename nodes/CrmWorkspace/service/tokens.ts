/**
 * The names of all `{{token}}`s in `html` that have neither a value in `variables` nor an inline
 * default (`{{token|fallback}}`), each once, in the order in which they occur. The service rejects
 * a send with such a token. What the interface leaves open counts as having a value: `{{}}`, and a
 * part of a variable, as in `{{contact.name}}`. Interface: SEND-12, ERROR-1.
 */
export function missingTokens(html: string, variables: Record<string, unknown>): string[] {
	const missing = tokensIn(html).filter(
		({ name, fallback }) => fallback === undefined && valueOf(variables, name) === undefined,
	);
	return [...new Set(missing.map(({ name }) => name))];
}

function tokensIn(text: string): Array<{ name: string; fallback?: string }> {
	return [...text.matchAll(/\{\{([^{}]*)\}\}/g)].flatMap(([, content]) => {
		const [name, fallback] = content.split('|', 2).map((part) => part.trim());
		return name === '' ? [] : [{ name, fallback }];
	});
}

/** The value of a token's name, which may be a path; undefined also for null. */
function valueOf(variables: Record<string, unknown>, name: string): unknown {
	const path = name.replace(/\[(\d+)\]/g, '.$1').split('.');
	return partOf(variables, name) ?? path.reduce<unknown>(partOf, variables) ?? undefined;
}

function partOf(value: unknown, name: string): unknown {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
	return (value as Record<string, unknown>)[name];
}
