/**
 * Other spellings of a character: as in addresses (`%73`), as in JSON and programs (`\u0073`, `\x73`,
 * `\u{73}`, `\/`), or as in HTML (`&#115;`, `&#x73;`). And what may stand anywhere in a long text
 * without being a part of it: ends of lines, also as in JSON, backslashes, and signs that nobody sees.
 */
const otherwise =
	/%([\da-f]{2})|(?<!\\)\\+(?:(?:u00|x)([\da-f]{2})|u\{0{0,4}([\da-f]{2})\}|[rn])?|&#(?:x0{0,4}([\da-f]{2})|0{0,4}(\d{2,3}));?|[\r\n\u00ad\u200b-\u200d\u2060\ufeff]+/gi;

/** How often what is spelled otherwise may be spelled otherwise again. */
const mostRounds = 4;

/** A text whose characters are spelled as they are. */
export interface Spelled {
	text: string;
	/** Where each of its characters, and its end, is in the text that it was made of. */
	places: Uint32Array;
}

/** A text with each of its characters spelled as it is, whatever the text means. Takes linear time. */
export function plainlySpelled(text: string): string {
	for (let round = 0; round < mostRounds; round++) {
		const before = text;
		text = before.replace(otherwise, plainSpelling);
		if (text === before) break;
	}
	return text;
}

/** The same, with the way back. */
export function locatedSpelling(text: string): Spelled {
	const places = new Uint32Array(text.length + 1);
	for (let place = 0; place < places.length; place++) places[place] = place;
	let spelled: Spelled = { text, places };
	for (let round = 0; round < mostRounds; round++) {
		const next = respelled(spelled);
		if (next.text === spelled.text) break;
		spelled = next;
	}
	return spelled;
}

function respelled({ text, places }: Spelled): Spelled {
	const next = new Uint32Array(places.length);
	let length = 0;
	let from = 0;
	const keep = (to: number) => {
		while (from < to) next[length++] = places[from++];
	};
	// One parameter for each of the codes: a list of them would take longer than all the rest.
	const replace = (
		spelling: string,
		a: string | undefined,
		b: string | undefined,
		c: string | undefined,
		d: string | undefined,
		e: string | undefined,
		offset: number,
	) => {
		const character = plainSpelling(spelling, a, b, c, d, e);
		keep(offset);
		if (character === spelling) return spelling;
		if (character !== '') next[length++] = places[offset];
		from += spelling.length;
		return character;
	};
	const plain = text.replace(otherwise, replace);
	keep(places.length);
	return { text: plain, places: next.subarray(0, length) };
}

/** Only visible characters of ASCII: a key has no others. */
function plainSpelling(
	spelling: string,
	inAddress?: string,
	inJson?: string,
	inProgram?: string,
	inHtml?: string,
	decimal?: string,
): string {
	const hex = inAddress ?? inJson ?? inProgram ?? inHtml;
	if (hex === undefined && decimal === undefined) return '';
	const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
	return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : spelling;
}
