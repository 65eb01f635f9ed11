/**
 * The length of a gram: so many characters in a row, by which possible matches are found quickly.
 */
const gramLength = 4;

/** How many places of a gram are looked at: a key of one letter has it everywhere. */
const mostPlaces = 16;

/**
 * The size of the hash table of grams: large enough that other texts nearly never hit a key's
 * entry.
 */
const numbers = 2 ** 16;

/** A text of which parts are looked for. */
export interface Pattern {
	/** In small letters. */
	whole: string;
	/** How many characters in a row are enough; not fewer than a gram has. */
	enough: number;
}

/** A part of a text: from where, and to where. */
export type Part = [from: number, to: number];

/** Where a pattern has a gram. */
interface Place {
	pattern: Pattern;
	at: number;
}

/**
 * Finds the parts of patterns in texts, in any case and whichever parts they are, by what they have
 * in common with every few characters of the text. Takes linear time.
 * @returns a function that finds the next part from an index on
 */
export function partsOf(patterns: Pattern[]): (text: string, from: number) => Part | undefined {
	const grams = new Map<string, Place[]>();
	const isKnown = new Uint8Array(numbers);
	for (const pattern of patterns) {
		for (let at = 0; at + gramLength <= pattern.whole.length; at++) {
			const gram = pattern.whole.slice(at, at + gramLength);
			const places = grams.get(gram) ?? [];
			if (places.length < mostPlaces) grams.set(gram, [...places, { pattern, at }]);
			isKnown[numberOf(gram, 0)] = 1;
		}
	}
	// Whatever is long enough has a whole gram at one of these steps.
	const step = Math.min(...patterns.map(({ enough }) => enough)) - gramLength + 1;

	return (text, from) => {
		for (let at = from; at + gramLength <= text.length; at += step) {
			// A quick check first: the rest takes ten times as long.
			if (!isKnown[numberOf(text, at)]) continue;
			const parts = (grams.get(text.slice(at, at + gramLength).toLowerCase()) ?? [])
				.map((place) => alike(place, text, at, from))
				.filter((part) => part !== undefined);
			if (parts.length > 0) return parts.reduce((one, other) => (other[1] > one[1] ? other : one));
		}
		return undefined;
	};
}

/** A number for the gram at a place, the same for capitals and small letters. */
function numberOf(text: string, place: number): number {
	let number = 0;
	for (let at = place; at < place + gramLength; at++) {
		number = (number * 31 + (text.charCodeAt(at) | 32)) % numbers;
	}
	return number;
}

/** How far a text is like a pattern around a place where both have the same gram. */
function alike(
	{ pattern, at }: Place,
	text: string,
	place: number,
	from: number,
): Part | undefined {
	const { whole, enough } = pattern;
	const isSame = (offset: number) =>
		text.charAt(place + offset).toLowerCase() === whole.charAt(at + offset);
	let first = 0;
	while (place + first > from && at + first > 0 && isSame(first - 1)) first--;
	let end = gramLength;
	while (at + end < whole.length && isSame(end)) end++;
	return end - first >= enough ? [place + first, place + end] : undefined;
}
