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

/** A key that no other case has, of 32 letters and digits and whatever comes after. */
export function keyOf(number: number, prefix: string, suffix: string): string {
	const secret = createHash('sha512').update(`key ${number}`).digest('base64');
	return `${prefix}${secret.replace(/[^A-Za-z0-9]/g, '').slice(0, 32)}${suffix}`;
}

/** The 32 letters of a key. */
export function secretOf(key: string): string {
	return /[A-Za-z0-9]{32}/.exec(key)![0];
}

/** So many of a key's first characters are no coincidence. */
const tellingBeginning = 20;

/**
 * Looks for the key in the spellings that are promised to be taken out: as it is, in any case,
 * encoded for an address, or escaped as in JSON. And for its beginning, where a text was cut in it.
 * @returns what was found, in words, with what stands around it; undefined if it is nowhere
 */
export function findKey(key: string, text: string): string | undefined {
	const whole = key.trim().toLowerCase();
	const spellings: Array<[string, string]> = [
		['plain', text],
		['encoded', undone(text, /%([\da-f]{2})/gi)],
		['escaped', undone(text, /\\u00([\da-f]{2})/gi).replace(/\\(["\\/])/g, '$1')],
	];
	for (const [spelling, where] of spellings) {
		const found = placeOf(whole, where.toLowerCase());
		if (found === undefined) continue;
		const around = where.slice(Math.max(0, found - 160), found + whole.length + 60);
		return `${spelling}: …${around}…`;
	}
	return undefined;
}

/** Where a text has the key, or a beginning of it before the sign of a cut. */
function placeOf(whole: string, text: string): number | undefined {
	const beginning = whole.slice(0, tellingBeginning);
	for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, at + 1)) {
		let end = beginning.length;
		while (end < whole.length && text[at + end] === whole[end]) end++;
		if (end === whole.length || text[at + end] === '…') return at;
	}
	return undefined;
}

function undone(text: string, code: RegExp): string {
	return text.replace(code, (_all, hex) => String.fromCharCode(parseInt(hex, 16)));
}

function percent(text: string, which: RegExp): string {
	return text.replace(
		which,
		(sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
	);
}
