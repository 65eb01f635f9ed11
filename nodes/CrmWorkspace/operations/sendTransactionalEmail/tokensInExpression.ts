/** An expression as n8n is to evaluate it, and the tokens of the service that stay in it. */
interface WithTokens {
	expression: string;
	/** As they are written, each once: `{{firstName|there}}`. */
	tokens: string[];
}

/**
 * Tells the service's tokens from the code in one of n8n's expressions: both stand in `{{ }}`, and
 * n8n turns every text with braces that is typed or pasted into a field into an expression. A bare
 * name, alone or with a default, is a token, unless it means something to n8n. Each becomes code
 * that gives the token as it is written. Interface: SEND-12, SEND-17.
 * @param expression without n8n's sign for an expression, the `=` before it
 */
export function withTokensKept(expression: string): WithTokens {
	const tokens = new Set<string>();
	const kept = expression.replace(inBraces, (braces, content: string) => {
		if (!isToken(content)) return braces;
		tokens.add(braces);
		return `{{ "{" + ${JSON.stringify(`{${content}}`)} + "}" }}`;
	});
	return { expression: kept, tokens: [...tokens] };
}

/** Two braces that n8n takes for its own: a backslash before them would make text of them. */
const inBraces = /(?<![{\\])\{\{([^{}\\]*)\}\}(?!\})/g;

/** A name or a number, or a path of them, and perhaps a default after it. `a || b` is code. */
const nameAndDefault =
	/^\s*([\p{L}\p{N}_][\p{L}\p{N}_-]*)((?:\.[\p{L}\p{N}_-]+|\[\d+\])*)\s*(?:\|(?!\|).*)?$/su;

function isToken(content: string): boolean {
	const [, name, path] = nameAndDefault.exec(content) ?? [];
	if (name === undefined || constants.has(name)) return false;
	return path === '' || !objects.has(name);
}

const constants = new Set(['undefined', 'null', 'true', 'false', 'NaN', 'Infinity']);

/** Alone, such a name gives code that nobody wants in a message: only a path is meant for n8n. */
const objects = new Set([
	...['this', 'globalThis', 'process', 'DateTime', 'Duration', 'Interval', 'Intl', 'JSON', 'Math'],
	...['Array', 'BigInt', 'Boolean', 'Date', 'Number', 'Object', 'RegExp', 'String', 'Symbol'],
]);
