/**
 * The service's tokens, `{{name}}` and `{{name|fallback}}`. The interface shows no other form, so
 * anything else in double braces may reach the customer as it is written.
 */

/** The name may be a path, such as `orders[0].id`, and the fallback may be empty. */
export interface Token {
	name: string;
	fallback?: string;
}

const path = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]*(?:\.[\p{L}\p{M}\p{N}_-]+|\[\d+\])*/u.source;

/** What other languages have behind a bar: `| upper`, `|"there"`, `|default:0`, `|date("Y")`. */
const filter = [
	/\s|["'`“”‘’]|&(?:quot|apos|#39);|default\b|\w+\(\s*["'\d)]|[a-z_]+:\s*["'`&\d]|[^{}|]*\s\}/
		.source,
	/(?:capitali[sz]e|upcase|downcase|upper|uppercase|lower|lowercase|title|escape|safe|raw|trim)\s*\}/
		.source,
].join('|');

const pattern = new RegExp(`^\\{\\{\\s*(${path})\\s*(?:\\|(?!${filter})([^{}|]*))?\\}\\}$`, 'u');

/** @param chunk with its braces; undefined if it isn't a token */
export function parseToken(chunk: string): Token | undefined {
	const [, name, fallback] = pattern.exec(chunk) ?? [];
	return name === undefined ? undefined : { name, fallback };
}

/** Text between double braces; also after a backslash, with a third brace, or without an end. */
const inBraces = /\\?\{\{+[\s\S]*?(?:\}\}|$)/g;

/** Double braces as an editor encodes them, `%7B%7B` or `&#123;&#123;`, and blocks: `{% if vip %}`. */
const encoded = /(?:%7b|&#0*123;|&#x0*7b;|&lbrace;|&lcub;){2}[^\s"'<>]{0,40}|\{%[^%]{0,99}%\}/i;

/** The tokens of a text. Interface: SEND-12, SEND-17, ERROR-1. */
export function findTokens(text: string): Token[] {
	return (text.match(inBraces) ?? []).flatMap((chunk) => parseToken(chunk) ?? []);
}

/** The first chunk of a text that has the braces of a token and isn't one. */
export function findNoToken(text: string): string | undefined {
	return text.match(inBraces)?.find((chunk) => !parseToken(chunk));
}

/** The same for what an author has written, maybe in another tool. */
export function findForeign(text: string): string | undefined {
	return findNoToken(text) ?? encoded.exec(text)?.[0];
}

/** The names of tokens that have neither a value nor a fallback, each once, in their order. */
export function findMissingTokens(tokens: Token[], variables: object): string[] {
	const needed = tokens.filter(({ fallback }) => fallback === undefined).map(({ name }) => name);
	return [...new Set(needed)].filter((name) => getTokenValue(variables, name) === undefined);
}

/** Whether a token takes the value of a variable, or of a part of it. */
export function isUsed(variable: string, tokens: Token[]): boolean {
	return tokens.some(({ name }) => name === variable || name.split(/[.[]/)[0] === variable);
}

/** The value of a token's name, which may be a path; undefined also for null. */
export function getTokenValue(variables: object, name: string): unknown {
	const keys = name.replace(/\[(\d+)\]/g, '.$1').split('.');
	return getProperty(variables, name) ?? keys.reduce<unknown>(getProperty, variables) ?? undefined;
}

function getProperty(value: unknown, name: string): unknown {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
	return (value as Record<string, unknown>)[name];
}
