import { describe, expect, test } from '@jest/globals';
import type { Page } from '../../nodes/CrmWorkspace/service/answers';
import {
	beginOf,
	endOf,
	overlappingPages,
	pagesToFetch,
	type PageRequest,
} from '../../nodes/CrmWorkspace/service/pages';
import type { ArrivalDates } from '../../nodes/CrmWorkspace/service/pass';
import { readAhead } from '../../nodes/CrmWorkspace/service/readAhead';
import { SenselessPages } from '../../nodes/CrmWorkspace/service/pageReader';
import { readPages } from '../../nodes/CrmWorkspace/service/readPages';
import { RecordSet } from '../../nodes/CrmWorkspace/service/recordSet';

describe('pagesToFetch', () => {
	test.each([
		[0, Infinity, 0],
		[1, Infinity, 1],
		[100, Infinity, 1],
		[101, Infinity, 2],
		[10_000, Infinity, 100],
		[10_000, 100, 1],
		[10_000, 101, 2],
		[10_000, 250, 3],
		[120, 250, 2],
	])('of %d records, at most %d wanted: %d pages', (total, limit, pages) => {
		expect(pagesToFetch(total, limit)).toBe(pages);
	});
});

describe('overlappingPages', () => {
	test.each([
		[100, 10],
		[57, 10],
		[20, 4],
	])('leave no gap: %d records a page, %d in common', (pageSize, overlap) => {
		const pages = overlappingPages({ from: 0, to: 10_000 }, { pageSize, overlap });
		expect(beginOf(pages[0])).toBe(0);
		expect(endOf(pages.at(-1)!)).toBeGreaterThanOrEqual(10_000);
		for (const [index, page] of pages.entries()) {
			expect(page.limit).toBeLessThanOrEqual(pageSize);
			if (index > 0) expect(beginOf(page)).toBeLessThanOrEqual(endOf(pages[index - 1]) - overlap);
		}
	});

	test.each([1, 2, 3])('come to an end with %d records a page', (pageSize) => {
		const pages = overlappingPages({ from: 0, to: 500 }, { pageSize, overlap: 1 });
		expect(endOf(pages.at(-1)!)).toBeGreaterThanOrEqual(500);
	});

	test('take a quarter more requests than pages side by side', () => {
		const pages = overlappingPages({ from: 0, to: 10_000 }, { pageSize: 100, overlap: 10 });
		expect(pages.length).toBeLessThanOrEqual(125);
	});
});

describe('readAhead', () => {
	test('keeps to the concurrency, begins slowly and gives results in order', async () => {
		const begun: number[] = [];
		const finish: Array<() => void> = [];
		const results = readAhead([0, 1, 2, 3, 4, 5, 6], 5, async (task) => {
			begun.push(task);
			await new Promise<void>((resolve) => (finish[task] = resolve));
			return task * 10;
		});
		const first = results.next();
		await Promise.resolve();
		expect(begun).toEqual([0, 1, 2]);
		finish[2]();
		finish[0]();
		expect((await first).value).toEqual({ request: 0, answer: 0 });

		const second = results.next();
		await Promise.resolve();
		expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
		finish[1]();
		expect((await second).value).toEqual({ request: 1, answer: 10 });
		expect((await results.next()).value).toEqual({ request: 2, answer: 20 });
		expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
	});

	test('begins nothing more after the caller stopped, and a failure under way is no crash', async () => {
		const begun: number[] = [];
		for await (const { request } of readAhead([0, 1, 2, 3, 4], 5, async (each) => {
			begun.push(each);
			if (each === 2) throw new Error('not asked for any more');
		})) {
			if (request === 0) break;
		}
		expect(begun).toEqual([0, 1, 2]);
	});

	test('throws what a task throws, at once', async () => {
		const failing = readAhead([0, 1], 5, async (task) =>
			task === 0 ? await Promise.reject(new Error('broken')) : await new Promise(() => undefined),
		);
		await expect(failing.next()).rejects.toThrow('broken');
	});
});

describe('an unchanged list', () => {
	// Interface: LIST-13.
	test.each([0, 1, 99, 100, 101, 250, 10_000])(
		'of %d contacts takes a request a page',
		async (count) => {
			const service = serviceOf(count);
			const { records, isSettled, hasChanged } = await read(service);
			expect(records.map(({ id }) => id)).toEqual(service.contacts.map(({ id }) => id));
			expect(service.requests).toHaveLength(Math.max(1, Math.ceil(count / 100)));
			expect({ isSettled, hasChanged }).toEqual({ isSettled: true, hasChanged: false });
		},
	);

	test.each([
		[1, [1]],
		[50, [50]],
		[100, [100]],
		[101, [100, 100]],
		[250, [100, 100, 100]],
	])('is asked for no more than a Limit of %d needs', async (limit, sizes) => {
		const service = serviceOf(1000);
		const { records } = await read(service, { limit });
		expect(records.length).toBeGreaterThanOrEqual(limit);
		expect(service.requests.map((request) => request.limit)).toEqual(sizes);
	});

	test('never has more requests under way than allowed', async () => {
		let [now, most] = [0, 0];
		const service = serviceOf(3000);
		const fetchPage = async (request: PageRequest) => {
			most = Math.max(most, ++now);
			await new Promise((resolve) => setImmediate(resolve));
			now--;
			return service.answer(request);
		};
		await readPages({ ...usual, fetchPage, concurrency: 4 });
		expect(most).toBe(4);
	});
});

// Interface: LIST-14.
describe('a list that changes', () => {
	test('gives back a record that a deletion shifted to a page that was read', async () => {
		const service = serviceOf(300);
		const shifted = service.contacts[100];
		const { records, isSettled, hasChanged } = await read(service, {
			before: { 2: () => service.contacts.splice(5, 1) },
			concurrency: 1,
		});
		expect(records).toContainEqual(shifted);
		expect({ isSettled, hasChanged }).toEqual({ isSettled: true, hasChanged: true });
	});

	test('gives back a record that a deletion shifted while a creation kept the total', async () => {
		const service = serviceOf(300);
		const shifted = service.contacts[100];
		const { records, isSettled } = await read(service, {
			before: {
				2: () => {
					service.contacts.splice(5, 1);
					service.contacts.push({ id: 'new', createdAt: new Date(begun + 1).toISOString() });
				},
			},
			concurrency: 1,
		});
		expect(records).toContainEqual(shifted);
		expect(isSettled).toBe(true);
	});

	test('gives a record that was changed meanwhile once, as it is now', async () => {
		const service = serviceOf(300);
		const { records } = await read(service, {
			before: {
				3: () => {
					Object.assign(service.contacts[0], { name: 'changed', updatedAt: 'later' });
					service.contacts.splice(5, 1);
				},
			},
			concurrency: 1,
		});
		const { id } = service.contacts[0];
		expect(records.filter((record) => record.id === id)).toMatchObject([{ name: 'changed' }]);
	});

	test.each(['updated', 'created'])(
		'by a whole page of %s contacts at its beginning is no service that ignores the page',
		async (what) => {
			const service = serviceOf(500);
			const before = service.contacts.map(({ id }) => id);
			const at = '2026-01-31T08:00:30Z';
			const movePage = () => {
				const page =
					what === 'created'
						? serviceOf(100, 'new ').contacts.map((one) => ({ ...one, createdAt: at }))
						: service.contacts.splice(-100);
				service.contacts.unshift(...page.map((contact) => ({ ...contact, updatedAt: at })));
			};
			const { records } = await read(service, { before: { 2: movePage }, concurrency: 1 });
			expect(records.map(({ id }) => id)).toEqual(expect.arrayContaining(before));
		},
	);

	test('that is another with every request is said not to have settled', async () => {
		let requests = 0;
		const fetchPage = async ({ limit }: PageRequest) => ({
			records: serviceOf(limit, `${requests++} `).contacts,
			totalCount: 400 + (requests % 2),
		});
		const { isSettled } = await readPages({ ...usual, fetchPage });
		expect(isSettled).toBe(false);
		expect(requests).toBeLessThan(80);
	});

	test('is not complete by an old count because of what came after it', async () => {
		const service = serviceOf(300);
		const { contacts } = service;
		const before = contacts.map(({ id }) => id);
		// Nothing tells the order, so only the count that the end showed can prove something.
		let firstPages = 0;
		const fetchPage = async (request: PageRequest) => {
			if (request.page === 1) firstPages++;
			const isFirstCounted = firstPages === 2 && request.page === 2;
			if (isFirstCounted) contacts.splice(100, 0, ...serviceOf(200, 'new ').contacts);
			const isReadOn = firstPages === 3 && request.page === 2;
			if (isReadOn) contacts.unshift(...contacts.splice(-50));
			return { records: service.answer(request).records };
		};
		const { records, isSettled } = await readPages({ ...usual, fetchPage, concurrency: 1 });
		const ids = new Set(records.map(({ id }) => id));
		const lost = before.filter((id) => !ids.has(id));
		expect({ lost, isSettled, firstPages }).toEqual({ lost: [], isSettled: false, firstPages: 3 });
	});

	test('that loses its last page meanwhile ends all the same', async () => {
		const service = serviceOf(201);
		const { records, isSettled } = await read(service, {
			before: { 2: () => service.contacts.pop() },
			concurrency: 1,
		});
		expect(records).toHaveLength(200);
		expect(isSettled).toBe(true);
	});
});

describe('a service that', () => {
	test('ignores the page is found out at once', async () => {
		const service = serviceOf(5000, '', ({ limit }) => ({ page: 1, limit }));
		await expect(read(service)).rejects.toThrow(SenselessPages);
		// The second answer raises the suspicion, four more are the proof, the others were under way.
		expect(service.requests.length).toBeLessThanOrEqual(2 + 4 + 2);
	});

	test('ignores the page of a list of two pages is found out', async () => {
		const service = serviceOf(200, '', ({ limit }) => ({ page: 1, limit }));
		await expect(read(service)).rejects.toThrow(SenselessPages);
		expect(service.requests.length).toBeLessThanOrEqual(2 + 2 + 2);
	});

	test('ignores the page and tells no total is found out', async () => {
		const service = serviceOf(5000, '', ({ limit }) => ({ page: 1, limit }));
		await expect(read(service, { total: () => undefined })).rejects.toThrow(SenselessPages);
		expect(service.requests.length).toBeLessThanOrEqual(2 + 2 + 2);
	});

	test('repeats a later page for ever is found out, and nothing is asked after that', async () => {
		const stuck = ({ page, limit }: PageRequest) => ({ page: Math.min(page, 7), limit });
		const service = serviceOf(5000, '', stuck);
		await expect(read(service, { concurrency: 1 })).rejects.toThrow(/page 8/);
		expect(service.requests).toHaveLength(8 + 4);
	});

	test('claims more records than anything can hold is refused after one request', async () => {
		const service = serviceOf(300);
		await expect(read(service, { total: () => 1_000_000_000 })).rejects.toThrow(/1,000,000/);
		expect(service.requests).toHaveLength(1);
	});

	test.each([
		['claims more records than it has', 251, 250],
		['claims many more records than it has', 5000, 250],
		['claims records but has none', 5, 0],
	])('%s gives all it has, and the walk says so', async (_what, total, count) => {
		const service = serviceOf(count);
		const { records, isSettled } = await read(service, { total: () => total });
		expect(records).toHaveLength(count);
		expect(isSettled).toBe(false);
		expect(service.requests.length).toBeLessThan(30);
	});

	test.each([
		['has pages of 50 at most', 50],
		['has pages of 7 at most', 7],
	])('%s is read whole, a request a page', async (_what, most) => {
		const service = serviceOf(250, '', ({ page, limit }) => ({
			page,
			limit: Math.min(limit, most),
		}));
		const { records, isSettled } = await read(service);
		expect(records).toHaveLength(250);
		expect(service.requests).toHaveLength(Math.ceil(250 / most));
		expect(isSettled).toBe(true);
	});

	test('has pages of 150, whatever is asked, is read whole', async () => {
		const service = serviceOf(250, '', ({ page }) => ({ page, limit: 150 }));
		const { records, isSettled } = await read(service);
		expect(records).toHaveLength(250);
		expect(isSettled).toBe(true);
	});

	test.each([
		['with a total', () => 250],
		['without a total', () => undefined],
	])('sends everything at once, %s, is asked once', async (_what, total) => {
		const service = serviceOf(250, '', () => ({ page: 1, limit: 250 }));
		const { records, isSettled } = await read(service, { total });
		expect(records).toHaveLength(250);
		expect(service.requests).toHaveLength(1);
		expect(isSettled).toBe(true);
	});

	test('tells neither a count nor the time is read whole, in whatever order', async () => {
		for (const direction of [1, -1]) {
			const service = serviceOf(126, '', ({ page, limit }) => ({
				page,
				limit: Math.min(limit, 6),
			}));
			for (const [index, contact] of service.contacts.entries()) {
				contact.updatedAt = new Date(begun + direction * index * 1000).toISOString();
			}
			const fetchPage = async (request: PageRequest) => ({
				records: service.answer(request).records,
				totalPages: Math.ceil(126 / Math.min(request.limit, 6)),
			});
			const { records, isSettled } = await readPages({ ...usual, fetchPage });
			expect(records).toHaveLength(126);
			expect(isSettled).toBe(true);
		}
	});

	test.each([100, 101, 250, 300, 301, 1000])(
		'tells no total and no order settles up to a Limit of %d',
		async (limit) => {
			const { isSettled, hasChanged } = await read(serviceOf(300), {
				total: () => undefined,
				limit,
			});
			expect({ isSettled, hasChanged }).toEqual({ isSettled: true, hasChanged: false });
		},
	);

	test.each([0, 99, 100, 250, 1000])('tells no total is read whole: %d contacts', async (count) => {
		const service = serviceOf(count);
		const { records, isSettled } = await read(service, { total: () => undefined });
		expect(records).toHaveLength(count);
		expect(isSettled).toBe(true);
	});
});

describe('records', () => {
	test.each([
		['without an id', {}, {}],
		['with a null id', { id: null }, { id: null }],
		['with one id but other content', { id: 'a', name: 'x' }, { id: 'a', name: 'y' }],
		['that are the same in every way', { id: 'a' }, { id: 'a' }],
	])('%s are all kept when one answer holds them', (_what, one, other) => {
		const set = new RecordSet();
		set.add([one, other]);
		expect(set.records()).toEqual([one, other]);
	});

	test.each([
		['one date', 'then', 'then'],
		['no date', undefined, undefined],
		['a newer date', '2026-01-31T08:00:00Z', '2026-01-31T08:00:01Z'],
	])('with one id and %s are one, as the later answer has it', (_what, before, after) => {
		const set = new RecordSet();
		set.add([{ id: 'a', name: 'x', updatedAt: before }]);
		set.add([{ id: 'a', name: 'y', updatedAt: after }]);
		expect(set.records()).toEqual([{ id: 'a', name: 'y', updatedAt: after }]);
	});

	test('with an older date do not take the place of newer ones', () => {
		const set = new RecordSet();
		const newer = { id: 'a', updatedAt: '2026-01-31T08:00:01Z' };
		set.add([newer]);
		set.add([{ id: 'a', updatedAt: '2026-01-31T08:00:00Z' }]);
		expect(set.records()).toEqual([newer]);
	});

	test('with a newer date take the place of what they were', () => {
		const set = new RecordSet();
		set.add([{ id: 'a', updatedAt: 'then' }, { id: 'b' }]);
		set.add([{ id: 'a', updatedAt: 'now' }]);
		expect(set.records()).toEqual([{ id: 'a', updatedAt: 'now' }, { id: 'b' }]);
	});

	test('that two answers hold in the same state are one', () => {
		const set = new RecordSet();
		set.add([{ name: 'no id' }, { id: 1 }]);
		set.add([{ name: 'no id' }, { id: 1 }]);
		expect(set.records()).toEqual([{ name: 'no id' }, { id: 1 }]);
	});

	test('without an id come out of a list of several pages in full', async () => {
		const service = serviceOf(250);
		service.contacts.forEach((contact) => delete contact.id);
		const { records } = await read(service);
		expect(records).toHaveLength(250);
	});
});

const begun = Date.parse('2026-01-31T08:00:00Z');
const usual = {
	limit: Infinity,
	concurrency: 5,
	arrivalDates: ['createdAt'] satisfies ArrivalDates,
};

interface FakeService {
	contacts: Page['records'];
	requests: PageRequest[];
	answer(request: PageRequest): Page;
}

/** @param given the page that is answered in place of the one asked for */
function serviceOf(
	count: number,
	prefix = '',
	given = (request: PageRequest) => request,
): FakeService {
	const contacts: Page['records'] = Array.from({ length: count }, (_, index) => ({
		id: `${prefix}${index}`,
		name: `Contact ${prefix}${index}`,
		createdAt: '2025-01-01T00:00:00Z',
		updatedAt: '2025-01-01T00:00:00Z',
	}));
	const requests: PageRequest[] = [];
	return {
		contacts,
		requests,
		answer(request) {
			requests.push(request);
			const page = given(request);
			return {
				records: contacts.slice(beginOf(page), endOf(page)).map((contact) => ({ ...contact })),
				totalCount: contacts.length,
				asOf: begun,
			};
		},
	};
}

/** @param before what happens before the n-th request */
async function read(
	service: FakeService,
	{
		before = {},
		total,
		...options
	}: {
		before?: Record<number, () => void>;
		total?: () => number | undefined;
		limit?: number;
		concurrency?: number;
	} = {},
) {
	const fetchPage = async (request: PageRequest) => {
		before[service.requests.length + 1]?.();
		const page = service.answer(request);
		return total ? { ...page, totalCount: total() } : page;
	};
	return await readPages({ ...usual, ...options, fetchPage });
}
