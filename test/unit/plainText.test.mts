import { expect, test } from '@jest/globals';
import {
	formatList,
	shorten,
	textToHtml,
	toPlainText,
	trim,
} from '../../nodes/CrmWorkspace/common/text';

test.each([
	['<img src=http://127.0.0.1:9/x>', '‹img src=http://127.0.0.1:9/x›'],
	['<a href="http://a.example">here</a>', '‹a href="http://a.example"›here‹/a›'],
	[' a\r\n\tb\u2028c\u0000d\u0085e ', 'a b c d e'],
	...['AT & T, ![x](http://a.example)', '&#60;', '👩‍🔬 ❤️', 'a `b` “c” {{ $json.a[0].b }}'].map(
		(plain) => [plain, plain],
	),
])('n8n shows %j as the plain text %j', (text, expected) => {
	expect(toPlainText(text)).toBe(expected);
});

const england = 'England 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
test.each([
	[' \t\u00a0\u200b\u202aa b\u202c\n', 'a b'],
	['ക\u200d', 'ക\u200d'],
	[`${england} `, england],
])('of %j, what is pasted along around it goes, and no part of a sign', (text, expected) => {
	expect(trim(text)).toBe(expected);
});

test('of a text its beginning is shown, and no half of a sign', () => {
	expect(shorten('x'.repeat(500))).toHaveLength(500);
	expect(shorten('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
	expect(shorten('ab👩', 3)).toBe('ab…');
});

test('of a list ten names are shown, and how many more there are', () => {
	const names = Array.from({ length: 12 }, (_, index) => `${index}`);
	expect(formatList(names)).toBe('0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more');
	expect(formatList(['a', 'x'.repeat(101)])).toBe(`a, ${'x'.repeat(100)}…`);
});

test.each(['%s', '**%s**', '`%s`', '_%s_', '(%s).', '"%s"', '%s…', '<%s>'])(
	'an address is a link without what stands around it: %s',
	(around) => {
		const link = 'https://x.example/a_b?t=1-2';
		const html = textToHtml(around.replace('%s', link));
		expect(html).toContain(`<a href="${link}">${link}</a>`);
	},
);
