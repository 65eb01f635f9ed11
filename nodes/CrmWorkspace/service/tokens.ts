/**
 * The service's tokens: `{{name}}`, which it replaces by a variable, or `{{name|fallback}}`. The
 * interface shows no other form, so anything else in double braces may reach the customer as it is
 * written.
 */
import type { IDataObject } from 'n8n-workflow';

export interface Token {
	/** May be a path, such as `orders[0].id`. */
	name: string;
	/** May be empty; undefined if the token has none. */
	fallback?: string;
}

const path = /[\p{L}\p{N}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+|\[\d+\])*/u.source;

/** What other template languages have behind a bar: `| upper`, `|"there"`, `|default:0`, `|date("Y")`. */
const filter = [
	/\s|["'`“”‘’]|&(?:quot|apos|#39);|default\b|\w+(?:\(|:\s*["'`&])/,
	/(?:capitali[sz]e|upcase|downcase|upper|lower|title|escape|safe|raw|trim)\s*\}/,
]
	.map(({ source }) => source)
	.join('|');

const tokenPattern = new RegExp(
	`^\\{\\{\\s*(${path})\\s*(?:\\|(?!${filter})([^{}|]*))?\\}\\}$`,
	'u',
);

/** @param piece with its braces; undefined if it isn't a token */
export function parseToken(piece: string): Token | undefined {
	const [, name, fallback] = tokenPattern.exec(piece) ?? [];
	return name === undefined ? undefined : { name, fallback };
}

/** Text between double braces; also after a backslash, with a third brace, or without an end. */
const inBraces = /\\?\{\{+[\s\S]*?(?:\}\}|$)/g;

/** Double braces as an editor encodes them, `%7B%7B` or `&#123;&#123;`, and blocks: `{% if vip %}`. */
const foreign = /(?:%7b|&#0*123;|&#x0*7b;|&lbrace;|&lcub;){2}[^\s"'<>]{0,40}|\{%[\s\S]*?%\}/i;

/**
 * The tokens of a text, and the first piece that has the braces of a token but isn't one.
 * Interface: SEND-12, SEND-17, ERROR-1.
 */
export function parseTokens(text: string): { tokens: Token[]; invalid?: string } {
	const pieces = text.match(inBraces) ?? [];
	const invalid = pieces.find((piece) => !parseToken(piece)) ?? foreign.exec(text)?.[0];
	return { tokens: pieces.flatMap((piece) => parseToken(piece) ?? []), invalid };
}

/** The names of tokens that have neither a value nor a fallback, each once, in their order. */
export function missingTokens(tokens: Token[], variables: IDataObject): string[] {
	const missing = tokens.filter(
		({ name, fallback }) => fallback === undefined && valueOf(variables, name) === undefined,
	);
	return [...new Set(missing.map(({ name }) => name))];
}

/** The tokens that a variable or a part of it replaces. */
export function tokensOf(variable: string, tokens: Token[]): Token[] {
	return tokens.filter(
		({ name }) =>
			name === variable || (/^[.[]/.test(name.slice(variable.length)) && name.startsWith(variable)),
	);
}

/** Without blank variables if all their tokens have a fallback, which is what their author wants. */
export function withoutBlanks(variables: IDataObject, tokens: Token[]): IDataObject {
	const isKept = ([name, value]: [string, unknown]) => {
		const own = tokensOf(name, tokens);
		const isBlank = typeof value === 'string' && value.trim() === '';
		return !isBlank || own.length === 0 || own.some(({ fallback }) => fallback === undefined);
	};
	return Object.fromEntries(Object.entries(variables).filter(isKept));
}

/** The value of a token's name, which may be a path; undefined also for null. */
function valueOf(variables: IDataObject, name: string): unknown {
	const keys = name.replace(/\[(\d+)\]/g, '.$1').split('.');
	return partOf(variables, name) ?? keys.reduce<unknown>(partOf, variables) ?? undefined;
}

function partOf(value: unknown, name: string): unknown {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
	return (value as Record<string, unknown>)[name];
}
