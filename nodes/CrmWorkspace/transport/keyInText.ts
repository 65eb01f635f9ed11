import { longestKey } from './credential';
import { locatedSpelling, plainlySpelled } from './spelling';

/** What stands in place of the key. */
export const gone = '[API key]';

/** A key has its prefix and some more: to take out less would wreck texts. */
const shortestKey = 'sk_test_'.length + 1;

/** The same in base64, which has four characters for three. */
const shortestInBase64 = Math.ceil((shortestKey * 4) / 3);

/** With so many characters more, it is a part of the key wherever it ends. */
const telling = 8;

/** What follows the prefix, where that is left out, has at least so many characters. */
const shortestSecret = 16;

/** A key that stands in the credential, and how many of those are looked for that were pasted there. */
const aKey = /sk_(?:live|test)_[\x21-\x7e]+/g;
const mostKeys = 3;

/** What may be left of a character's spelling where a text was cut within it. */
const cutSpelling = /[\\%&#xu{\da-f]{0,12}(?=…|$)/iy;

/** A form in which a key may stand in a text that is plainly spelled, in small letters. */
interface Form {
	whole: string;
	/** With how many of its characters a text has to end to hold a part of the key. */
	shortest: number;
}

/** Gives a text without a key: the same text where it does not hold the key. */
export type WithoutKey = (text: string) => string;

/**
 * Finds a key in texts: in any case and in any spelling, also without its prefix and within
 * base64; and so much of its beginning as is left where it was cut. Takes linear time.
 */
export function withoutKey(apiKey: unknown): WithoutKey {
	const forms = formsOf(apiKey);
	if (forms.length === 0) return (text) => text;
	const begins = forms.map(({ whole, shortest }) => literally(whole.slice(0, shortest)));
	const begin = new RegExp([...new Set(begins)].join('|'), 'gi');
	return (text) => {
		if (text.length < shortestKey) return text;
		// Nearly no text holds it, and the way back from its plain spelling costs more than this.
		begin.lastIndex = 0;
		return begin.test(plainlySpelled(text)) ? withoutForms(text, begin, forms) : text;
	};
}

function withoutForms(text: string, begin: RegExp, forms: Form[]): string {
	const { text: plain, places } = locatedSpelling(text);
	const kept: string[] = [];
	let from = 0;
	begin.lastIndex = 0;
	for (let match = begin.exec(plain); match; match = begin.exec(plain)) {
		const { index } = match;
		const end = Math.max(...forms.map((form) => endOf(form, plain, index)));
		begin.lastIndex = Math.max(end, index + 1);
		if (end < 0) continue;
		kept.push(text.slice(from, places[index]), gone);
		from = places[end];
	}
	return kept.join('') + text.slice(from);
}

/** Where a form ends that begins in a text, or the text itself within it; -1 when neither does. */
function endOf({ whole, shortest }: Form, text: string, from: number): number {
	const there = text.slice(from, from + whole.length).toLowerCase();
	if (there === whole) return from + whole.length;
	let same = 0;
	while (same < there.length && there[same] === whole[same]) same++;
	if (same < shortest) return -1;
	if (same >= shortest + telling) return from + same;
	cutSpelling.lastIndex = from + same;
	const rest = cutSpelling.exec(text);
	return rest ? cutSpelling.lastIndex : -1;
}

function formsOf(apiKey: unknown): Form[] {
	// What stands in the credential may be more than a key, and is refused then.
	const words = (typeof apiKey === 'string' && apiKey.match(aKey)) || [];
	const keys = words.slice(0, mostKeys).filter(({ length }) => length <= longestKey);
	const secrets = keys
		.map((key) => key.replace(/^sk_(?:live|test)_/, ''))
		.filter(({ length }) => length >= shortestSecret);
	return [...keys, ...secrets].flatMap((key) => {
		const inBase64 = [0, 1, 2].map((before) => base64Of(key, before));
		const forAddresses = inBase64.map((one) => one.replace(/\+/g, '-').replace(/\//g, '_'));
		return [
			{ whole: plainlySpelled(key).toLowerCase(), shortest: shortestKey },
			...[...new Set([...inBase64, ...forAddresses])].map((one) => ({
				whole: one.toLowerCase(),
				shortest: shortestInBase64,
			})),
		];
	});
}

/**
 * Those characters of a longer text in base64 that say nothing but the key.
 * @param before how many bytes more than a multiple of three come before the key: 0, 1 or 2
 */
function base64Of(key: string, before: number): string {
	const text = Buffer.from(' '.repeat(before) + key).toString('base64');
	return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + key.length) * 8) / 6));
}

function literally(text: string): string {
	return text.replace(
		/[^a-z\d]/gi,
		(one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
	);
}
