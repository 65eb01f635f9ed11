import { maxKeyLength } from './credential';

export type WithoutKey = (text: string) => string;

const replacement = '[API key]';

/** What all keys begin with is no secret. */
const shortestKey = 'sk_test_'.length + 1;

/**
 * Takes a key out of our own words: as it is, in any case, encoded for an address, or escaped as in
 * JSON. What the service holds is never changed; so nothing but errors, hints and log lines comes
 * through here. Who disguises the key otherwise has it already.
 * @param apiKey as the credential has it, whatever that is
 */
export function keyRemover(apiKey: unknown): WithoutKey {
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	if (key.length < shortestKey || key.length > maxKeyLength) return (text) => text;
	const spelled = (spelling: Spelling) =>
		[...key].map((one) => spelling(one, eitherHexOf(one))).join('');
	const pattern = new RegExp(`${spelled(inJson)}|${spelled(inAddress)}`, 'gi');
	return (text) => text.replace(pattern, replacement);
}

const longestSpelling = maxKeyLength * '\\u0000'.length;

/** A text that was cut somewhere, without the key and without what may be its beginning at the end. */
export function cutWithoutKey(text: string, withoutKey: WithoutKey): string {
	return withoutKey(text).slice(0, -longestSpelling);
}

/** What is nested deeper is left out: nobody reads an error from further down. */
const maxCleanedDepth = 100;

/** A value of JSON without the key in any of its texts and names. */
export function withoutKeyIn(value: unknown, withoutKey: WithoutKey, depth = 0): unknown {
	if (typeof value === 'string') return withoutKey(value);
	if (typeof value !== 'object' || value === null) return value;
	if (depth === maxCleanedDepth) return undefined;
	const clean = (inner: unknown) => withoutKeyIn(inner, withoutKey, depth + 1);
	if (Array.isArray(value)) return value.map(clean);
	const entries = Object.entries(value).map(([name, inner]) => [withoutKey(name), clean(inner)]);
	return Object.fromEntries(entries) as unknown;
}

function hexOf(character: string): string {
	return character.charCodeAt(0).toString(16).padStart(2, '0');
}

/** A pattern for the code of a character as small letter and as capital, which many have in common. */
function eitherHexOf(character: string): string {
	const codes = new Set([character.toLowerCase(), character.toUpperCase()].map(hexOf));
	return `(?:${[...codes].join('|')})`;
}

/** A pattern for a character of a key, whose codes as small letter and as capital are `hex`. */
type Spelling = (character: string, hex: string) => string;

/** What JSON puts before a character: a must before two of them, and a may before the slash. */
const escapes: Record<string, string> = { '"': '\\\\', '\\': '\\\\', '/': '\\\\?' };

const inJson: Spelling = (character, hex) =>
	`(?:${escapes[character] ?? ''}\\x${hexOf(character)}|\\\\u00${hex})`;

const inAddress: Spelling = (character, hex) => `(?:\\x${hexOf(character)}|%${hex})`;
