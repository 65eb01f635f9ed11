import { describe, expect, test } from '@jest/globals';
import { trimmed, withoutInvisible } from '../../nodes/CrmWorkspace/text/invisible';

test.each([
	['white space around it', ' \tada@example.com\n'],
	['a no-break space at its end', 'ada@example.com\u00a0'],
	['a zero-width space at its end', 'ada@example.com\u200b'],
	['a zero-width space in the middle', 'ada@\u200bexample.com'],
	['a byte order mark before it', '\ufeffada@example.com'],
	['a soft hyphen in the middle', 'ada@exam\u00adple.com'],
	['a word joiner', 'ada\u2060@example.com'],
	['marks of direction around it', '\u202aada@example.com\u202c'],
	['isolates around it', '\u2066ada@example.com\u2069'],
	['a left-to-right mark, then white space', 'ada@example.com\u200e '],
	['white space, then a zero-width space', 'ada@example.com \u200b'],
	['joiners where nothing is to be joined', '\u200dada\u200c@example.com\u200d\u200c'],
])('what is meant with %s', (_what, text) => {
	expect(withoutInvisible(text)).toBe('ada@example.com');
});

test.each(['jürgen@exämple.de', 'info@نامه\u200cای.example', '👩\u200d🔬@example.com', 'a b'])(
	'what can be seen, or is needed for it, stays: %s',
	(text) => {
		expect(withoutInvisible(text)).toBe(text);
	},
);

describe('what was copied along around a text goes, and nothing else', () => {
	test.each([
		['', ''],
		[' \t\u200b\ufeff\u00ad', ''],
		[' a', 'a'],
		['a\u200b ', 'a'],
		['\u2066 a b \u2069', 'a b'],
		['a\u200bb', 'a\u200bb'],
		['  x', 'x'],
		['x', 'x'],
	])('%j', (text, expected) => {
		expect(trimmed(text)).toBe(expected);
	});

	test.each(['\u202etxt.exe', 'exe.txt\u202d'])('signs that turn a text stay: %j', (text) => {
		expect(trimmed(text)).toBe(text);
		expect(trimmed(` ${text}\u200b`)).toBe(text);
	});
});
