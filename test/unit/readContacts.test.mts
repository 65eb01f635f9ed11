import { describe, expect, test } from '@jest/globals';
import { listContacts } from '../../nodes/CrmWorkspace/api/endpoints';
import { readContacts } from '../../nodes/CrmWorkspace/api/readContacts';
import type { Client, Request } from '../../nodes/CrmWorkspace/client/request';
import { RequestFailure, type FailureDetails } from '../../nodes/CrmWorkspace/client/failure';
import { answered } from '../support/simulated/attempts.mts';

type Query = { page: number; limit: number; search?: string };

/** A connection to contacts, of which `answer` gives a page or throws. */
function connectionTo(answer: (query: Query) => unknown, headers: Record<string, string> = {}) {
	const queries: Query[] = [];
	/** How many requests are said to come at present, and the most at once. */
	const expected = { now: 0, most: 0, least: 0 };
	const connection = {
		announce(requests: number) {
			expected.now += requests;
			expected.most = Math.max(expected.most, expected.now);
			expected.least = Math.min(expected.least, expected.now);
		},
		async request({ query, read }: Request<unknown>) {
			expected.now = Math.max(0, expected.now - 1);
			queries.push(query as unknown as Query);
			const body = await answer(query as unknown as Query);
			return read({ headers, body, durationMs: 0 }, 0);
		},
	};
	return { connection: connection as unknown as Client, queries, expected };
}

const contacts = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `id-${index}`, name: `name ${index}` }));

/** A list that does not change. */
const pageOf = (all: object[], { page, limit }: Query) => ({
	data: all.slice((page - 1) * limit, page * limit),
	meta: {
		pagination: { page, limit, totalCount: all.length, totalPages: Math.ceil(all.length / limit) },
	},
});

describe('a page of contacts', () => {
	test('is asked for with what is searched', async () => {
		const { connection, queries } = connectionTo((query) => pageOf([], query));
		await listContacts(connection, { page: 1, limit: 10, search: 'ada' });
		expect(queries).toEqual([{ page: 1, limit: 10, search: 'ada' }]);
	});

	test.each([undefined, ''])('is asked for without a search for %j', async (search) => {
		const { connection, queries } = connectionTo((query) => pageOf([], query));
		await listContacts(connection, { page: 1, limit: 10, search });
		expect(queries).toEqual([{ page: 1, limit: 10 }]);
	});
});

describe('all contacts', () => {
	test('come each once, and the pages that will be read are announced', async () => {
		const all = contacts(450);
		const { connection, queries, expected } = connectionTo((query) => pageOf(all, query));
		const { records } = await readContacts(connection, { limit: Infinity, concurrency: 1 });
		expect(records).toEqual(all);
		expect(queries.every(({ limit }) => limit === 100)).toBe(true);
		expect(expected.most).toBeGreaterThanOrEqual(3);
		expect(expected).toMatchObject({ now: 0, least: 0 });
	});

	test('are as few as are wanted', async () => {
		const { connection, queries } = connectionTo((query) => pageOf(contacts(450), query));
		const { records } = await readContacts(connection, { limit: 5, concurrency: 5 });
		expect(records).toEqual(contacts(5));
		expect(queries).toEqual([{ page: 1, limit: 5 }]);
	});

	// An update can make a contact match a search that it did not match before.
	test.each([
		[undefined, [1, 2, 3]],
		['ada', [1, 2, 3, 1, 2, 3]],
	])('that changed in the meantime may be new to a search (%s) only', async (search, pages) => {
		const [before, now] = ['2025-01-01T00:00:00Z', '2026-01-31T08:00:00Z'];
		const all = contacts(250).map((one) => ({ ...one, createdAt: before, updatedAt: now }));
		const { connection, queries } = connectionTo((query) => pageOf(all, query), { date: now });
		const { isSettled } = await readContacts(connection, {
			limit: Infinity,
			concurrency: 1,
			search,
		});
		expect(queries.map(({ page }) => page)).toEqual(pages);
		expect(isSettled).toBe(true);
	});

	test('pages that were given up for another one are not what is shown', async () => {
		const error = new RequestFailure(answered(403) as FailureDetails);
		const { connection } = connectionTo(async (query) => {
			if (query.page === 1) return pageOf(contacts(900), query);
			if (query.page === 3) throw error;
			await new Promise(setImmediate);
			await new Promise(setImmediate);
			throw new Error('given up');
		});
		const outcome = readContacts(connection, { limit: Infinity, concurrency: 5 });
		await expect(outcome).rejects.toBe(error);
	});
});
