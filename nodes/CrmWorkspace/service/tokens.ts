/**
 * The names of all `{{token}}`s in `html` that have neither a value in `variables` nor an inline
 * default (`{{token|fallback}}`), each once, in the order in which they occur. The service rejects
 * a send with such a token (interface, `POST /transactional/send`, field html). What the interface
 * leaves open counts as having a value: `{{}}`, and a part of a variable, as in `{{contact.name}}`.
 */
export function missingTokens(html: string, variables: Record<string, unknown>): string[] {
	const missing = new Set<string>();
	for (const [, content] of html.matchAll(/\{\{([^{}]*)\}\}/g)) {
		const [name, fallback] = content.split('|', 2).map((part) => part.trim());
		if (name !== '' && fallback === undefined && !hasValue(variables, name)) missing.add(name);
	}
	return [...missing];
}

function hasValue(variables: Record<string, unknown>, name: string): boolean {
	const path = name.replace(/\[(\d+)\]/g, '.$1').split('.');
	const value = partOf(variables, name) ?? path.reduce<unknown>(partOf, variables);
	return value !== undefined && value !== null;
}

function partOf(value: unknown, name: string): unknown {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
	return (value as Record<string, unknown>)[name];
}
