import { describe, expect, test } from '@jest/globals';
import { articlesIn, pageIn, recordIn } from '../../nodes/CrmWorkspace/service/answers';

const record = { id: '1' };
const withTotal = (totalCount: unknown) => ({
	data: [record],
	meta: { pagination: { totalCount } },
});

describe('a record', () => {
	// Interface: SEND-26, UPDATE-6.
	test.each<[unknown, object]>([
		[{ data: record }, record],
		[record, record],
		[[record], record],
		[{ data: [record] }, record],
		[{ data: [record, record] }, {}],
		[{ data: [] }, {}],
		[{ data: null }, {}],
		[{ data: 'OK' }, {}],
		['OK', {}],
		[null, {}],
		[undefined, {}],
	])('of %j', (body, expected) => {
		expect(recordIn(body)).toEqual(expected);
	});
});

describe('a page', () => {
	// Interface: LIST-6.
	test.each<[unknown, number | undefined]>([
		[250, 250],
		[1, 1],
		['250', 250],
		['', undefined],
		['many', undefined],
		[-1, undefined],
		[1.5, undefined],
		[null, undefined],
		[undefined, undefined],
	])('whose totalCount is %j', (totalCount, expected) => {
		const page = pageIn(withTotal(totalCount), 200);
		expect(page).toMatchObject({ records: [record] });
		expect(page?.totalCount).toBe(expected);
	});

	// Interface: LIST-6, LIST-7.
	test.each<[object, object]>([
		[
			{ totalCount: 3, totalPages: 2 },
			{ totalCount: 3, totalPages: 2 },
		],
		[
			{ totalCount: 2, totalPages: 1 },
			{ totalCount: 2, totalPages: 1 },
		],
		[
			{ totalCount: 2, totalPages: 3 },
			{ totalCount: 2, totalPages: 3 },
		],
		[{ totalCount: 1, totalPages: 1 }, {}],
		[{ totalCount: 0, totalPages: 0 }, {}],
		[{ totalPages: 3 }, { totalPages: 3 }],
		[{ totalPages: 0 }, {}],
	])('of two records is not believed where it counts fewer: %j', (pagination, expected) => {
		const { totalCount, totalPages } = pageIn(
			{ data: [record, record], meta: { pagination } },
			200,
		)!;
		expect({ totalCount, totalPages }).toEqual(expected);
	});

	test('of nothing is believed that there is nothing', () => {
		const meta = { pagination: { totalCount: 0, totalPages: 0 } };
		expect(pageIn({ data: [], meta }, 200)).toMatchObject({ totalCount: 0, totalPages: 0 });
	});

	// Interface: WHOLE-2.
	test.each([
		{ data: [record] },
		{ data: [record], meta: null },
		{ data: [record], meta: [] },
		[record],
	])('without its meta: %j', (body) => {
		expect(pageIn(body, 200)).toMatchObject({ records: [record] });
		expect(pageIn(body, 200)?.totalCount).toBeUndefined();
	});

	// Interface: OPEN-10.
	test('may hold what is no record', () => {
		const { records } = pageIn({ data: [record, 'Billing', null, ['a']] }, 200)!;
		expect(records).toEqual([record, { value: 'Billing' }, { value: null }, { value: ['a'] }]);
	});

	test.each([{}, { data: {} }, { data: null }, { data: 'OK' }, 'OK', null, undefined])(
		'is not to be found in %j',
		(body) => {
			expect(pageIn(body, 200)).toBeUndefined();
		},
	);

	test('that has no content is empty', () => {
		expect(pageIn(undefined, 204)).toMatchObject({ records: [] });
	});
});

describe('the answer to a search of articles', () => {
	// Interface: ARTICLE-2, ARTICLE-3.
	test('has a shape of its own', () => {
		const body = { data: { articles: [record, 'Title'], totalCount: '12' } };
		const expected = { records: [record, { value: 'Title' }], totalCount: 12 };
		expect(articlesIn(body, 200)).toEqual(expected);
	});

	test('is taken, too, in the shape of the other lists', () => {
		expect(articlesIn(withTotal(3), 200)).toMatchObject({ records: [record], totalCount: 3 });
		expect(articlesIn(undefined, 204)).toMatchObject({ records: [] });
	});

	test.each([{}, { data: { articles: record } }, { data: { totalCount: 3 } }, null, 'OK'])(
		'is not to be found in %j',
		(body) => {
			expect(articlesIn(body, 200)).toBeUndefined();
		},
	);
});
