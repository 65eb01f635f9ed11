import { describe, expect, test } from '@jest/globals';
import type { Page } from '../../nodes/CrmWorkspace/api/endpoints';
import { readContacts } from '../../nodes/CrmWorkspace/api/readContacts';
import type { Client, Request } from '../../nodes/CrmWorkspace/client/request';

type PageRequest = { page: number; limit: number };

describe('an unchanged list', () => {
	// Interface: LIST-13.
	test.each([0, 1, 99, 100, 101, 250, 10_000])(
		'of %d contacts takes a request a page',
		async (count) => {
			const service = createService(count);
			const { records, isSettled } = await read(service);
			expect(records.map(({ id }) => id)).toEqual(service.contacts.map(({ id }) => id));
			expect(service.requests).toHaveLength(Math.max(1, Math.ceil(count / 100)));
			expect(isSettled).toBe(true);
		},
	);

	test.each([
		[1, [1]],
		[50, [50]],
		[100, [100]],
		[101, [100, 100]],
		[250, [100, 100, 100]],
	])('is asked for no more than a Limit of %d needs', async (limit, sizes) => {
		const service = createService(1000);
		const { records } = await read(service, { limit });
		expect(records.length).toBeGreaterThanOrEqual(limit);
		expect(service.requests.map((request) => request.limit)).toEqual(sizes);
	});

	test.each([
		[101, Infinity, [1]],
		[1000, Infinity, [9]],
		[1000, 250, [2]],
		[100, Infinity, []],
	])(
		'of %d contacts, Limit %d, announces its further pages once',
		async (count, limit, expected) => {
			const announced: number[] = [];
			const service = createService(count);
			const connection = connectionTo(service.answer, (pages) => announced.push(pages));
			await readContacts(connection, { ...usual, limit });
			expect(announced).toEqual(expected);
		},
	);

	test('never has more requests under way than allowed', async () => {
		let [now, most] = [0, 0];
		const service = createService(3000);
		const fetchPage = async (request: PageRequest) => {
			most = Math.max(most, ++now);
			await new Promise((resolve) => setImmediate(resolve));
			now--;
			return service.answer(request);
		};
		await readContacts(connectionTo(fetchPage), { ...usual, concurrency: 4 });
		expect(most).toBe(4);
	});
});

// Interface: LIST-14.
describe('a list that changes', () => {
	test('gives back a record that a deletion shifted to a page that was read', async () => {
		const service = createService(300);
		const shifted = service.contacts[100];
		const { records, isSettled } = await read(service, {
			before: { 2: () => service.contacts.splice(5, 1) },
			concurrency: 1,
		});
		expect(records).toContainEqual(shifted);
		expect(isSettled).toBe(true);
	});

	test('gives back a record that a deletion shifted while a creation kept the total', async () => {
		const service = createService(300);
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

	// Dates alone would count them among those that were there, instead of the last ones.
	test('is read to its end, even if contacts come with old dates', async () => {
		const service = createService(500);
		const before = service.contacts.map(({ id }) => id);
		const restored = createService(2, 'restored ').contacts;
		const { records, isSettled } = await read(service, {
			before: { 2: () => service.contacts.splice(150, 0, ...restored) },
			concurrency: 1,
		});
		expect(records.map(({ id }) => id)).toEqual(expect.arrayContaining(before));
		expect(isSettled).toBe(true);
	});

	test('is read again if its records are too young to count', async () => {
		const service = createService(300);
		for (const one of service.contacts) one.createdAt = new Date(begun).toISOString();
		const { isSettled } = await read(service, { concurrency: 1 });
		expect(service.requests.map(({ page }) => page)).toEqual([1, 2, 3, 1, 2, 3]);
		expect(isSettled).toBe(true);
	});

	test('gives a record that was changed in the meantime once, as it is now', async () => {
		const service = createService(300);
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
		'by a whole page of %s contacts at its beginning loses none',
		async (what) => {
			const service = createService(500);
			const before = service.contacts.map(({ id }) => id);
			const at = '2026-01-31T08:00:30Z';
			const movePage = () => {
				const page =
					what === 'created'
						? createService(100, 'new ').contacts.map((one) => ({ ...one, createdAt: at }))
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
			records: createService(limit, `${requests++} `).contacts,
			totalCount: 400 + (requests % 2),
			totalPages: 5,
		});
		const { isSettled } = await readContacts(connectionTo(fetchPage), usual);
		expect(isSettled).toBe(false);
		expect(requests).toBeLessThan(80);
	});

	test('that loses its last page during the reading still ends', async () => {
		const service = createService(201);
		const { records, isSettled } = await read(service, {
			before: { 2: () => service.contacts.pop() },
			concurrency: 1,
		});
		expect(records).toHaveLength(200);
		expect(isSettled).toBe(true);
	});
});

describe('a service that', () => {
	test.each([
		['has pages of 50 at most', 50],
		['has pages of 7 at most', 7],
	])('%s is read whole, a request a page', async (_what, most) => {
		const service = createService(250, '', most);
		const { records, isSettled } = await read(service);
		expect(records).toHaveLength(250);
		expect(service.requests).toHaveLength(Math.ceil(250 / most));
		expect(isSettled).toBe(true);
	});

	test("doesn't tell the time is read whole, in any order", async () => {
		for (const direction of [1, -1]) {
			const service = createService(126, '', 6);
			for (const [index, contact] of service.contacts.entries()) {
				contact.updatedAt = new Date(begun + direction * index * 1000).toISOString();
			}
			const fetchPage = async (request: PageRequest) => ({
				...service.answer(request),
				asOf: undefined,
			});
			const { records, isSettled } = await readContacts(connectionTo(fetchPage), usual);
			expect(records).toHaveLength(126);
			expect(isSettled).toBe(true);
		}
	});
});

const begun = Date.parse('2026-01-31T08:00:00Z');
const usual = { limit: Infinity, concurrency: 5 };

/** @param announce called with the number of further pages that a pass will read */
function connectionTo(
	answer: (request: PageRequest) => Page | Promise<Page>,
	announce: (pages: number) => void = () => {},
): Client {
	const request = async ({ query }: Request<Page>) => await answer(query as unknown as PageRequest);
	return { request, announce } as unknown as Client;
}

interface FakeService {
	contacts: Page['records'];
	requests: PageRequest[];
	answer(request: PageRequest): Page;
}

/** @param most how many records a page has at most */
function createService(count: number, prefix = '', most = 100): FakeService {
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
			const limit = Math.min(request.limit, most);
			return {
				records: contacts
					.slice((request.page - 1) * limit, request.page * limit)
					.map((contact) => ({ ...contact })),
				totalCount: contacts.length,
				totalPages: Math.ceil(contacts.length / limit),
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
		...options
	}: { before?: Record<number, () => void>; limit?: number; concurrency?: number } = {},
) {
	const fetchPage = async (request: PageRequest) => {
		before[service.requests.length + 1]?.();
		return service.answer(request);
	};
	return await readContacts(connectionTo(fetchPage), { ...usual, ...options });
}
