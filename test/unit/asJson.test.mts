import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import {
	asJson,
	maxDepth,
	maxCharacters,
	maxValues,
} from '../../nodes/CrmWorkspace/operations/asJson';

const iso = '2026-01-15T08:30:00.000Z';
const deep = (levels: number) => {
	let value: unknown = 1;
	for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
	return value;
};
const circular = () => {
	const value: Record<string, unknown> = { list: [{}] };
	(value.list as any)[0].back = value;
	return value;
};
/** Lists that hold one another twice each: 2^60 values in the end. */
const doubled = () => {
	let value: unknown[] = [];
	for (let level = 0; level < 60; level++) value = [value, value];
	return value;
};

describe('what JSON can carry is copied as it is', () => {
	test.each([
		'{"a":"x","b":[1,-0.5,1e+300,true,false,null],"c":{"d":[]},"":{}}',
		'{"__proto__":{"a":1},"constructor":{"prototype":"x"},"toString":null,"toJSON":"x"}',
		'{"a":"\\ud83d","b":"\\u0000\\n"}',
		'[]',
		'"text"',
	])('%s', (text) => {
		expect(JSON.stringify(asJson(JSON.parse(text)))).toBe(`{"json":${text}}`);
	});

	test.each<[string, unknown, string]>([
		['a Date', new Date(iso), `"${iso}"`],
		['a moment of Luxon', DateTime.fromISO(iso, { zone: 'utc' }), `"${iso}"`],
		['a Date of another realm', runInNewContext(`new Date('${iso}')`), `"${iso}"`],
		['an object of another realm', runInNewContext('({ a: [{ b: 1 }] })'), '{"a":[{"b":1}]}'],
		['a large integer', 12345678901234567890n, '"12345678901234567890"'],
		['an object that knows its JSON', { toJSON: () => ({ a: 1 }) }, '{"a":1}'],
		['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
		['inherited names', Object.create({ a: 1 }), '{}'],
		['undefined in an object', { a: undefined, b: 1 }, '{"b":1}'],
		['one object in two places', [{ a: 1 }, { a: 1 }].fill({ a: 2 }), '[{"a":2},{"a":2}]'],
		['the deepest', deep(maxDepth), JSON.stringify(deep(maxDepth))],
	])('%s', (_what, value, json) => {
		expect(JSON.stringify(asJson(value))).toBe(`{"json":${json}}`);
	});
});

describe('what it cannot carry is named', () => {
	const list = (value: unknown) => ({ a: [0, { b: value }] });
	const throwing = () =>
		Object.defineProperty({}, 'c', {
			enumerable: true,
			get() {
				throw new Error('no');
			},
		});

	test.each<[string, unknown, unknown[], RegExp]>([
		['NaN', list(NaN), ['a', 1, 'b'], /^is NaN, which JSON/],
		['infinity', list(-Infinity), ['a', 1, 'b'], /^is -Infinity, which JSON/],
		['a number that is none', JSON.parse('{"a":1e999}'), ['a'], /^is Infinity, which JSON/],
		['a function', list(() => 1), ['a', 1, 'b'], /^is a function, which JSON/],
		['a symbol', list(Symbol('a')), ['a', 1, 'b'], /^is a symbol, which JSON/],
		['undefined in a list', { a: [1, undefined] }, ['a', 1], /^is undefined, which .* in a list$/],
		['a gap in a list', { a: new Array(2 ** 32 - 1) }, ['a', 0], /^is undefined/],
		['no date', list(new Date('soon')), ['a', 1, 'b'], /^is not a valid date$/],
		['no moment', list(DateTime.fromISO('soon')), ['a', 1, 'b'], /^is not a valid date$/],
		['a map', list(new Map()), ['a', 1, 'b'], /^is an object of the kind Map/],
		['bytes', list(new Uint8Array(1)), ['a', 1, 'b'], /^is an object of the kind Uint8Array/],
		['a getter that throws', list(throwing()), ['a', 1, 'b', 'c'], /^cannot be read$/],
		['what holds itself', circular(), ['list', 0, 'back'], /^holds itself$/],
		['what is too deep', deep(maxDepth + 1), [], /^is nested more than 100 levels deep$/],
		['what is far too deep', deep(1_000_000), [], /^is nested more than 100 levels deep$/],
		['what unfolds without end', { a: doubled() }, [], /^has more than 100000 values$/],
		[
			'a text that is too long',
			{ a: 'x'.repeat(maxCharacters) },
			[],
			/^has more than 5000000 characters$/,
		],
		['too many values', new Array(maxValues).fill(0), [], /^has more than 100000 values$/],
	])('%s', (_what, value, path, problem) => {
		expect(asJson(value)).toEqual({ path, problem: expect.stringMatching(problem) });
	});
});

test('a revoked proxy cannot be read', () => {
	const { proxy, revoke } = Proxy.revocable({}, {});
	revoke();
	expect(asJson({ a: proxy })).toEqual({ path: ['a'], problem: 'cannot be read' });
});
