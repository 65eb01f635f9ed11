import { createHash } from 'node:crypto';

/** How the service gives the key back. */
export const keyForms = {
	plain: (key: string) => key,
	'in a header line': (key: string) => `Authorization: Bearer ${key}`,
	'URL-encoded': (key: string) => percent(key, /[^A-Za-z0-9]/g),
	'URL-encoded in lower case': (key: string) =>
		percent(key, /[^A-Za-z0-9]/g).replace(/%../g, (code) => code.toLowerCase()),
	'URL-encoded whole': (key: string) => percent(key, /[^]/g),
	'base64 from byte 0': (key: string) => Buffer.from(key).toString('base64'),
	'base64 from byte 1': (key: string) => Buffer.from(`x${key}y`).toString('base64'),
	'base64 from byte 2': (key: string) => Buffer.from(`xx${key}yy`).toString('base64'),
	'base64 of a header': (key: string) => Buffer.from(`Bearer ${key}`).toString('base64'),
	'base64url from byte 1': (key: string) => Buffer.from(`x${key}?>`).toString('base64url'),
	'as a user of base64': (key: string) => Buffer.from(`${key}:`).toString('base64'),
	'URL-encoded twice': (key: string) => encodeURIComponent(percent(key, /[^A-Za-z0-9]/g)),
	'in HTML': (key: string) => key.replace(/[^A-Za-z0-9]/g, (sign) => `&#${sign.charCodeAt(0)};`),
	'in lines of base64': (key: string) =>
		Buffer.from(`Authorization: Bearer ${key}, Authorization: Bearer ${key}`)
			.toString('base64')
			.replace(/.{76}/g, '$&\r\n'),
	'without its prefix': (key: string) => key.replace(/^sk_(test|live)_/, ''),
	'in quotes': (key: string) => `Invalid API key "${key}"`,
	'in JSON within a text': (key: string) => JSON.stringify({ authorization: `Bearer ${key}` }),
	'cut at its front': (key: string) => `…${key.slice(12)}`,
	'cut at both ends': (key: string) => `…${key.slice(10, -2)} and more`,
	'with white space around': (key: string) => ` \t${key}\n`,
	'in a URL': (key: string) => `https://user:${key}@evil.example/?key=${encodeURIComponent(key)}`,
} satisfies Record<string, (key: string) => string>;

export type KeyForm = keyof typeof keyForms;

/** What stands for the key's secret part in these letters cannot be there by chance. */
const shortest = 8;
/** So many of its characters in a row are found wherever they begin, by eight of them. */
const tooMany = 15;

/** A key that no other case has, of 32 letters and digits and whatever comes after. */
export function keyOf(number: number, prefix: string, suffix: string): string {
	const secret = createHash('sha512').update(`key ${number}`).digest('base64');
	return `${prefix}${secret.replace(/[^A-Za-z0-9]/g, '').slice(0, 32)}${suffix}`;
}

/** The 32 letters of a key. */
export function secretOf(key: string): string {
	return /[A-Za-z0-9]{32}/.exec(key)![0];
}

/**
 * Looks for the key's 32 letters, in every form that can be read back.
 * @returns what was found, in words, with what stands around it; undefined if it is nowhere
 */
export function findKey(key: string, text: string): string | undefined {
	const secret = secretOf(key);
	const prefix = key.slice(0, key.indexOf(secret)).toLowerCase();
	const decoded = undo(text);
	const forms: Array<[string, string, string]> = [['plain', secret, text]];
	if (decoded !== text) forms.push(['encoded', secret, decoded]);
	for (let from = 0; from < 3; from++) {
		const bytes = Buffer.from('x'.repeat(from) + key.slice(0, key.indexOf(secret)) + secret);
		const letters = bytes.toString('base64').replace(/=+$/, '').slice(4, -4);
		forms.push(['base64', letters, text.replace(/(?:\\[rn]|[\r\n])+/g, '')]);
	}
	for (const [form, letters, where] of forms) {
		const found = longestPart(letters, where);
		if (!found || found.length < tooMany) continue;
		const isWhole = found.length === letters.length;
		const isBare =
			form !== 'base64' && isWhole && !where.slice(0, found.at).toLowerCase().endsWith(prefix);
		const part = isBare ? 'without its prefix, ' : isWhole ? '' : `${found.length} characters, `;
		const around = where.slice(Math.max(0, found.at - 160), found.at + found.length + 60);
		return `${part}${form}: …${around}…`;
	}
	return undefined;
}

/** The longest run of `letters` that a text has, if any eight aligned ones are in it. */
function longestPart(letters: string, text: string): { at: number; length: number } | undefined {
	let best: { at: number; length: number } | undefined;
	for (let from = 0; from + shortest <= letters.length; from += shortest) {
		const block = letters.slice(from, from + shortest);
		for (let at = text.indexOf(block); at !== -1; at = text.indexOf(block, at + 1)) {
			let before = 0;
			while (before < from && text[at - before - 1] === letters[from - before - 1]) before++;
			let end = shortest;
			while (from + end < letters.length && text[at + end] === letters[from + end]) end++;
			if (!best || before + end > best.length) best = { at: at - before, length: before + end };
			if (best.length === letters.length) return best;
		}
	}
	return best;
}

/** What somebody sees who undoes the encodings of URLs, of HTML and of JSON. */
function undo(text: string): string {
	return text
		.replace(/&#(\d{2,3});/g, (_all, code) => String.fromCharCode(Number(code)))
		.replace(/(?:%25)+/g, '%')
		.replace(/%([0-9a-f]{2})/gi, (_all, hex) => String.fromCharCode(parseInt(hex, 16)))
		.replace(/\\u00([0-9a-f]{2})/gi, (_all, hex) => String.fromCharCode(parseInt(hex, 16)));
}

function percent(text: string, which: RegExp): string {
	return text.replace(
		which,
		(sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
	);
}
