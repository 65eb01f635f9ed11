import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { asText } from '../../nodes/CrmWorkspace/parameters/asText';

const iso = '2026-01-15T08:30:00.000Z';

describe('what an expression made of a text parameter is read as text', () => {
	test.each<[string, unknown, string]>([
		['text as it is', ' a b\n', ' a b\n'],
		['a number', 42.5, '42.5'],
		['zero', 0, '0'],
		['a large number', 12345678901234567890n, '12345678901234567890'],
		['true', true, 'true'],
		['false', false, 'false'],
		['null', null, ''],
		['undefined', undefined, ''],
		['a Date', new Date(iso), iso],
		['a moment of Luxon', { isLuxonDateTime: true, toJSON: () => iso }, iso],
		['a Date of another realm', runInNewContext(`new Date('${iso}')`), iso],
	])('%s', (_what, value, text) => {
		expect(asText(value)).toEqual({ text });
	});

	test.each<[string, unknown, string]>([
		['an object', { id: 1 }, 'an object'],
		['an object that says what its text is', { toString: () => 'text' }, 'an object'],
		['an object that only looks like a moment', { toISO: () => iso }, 'an object'],
		['an object with a JSON form of its own', { toJSON: () => 'text' }, 'an object'],
		['a moment of Luxon without its methods', { isLuxonDateTime: true }, 'an object'],
		['what is no number', NaN, 'not a finite number'],
		['infinity', -Infinity, 'not a finite number'],
		['a symbol', Symbol('text'), 'an object'],
		['an object without a prototype', Object.create(null), 'an object'],
		['a function', () => 'text', 'an object'],
		['a list', ['a'], 'a list'],
		['an empty list', [], 'a list'],
		['a list of another realm', runInNewContext('["a"]'), 'a list'],
		['a Date that is none', new Date('soon'), 'not a valid date'],
		[
			'a moment of Luxon that is none',
			{ isLuxonDateTime: true, toJSON: () => null },
			'not a valid date',
		],
	])('but not %s', (_what, value, is) => {
		expect(asText(value)).toEqual({ is });
	});
});
