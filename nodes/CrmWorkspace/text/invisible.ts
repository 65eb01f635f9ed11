/**
 * Invisible characters: soft hyphens, spaces without width, byte order marks, and those that turn
 * the direction of writing. Joiners count as invisible, except where another script needs them.
 */
const invisible =
	/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|(?<![^\0-\x7f\u200c\u200d])[\u200c\u200d]/g;

/**
 * A base URL or an ID without the white space around it, and without the invisible characters that
 * come along when it is copied from a web page or a document.
 */
export function withoutInvisible(text: string): string {
	return text.replace(invisible, '').trim();
}

/**
 * Characters that turn the direction of what follows: with them a text is not what it looks like.
 */
const turning = /[\u202d\u202e]/;

/**
 * A text without the white space and the invisible characters around it that come along when it is
 * copied. What is within it stays, and so do characters that turn its direction.
 */
export function trimmed(text: string): string {
	let [start, end] = [0, text.length];
	while (start < end && isMargin(text[start])) start++;
	while (start < end && isMargin(text[end - 1])) end--;
	return text.slice(start, end);
}

function isMargin(character: string): boolean {
	return withoutInvisible(character) === '' && !turning.test(character);
}
