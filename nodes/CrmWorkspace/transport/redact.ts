import { longestKey, normalizedBaseUrl, type CrmWorkspaceCredential } from './credential';
import type { FailureDetails } from './failure';

/** What is known of a failed request, besides what was asked and where. */
export type FailureFacts = Omit<FailureDetails, 'request' | 'host' | 'mode'>;

/** Gives a value without the key: the same value where it does not hold the key, else a copy. */
export type Redact = <Value>(value: Value) => Value;

/** What stands in place of the key. */
const gone = '[API key]';

/** What stands in place of what lies deeper than anybody looks. */
const tooDeep = '[nested too deeply]';

/** How deep into a value the key is looked for. */
const deepest = 500;

/** How many names are remembered not to hold the key. */
const mostNames = 1000;

/** A key has its prefix and some more: to take out less would wreck texts. */
const shortestKey = 'sk_test_'.length + 1;

/** What follows the prefix, where that is left out, has at least so many characters. */
const shortestSecret = 16;

/** The same in base64, which has four characters for three. */
const shortestInBase64 = Math.ceil((shortestKey * 4) / 3);

/** Where a long text is broken into lines, as base64 in a mail is; also as in JSON. */
const lineBreak = '(?:[\\r\\n]|\\\\{1,7}[rn]){0,4}';

/** Whatever begins like a key of the service (interface, Authentication 2), to where it seems to end. */
const anyKey = /sk_(?:live|test)_[a-z\d][^\s"'<>…]*/gi;

/**
 * All that may be told of a failed request: whatever looks like a key is taken out, because what
 * was answered may repeat a part of it.
 * @param request what was asked, e.g. `PUT /contacts/…`
 * @param facts from an exchange that holds the key itself no more
 */
export function failureDetails(
	credential: CrmWorkspaceCredential,
	request: string,
	facts: FailureFacts,
): FailureDetails {
	const { host } = new URL(normalizedBaseUrl(credential));
	return redacting(anyKey)({ ...facts, request, host, mode: credential.mode });
}

/**
 * Takes a key out of whatever it is given: out of texts, and out of the names and values of objects
 * and lists. The key is found in any case, with any of its characters escaped as in addresses or in
 * JSON, and within base64; so is its beginning where a text breaks off in the middle of it. Takes
 * time in proportion to the value.
 */
export function redactor(apiKey: unknown): Redact {
	// What stands in the credential may be more than a key, and is refused then.
	const keys = (typeof apiKey === 'string' && apiKey.match(/[\x21-\x7e]+/g)) || [];
	const forms = keys
		.filter(({ length }) => length >= shortestKey && length <= longestKey)
		.flatMap((key) => [key, ...secretsOf(key)])
		.flatMap(formsOf);
	return forms.length === 0 ? (value) => value : redacting(new RegExp(forms.join('|'), 'gi'));
}

/** What is secret of a key, if it is so long that no other text holds it by chance. */
function secretsOf(key: string): string[] {
	const secret = key.replace(/^sk_(?:live|test)_/, '');
	return secret.length >= shortestSecret ? [secret] : [];
}

/** The forms in which a key may come, as parts of a regular expression. */
function formsOf(key: string): string[] {
	const inBase64 = [0, 1, 2].map((before) => wholeOrCut(base64Of(key, before), shortestInBase64));
	return [wholeOrCut([...key].map(spellingsOf), shortestKey), ...inBase64];
}

/**
 * What finds the whole of a form, or so much of its beginning, and more, where a text ends or was
 * cut, be it within the spelling of a character.
 */
function wholeOrCut(characters: string[], shortest: number): string {
	const begin = characters.slice(0, shortest).join(lineBreak);
	const more = characters.slice(shortest).map((one) => `${lineBreak}${one}`);
	const some = more.slice(0, -1).reduceRight((next, one) => `(?:${one}${next})?`, '');
	return `${begin}(?:${more.join('')}|${some}[\\\\%&#ux\\da-f]{0,12}(?=…|$))`;
}

/**
 * A character as it is, as in an address (`%73`), as in JSON (`\u0073`, `\/`), also repeatedly, or as
 * in HTML (`&#115;`, `&#x73;`).
 */
function spellingsOf(character: string): string {
	const code = character.charCodeAt(0).toString(16);
	const itself = /\w/.test(character) ? character : `\\\\{0,7}\\x${code}`;
	const inHtml = `&#0{0,4}(?:${character.charCodeAt(0)}|x0{0,4}${code});?`;
	return `(?:${itself}|%(?:25){0,3}${code}|\\\\{1,7}u00${code}|${inHtml})`;
}

/**
 * Those characters of a longer text in base64 that say nothing but the key.
 * @param before how many bytes more than a multiple of three come before the key: 0, 1 or 2
 */
function base64Of(key: string, before: number): string[] {
	const text = Buffer.from(' '.repeat(before) + key).toString('base64');
	const from = Math.ceil((before * 8) / 6);
	const to = Math.floor(((before + key.length) * 8) / 6);
	const spellings: Record<string, string> = {
		'+': `(?:${spellingsOf('+')}|-)`,
		'/': `(?:${spellingsOf('/')}|_)`,
	};
	return [...text.slice(from, to)].map((character) => spellings[character] ?? character);
}

/** @param key finds every one in a text */
function redacting(key: RegExp): Redact {
	const any = new RegExp(key.source, 'i');
	const inText = (text: string) => text.replace(key, gone);
	// Records have the same names over and over.
	const goodNames = new Set<string>();

	function isIn(text: string): boolean {
		return text.length >= shortestKey && any.test(text);
	}

	function isInName(name: string): boolean {
		if (goodNames.has(name)) return false;
		if (isIn(name)) return true;
		if (goodNames.size < mostNames) goodNames.add(name);
		return false;
	}

	// All output comes through here, so it makes nothing new as long as there is nothing to take out.
	function holdsKey(value: unknown, depth: number, seen: Set<object>): boolean {
		if (typeof value === 'string') return isIn(value);
		if (!isPlain(value) || seen.has(value)) return false;
		if (depth > deepest) return true;
		seen.add(value);
		if (Array.isArray(value)) return value.some((entry) => holdsKey(entry, depth + 1, seen));
		for (const name of Object.keys(value)) {
			if (isInName(name) || holdsKey(value[name], depth + 1, seen)) return true;
		}
		return false;
	}

	function without(value: unknown, depth: number, copies: Map<object, unknown>): unknown {
		if (typeof value === 'string') return inText(value);
		if (!isPlain(value)) return value;
		if (copies.has(value)) return copies.get(value);
		if (depth > deepest) return tooDeep;
		const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
		copies.set(value, copy);
		for (const [name, inner] of Object.entries(value)) {
			// As a property of its own, whatever its name is.
			Object.defineProperty(copy, inText(name), {
				value: without(inner, depth + 1, copies),
				configurable: true,
				enumerable: true,
				writable: true,
			});
		}
		return copy;
	}

	return <Value>(value: Value) =>
		(holdsKey(value, 0, new Set()) ? without(value, 0, new Map()) : value) as Value;
}

/** Whether a value is a list or an object of data, of whichever realm, and nothing with a life of its own. */
function isPlain(value: unknown): value is Record<string, unknown> {
	if (typeof value !== 'object' || value === null) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}
