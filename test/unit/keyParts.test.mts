import { describe, expect, test } from '@jest/globals';
import { partsOf } from '../../nodes/CrmWorkspace/transport/keyParts';

const whole = 'abcdefghijklmnop';
const find = partsOf([{ whole, enough: 12 }]);

test('a part is found wherever it stands, from its beginning to its end', () => {
	for (let before = 0; before < 20; before++) {
		for (let begin = 0; begin <= 4; begin++) {
			for (const after of ['', '-', '-----']) {
				const text = `${'-'.repeat(before)}${whole.slice(begin, begin + 12)}${after}`;
				expect(find(text, 0)).toEqual([before, before + 12]);
			}
		}
	}
});

test('all of it is found, in capitals too', () => {
	expect(find(`x${whole}x`, 0)).toEqual([1, 17]);
	expect(find(`x${whole.toUpperCase()}x`, 0)).toEqual([1, 17]);
	expect(find(whole + whole, 0)).toEqual([0, 16]);
});

test('what is too short is none', () => {
	for (let begin = 0; begin <= 5; begin++) {
		expect(find(`--${whole.slice(begin, begin + 11)}--`, 0)).toBeUndefined();
	}
	expect(find('', 0)).toBeUndefined();
	expect(find('abc', 0)).toBeUndefined();
});

test('only what comes from an index on counts', () => {
	expect(find(whole, 3)).toEqual([3, 16]);
	expect(find(whole, 4)).toEqual([4, 16]);
	expect(find(whole, 5)).toBeUndefined();
	expect(find(whole + whole, 10)).toEqual([16, 32]);
});

describe('of several patterns', () => {
	test('the part that reaches further counts', () => {
		const short = { whole: whole.slice(0, 12), enough: 12 };
		const long = { whole, enough: 12 };
		for (const patterns of [
			[short, long],
			[long, short],
		]) {
			expect(partsOf(patterns)(`-${whole}`, 0)).toEqual([1, 17]);
		}
	});

	test('one that only begins alike is none', () => {
		const other = { whole: 'abcdefgh12345678', enough: 12 };
		for (const patterns of [
			[{ whole, enough: 12 }, other],
			[other, { whole, enough: 12 }],
		]) {
			expect(partsOf(patterns)(whole, 0)).toEqual([0, 16]);
			expect(partsOf(patterns)('abcdefgh----abcdefgh', 0)).toBeUndefined();
		}
	});

	test('each is found with as much as it needs', () => {
		const both = partsOf([
			{ whole, enough: 12 },
			{ whole: '0123456789', enough: 6 },
		]);
		expect(both('--345678--', 0)).toEqual([2, 8]);
		expect(both('--34567-abcdefghijk', 0)).toBeUndefined();
	});
});

test('a key of one letter is found', () => {
	const one = partsOf([{ whole: 'a'.repeat(100), enough: 12 }]);
	expect(one('-'.repeat(5) + 'a'.repeat(12), 0)).toEqual([5, 17]);
});

test('what only begins with the same number as a part is none', () => {
	// "chif" has the number of "abcd".
	expect(find('chif'.repeat(10), 0)).toBeUndefined();
	expect(find(`chif-----${whole}`, 0)).toEqual([9, 25]);
});
