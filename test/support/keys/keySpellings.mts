/** So many characters of a key in a row are a piece of it. */
const piece = 8;

/**
 * The longest piece of a key, beyond the prefix that all keys share, which is in a text in any of
 * these spellings; empty where there is none.
 */
export function longestPieceIn(text: string, key: string): string {
	const secret = key.replace(/^sk_(?:test|live)_/, '').toLowerCase();
	const decoded = text
		.replace(/\\+u00([\da-f]{2})/gi, (_all, hex) => String.fromCharCode(parseInt(hex, 16)))
		.replace(/%([\da-f]{2})/gi, (_all, hex) => String.fromCharCode(parseInt(hex, 16)));
	// A text that was stored as JSON is escaped once more, so backslashes tell nothing.
	const [bareText, bareSecret] = [decoded, secret].map((one) => one.replace(/\\/g, ''));
	const where = bareText.toLowerCase();
	let longest = '';
	for (let from = 0; from + piece <= bareSecret.length; from++) {
		let end = from + Math.max(piece, longest.length + 1);
		while (end <= bareSecret.length && where.includes(bareSecret.slice(from, end))) {
			longest = bareSecret.slice(from, end++);
		}
	}
	return longest;
}
