import type { StoredContact } from '../engine/updates.mts';

/**
 * What users may keep in their records, whatever it looks like: the API key in its spellings, parts
 * and masks of it, other keys, and the words that stand for a key in errors.
 */
export function lookalikesOf(key: string): Record<string, string> {
	const base64 = (text: string) => Buffer.from(text).toString('base64');
	const percent = (text: string) =>
		text.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
	return {
		'twelve characters that stand in the key': `order ref ${key.slice(8, 20)}-X`,
		'its end': `…${key.slice(-14)}`,
		'it without its prefix': key.slice(8),
		'its mask': `uses ${key.slice(0, 12)}…${key.slice(-4)} (ask Bob)`,
		'a longer mask': `${key.slice(0, 24)}...`,
		'a key of live data': 'sk_live_of-another-workspace-altogether',
		'another key of test data': 'sk_test_of-a-colleague-altogether',
		'the key': key,
		'the key in a sentence': `Bearer ${key}, since May`,
		'it in capitals': key.toUpperCase(),
		'its base64': base64(key),
		'its base64 as a user': base64(`${key}:`),
		'its percent-encoding': percent(key),
		'it escaped as in JSON': key.replace(/_/g, '\\u005f'),
		'the words that stand for a key': '[API key]',
	};
}

/** Contacts with such texts in all their fields, each in its turn, and plain addresses. */
export function contactsOf(key: string, count: number): Array<Partial<StoredContact>> {
	const pieces = [...Object.values(lookalikesOf(key)), 'Ask Bob', 'ünïcode'];
	const text = (index: number) => pieces[index % pieces.length];
	return Array.from({ length: count }, (_, index) => ({
		firstName: text(index),
		lastName: `${text(index + 3)}: ${text(index)}`,
		phone: text(index + 1),
		company: `"${text(index + 5)}" \\ ${text(index + 1)}`,
		jobTitle: text(index + 2),
		notes: pieces.slice(index % pieces.length).join('/'),
		tags: [text(index), text(index + 4)],
		email: `person${index}@example.com`,
	}));
}

/** A record with such texts in its fields, in their names, and in what is nested in them. */
export function recordOf(key: string): Record<string, unknown> {
	const pieces = Object.values(lookalikesOf(key));
	return {
		...Object.fromEntries(pieces.map((piece, index) => [`field${index}`, piece])),
		...Object.fromEntries(pieces.map((piece) => [piece, 1])),
		nested: pieces.map((piece) => ({ [piece]: [piece, { [piece]: piece }] })),
	};
}

/**
 * Where what was given differs in a byte from what is held, in words; nothing where it is the same.
 * Fields that only what was given has are its own.
 */
export function differences(given: object | undefined, held: object): string[] {
	const all = Object.entries(held).flatMap(([name, value]) => {
		const [one, other] = [Reflect.get(given ?? {}, name), value].map((part) =>
			JSON.stringify(part),
		);
		return one === other ? [] : [`${name}: ${one} in place of ${other}`];
	});
	return all.slice(0, 5);
}
