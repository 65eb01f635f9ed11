import { describe, expect, test } from '@jest/globals';
import { addressProblem } from '../../nodes/CrmWorkspace/service/formats';
import { addressCharacterProblem, headProblem } from '../../nodes/CrmWorkspace/service/characters';

describe('in the head of a message', () => {
	test.each([
		['a\nb', 'a line break'],
		['a\rb', 'a line break'],
		['a\r\nBcc: b@example.com', 'a line break'],
		['a\vb', 'a line break'],
		['a\fb', 'a line break'],
		['a\u0085b', 'a line break'],
		['a\u2028b', 'a line break'],
		['a\u2029b', 'a line break'],
		['a\0b', 'the control character U+0000'],
		['a\u001bb', 'the control character U+001B'],
		['a\u007fb', 'the control character U+007F'],
		['a\u0090b', 'the control character U+0090'],
		['a\ud83d', 'half a character (U+D83D)'],
		['a\udd2cb', 'half a character (U+DD2C)'],
	])('%j has %s at character 2', (text, character) => {
		expect(headProblem(text)).toBe(`has ${character} at character 2`);
	});

	test('a character is what is one in Unicode', () => {
		expect(headProblem('👩🔬é\n')).toBe('has a line break at character 4');
	});

	test.each([
		'',
		'Your order has shipped',
		'a\tb',
		'👩\u200d🔬 and 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
		'نامه\u200cای',
		'\u2067שלום\u2069',
		'co\u00adoperate',
		'Ünïcödé – “quotes”, commas; <brackets>',
	])('%j is fit', (text) => {
		expect(headProblem(text)).toBeUndefined();
	});
});

describe('in an address', () => {
	test.each([
		['a\0', 'the control character U+0000'],
		['a\n', 'a line break'],
		['a\t', 'a tab'],
		['a\u200b', 'the invisible character U+200B'],
		['a\u200d', 'the invisible character U+200D'],
		['é\u200cb', 'the invisible character U+200C'],
		['а\u200dб', 'the invisible character U+200D'],
		['ن\u200c@', 'the invisible character U+200C'],
		['€\u200cب', 'the invisible character U+200C'],
		['a\u200d🔬', 'the invisible character U+200D'],
		['a\ufe0f', 'the invisible character U+FE0F'],
		['a\u00ad', 'the invisible character U+00AD'],
		['a\u034f', 'the invisible character U+034F'],
		['a\u061c', 'the invisible character U+061C'],
		['a\u200e', 'the invisible character U+200E'],
		['a\u202e', 'the invisible character U+202E'],
		['a\u2060', 'the invisible character U+2060'],
		['a\u2066', 'the invisible character U+2066'],
		['a\u206a', 'the invisible character U+206A'],
		['a\u3164', 'the invisible character U+3164'],
		['a\ufeff', 'the invisible character U+FEFF'],
		['a\ufff9', 'the invisible character U+FFF9'],
		['a\u{e0061}', 'the invisible character U+E0061'],
		['a\ud800', 'half a character (U+D800)'],
	])('%j has %s at character 2', (text, character) => {
		expect(addressCharacterProblem(text)).toBe(`has ${character} at character 2`);
		expect(addressProblem(`${text}b@example.com`)).toMatch(/^has /);
	});

	test('a joiner that a script or an emoji needs is a character, too', () => {
		for (const text of ['ن\u200cا\n', '❤\ufe0fa\n']) {
			expect(addressCharacterProblem(text)).toBe('has a line break at character 4');
		}
	});

	test.each([
		'jürgen@exämple.de',
		'info@نامه\u200cای.example',
		'👩\u200d🔬@example.com',
		'❤\ufe0f@a.co',
	])('%j is fit', (text) => {
		expect(addressProblem(text)).toBeUndefined();
	});
});
