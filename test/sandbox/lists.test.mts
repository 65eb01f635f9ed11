import { describe, expect, test } from '@jest/globals';

import { leastSeeded, wholeCollections } from '../support/sandbox/collections.mts';
import { useService } from './service.mts';

const service = useService({ contacts: 250 });
const { call, control } = service;

const list = async (query = '') => (await call('GET', `/contacts${query}`)).body;

describe('a list in pages', () => {
	// Interface: LIST-1, LIST-2, LIST-3, LIST-4, LIST-5, LIST-6, LIST-7, LIST-8, LIST-9, LIST-10,
	// LIST-11.
	test.each([
		['', 20, { page: 1, limit: 20, totalCount: 250, totalPages: 13 }],
		['?page=3&limit=7', 7, { page: 3, limit: 7, totalCount: 250, totalPages: 36 }],
		['?limit=101', 100, { page: 1, limit: 100, totalCount: 250, totalPages: 3 }],
		['?page=4&limit=100', 0, { page: 4, limit: 100, totalCount: 250, totalPages: 3 }],
		['?page=0&limit=0', 1, { page: 1, limit: 1, totalCount: 250, totalPages: 250 }],
		['?page=x&limit=2.5', 20, { page: 1, limit: 20, totalCount: 250, totalPages: 13 }],
		['?search=LOVELACE', 1, { page: 1, limit: 20, totalCount: 1, totalPages: 1 }],
		['?search=ada+lovelace', 1, { page: 1, limit: 20, totalCount: 1, totalPages: 1 }],
	])('%s: %d records, and the count of all pages in meta', async (query, count, pagination) => {
		const { data, ...others } = await list(query);
		expect(data).toHaveLength(count);
		expect(others).toEqual({ meta: { pagination } });
	});

	// Interface: LIST-13, LIST-14.
	test('page after page brings all, unless one is deleted in the meantime', async () => {
		const pages = [1, 2, 3].map((page) => list(`?page=${page}&limit=100`));
		const walked = (await Promise.all(pages)).flatMap(({ data }) => data);
		expect(walked).toEqual(await service.contacts());
		await control('DELETE', `/contacts/${walked[0].id}`);
		expect((await list('?page=2&limit=100')).data[0]).toEqual(walked[101]);
	});
});

describe('a list without pages', () => {
	// Interface: WHOLE-1, WHOLE-2, WHOLE-3, WHOLE-4, WHOLE-5, WHOLE-6, WHOLE-7.
	test.each(wholeCollections)(
		'$path has all records in one response, without meta, whatever is asked',
		async ({ path, seeded }) => {
			const { status, body } = await call('GET', path);
			expect([status, Object.keys(body), body.data.length]).toEqual([200, ['data'], seeded]);
			expect((await call('GET', `${path}?page=2&limit=1&search=nothing`)).body).toEqual(body);
			expect(seeded).toBeGreaterThanOrEqual(leastSeeded);
		},
	);

	// Interface: WHOLE-6.
	test('overdue tasks are those due before now', async () => {
		const overdue = async () => (await call('GET', '/tasks/overdue')).body.data.length;
		const before = await overdue();
		await control('POST', '/clock', { advance: 20 * 365 * 24 * 60 * 60 * 1000 });
		expect(await overdue()).toBeGreaterThan(before);
	});
});

describe('GET /knowledge-base/articles/search', () => {
	const search = async (query: string) =>
		(await call('GET', `/knowledge-base/articles/search${query}`)).body;

	// Interface: ARTICLE-1, ARTICLE-2, ARTICLE-3, ARTICLE-4.
	test.each([
		['', 10, 40],
		['?q=billing', 8, 8],
		['?q=billing&limit=3', 3, 8],
	])('%s: %d articles of %d', async (query, count, totalCount) => {
		const { data } = await search(query);
		expect(data).toEqual({ articles: expect.any(Array), totalCount });
		expect(data.articles).toHaveLength(count);
	});

	// Interface: ARTICLE-5.
	test('has no further page', async () => {
		expect(await search('?page=2')).toEqual(await search(''));
	});
});
