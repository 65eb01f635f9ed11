/**
 * Signs that nobody sees: soft hyphens, spaces without width, byte order marks, and those that turn
 * the direction of writing. Joiners belong to them except where another script needs them.
 */
const invisible =
	/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|(?<![^\0-\x7f\u200c\u200d])[\u200c\u200d]/g;

/**
 * An address or an ID as it was meant: without the white space around it, and without the signs
 * that come along unseen when it is copied from a web page or a document.
 */
export function visible(text: string): string {
	return text.replace(invisible, '').trim();
}

/** Signs that turn what stands after them: with them a text is not what it seems. */
const turning = /[\u202d\u202e]/;

/**
 * A text without the white space and the signs around it that come along unseen when it is copied.
 * What is within it stays, and so do signs that turn it.
 */
export function trimmed(text: string): string {
	let [start, end] = [0, text.length];
	while (start < end && isMargin(text[start])) start++;
	while (start < end && isMargin(text[end - 1])) end--;
	return text.slice(start, end);
}

function isMargin(sign: string): boolean {
	return visible(sign) === '' && !turning.test(sign);
}
