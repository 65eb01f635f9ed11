import { describe, expect, test } from '@jest/globals';
import type { CrmWorkspaceCredential } from '../../nodes/CrmWorkspace/transport/credential';
import { withoutKey } from '../../nodes/CrmWorkspace/transport/keyInText';
import {
	bodyWithoutKey,
	failureDetails,
	redactor,
} from '../../nodes/CrmWorkspace/transport/redact';

const key = 'sk_test_4f1c9d7e2a';
const oddKey = 'sk_test_a-b.c/d+e=?"\\{1}';
const gone = '[API key]';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');

describe('the key is taken out', () => {
	test.each<[string, unknown, unknown]>([
		['the key itself', key, gone],
		['the key in a sentence', `bad key ${key}.`, `bad key ${gone}.`],
		['the key twice', `${key} ${key}`, `${gone} ${gone}`],
		['the key in capitals', key.toUpperCase(), gone],
		['the key in quotes', `"${key}"`, `"${gone}"`],
		[
			'an object',
			{ message: key, deep: [{ code: key }] },
			{ message: gone, deep: [{ code: gone }] },
		],
		['the name of a property', { [`a ${key}`]: 1 }, { [`a ${gone}`]: 1 }],
		[
			'a property named __proto__',
			JSON.parse(`{"__proto__":"${key}"}`),
			JSON.parse(`{"__proto__":"${gone}"}`),
		],
		['a key that breaks off where the text ends', `no ${key.slice(0, -3)}`, `no ${gone}`],
		['a key that breaks off in a text', `no ${key.slice(0, -1)} here`, `no ${gone} here`],
		['what is no text', [1, null, undefined, true], [1, null, undefined, true]],
		['a text without a key', 'sk_test_ is no key', 'sk_test_ is no key'],
	])('%s', (_what, value, expected) => {
		expect(redactor(key)(value)).toEqual(expected);
	});
});

describe.each([
	['letters and digits', key],
	['more than those', oddKey],
])('a key of %s', (_what, secret) => {
	const redact = (text: string) => redactor(secret)(text);
	const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
	const every = (spelling: (character: string) => string) => [...secret].map(spelling).join('');

	test.each([
		['encoded for an address', encodeURIComponent(secret)],
		['encoded twice', encodeURIComponent(encodeURIComponent(secret))],
		['encoded in every character', every((one) => `%${hex(one)}`)],
		['encoded in capitals', every((one) => `%${hex(one).toUpperCase()}`)],
		['as in JSON', JSON.stringify(secret).slice(1, -1)],
		['as in JSON within JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
		['escaped in JSON in every character', every((one) => `\\u00${hex(one)}`)],
		['escaped so within JSON', every((one) => `\\\\u00${hex(one)}`)],
		['with escaped slashes', secret.replaceAll('/', '\\/')],
		['in UTF-16 that is read as UTF-8', every((one) => `${one}\0`).slice(0, -1)],
		['in UTF-16, escaped', every((one) => `${one}\\u0000`).slice(0, -6)],
		...[
			'\n',
			'\r\n ',
			'\n\t',
			' \n',
			'\n    ',
			'\u2028',
			'\v',
			'=\r\n',
			'<br>\n',
			'&#10;',
			'%0D%0A',
		].map((end) => [
			`with ${JSON.stringify(end)} in it`,
			`${secret.slice(0, 12)}${end}${secret.slice(12)}`,
		]),
		[
			'escaped, with a line break and a space in it',
			`${secret.slice(0, 9)}\\r\\n ${secret.slice(9)}`,
		],
	])('%s', (_form, text) => {
		expect(redact(`before ${text} after`)).toBe(`before ${gone} after`);
	});

	test.each(['', 'u', 'us', 'use', 'user', 'user:', 'żółć', '?>?>~~~'])(
		'in base64, and the same for addresses, after “%s”',
		(before) => {
			for (const after of ['', ':', '::', ':::x', '?>~']) {
				for (const encoded of [base64, base64url].map((encode) =>
					encode(before + secret + after),
				)) {
					const redacted = redact(`Basic ${encoded}`);
					expect(redacted).toContain(gone);
					// What is left says at most what stands around the key, and half a character of it.
					const left = redacted.replace('Basic ', '').split(gone);
					expect(left.join('').length).toBeLessThanOrEqual(
						base64(`${before}12${after}`).length + 2,
					);
				}
			}
		},
	);

	test('in base64 that is escaped as in JSON or in an address', () => {
		const text = base64(`?>?>${secret}`);
		for (const one of [text.replaceAll('/', '\\/'), encodeURIComponent(text)]) {
			expect(redact(one)).toContain(gone);
		}
	});
});

test.each([
	['words', 'word '.repeat(2000)],
	['keys', 'sk_test_0f3a91c7d2e84b65a1f0937cde264b8f\n'.repeat(300)],
])('many %s that were pasted in place of a key are no reason to fail', (_what, pasted) => {
	const text = 'no sk_test_0f3a91c7d2e84b65a1f0937cde264b8f here';
	expect(() => redactor(pasted)(text)).not.toThrow();
	expect(redactor(`API_KEY=x ${text}`)(text)).toBe(`no ${gone} here`);
});

describe('a long key', () => {
	const secret = '0f3a91c7d2e84b65a1f0937cde264b8f';
	const long = `sk_live_${secret}`;
	const redact = (text: string) => redactor(long)(text);
	const inHtml = (spelled: (code: number) => string) =>
		[...long].map((one) => spelled(one.charCodeAt(0))).join('');
	const inLines = (text: string, end: string) => text.replace(/.{7}/g, (line) => line + end);

	test.each([
		['without its prefix', secret],
		[
			'without its prefix, encoded for an address',
			[...secret].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(''),
		],
		['without its prefix, in base64', base64(`key=${secret}`)],
		['broken over lines', inLines(long, '\n')],
		['broken over lines, as in JSON', inLines(long, '\\r\\n')],
		['in base64 that is broken over lines', inLines(base64(`user:${long}`), '\r\n')],
		['with its underscores as in Markdown', long.replaceAll('_', '\\_')],
		['with unseen signs', [...long].join('\u200b')],
		['as in a program', inHtml((code) => `\\x${code.toString(16)}`)],
		['as in another one', inHtml((code) => `\\u{${code.toString(16)}}`)],
		['with its underscores as in HTML', long.replaceAll('_', '&#95;')],
		['with its underscores by their name in HTML', long.replaceAll('_', '&lowbar;')],
		['in HTML, in decimal numbers', inHtml((code) => `&#${code};`)],
		['in HTML, in hexadecimal numbers', inHtml((code) => `&#x${code.toString(16)};`)],
		['in HTML, escaped twice', inHtml((code) => `&amp;#${code};`)],
	])('%s', (_form, text) => {
		const left = redact(`before ${text} after`);
		expect(left).toContain(gone);
		expect(left.length).toBeLessThan('before  after'.length + gone.length + 12);
	});

	test('is not the only one of which what follows the prefix is taken out', () => {
		const short = 'iu1s9AEovzcV';
		expect(redactor(`sk_test_${short}`)(`order ${short} 0f3a`)).toBe(`order ${gone} 0f3a`);
	});

	test('a part of it that is too short to tell is left alone', () => {
		for (const part of [secret.slice(0, 8), secret.slice(-11), secret.slice(5, 16)]) {
			expect(redact(`order ${part} 0f3a`)).toBe(`order ${part} 0f3a`);
		}
	});

	test.each([
		['its end', secret.slice(1)],
		['a shorter end', secret.slice(-12)],
		['its beginning', secret.slice(0, -1)],
		['a shorter beginning', secret.slice(0, 12)],
		['what is in its middle', secret.slice(5, 17)],
		...['', 'x', 'xx'].map((begin): [string, string] => [
			`twelve of its characters in base64 after ${begin.length} others`,
			base64(`${begin}${secret.slice(6, 18)}`),
		]),
		['its end in base64', base64(`key ends in ${secret.slice(6)} there`)],
		['all of it in base64 of UTF-16', Buffer.from(`the key ${long}`, 'utf16le').toString('base64')],
	])('%s, wherever it stands', (_part, text) => {
		for (const [before, after] of [
			['', ''],
			['The service says: ', '. Send less.'],
			['/', '?k=1'],
			['id=', '…'],
		]) {
			const left = redact(before + text + after);
			expect(left).toContain(gone);
			expect(left.startsWith(before)).toBe(true);
			expect(left.endsWith(after)).toBe(true);
			// In base64 stands more than the key.
			expect(left.length).toBeLessThan(before.length + after.length + gone.length + 45);
			expect(redact(left)).toBe(left);
		}
	});

	test('parts of it beside one another', () => {
		const text = `${secret.slice(0, 13)}${long} ${secret.slice(6)}${secret.slice(0, 14)}`;
		expect(redact(text)).not.toMatch(new RegExp(`[${secret}]{12}`));
	});
});

test('a key that ends in a backslash, before what backslashes stand before', () => {
	const secret = 'sk_test_4f1c9d7e2a"\\';
	for (const after of [':', 'n', '"', 'u0041', ' ']) {
		for (const text of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
			const left = redactor(secret)(`${text}${after}`);
			expect(left).toMatch(/^\[API key\]/);
			expect(left.length).toBeLessThanOrEqual(`${gone}%5C${after}`.length);
		}
	}
});

test('JSON stays JSON, whatever stands beside the key', () => {
	const secret = '4f1c9d7e2b8a6035d1c7e9f2ab';
	const redact = redactor(`sk_live_${secret}`);
	const inBase64 = Buffer.from(`Bearer sk_live_${secret}`).toString('base64');
	const forms = [
		`sk_live_${secret}`,
		secret,
		secret.slice(3, 16),
		encodeURIComponent(secret),
		inBase64,
	];
	const others = [
		'"',
		'\\',
		'\n',
		'\n"',
		'\\"',
		'\t',
		'/',
		'\u0001',
		'\\n',
		'\\\\"',
		'\ud83d\ude00',
		'{"a":"b"}',
		'',
		' ',
	];
	for (const form of forms) {
		for (const before of others) {
			for (const after of others) {
				const text = `${before}${form}${after}`;
				for (const value of [{ [text]: text }, { json: JSON.stringify({ text }) }]) {
					const left = bodyWithoutKey(redact, JSON.stringify(value));
					expect(left).not.toContain(form);
					expect(Object.keys(JSON.parse(left) as object)).toHaveLength(1);
				}
			}
		}
	}
});

describe('the text of an answer', () => {
	const redact = (text: string) => bodyWithoutKey(redactor(key), text);

	test('that does not hold the key stays as it was written', () => {
		expect(redact('{ "a" : 1.0 }')).toBe('{ "a" : 1.0 }');
	});

	test('that is no JSON is a text like any other', () => {
		expect(redact(`<p>no ${key}</p>`)).toBe(`<p>no ${gone}</p>`);
	});
});

describe('only the key is taken out', () => {
	test('and not what is spelled otherwise behind it', () => {
		expect(redactor(key)(`{"a":"${key}\\"b"}`)).toBe(`{"a":"${gone}\\"b"}`);
		expect(redactor(key)(`${key}\\\\"b`)).toBe(`${gone}\\\\"b`);
	});

	test('of a short key, whatever follows it', () => {
		expect(redactor('sk_test_abc')('no sk_test_abc here')).toBe(`no ${gone} here`);
		expect(redactor('sk_test_(b.c)+')('no sk_test_(b.c)+ here')).toBe(`no ${gone} here`);
		expect(redactor(key)('order 4f1c9d7e2a')).toBe('order 4f1c9d7e2a');
	});

	test.each(['sk_test_4', 'no sk_test_4', 'no sk_test_4f…'])('where it was cut: %s', (text) => {
		expect(redactor(key)(text)).toBe(text.replace(/sk_test_4f?/, gone));
	});

	test.each(['no sk_test_', 'no sk_test_…', 'no sk_test_4x here', 'no sk_test_5'])(
		'and not what begins like any key: %s',
		(text) => {
			expect(redactor(key)(text)).toBe(text);
			expect(redactor('sk_test_4f3a91c7d2e84b65a1f0937c')(text)).toBe(text);
		},
	);

	test('where what follows its prefix was cut', () => {
		const redact = redactor('sk_live_0f3a91c7d2e84b65a1f0937cde264b8f');
		expect(redact('order 0f3a91c7d2…')).toBe(`order ${gone}…`);
		expect(redact('order 0f3a91c7d2, 5')).toBe('order 0f3a91c7d2, 5');
	});
});

test.each(['', ' ', 'words', undefined, 7])('%j is no key to look for', (apiKey) => {
	expect(withoutKey(apiKey)('any text')).toBe('any text');
});

describe('a value without the key', () => {
	const redact = redactor(key);

	test('has no name that holds it, however often it comes', () => {
		for (let time = 0; time < 3; time++) {
			expect(redact({ [key]: 1, other: key })).toEqual({ [gone]: 1, other: gone });
		}
	});

	test('is looked at in a list or object of whatever origin', () => {
		const bare = Object.assign(Object.create(null) as object, { text: key });
		expect(redact({ bare })).toEqual({ bare: { text: gone } });
		expect(redact([[], {}, key])).toEqual([[], {}, gone]);
	});

	test('lacks what cannot be read', () => {
		const value = {
			get broken() {
				throw new Error('no');
			},
			text: key,
		};
		expect(redact(value)).toEqual({ broken: undefined, text: gone });
	});

	test('can be changed like any other', () => {
		const value: { text?: string } = redact({ text: key });
		value.text = 'x';
		expect(value).toEqual({ text: 'x' });
		delete value.text;
		expect(value).toEqual({});
	});

	test.each<[string, (value: unknown) => unknown]>([
		['lists', (value) => [value]],
		['objects', (value) => ({ a: value })],
	])('is looked at down to 500 %s within one another', (_of, wrap) => {
		const nested = (times: number) => {
			let value: unknown = key;
			for (let time = 0; time < times; time++) value = wrap(value);
			return JSON.stringify(redact(value));
		};
		expect(nested(501)).toContain(gone);
		expect(nested(501)).not.toContain('nested too deeply');
		expect(nested(502)).not.toContain(gone);
		expect(nested(502)).not.toContain(key);
		expect(nested(502)).toContain('[nested too deeply]');
	});
});

test('what does not hold the key stays the same object', () => {
	const value = { a: [{ b: new Date(), c: 'x' }] };
	expect(redactor(key)(value)).toBe(value);
});

test('what holds it is copied, and not changed', () => {
	const shared = { text: key };
	const value = { shared, again: shared, date: new Date(0) };
	const redacted = redactor(key)(value);
	expect(redacted).toEqual({ shared: { text: gone }, again: { text: gone }, date: new Date(0) });
	expect(shared.text).toBe(key);
	expect(redacted.date).toBe(value.date);
});

test('a value that holds itself, and one that is nested without measure', () => {
	const circle: Record<string, unknown> = { key };
	circle.circle = circle;
	const redacted = redactor(key)(circle);
	expect(redacted.key).toBe(gone);
	expect(redacted.circle).toBe(redacted);

	const nested = JSON.parse(`${'['.repeat(20_000)}"${key}"${']'.repeat(20_000)}`) as unknown;
	const text = JSON.stringify(redactor(key)(nested));
	expect(text).toContain('[nested too deeply]');
	expect(text).not.toContain(key);
});

test.each(['', ' ', 'sk_test_', 'sk', undefined])(
	'what is too short for a key wrecks no text: “%s”',
	(short) => {
		const text = 'The key begins with sk_test_ or sk_live_, e.g. sk';
		expect(redactor(short as string)(text)).toBe(text);
	},
);

test('the longest key there is, in base64', () => {
	const longest = key.padEnd(500, 'aZ/+9');
	expect(redactor(longest)(base64(`x${longest}`))).toContain(gone);
	expect(redactor(longest)(longest.slice(0, 400))).toBe(gone);
	expect(redactor(`${longest}x`)('sk_test_')).toBe('sk_test_');
});

test('what stands in a credential beside the key is taken out with it', () => {
	expect(redactor(` ${key}\nX-Other: 1`)(`a ${key}`)).toBe(`a ${gone}`);
});

describe('of a failure nothing that looks like a key is told', () => {
	const credential = {
		baseUrl: 'https://crm.example.com/api/v1',
		apiKey: key,
		mode: 'test',
	} as CrmWorkspaceCredential;

	test.each([
		['another key', 'sk_live_8b3e6a0d5c', gone],
		['a key that was cut', 'no sk_test_4f1c…', `no ${gone}…`],
		['a key in a page', `<b>${key}</b>`, `<b>${gone}</b>`],
		['a key with more than letters', 'sk_test_a-b.c/d+e=', gone],
		['a text without a key', 'sk_live_, and sk_test_…', 'sk_live_, and sk_test_…'],
	])('%s', (_what, message, expected) => {
		const facts = { message, attempts: 1, waited: 0 };
		expect(failureDetails(credential, 'GET /contacts', facts)).toEqual({
			message: expected,
			attempts: 1,
			waited: 0,
			request: 'GET /contacts',
			host: 'crm.example.com',
			mode: 'test',
		});
	});
});
