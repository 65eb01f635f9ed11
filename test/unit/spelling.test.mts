import { describe, expect, test } from '@jest/globals';
import { locatedSpelling, plainlySpelled } from '../../nodes/CrmWorkspace/transport/spelling';

describe('a text is spelled plainly', () => {
	test.each([
		['a%73b', 'asb'],
		['a%5fb%5F', 'a_b_'],
		['a\\u0073b', 'asb'],
		['a\\x73b', 'asb'],
		['a\\u{73}b\\u{0073}', 'asbs'],
		['a\\u{000073}b', 'asb'],
		['a\\/b', 'a/b'],
		['a\\\\\\"b', 'a"b'],
		['a\\r\\n  b', 'ab'],
		['a\\n\tb', 'ab'],
		['a&#115;b&#115', 'asbs'],
		['a&#0115;b', 'asb'],
		['a&#x73;b&#x0073', 'asbs'],
		['a&amp;b&lt;c&gt;d&quot;e&apos;f&lowbar;g', 'a&b<c>d"e\'f_g'],
		['a&LT;b', 'a<b'],
		['a\r\n   b', 'ab'],
		['a  \nb', 'ab'],
		['a\v\f\u0085\u2028\u2029b', 'ab'],
		['a=\r\nb', 'ab'],
		['a<br>b<br/>c<br />d<BR>e', 'abcde'],
		['a<br>  b', 'ab'],
		['a\0b\u00ad\u200b\u200c\u200d\u2060\ufeffc', 'abc'],
		['a%0Ab%0dc%00d&#10;e&#13;f', 'abcdef'],
		['%21%7e', '!~'],
	])('%j is %j', (text, plain) => {
		expect(plainlySpelled(text)).toBe(plain);
		expect(locatedSpelling(text).text).toBe(plain);
	});
});

test.each([
	'',
	'plain text, of 100 % = words & <b>more</b>',
	'a%20b',
	'a%7fb%80c%ff',
	'a%7gb%',
	'a&#32;b&#9;c&#300;',
	'a&nbsp;b',
	'a b  c\td',
	'a=b',
])('%j stays as it is', (text) => {
	expect(plainlySpelled(text)).toBe(text);
	expect(locatedSpelling(text).text).toBe(text);
});

test('a character may be spelled otherwise four times over, and no more', () => {
	const encodedTimes = (times: number) => `%${'25'.repeat(times - 1)}73`;
	expect(plainlySpelled(encodedTimes(4))).toBe('s');
	expect(locatedSpelling(encodedTimes(4)).text).toBe('s');
	expect(plainlySpelled(encodedTimes(5))).toBe('%73');
	expect(locatedSpelling(encodedTimes(5)).text).toBe('%73');
});

test.each([
	['abc', [0, 1, 2, 3]],
	['a%73b', [0, 1, 4, 5]],
	['a\r\nb', [0, 3, 4]],
	['%2573x', [0, 5, 6]],
	['a\\"', [0, 2, 3]],
	['a\n', [0, 2]],
	['%73%74', [0, 3, 6]],
])('each character of %j knows where it was, and so does the end', (text, places) => {
	expect([...locatedSpelling(text).places]).toEqual(places);
});
