import { expect, test } from '@jest/globals';
import { formsOf } from '../support/keys/keyForms.mts';

const key = 'sk_test_Zm~?/+9ab>>cd??';
const isFound = (text: string) => formsOf(key).some((form) => text.includes(form));

test.each([
	['plain', `Bearer ${key}, and more`],
	['URL-encoded', `?key=${encodeURIComponent(key)}&x`],
	['URL-encoded in lower case', encodeURIComponent(key).replace(/%../g, (it) => it.toLowerCase())],
	[
		'URL-encoded to the last sign',
		key.replace(/\W|_/g, (it) => `%${it.charCodeAt(0).toString(16)}`),
	],
	['URL-encoded, every sign', key.replace(/./g, (it) => `%${it.charCodeAt(0).toString(16)}`)],
])('a key is found %s', (_form, text) => {
	expect(isFound(text)).toBe(true);
});

test.each(['base64', 'base64url'] as const)('a key is found in %s, wherever it begins', (form) => {
	for (let before = 0; before < 7; before++) {
		for (let after = 0; after < 4; after++) {
			const text = 'x'.repeat(before) + key + 'y'.repeat(after);
			expect(isFound(Buffer.from(text).toString(form))).toBe(true);
		}
	}
});

test('another key is not found, nor a part of one', () => {
	const others = [key.slice(0, -1), key.toUpperCase(), 'sk_test_', ''];
	for (const other of others) {
		expect(isFound(other)).toBe(false);
		expect(isFound(Buffer.from(other).toString('base64'))).toBe(false);
	}
});
