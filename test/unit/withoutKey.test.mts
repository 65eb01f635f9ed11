import { describe, expect, test } from '@jest/globals';
import {
	keyRemover,
	cutWithoutKey,
} from '../../nodes/CrmWorkspace/transport/credential/withoutKey';
import { cpuTime } from '../support/engine/cpuTime.mts';

const key = 'sk_test_4f1c9d7e2a';
const oddKey = 'sk_test_a-b.c/d+e=?"\\{1}';
const gone = '[API key]';

describe('the key is taken out', () => {
	test.each([
		['by itself', key, gone],
		['in a sentence', `bad key ${key}.`, `bad key ${gone}.`],
		['in a header', `Authorization: Bearer ${key}\r\n`, `Authorization: Bearer ${gone}\r\n`],
		['within a longer word', `x${key}x`, `x${gone}x`],
		['several times', `${key}${key} ${key}`, `${gone}${gone} ${gone}`],
		[
			'in several spellings',
			`${key} ${key.toUpperCase()} %73${key.slice(1)}`,
			`${gone} ${gone} ${gone}`,
		],
		['in JSON', JSON.stringify({ [key]: [key] }), JSON.stringify({ [gone]: [gone] })],
	])('%s', (_where, text, expected) => {
		expect(keyRemover(key)(text)).toBe(expected);
	});

	test('although white space was pasted around it', () => {
		expect(keyRemover(` ${key}\n`)(`no ${key} here`)).toBe(`no ${gone} here`);
	});
});

describe.each([
	['letters and digits', key],
	['what means something in an expression', 'sk_test_$&.*[+\\/=%^(?!'],
	['what is escaped in JSON and in an address', oddKey],
	['every printable character', `sk_live_${String.fromCharCode(...range(0x21, 0x7e))}`],
])('a key of %s is taken out', (_what, secret) => {
	const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
	const inEach = (spelled: (character: string) => string) => [...secret].map(spelled).join('');
	const percent = (character: string) => `%${hex(character)}`;

	test.each([
		['as it is', secret],
		['in capitals', secret.toUpperCase()],
		['in small letters', secret.toLowerCase()],
		['encoded for an address', encodeURIComponent(secret)],
		['encoded where it is no letter', secret.replace(/[^a-z\d]/gi, percent)],
		['encoded in each character', inEach(percent)],
		['encoded in capitals', inEach((one) => percent(one).toUpperCase())],
		['as in JSON', JSON.stringify(secret).slice(1, -1)],
		[
			'as in JSON, its slashes escaped too',
			JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
		],
		['escaped in each character', inEach((one) => `\\u00${hex(one)}`)],
		['escaped in capitals', inEach((one) => `\\u00${hex(one).toUpperCase()}`)],
		['in a mixture', inEach((one) => (/[aeiou]/.test(one) ? percent(one) : one))],
	])('%s', (_spelling, text) => {
		expect(keyRemover(secret)(`before ${text} after`)).toBe(`before ${gone} after`);
	});

	test('and where a text was cut within the longest spelling, its beginning goes too', () => {
		const spelled = inEach((one) => `\\u00${hex(one)}`);
		const cut = `${'No. '.repeat(1000)}${spelled.slice(0, -1)}`;
		expect(cutWithoutKey(cut, keyRemover(secret))).toMatch(/^(No\. ?)+/);
		expect(cutWithoutKey(cut, keyRemover(secret))).not.toContain('\\u00');
	});
});

describe('what is no key stays as it is', () => {
	const text = `{ "a" : 1.0, "b":"\\u0041%41 \\/ 👩‍🔬\\ud83d\r\n\0 sk_test_ sk_live_1 ${key.slice(0, -1)}" }`;

	test('byte for byte', () => {
		expect(keyRemover(key)(text)).toBe(text);
		expect(keyRemover(oddKey)(text)).toBe(text);
	});

	test('around the key, too', () => {
		expect(keyRemover(key)(text + key + text)).toBe(text + gone + text);
	});

	// Who has the key in one of these had it before: nothing that the service holds is guessed at.
	test.each([
		['another key', 'sk_test_4f1c9d7e2b'],
		['its beginning', key.slice(0, -1)],
		['its end', key.slice(1)],
		['what follows its prefix', key.slice('sk_test_'.length)],
		['a mask of it', 'sk_test_4f1c…7e2a'],
		['a mask of stars', `sk_test_${'*'.repeat(10)}`],
		['base64 of it', Buffer.from(key).toString('base64')],
		['base64 of a header', Buffer.from(`user:${key}`).toString('base64url')],
		['a line break in it', `${key.slice(0, 9)}\n${key.slice(9)}`],
		['HTML of it', key.replaceAll('_', '&#95;')],
	])('%s', (_what, other) => {
		expect(keyRemover(key)(other)).toBe(other);
	});
});

describe('what cannot be a key wrecks no text', () => {
	test.each([
		['nothing', undefined],
		['an empty text', ''],
		['white space', ' \n'],
		['a letter', 's'],
		['what all keys begin with', 'sk_test_'],
		['what all keys begin with, and white space', ' sk_live_ '],
		['a whole document', 'word '.repeat(2000)],
		['one character too many', 'sk_test_'.padEnd(501, 'x')],
		['a number', 7],
		['an object', { key }],
		['a sign that no key has', '👩‍🔬 żółć Ω'],
	])('%s', (_what, apiKey) => {
		const text = `The key begins with sk_test_ or sk_live_, word ${'sk_test_'.padEnd(501, 'x')} 7 ${key}`;
		expect(keyRemover(apiKey)(text)).toBe(text);
	});

	test('from one character after the prefix on it is one, and up to 500 characters', () => {
		for (const least of ['sk_test_1', 'sk_test_'.padEnd(500, 'aZ/+9')]) {
			expect(keyRemover(least)(`a ${least}.`)).toBe(`a ${gone}.`);
		}
	});
});

describe('a long text takes time in proportion to its length', () => {
	const length = 64 * 1024;
	const fill = (piece: string) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
	const removers = [key, oddKey, 'sk_test_'.repeat(60), `sk_test_${'%'.repeat(400)}`].map(
		keyRemover,
	);
	const takes = (text: string) =>
		Math.min(...[1, 2].map(() => cpuTime(() => removers.map((remove) => remove(text)))));

	test.each([
		['backslashes', fill('\\')],
		['a prefix and backslashes', `sk_test_${fill('\\')}`],
		['prefixes', fill('sk_test_')],
		['percent signs', fill('%')],
		['a prefix and percent signs', `sk_test_${fill('%')}`],
		['escapes that break off', fill('\\u00')],
		['escaped letters', fill('\\u0073')],
		['encoded letters', fill('%73')],
		['keys but for the last character', fill(key.slice(0, -1))],
		['odd keys but for the last character', fill(oddKey.slice(0, -1))],
		['keys', fill(key)],
	])('of %s', (_what, text) => {
		expect(takes(text)).toBeLessThan(1000);
		expect(takes(text.repeat(4))).toBeLessThan(16 * takes(text) + 100);
	});
});

describe('a key with backslashes', () => {
	test('is taken out where each is escaped, and where none is', () => {
		for (const secret of ['sk_test_a\\', 'sk_test_a\\\\', 'sk_test_\\n\\u0041\\']) {
			for (const text of [secret, JSON.stringify(secret).slice(1, -1)]) {
				expect(keyRemover(secret)(`no ${text}: x`)).toBe(`no ${gone}: x`);
			}
		}
	});

	test('is taken out as a whole where the last one is escaped as \\u005c', () => {
		expect(keyRemover('sk_test_a\\')('no sk_test_a\\u005c here')).toBe(`no ${gone} here`);
	});

	test('takes no more time than others, however many there are in a row', () => {
		const backslashes = (count: number) => '\\'.repeat(count);
		const remove = keyRemover(`sk_test_${backslashes(24)}x`);
		expect(cpuTime(() => remove(`sk_test_${backslashes(1000)}`))).toBeLessThan(50);
	});
});

function range(first: number, last: number): number[] {
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
