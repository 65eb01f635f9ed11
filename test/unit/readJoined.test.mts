import { describe, expect, test } from '@jest/globals';
import type { Page } from '../../nodes/CrmWorkspace/service/answers';
import { PageReader, SenselessPages } from '../../nodes/CrmWorkspace/service/pageReader';
import { beginOf, endOf, type PageRequest } from '../../nodes/CrmWorkspace/service/pages';
import { readJoined } from '../../nodes/CrmWorkspace/service/readJoined';

const begun = Date.parse('2026-01-31T08:00:00Z');

/** The moment so many seconds after the reading has begun, or before. */
const second = (seconds: number) => new Date(begun + 1000 * seconds).toISOString();

type Records = Page['records'];

/** What the place in the list goes by. */
type Order = 'id' | 'updatedAt rising' | 'updatedAt falling' | 'nothing that is shown';

/**
 * Contacts that were last updated before the reading. They do not tell when they were created, so
 * that counting them proves nothing.
 */
function contacts(count: number, order: Order = 'id'): Records {
	return Array.from({ length: count }, (_, index) => {
		const mixed = (index * 7919) % 10_007;
		const id = String(10_000 + (order === 'id' ? index : mixed));
		if (order === 'updatedAt rising') return { id, updatedAt: second(index - 20_000) };
		if (order === 'updatedAt falling') return { id, updatedAt: second(-index - 1) };
		return { id, updatedAt: second(-1 - ((index * 6101) % 10_009)) };
	});
}

/** New contacts, which come before all others in a list ordered by ID. */
const newOnes = (count: number, round = 0): Records =>
	Array.from({ length: count }, (_, index) => ({
		id: String(10_000 * round + index).padStart(9, '0'),
		updatedAt: second(1 + round),
	}));

interface Manner {
	/** What the service tells with each page. */
	tells?: (list: Records, request: PageRequest) => Partial<Page>;
	/** What others do before the n-th request after the first page, counted from 1. */
	before?: Record<number, (list: Records) => void>;
	/** The same before each request. */
	beforeEach?: (list: Records, count: number, request: PageRequest) => void;
	limit?: number;
	concurrency?: number;
	/** The most contacts on a page. */
	pageSize?: number;
	/** How long an answer takes, in ms. */
	latency?: number;
	/** What comes in place of a page. */
	sends?: (records: Records, request: PageRequest) => Records;
}

/** Reads a list from its first page on. */
async function readList(list: Records, manner: Manner = {}) {
	const { tells = ({ length }) => ({ totalCount: length }), before = {}, beforeEach } = manner;
	const { limit = Infinity, concurrency = 1, pageSize = 100, latency = 0 } = manner;
	const { sends = (records) => records } = manner;
	const asked: PageRequest[] = [];
	/** How many requests were under way as each of them began, itself included. */
	const underWay: number[] = [];
	let open = 0;
	const pageOf = (request: PageRequest): Page => {
		const page = { ...request, limit: Math.min(request.limit, pageSize) };
		const records = list.slice(beginOf(page), endOf(page)).map((one) => ({ ...one }));
		return {
			records: sends(records, request),
			asOf: begun + 1000 * asked.length,
			...tells(list, request),
		};
	};
	const fetchPage = async (request: PageRequest): Promise<Page> => {
		asked.push(request);
		underWay.push(++open);
		before[asked.length]?.(list);
		beforeEach?.(list, asked.length, request);
		const page = pageOf(request);
		await new Promise((resolve) => setTimeout(resolve, latency));
		open--;
		return page;
	};
	const reader = new PageReader(
		{ fetchPage, limit, concurrency, arrivalDates: ['createdAt'] },
		pageOf({ page: 1, limit: Math.min(limit, pageSize) }),
	);
	const isCertain = await readJoined(reader);
	const { hasChanged, isRestless } = reader;
	const ids = (await reader.pass.records()).map(({ id }) => id);
	return { isCertain, hasChanged, isRestless, asked, underWay, ids, reader };
}

const idsOf = (records: Records) => records.map(({ id }) => id);

const calm = { isCertain: true, hasChanged: false, isRestless: false };

describe('a list that nobody changes', () => {
	test.each([
		[1000, 100, 10],
		[1000, 50, 10],
		[300, 20, 4],
		[60, 10, 2],
	])(
		'of %d contacts on pages of %d is read with pages that share %d',
		async (count, pageSize, overlap) => {
			const list = contacts(count);
			const read = await readList(list, { pageSize });
			expect(read).toMatchObject({ ...calm, ids: idsOf(list) });
			let reached = pageSize;
			for (const request of read.asked) {
				expect(beginOf(request)).toBeLessThanOrEqual(reached - overlap);
				expect(endOf(request)).toBeGreaterThan(reached);
				reached = endOf(request);
			}
			expect(reached).toBeGreaterThanOrEqual(count);
			expect(read.asked.length).toBeLessThanOrEqual((1.6 * count) / (pageSize - overlap) + 1);
		},
	);

	test.each<[string, Manner['tells']]>([
		['the number of pages', ({ length }, { limit }) => ({ totalPages: Math.ceil(length / limit) })],
		['the size of pages', () => ({ limit: 100 })],
		['nothing', () => ({})],
	])('and tells %s only is read to its end, and that once more alone', async (_what, tells) => {
		for (const count of [130, 200, 237, 1000]) {
			const list = contacts(count);
			const read = await readList(list, { tells, concurrency: 5 });
			expect(read).toMatchObject({ ...calm, ids: idsOf(list) });
			// The end tells the next pass how many there were.
			await read.reader.beginAgain();
			expect(read.reader.counted).toEqual({ records: [], totalCount: count });
			const last = read.asked.at(-2)!;
			expect(beginOf(last)).toBeLessThan(count);
			expect(read.underWay.at(-2)).toBe(1);
		}
	});

	test('has no end that is read again where its pages count and nothing moves there', async () => {
		const list = contacts(1000);
		const read = await readList(list);
		expect(read.asked.filter((page) => endOf(page) >= 1000)).toHaveLength(1);
		expect(read.asked.filter(({ page }) => page === 1)).toEqual([]);
	});

	test('and is ordered by what it does not show proves nothing', async () => {
		const list = contacts(500, 'nothing that is shown');
		const read = await readList(list);
		expect(read).toMatchObject({ ...calm, isCertain: false, ids: idsOf(list) });
	});

	test('but proves itself by counting where its contacts tell their age', async () => {
		const list = contacts(500, 'nothing that is shown').map((one) => ({
			...one,
			createdAt: second(-30_000),
		}));
		expect(await readList(list)).toMatchObject({ ...calm, ids: idsOf(list) });
	});

	test('is read no further than the limit', async () => {
		const list = contacts(1000);
		for (const tells of [undefined, () => ({})]) {
			const read = await readList(list, { limit: 250, tells });
			expect(read).toMatchObject({ ...calm, ids: idsOf(list.slice(0, read.ids.length)) });
			expect(read.ids.length).toBeGreaterThanOrEqual(250);
			expect(read.ids.length).toBeLessThan(350);
			expect(read.asked.length).toBeLessThanOrEqual(3);
		}
	});
});

/** What of a list is missing elsewhere. */
const missing = (list: Records, ids: unknown[]) => {
	const known = new Set(ids);
	return idsOf(list).filter((id) => !known.has(id));
};

describe('a page that does not join', () => {
	test.each([15, 50, 150, 400])(
		'because %d contacts in front were deleted is followed by one further back',
		async (deleted) => {
			const list = contacts(1000);
			const read = await readList(list, { before: { 5: (list) => list.splice(0, deleted) } });
			expect(read).toMatchObject({ isCertain: true, hasChanged: true, isRestless: false });
			expect(missing(list, read.ids)).toEqual([]);
			expect(read.asked.length).toBeLessThanOrEqual(22);
		},
	);

	test('is none where the contacts that went were fewer than pages share', async () => {
		const list = contacts(1000);
		const whole = idsOf(list);
		const read = await readList(list, {
			before: { 3: (list) => list.push(...list.splice(0, 5)) },
		});
		expect(read).toMatchObject({ hasChanged: false, isRestless: false, ids: whole });
	});

	test('is a change, also where no page counts', async () => {
		const cut = (list: Records) => list.splice(0, 20);
		const tells = () => ({ limit: 100 });
		expect(await readList(contacts(1000), { tells })).toMatchObject({ hasChanged: false });
		const read = await readList(contacts(1000), { tells, before: { 3: cut } });
		expect(read).toMatchObject({ isCertain: true, hasChanged: true });
	});

	test('for the second time leaves one request at a time', async () => {
		const cut = (list: Records) => list.splice(0, 20);
		const manner = { concurrency: 5, latency: 10 };
		const once = await readList(contacts(3000), { ...manner, before: { 8: cut } });
		expect(Math.max(...once.underWay.slice(-10))).toBeGreaterThan(1);
		expect(Math.max(...once.underWay)).toBeLessThanOrEqual(5);
		const twice = await readList(contacts(3000), { ...manner, before: { 8: cut, 20: cut } });
		expect(Math.max(...twice.underWay.slice(-10))).toBe(1);
		expect([once.isCertain, twice.isCertain]).toEqual([true, true]);
	});

	test('after ten others ends the attempt: nothing is certain of such a list', async () => {
		const list = contacts(5000);
		const read = await readList(list, { beforeEach: (list) => list.splice(0, 200) });
		expect(read).toMatchObject({ isCertain: false, hasChanged: true, isRestless: true });
	});
});

describe('a list is too restless', () => {
	test('where a page has fewer contacts than it has to by its own count', async () => {
		for (const page of [3, 5]) {
			const read = await readList(contacts(1000), {
				sends: (records, request) => (request.page === page ? records.slice(0, -1) : records),
			});
			expect(read).toMatchObject({ isCertain: false, isRestless: true });
		}
	});

	test('where its end is empty, although by its own count it is none', async () => {
		const read = await readList(contacts(500), { tells: () => ({ totalCount: 1000 }) });
		expect(read).toMatchObject({ isCertain: false, isRestless: true });
		expect(read.asked.length).toBeLessThan(10);
	});

	test('where it grows faster than it is read', async () => {
		const list = contacts(500);
		const read = await readList(list, {
			beforeEach: (list, count) =>
				list.push(...newOnes(200, count).map(({ id, ...one }) => ({ id: `9${id}`, ...one }))),
		});
		expect(read).toMatchObject({ isCertain: false, isRestless: true });
		expect(read.asked.length).toBeLessThanOrEqual(46);
		expect(read.asked.length).toBeGreaterThanOrEqual(45);
	});

	test('but not where it grows more slowly', async () => {
		const list = contacts(500);
		const read = await readList(list, {
			beforeEach: (list, count) =>
				list.push(...newOnes(20, count).map(({ id, ...one }) => ({ id: `9${id}`, ...one }))),
		});
		expect(read).toMatchObject({ isCertain: true, hasChanged: true, isRestless: false });
		expect(missing(list, read.ids)).toEqual([]);
	});
});

describe('a list of few contacts whose service tells nothing', () => {
	test.each([1, 2, 3, 4, 30])('is all that comes: %d', async (count) => {
		const list = contacts(count);
		const read = await readList(list, { tells: () => ({}), pageSize: 20 });
		expect(read).toMatchObject({ hasChanged: false, isRestless: false, ids: idsOf(list) });
		await read.reader.beginAgain();
		expect(read.reader.counted).toEqual({ records: [], totalCount: count });
		expect(read.asked.length).toBeLessThanOrEqual(8);
	});

	test.each([4, 30, 99])(
		'is all that comes where it sends all %d whatever it is asked for',
		async (count) => {
			const list = contacts(count);
			const read = await readList(list, { tells: () => ({}), sends: () => list });
			expect(read).toMatchObject({ hasChanged: false, isRestless: false, ids: idsOf(list) });
			await read.reader.beginAgain();
			expect(read.reader.counted).toEqual({ records: [], totalCount: count });
			expect(read.asked.length).toBeLessThanOrEqual(4);
		},
	);
});

describe('refused are', () => {
	test('pages that are always the same, as they would never end', async () => {
		const list = contacts(100);
		const sends = () => list;
		await expect(readList(list, { tells: () => ({}), sends })).rejects.toThrow(SenselessPages);
		const tells = () => ({ totalCount: 1000 });
		await expect(readList(list, { tells, sends })).rejects.toThrow(SenselessPages);
	});

	test('more contacts than fit into memory, unless fewer are wanted', async () => {
		const tells = () => ({ totalCount: 1_000_001 });
		await expect(readList(contacts(300), { tells })).rejects.toThrow(SenselessPages);
		const { ids } = await readList(contacts(300), { tells, limit: 150 });
		expect(ids.length).toBeGreaterThanOrEqual(150);
	});
});

describe('of a list ordered by what an update changes', () => {
	/** Updates contacts from a place on, which moves them to one end. */
	const update =
		(order: Order, seconds: number, at: number, count = 1) =>
		(list: Records) => {
			const updatedAt = second(seconds);
			const moved = list.splice(at, count).map((one) => ({ ...one, updatedAt }));
			if (order === 'updatedAt falling') list.unshift(...moved);
			else list.push(...moved);
		};
	const orders = ['updatedAt rising', 'updatedAt falling'] as const;

	test.each(orders)('the end where such contacts gather is read again: %s', async (order) => {
		for (const count of [1000, 230]) {
			for (const request of [1, 3]) {
				for (const at of [0, count - 110, count - 20]) {
					const list = contacts(count, order);
					const whole = [...list];
					const before = { [request]: update(order, request, at) };
					const tells = () => ({ totalCount: count });
					const read = await readList(list, { before, tells });
					expect(read).toMatchObject({ isCertain: true, isRestless: false });
					expect(missing(whole, read.ids)).toEqual([]);
				}
			}
		}
	});

	test('and so it is where a page shows a contact as it is after it was put in order', async () => {
		const order = 'updatedAt falling';
		const list: Records = contacts(1000, order).map((one) => ({
			...one,
			createdAt: one.updatedAt,
		}));
		const whole = [...list];
		const { id } = list[150];
		const sends = (records: Records) =>
			records.map((one) => (one.id === id ? { ...one, updatedAt: second(2) } : one));
		const before = { 1: update(order, 1, 800) };
		const read = await readList(list, { before, sends, tells: () => ({ limit: 100 }) });
		expect(read.isCertain).toBe(true);
		expect(missing(whole, read.ids)).toEqual([]);
	});

	test.each(orders)('and so it is where more than a page of them is moved: %s', async (order) => {
		for (const at of [0, 400, 740]) {
			const list = contacts(1000, order);
			const whole = [...list];
			const read = await readList(list, { before: { 3: update(order, 3, at, 250) } });
			expect(read).toMatchObject({ isCertain: true, isRestless: false });
			expect(missing(whole, read.ids)).toEqual([]);
			expect(read.asked.length).toBeLessThanOrEqual(30);
		}
	});

	test.each([
		['once, which is certain of nothing missed', 1, true],
		['again and again, which is certain of nothing', Infinity, false],
	])('a page of it may be moved while the front is read: %s', async (_how, times, isCertain) => {
		const order = 'updatedAt falling';
		const list = contacts(1000, order);
		const whole = [...list];
		let fronts = 0;
		const read = await readList(list, {
			beforeEach: (list, count, { page, limit }) => {
				if (page === 1 && limit === 100 && ++fronts <= times)
					update(order, count - 0.5, 850, 120)(list);
			},
		});
		expect(read).toMatchObject({ isCertain, isRestless: false });
		expect(fronts).toBe(2);
		if (isCertain) expect(missing(whole, read.ids)).toEqual([]);
	});

	test.each(orders)('nothing is certain where all of it was moved just now: %s', async (order) => {
		const list = contacts(300, order).map((one) => ({ ...one, updatedAt: second(1) }));
		expect(await readList(list)).toMatchObject({ isCertain: false });
	});
});
