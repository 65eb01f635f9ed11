import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { convincingSteps, ListOrder } from '../../nodes/CrmWorkspace/service/listOrder';

const minute = 60_000;
const dateOf = (minutes: number) => new Date(minutes * minute).toISOString();

/** Records in the order of `createdAt`, with further fields each. */
function records(count: number, fieldsOf: (index: number) => IDataObject = () => ({})) {
	return Array.from({ length: count }, (_, index) => ({
		id: 'the same',
		createdAt: dateOf(index),
		updatedAt: dateOf(0),
		...fieldsOf(index),
	}));
}

function orderOf(...pages: IDataObject[][]): ListOrder {
	const order = new ListOrder();
	for (const page of pages) order.observe(page);
	return order;
}

describe('where an update may move a record', () => {
	test.each<[string, (index: number) => unknown, boolean, boolean]>([
		['rise', (index) => dateOf(index), false, true],
		['fall', (index) => dateOf(-index), true, false],
		['are all the same', () => dateOf(0), true, true],
		['rise and fall', (index) => dateOf(index % 2), false, false],
		['are not there', () => undefined, false, false],
		['are null', () => null, false, false],
	])('whose dates of change %s', (_how, updatedAt, toFront, toEnd) => {
		const order = orderOf(records(20, (index) => ({ updatedAt: updatedAt(index) }) as IDataObject));
		expect([order.mayMoveToFront, order.mayMoveToEnd]).toEqual([toFront, toEnd]);
	});

	test('which nobody has seen', () => {
		const order = orderOf([]);
		expect([order.mayMoveToFront, order.mayMoveToEnd]).toEqual([false, false]);
		expect(order.mayMoveAnywhere).toBe(true);
	});

	test('by what all pages show together', () => {
		const rising = records(3, (index) => ({ updatedAt: dateOf(index) }));
		const falling = records(3, (index) => ({ updatedAt: dateOf(-index) }));
		expect(orderOf(rising, rising).mayMoveToEnd).toBe(true);
		expect(orderOf(rising, falling).mayMoveToEnd).toBe(false);
		expect(orderOf(rising, falling).mayMoveToFront).toBe(false);
	});
});

describe('an update moves a record only as its date does', () => {
	const enough = convincingSteps + 1;

	test('in a list by when records were created, or by id, either way', () => {
		expect(orderOf(records(enough)).mayMoveAnywhere).toBe(false);
		expect(orderOf(records(enough).toReversed()).mayMoveAnywhere).toBe(false);
		const byId = records(enough, (index) => ({ id: index, createdAt: dateOf(0) }));
		expect(orderOf(byId).mayMoveAnywhere).toBe(false);
	});

	test('in a list by when they changed', () => {
		const byChange = (index: number) => ({ createdAt: dateOf(0), updatedAt: dateOf(index) });
		expect(orderOf(records(enough, byChange)).mayMoveAnywhere).toBe(false);
	});

	test('if the order is no coincidence', () => {
		expect(orderOf(records(enough - 1)).mayMoveAnywhere).toBe(true);
		expect(orderOf(records(7), records(7)).mayMoveAnywhere).toBe(false);
		expect(orderOf(records(7), records(6)).mayMoveAnywhere).toBe(true);
	});

	test('if the records tell when they changed', () => {
		const silent = records(enough).map(({ id, createdAt }) => ({ id, createdAt }));
		expect(orderOf(silent).mayMoveAnywhere).toBe(true);
	});

	test('as long as nothing comes out of order', () => {
		const last = { createdAt: dateOf(-1), updatedAt: dateOf(0), id: 'the same' };
		expect(orderOf([...records(enough), last]).mayMoveAnywhere).toBe(true);
	});

	test('if nothing of what is known is out of order', () => {
		const mixed = records(enough, (index) => ({ createdAt: dateOf(index % 2) }));
		expect(orderOf(mixed).mayMoveAnywhere).toBe(true);
	});
});

describe('the list may be ordered by a field that an update can change', () => {
	/** Whether it may be ordered by a field with these values, and then the last one of them. */
	const mayBeBy = (...values: unknown[]) => {
		const name = (index: number) => values[Math.min(index, values.length - 1)];
		const page = records(20, (index) => ({ name: name(index) }) as IDataObject);
		return orderOf(page).mayMoveAnywhere;
	};

	test.each([
		['by code', ['B', 'a', 'c']],
		['by code, falling', ['c', 'a', 'B']],
		['by alphabet', ['a', 'B', 'c']],
		['by alphabet, falling', ['c', 'B', 'a']],
		['by alphabet, whatever the signs', ['a b', 'A-c', 'äd']],
		['by alphabet, in any case', ['a', 'A', 'b', 'B', 'c']],
		['by alphabet in any case, falling', ['c', 'C', 'b', 'B', 'a']],
		['by alphabet without its signs', ['ab', 'a-c', 'ad']],
		['as numbers', [9, 10, 11]],
		['as numbers, falling', [11, 10, 9]],
		['as negative numbers', [-10, -9, 1]],
		['as numbers and texts', [10, '11', 9]],
		['as truth', [false, true]],
		['as lists', [['a'], ['b'], ['c']]],
		[
			'as moments in whatever notation',
			['2026-01-01T12:00:00+09:00', '2026-01-01T04:00:00Z', '2026-01-01T11:00:00Z'],
		],
		['with nothing first', [null, 'a', 'b']],
		['with nothing last', ['a', 'b', null]],
		['with nothing last, falling', ['b', 'a', undefined]],
		['with null last, falling', ['b', 'a', null]],
		['with nothing first, falling', [undefined, 'b', 'a']],
		['with nothing in one form or another', ['a', null, undefined]],
	])('%s', (_how, values) => {
		expect(mayBeBy(...values)).toBe(true);
	});

	test.each([
		['all of one value', ['a']],
		['without a value', [null]],
		['up and down', ['a', 'c', 'b']],
		['up and down in any case', ['b', 'A', 'C', 'B']],
		['numbers up and down', [9, 11, 10]],
		[
			'moments up and down',
			['2026-01-01T12:00:00+09:00', '2026-01-01T04:00:00Z', '2026-01-01T12:00:00+09:00'],
		],
		['texts that only hold a date', ['b', 'c', 'a'].map((one) => `${one} 2026-01-01T04:00:00Z`)],
		['objects up and down', [{ a: 1 }, { a: 3 }, { a: 2 }]],
		['numbers and texts up and down', [9, '10', '11']],
		['texts and numbers up and down', ['10', 9, 8]],
		['with nothing in between', ['a', null, 'b']],
		['with nothing at both ends', [null, 'a', null]],
	])('but not %s', (_how, values) => {
		expect(mayBeBy(...values)).toBe(false);
	});

	test('which shows although only some records have it', () => {
		const page = records(20, (index) => (index === 0 ? {} : { nickname: `${index + 10}` }));
		expect(orderOf(page).mayMoveAnywhere).toBe(true);
	});
});
