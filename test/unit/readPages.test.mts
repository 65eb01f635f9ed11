import { describe, expect, test } from '@jest/globals';
import type { Page } from '../../nodes/CrmWorkspace/service/answers';
import type { PageRequest } from '../../nodes/CrmWorkspace/service/lists/pages';
import { readPages } from '../../nodes/CrmWorkspace/service/lists/readPages';

const begun = Date.parse('2026-01-31T08:00:00Z');

function contacts(count: number, prefix = ''): Page['records'] {
	return Array.from({ length: count }, (_, index) => ({
		id: `${prefix}${index}`,
		createdAt: '2025-01-01T00:00:00Z',
		updatedAt: '2025-01-01T00:00:00Z',
	}));
}

interface Manner {
	/** What the service tells with each page. */
	tells?: (list: Page['records']) => Partial<Page>;
	/** What happens before the n-th request, counted from 1. */
	before?: Record<number, (list: Page['records']) => void>;
	limit?: number;
	first?: Page;
	/** The most records on a page. */
	pageSize?: number;
}

/** Reads a list one page after the other; which pages were asked for, and what was announced. */
async function readList(list: Page['records'], manner: Manner = {}) {
	const { tells = ({ length }) => ({ totalCount: length }), before = {} } = manner;
	const { limit = Infinity, pageSize = 100, first } = manner;
	const asked: PageRequest[] = [];
	const announced: number[] = [];
	const read = await readPages({
		fetchPage: async (request) => {
			asked.push(request);
			before[asked.length]?.(list);
			const page = { ...request, limit: Math.min(request.limit, pageSize) };
			const records = list
				.slice((page.page - 1) * page.limit, page.page * page.limit)
				.map((one) => ({ ...one }));
			return { records, asOf: begun, ...tells(list) };
		},
		limit,
		concurrency: 1,
		arrivalDates: ['createdAt'],
		first,
		expect: (requests) => announced.push(requests),
	});
	return { ...read, asked, announced, ids: read.records.map(({ id }) => id) };
}

describe('one request is enough', () => {
	test.each<[string, number, Manner]>([
		['for an empty list', 0, {}],
		['for an empty list that tells nothing', 0, { tells: () => ({}) }],
		['where it brings all there is', 30, {}],
		['where it brings a full page, and that is all', 100, {}],
		['where it brings as many as are wanted', 500, { limit: 40 }],
		['where there is one page only', 30, { tells: () => ({ totalPages: 1 }) }],
		['where there is no page at all', 30, { tells: () => ({ totalPages: 0 }) }],
		['where the page is not full', 30, { tells: () => ({ limit: 100 }) }],
		['where more came than was asked for', 130, { tells: () => ({}), pageSize: 1000 }],
	])('%s', async (_where, count, manner) => {
		const list = contacts(count);
		const first = manner.pageSize ? { records: list } : undefined;
		const { asked, announced, isSettled, hasChanged, records } = await readList(list, {
			...manner,
			first,
		});
		expect(asked).toHaveLength(first ? 0 : 1);
		expect({ isSettled, hasChanged, announced }).toEqual({
			isSettled: true,
			hasChanged: false,
			announced: [],
		});
		expect(records).toHaveLength(Math.min(count, manner.limit ?? Infinity));
	});

	test('but what it does not bring is told', async () => {
		const { isSettled, totalCount } = await readList([], { tells: () => ({ totalCount: 5 }) });
		expect({ isSettled, totalCount }).toEqual({ isSettled: false, totalCount: 5 });
	});
});

describe('one request is not enough', () => {
	test.each<[string, number, Manner]>([
		['where the service has small pages', 70, { tells: () => ({ limit: 30 }), pageSize: 30 }],
		[
			'where they are smaller than the service tells',
			70,
			{ tells: ({ length }) => ({ totalCount: length, limit: 100 }), pageSize: 30 },
		],
		['where it tells nothing', 30, { tells: () => ({}), pageSize: 20 }],
		['where it tells nothing of a full page', 150, { tells: () => ({}) }],
		['where it tells of more pages', 150, { tells: () => ({ totalPages: 2 }) }],
		['where it tells of more records', 150, {}],
	])('%s', async (_where, count, manner) => {
		const { asked, records, isSettled } = await readList(contacts(count), manner);
		expect(asked.length).toBeGreaterThan(1);
		expect(records).toHaveLength(count);
		expect(isSettled).toBe(true);
	});
});

describe('how many further pages there will be', () => {
	test.each([
		[101, {}, [1]],
		[1000, {}, [9]],
		[1000, { limit: 250 }, [2]],
		[1000, { pageSize: 50 }, [19]],
		[1000, { tells: () => ({ totalPages: 10 }) }, []],
	] as Array<[number, Manner, number[]]>)(
		'is announced once where it is known: %d records, %j',
		async (count, manner, expected) => {
			expect((await readList(contacts(count), manner)).announced).toEqual(expected);
		},
	);
});

test('nobody has to listen to that', async () => {
	const list = contacts(150);
	const { records } = await readPages({
		fetchPage: async (page) => ({
			records: list.slice((page.page - 1) * page.limit, page.page * page.limit),
			totalCount: 150,
			asOf: begun,
		}),
		limit: Infinity,
		concurrency: 1,
		arrivalDates: ['createdAt'],
	});
	expect(records).toEqual(list);
});

describe('a list that was read side by side', () => {
	test('did not change for the reader where all was there in spite of it', async () => {
		const { asked, hasChanged, isSettled } = await readList(contacts(300), {
			before: { 2: (list) => list.push({ id: 'new', createdAt: new Date(begun).toISOString() }) },
		});
		expect(asked).toHaveLength(4);
		expect({ hasChanged, isSettled }).toEqual({ hasChanged: false, isSettled: true });
	});

	// Dates alone would count them among those that were there, in the place of the last ones.
	test('is read to its end, though contacts come with old dates', async () => {
		const { asked, ids, isSettled } = await readList(contacts(500), {
			before: { 2: (list) => list.splice(150, 0, ...contacts(2, 'restored ')) },
		});
		expect(asked.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]);
		expect(ids).toEqual(expect.arrayContaining(contacts(500).map(({ id }) => id)));
		expect(isSettled).toBe(true);
	});

	test('is read so once more where its records are too young to tell', async () => {
		const young = contacts(300).map((one) => ({
			...one,
			createdAt: new Date(begun).toISOString(),
		}));
		const { asked, hasChanged, isSettled } = await readList(young);
		expect(asked.map(({ page }) => page)).toEqual([1, 2, 3, 1, 2, 3]);
		expect({ hasChanged, isSettled }).toEqual({ hasChanged: false, isSettled: true });
	});

	test('and claims more than it has gives what it has, and says so', async () => {
		const { ids, isSettled, hasChanged, totalCount } = await readList(contacts(250), {
			tells: () => ({ totalCount: 251 }),
		});
		expect(ids).toHaveLength(250);
		expect({ isSettled, hasChanged, totalCount }).toEqual({
			isSettled: false,
			hasChanged: false,
			totalCount: 251,
		});
	});
});

describe('a list that changes is read again', () => {
	const came = (id: string) => ({ id, createdAt: new Date(begun).toISOString() });

	test('where one has slipped to a page that was read', async () => {
		const { asked, ids, hasChanged, isSettled } = await readList(contacts(500), {
			before: { 2: (list) => list.splice(0, 1) },
		});
		expect(asked.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
		expect(new Set(ids)).toEqual(new Set(contacts(500).map(({ id }) => id)));
		expect({ hasChanged, isSettled }).toEqual({ hasChanged: true, isSettled: true });
	});

	test('where one came and another one went, too, though its size stays', async () => {
		const { asked, ids, hasChanged, isSettled } = await readList(contacts(300), {
			before: {
				2: (list) => {
					list.shift();
					list.push(came('new'));
				},
			},
		});
		expect(asked.map(({ page }) => page)).toEqual([1, 2, 3, 1, 2, 3]);
		expect(ids).toEqual(expect.arrayContaining(contacts(300).map(({ id }) => id)));
		expect({ hasChanged, isSettled }).toEqual({ hasChanged: true, isSettled: true });
	});

	test('by the next moment, where what the first one had was deleted before it was seen', async () => {
		const { asked, isSettled } = await readList(contacts(300), {
			before: { 2: (list) => list.pop() },
		});
		expect(asked.map(({ page }) => page)).toEqual([1, 2, 3, 1, 2, 3]);
		expect(isSettled).toBe(true);
	});

	test('four times, and no oftener', async () => {
		const before = Object.fromEntries(
			Array.from({ length: 40 }, (_, at) => [at, (list: Page['records']) => list.pop()]),
		);
		const { asked, isSettled } = await readList(contacts(350), { before });
		expect(asked.filter(({ page }) => page === 1)).toHaveLength(4);
		expect(isSettled).toBe(false);
	});

	test('no further than as many as are wanted take, and a page more where one came twice', async () => {
		const { asked, records, isSettled } = await readList(contacts(500), {
			limit: 200,
			before: { 2: (list) => list.unshift(came('new')) },
		});
		expect(asked.map(({ page }) => page)).toEqual([1, 2, 3]);
		expect(records.length).toBeGreaterThanOrEqual(200);
		expect(isSettled).toBe(true);
	});

	test('further than it was, where it grows', async () => {
		const { asked, ids, isSettled } = await readList(contacts(300), {
			before: {
				3: (list) => list.unshift(...contacts(150, 'new ').map(({ id }) => came(String(id)))),
			},
		});
		expect(asked.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5]);
		expect(ids).toEqual(expect.arrayContaining(contacts(300).map(({ id }) => id)));
		expect(isSettled).toBe(true);
	});
});

describe('a list of which no page tells the size', () => {
	test.each<[string, Manner['tells'], number[]]>([
		['but how many pages', ({ length }) => ({ totalPages: Math.ceil(length / 100) }), [1, 2, 3]],
		['nor how many pages', () => ({}), [1, 2, 3]],
	])('%s: its last page does, read alone', async (_what, tells, pages) => {
		const { asked, isSettled } = await readList(contacts(250), { tells });
		expect(asked.map(({ page }) => page)).toEqual([...pages, 3, 1, 2]);
		expect(isSettled).toBe(true);
	});

	test('and that then tells that it is empty begins again at its first page', async () => {
		const { asked } = await readList(contacts(100), {
			before: { 2: (list) => list.splice(0) },
			tells: ({ length }) => (length === 0 ? { totalCount: 0 } : {}),
		});
		expect(asked.every(({ page }) => page >= 1)).toBe(true);
	});

	test('and whose last page is full shows it by the empty one after it', async () => {
		const { asked, isSettled } = await readList(contacts(200), { tells: () => ({}) });
		expect(asked.map(({ page }) => page)).toEqual([1, 2, 3, 3, 1, 2]);
		expect(isSettled).toBe(true);
	});
});
