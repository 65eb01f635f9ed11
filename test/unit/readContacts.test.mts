import { describe, expect, test } from '@jest/globals';
import { readContacts } from '../../nodes/CrmWorkspace/api/readContacts';
import type { Client, Request } from '../../nodes/CrmWorkspace/client/request';
import { RequestFailure, type FailureDetails } from '../../nodes/CrmWorkspace/client/failure';
import { answered } from '../support/simulated/attempts.mts';

type Query = { page: number; limit: number; search?: string };

/** A connection to contacts, of which `answer` gives a page or throws. */
function connectionTo(answer: (query: Query) => unknown, headers: Record<string, string> = {}) {
	const queries: Query[] = [];
	const connection = {
		announce() {},
		async request({ query, read }: Request<unknown>) {
			queries.push(query as unknown as Query);
			const body = await answer(query as unknown as Query);
			return read({ headers, body, durationMs: 0 }, 0);
		},
	};
	return { connection: connection as unknown as Client, queries };
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

describe('all contacts', () => {
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
