import { describe, expect, test } from '@jest/globals';
import { addressProblem } from '../../nodes/CrmWorkspace/service/formats';
import { addressSignProblem, headProblem } from '../../nodes/CrmWorkspace/service/signs';
import { cpuTime } from '../support/cpuTime.mts';

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
	])('%j has %s at character 2', (text, sign) => {
		expect(headProblem(text)).toBe(`has ${sign} at character 2`);
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
		['a\u200b', 'the unseen sign U+200B'],
		['a\u200d', 'the unseen sign U+200D'],
		['é\u200cb', 'the unseen sign U+200C'],
		['а\u200dб', 'the unseen sign U+200D'],
		['ن\u200c@', 'the unseen sign U+200C'],
		['a\u200d🔬', 'the unseen sign U+200D'],
		['a\ufe0f', 'the unseen sign U+FE0F'],
		['a\u00ad', 'the unseen sign U+00AD'],
		['a\u034f', 'the unseen sign U+034F'],
		['a\u061c', 'the unseen sign U+061C'],
		['a\u200e', 'the unseen sign U+200E'],
		['a\u202e', 'the unseen sign U+202E'],
		['a\u2060', 'the unseen sign U+2060'],
		['a\u2066', 'the unseen sign U+2066'],
		['a\u206a', 'the unseen sign U+206A'],
		['a\u3164', 'the unseen sign U+3164'],
		['a\ufeff', 'the unseen sign U+FEFF'],
		['a\ufff9', 'the unseen sign U+FFF9'],
		['a\u{e0061}', 'the unseen sign U+E0061'],
		['a\ud800', 'half a character (U+D800)'],
	])('%j has %s at character 2', (text, sign) => {
		expect(addressSignProblem(text)).toBe(`has ${sign} at character 2`);
		expect(addressProblem(`${text}b@example.com`)).toMatch(/^has /);
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

test('no text takes longer than its length warrants', () => {
	const once = (text: string) => cpuTime(() => [headProblem(text), addressProblem(text)]);
	// What is compiled or collected meanwhile is not the text's.
	const took = (text: string) => Math.min(once(text), once(text), once(text));
	const texts = [
		'a',
		'\u200d',
		'é\u200c',
		'é\u200cé',
		'🔬\u200d',
		'🔬\ufe0f',
		' ',
		'a@',
		'a.',
		'=?',
	];
	for (const text of texts) {
		const unit = took(text.repeat(20_000)) + 1;
		expect(took(text.repeat(200_000))).toBeLessThan(30 * unit);
	}
});
