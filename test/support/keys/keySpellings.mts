/** How a service, or what stands before it, may repeat a key in the words of an error. */
export function spellingsOf(key: string): Record<string, string> {
	const hexOf = (sign: string) => sign.charCodeAt(0).toString(16);
	const signs = /[^a-z\d]/gi;
	const inJson = JSON.stringify(key).slice(1, -1);
	return {
		'as it is': key,
		'in capitals': key.toUpperCase(),
		'in small letters': key.toLowerCase(),
		'encoded for an address': encodeURIComponent(key),
		'encoded for an address, in small letters': encodeURIComponent(key).replace(/%../g, (code) =>
			code.toLowerCase(),
		),
		'encoded for an address, every sign': key.replace(signs, (sign) => `%${hexOf(sign)}`),
		'escaped as in JSON': inJson,
		'escaped as in JSON, its slashes, too': inJson.replaceAll('/', '\\/'),
		'escaped as in JSON, every sign': key.replace(signs, (sign) => `\\u00${hexOf(sign)}`),
		'escaped as in JSON, every sign, in capitals': key.replace(
			signs,
			(sign) => `\\u00${hexOf(sign).toUpperCase()}`,
		),
	};
}

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
