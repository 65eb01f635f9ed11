/**
 * Other spellings of a character: as in addresses (`%73`), as in JSON and programs (`\u0073`,
 * `\x73`, `\u{73}`, `\/`), or as in HTML (`&#115;`, `&#x73;`). And what may stand anywhere in a
 * long text without being a part of it: ends of lines with the white space around them, also as in
 * JSON, in HTML and in mails, backslashes, and invisible characters, such as the zeros of UTF-16.
 */
const otherSpelling =
	/%([\da-f]{2})|(?<!\\)\\+(?:(?:u00|x)([\da-f]{2})|u\{0{0,4}([\da-f]{2})\}|[rn][ \t]*)?|&#(?:x0{0,4}([\da-f]{2})|0{0,4}(\d{2,3}));?|&(amp|lt|gt|quot|apos|lowbar);|=?(?:(?<![ \t])[ \t]{1,20})?(?:[\r\n\v\f\u0085\u2028\u2029]|<br ?\/?>)\s*|[\0\u00ad\u200b-\u200d\u2060\ufeff]+/gi;

/** Characters that have a name in HTML. */
const named: Record<string, string> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	lowbar: '_',
};

/** Line feed, carriage return, and NUL. */
const unseenCodes = new Set([10, 13, 0]);

/** How often what is spelled otherwise may be spelled otherwise again. */
const mostRounds = 4;

/** A text whose characters are spelled as they are. */
export interface Spelled {
	text: string;
	/** Where each of its characters, and its end, is in the text that it was made of. */
	places: Uint32Array;
}

/**
 * A text with each of its characters spelled as it is, whatever the text means. Takes linear time.
 */
export function plainlySpelled(text: string): string {
	for (let round = 0; round < mostRounds; round++) {
		const before = text;
		text = respelled(before);
		if (text === before) break;
	}
	return text;
}

/** The same, with the way back. */
export function locatedSpelling(text: string): Spelled {
	let places = new Uint32Array(text.length + 1);
	for (let place = 0; place < places.length; place++) places[place] = place;
	for (let round = 0; round < mostRounds; round++) {
		const before = text;
		const next = new Uint32Array(places.length);
		let length = 0;
		text = respelled(before, (from, to, replaced) => {
			while (from < to) next[length++] = places[from++];
			if (replaced) next[length++] = places[to];
		});
		if (text === before) break;
		places = next.subarray(0, length);
	}
	return { text, places };
}

/**
 * One round of spelling plainly.
 * @param keep is told of each part that stays, and whether a character stands for what follows it;
 * the last part ends behind the end of the text
 */
function respelled(
	text: string,
	keep?: (from: number, to: number, replaced: boolean) => void,
): string {
	const parts: string[] = [];
	let from = 0;
	otherSpelling.lastIndex = 0;
	// A function given to replace() would take four times as long.
	for (let match = otherSpelling.exec(text); match; match = otherSpelling.exec(text)) {
		const { index } = match;
		const [spelling] = match;
		const character = plainSpelling(match);
		if (character === spelling) continue;
		parts.push(text.slice(from, index), character);
		keep?.(from, index, character !== '');
		from = index + spelling.length;
	}
	if (from === 0) return text;
	keep?.(from, text.length + 1, false);
	return parts.join('') + text.slice(from);
}

/** Only visible characters of ASCII: a key has no others. */
function plainSpelling(match: RegExpExecArray): string {
	const hex = match[1] ?? match[2] ?? match[3] ?? match[4];
	const decimal = match[5];
	if (match[6] !== undefined) return named[match[6].toLowerCase()];
	if (hex === undefined && decimal === undefined) return '';
	const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
	if (unseenCodes.has(code)) return '';
	return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : match[0];
}
