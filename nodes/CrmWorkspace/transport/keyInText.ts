import { longestKey } from './credential';
import { partsOf, type Part, type Pattern } from './keyParts';
import { locatedSpelling, plainlySpelled } from './spelling';

/** What stands in place of the key. */
export const redactedMark = '[API key]';

/** A key has its prefix and some more: to take out less would wreck texts. */
const shortestKey = 'sk_test_'.length + 1;

/**
 * So many characters in a row from behind the prefix count as a part of the key, wherever they
 * stand in it.
 */
const tellingLength = 12;

/** A key in the credential's field. Several may have been pasted there: so many are looked for. */
const keyPattern = /sk_(?:live|test)_[\x21-\x7e]+/g;
const mostKeys = 3;

/**
 * A beginning of the key that has so many more characters counts as a part of it, even if something
 * else follows.
 */
const tellingMore = 8;

/** What may be left of a character's spelling where a text was cut within it. */
const cutSpelling = /[\\%&#xu{\da-f]{0,12}(?=…|$)/iy;

/** Returns a text without the key; the same string if the key is not in it. */
export type WithoutKey = (text: string) => string;

/** Finds the next part that has to be taken out of a plainly spelled text, from an index on. */
type Finder = (plain: string, from: number) => Part | undefined;

/**
 * Finds a key in texts: in any case and in any spelling, also without its prefix and within base64;
 * twelve characters in a row of what follows the prefix; and so much of its beginning as is left
 * where it was cut. Takes linear time.
 */
export function withoutKey(apiKey: unknown): WithoutKey {
	// The field may hold more than a key. Such a credential is refused, but its keys must not be
	// shown.
	const words = (typeof apiKey === 'string' && apiKey.match(keyPattern)) || [];
	const keys = words.slice(0, mostKeys).filter(({ length }) => length <= longestKey);
	if (keys.length === 0) return (text) => text;
	const secrets = keys
		.map((key) => key.replace(/^sk_(?:live|test)_/, ''))
		.filter(({ length }) => length >= tellingLength);
	const finders: Finder[] = [
		beginningOf([...keys, ...secrets].map((key) => plainPattern(key).whole)),
		partsOf([...secrets.map(plainPattern), ...keys.flatMap(base64Patterns)]),
	];
	return (text) => {
		if (text.length < shortestKey) return text;
		const plain = plainlySpelled(text);
		// This check is cheap, and nearly no text holds the key: mapping back from the plain spelling
		// is not.
		return finders.some((find) => find(plain, 0)) ? withoutParts(text, finders) : text;
	};
}

function withoutParts(text: string, finders: Finder[]): string {
	const { text: plain, places } = locatedSpelling(text);
	const found = finders.map((find) => find(plain, 0));
	const kept: string[] = [];
	let from = 0;
	let end = 0;
	for (;;) {
		for (const [index, find] of finders.entries()) {
			// Searches again only where the last find overlaps what has been taken out meanwhile.
			if (found[index] && found[index][0] < end) found[index] = find(plain, end);
		}
		const next = found
			.filter((part) => part !== undefined)
			.sort((a, b) => a[0] - b[0] || b[1] - a[1])[0];
		if (!next) return kept.join('') + text.slice(from);
		kept.push(text.slice(from, places[next[0]]), redactedMark);
		end = next[1];
		from = endIn(text, places[end]);
	}
}

/** Moves an index before the backslashes in front of it: they belong to the character there. */
function endIn(text: string, place: number): number {
	while (text[place - 1] === '\\') place--;
	return place;
}

/** Finds texts that stand there whole, or as much of their beginning as a cut has left. */
function beginningOf(wholes: string[]): Finder {
	const begins = wholes.map((whole) => literally(whole.slice(0, shortestKey)));
	const begin = new RegExp([...new Set(begins)].join('|'), 'gi');
	return (plain, from) => {
		begin.lastIndex = from;
		for (let match = begin.exec(plain); match; match = begin.exec(plain)) {
			const { index } = match;
			const end = Math.max(...wholes.map((whole) => endOf(whole, plain, index)));
			if (end >= 0) return [index, end];
			begin.lastIndex = index + 1;
		}
		return undefined;
	};
}

/**
 * Where a text in small letters ends that begins in another, or the other within it; -1 when
 * neither does.
 */
function endOf(whole: string, text: string, from: number): number {
	const there = text.slice(from, from + whole.length).toLowerCase();
	if (there === whole) return from + whole.length;
	let same = 0;
	while (same < there.length && there[same] === whole[same]) same++;
	if (same < shortestKey) return -1;
	if (same >= shortestKey + tellingMore) return from + same;
	cutSpelling.lastIndex = from + same;
	const rest = cutSpelling.exec(text);
	return rest ? cutSpelling.lastIndex : -1;
}

function plainPattern(secret: string): Pattern {
	return { whole: plainlySpelled(secret).toLowerCase(), enough: tellingLength };
}

/** In base64 as it is and as in addresses, of the text in UTF-8 and in UTF-16. */
function base64Patterns(key: string): Pattern[] {
	return (['utf8', 'utf16le'] as const).flatMap((encoding) => {
		const bytes = Buffer.from(key, encoding);
		// One fewer than they have by their number: the first and the last may say something else too.
		const enough = Math.floor((tellingLength * (bytes.length / key.length) * 4) / 3) - 1;
		const inBase64 = [0, 1, 2].map((before) => base64Of(bytes, before));
		const forAddresses = inBase64.map((one) => one.replace(/\+/g, '-').replace(/\//g, '_'));
		return [...new Set([...inBase64, ...forAddresses])].map((one) => ({
			whole: one.toLowerCase(),
			enough: Math.min(enough, one.length),
		}));
	});
}

/**
 * Those characters of a longer text in base64 that say nothing but the key.
 * @param before how many bytes more than a multiple of three come before the key: 0, 1 or 2
 */
function base64Of(key: Buffer, before: number): string {
	const text = Buffer.concat([Buffer.alloc(before), key]).toString('base64');
	return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + key.length) * 8) / 6));
}

function literally(text: string): string {
	return text.replace(
		/[^a-z\d]/gi,
		(one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
	);
}
