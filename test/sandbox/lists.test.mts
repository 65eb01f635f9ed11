import { describe, expect, test } from '@jest/globals';

import { leastSeeded, wholeCollections } from '../support/sandbox/collections.mts';
import { useService } from './service.mts';

const service = useService({ contacts: 250 });
const { call, control } = service;

const list = async (query = '') => (await call('GET', `/contacts${query}`)).body;
const pagination = async (query = '') => (await list(query)).meta.pagination;
const ids = (records: Array<{ id: string }>) => records.map(({ id }) => id);

async function walk(limit = 100): Promise<string[]> {
	const walked: string[] = [];
	for (let page = 1, pages = 1; page <= pages; page += 1) {
		const { data, meta } = await list(`?page=${page}&limit=${limit}`);
		walked.push(...ids(data));
		pages = meta.pagination.totalPages;
	}
	return walked;
}

describe('a list in pages', () => {
	// Interface: LIST-1, LIST-2, LIST-3, LIST-4, LIST-5, LIST-6, LIST-7, LIST-8, LIST-9.
	test('meta has page and limit, 1 and 20 by default, and counts the matches of all pages', async () => {
		const { data, ...others } = await list();
		expect(data).toHaveLength(20);
		const byDefault = { page: 1, limit: 20, totalCount: 250, totalPages: 13 };
		expect(others).toEqual({ meta: { pagination: byDefault } });
		const asked = { page: 3, limit: 7, totalCount: 250, totalPages: 36 };
		expect(await pagination('?page=3&limit=7')).toEqual(asked);
		expect(await pagination('?search=lovelace')).toMatchObject({ totalCount: 1, totalPages: 1 });
	});

	// Interface: LIST-10.
	test('a page has 100 records at most', async () => {
		expect((await list('?limit=100')).data).toHaveLength(100);
		expect((await list('?limit=101')).data).toHaveLength(100);
	});

	// Interface: LIST-8, LIST-10.
	test.each([
		['?page=0', 1, 20],
		['?page=x', 1, 20],
		['?limit=0', 1, 1],
		['?limit=2.5', 1, 20],
	])('%s is out of range and clamped, or ignored', async (query, page, limit) => {
		expect(await pagination(query)).toMatchObject({ page, limit });
	});

	// Interface: LIST-11.
	test('search looks for text in the contacts', async () => {
		for (const search of ['ada', 'LOVELACE', 'ada lovelace', 'ada.lovelace@example.com']) {
			const { data } = await list(`?search=${encodeURIComponent(search)}`);
			expect(data.map(({ email }: any) => email)).toContain('ada.lovelace@example.com');
		}
		expect(await list('?search=nobody-at-all')).toMatchObject({ data: [] });
	});

	// Interface: LIST-13.
	test('page after page, up to totalPages, brings all', async () => {
		const walked = await walk();
		expect(new Set(walked)).toEqual(new Set(ids(await service.contacts())));
		expect(walked).toHaveLength(250);
		expect((await list('?page=4&limit=100')).data).toEqual([]);
	});

	// Interface: LIST-14.
	test('what is deleted in the meantime moves records from page to page', async () => {
		const before = await list('?page=2&limit=100');
		await control('DELETE', `/contacts/${(await service.contacts())[0].id}`);
		const after = await list('?page=2&limit=100');
		expect(after.data[0].id).toBe(before.data[1].id);
	});
});

describe('a list without pages', () => {
	// Interface: WHOLE-1, WHOLE-2, WHOLE-3, WHOLE-4, WHOLE-5, WHOLE-6, WHOLE-7.
	test.each(wholeCollections)(
		'$path returns all records in one response, without meta, whatever is asked',
		async ({ path, seeded }) => {
			const { status, body } = await call('GET', path);
			expect(status).toBe(200);
			expect(Object.keys(body)).toEqual(['data']);
			expect(body.data).toHaveLength(seeded!);
			expect((await call('GET', `${path}?page=2&limit=1&search=nothing`)).body).toEqual(body);
			expect(seeded).toBeGreaterThanOrEqual(leastSeeded);
		},
	);

	// Interface: WHOLE-6.
	test('every overdue task: due before now and not done', async () => {
		const { data } = (await call('GET', '/tasks/overdue')).body;
		await control('POST', '/clock', { advance: 20 * 365 * 24 * 60 * 60 * 1000 });
		const later = (await call('GET', '/tasks/overdue')).body.data;
		expect(later.length).toBeGreaterThan(data.length);
	});
});

describe('GET /knowledge-base/articles/search', () => {
	const search = async (query: string) =>
		(await call('GET', `/knowledge-base/articles/search${query}`)).body.data;

	// Interface: ARTICLE-1, ARTICLE-2.
	test('has its own response shape', async () => {
		const data = await search('?q=billing');
		expect(Object.keys(data)).toEqual(['articles', 'totalCount']);
		expect(data.articles).toHaveLength(8);
		for (const { excerpt } of data.articles) expect(excerpt).toMatch(/^Billing/);
	});

	// Interface: ARTICLE-1, ARTICLE-3, ARTICLE-4.
	test('limit is 10 by default, and totalCount may be more', async () => {
		const { articles, totalCount } = await search('');
		expect([articles.length, totalCount]).toEqual([10, 40]);
		const some = await search('?q=billing&limit=3');
		expect([some.articles.length, some.totalCount]).toEqual([3, 8]);
	});

	// Interface: ARTICLE-5.
	test('has no further page', async () => {
		expect(await search('?page=2')).toEqual(await search(''));
	});
});
