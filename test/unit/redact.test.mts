import { expect, test } from '@jest/globals';
import { redact } from '../../nodes/CrmWorkspace/transport/redact';

const key = 'sk_test_4f1c9d7e2a';
const gone = '[API key]';

test.each<[string, unknown, unknown]>([
	['the key itself', key, gone],
	['the key in a sentence', `bad key ${key}.`, `bad key ${gone}.`],
	['the key twice', `${key} ${key}`, `${gone} ${gone}`],
	['another key of the service', 'sk_live_8b3e6a0d5c', gone],
	['a key that was cut', 'no sk_test_4f1c…', `no ${gone}…`],
	['a key in capitals', key.toUpperCase(), gone],
	['a key in quotes', `"${key}"`, `"${gone}"`],
	['a key in a page', `<b>${key}</b>`, `<b>${gone}</b>`],
	['a key with more than letters', 'sk_test_a-b.c/d+e=', gone],
	['an object', { message: key, deep: [{ code: key }] }, { message: gone, deep: [{ code: gone }] }],
	['what is no text', [1, null, undefined, true], [1, null, undefined, true]],
	['a text without a key', 'sk_ is no key', 'sk_ is no key'],
])('%s', (_what, value, expected) => {
	expect(redact(value, key)).toEqual(expected);
});

test('a key of any form, where it is known', () => {
	expect(redact('token=$(x).*', '$(x).*')).toBe(`token=${gone}`);
});
