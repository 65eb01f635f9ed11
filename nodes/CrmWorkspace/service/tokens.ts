/**
 * The names of all `{{token}}`s in `html` that have neither a value in `variables` nor an inline
 * default (`{{token|fallback}}`), each once, in the order in which they occur. The service rejects
 * a send with such a token (interface, `POST /transactional/send`, field html).
 */
export function missingTokens(html: string, variables: Record<string, unknown>): string[] {
	const missing = new Set<string>();
	for (const [, content] of html.matchAll(/\{\{([^{}]*)\}\}/g)) {
		const [name, fallback] = content.split('|', 2).map((part) => part.trim());
		if (fallback === undefined && !hasValue(variables, name)) missing.add(name);
	}
	return [...missing];
}

function hasValue(variables: Record<string, unknown>, name: string): boolean {
	return (
		Object.hasOwn(variables, name) && variables[name] !== undefined && variables[name] !== null
	);
}
