import { describe, expect, test } from '@jest/globals';

import { variantDefinitions } from '../../sandbox/variants.mts';
import { leastSeeded, wholeCollections } from '../support/sandbox/collections.mts';
import { useService } from './service.mts';

const service = useService(['--requests-per-minute', '0', '--contacts', '250']);
const { call, control, variants } = service;

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
	// Interface: LIST-1, LIST-2, LIST-3.
	test('is an object with an array `data` and with `meta`', async () => {
		const body = await list();
		expect(Object.keys(body)).toEqual(['data', 'meta']);
		expect(Array.isArray(body.data)).toBe(true);
		expect(Object.keys(body.meta)).toEqual(['pagination']);
	});

	// Interface: LIST-8, LIST-9.
	test('page defaults to 1, limit to 20', async () => {
		expect(await pagination()).toEqual({ page: 1, limit: 20, totalCount: 250, totalPages: 13 });
		expect((await list()).data).toHaveLength(20);
	});

	// Interface: LIST-4, LIST-5.
	test('meta.pagination has the current page and the page size used', async () => {
		expect(await pagination('?page=3&limit=7')).toMatchObject({ page: 3, limit: 7 });
	});

	// Interface: LIST-6, LIST-7.
	test('totalCount counts what matches on all pages', async () => {
		expect(await pagination('?limit=3')).toMatchObject({ totalCount: 250, totalPages: 84 });
		expect(await pagination('?search=lovelace')).toMatchObject({ totalCount: 1, totalPages: 1 });
	});

	// Interface: LIST-8, LIST-9.
	test('the first page is 1', async () => {
		const first = await list('?page=1&limit=5');
		const second = await list('?page=2&limit=5');
		const both = await list('?limit=10');
		expect([...first.data, ...second.data]).toEqual(both.data);
	});

	// Interface: LIST-10.
	test('a page has 100 records at most', async () => {
		expect((await list('?limit=100')).data).toHaveLength(100);
		expect((await list('?limit=101')).data).toHaveLength(100);
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
	// Interface: WHOLE-1, WHOLE-2, WHOLE-4, WHOLE-5, WHOLE-6, WHOLE-7.
	test.each(wholeCollections)(
		'$path brings all records in one answer, without meta',
		async ({ path, seeded }) => {
			const { status, body } = await call('GET', path);
			expect(status).toBe(200);
			expect(Object.keys(body)).toEqual(['data']);
			expect(body.data).toHaveLength(seeded!);
			expect(seeded).toBeGreaterThanOrEqual(leastSeeded);
		},
	);

	// Interface: WHOLE-3, WHOLE-5.
	test.each(wholeCollections)(
		'$path takes no notice of page, limit and search',
		async ({ path }) => {
			const plain = await call('GET', path);
			const asked = await call('GET', `${path}?page=2&limit=1&search=nothing`);
			expect(asked.body).toEqual(plain.body);
		},
	);

	// Interface: WHOLE-6.
	test('every overdue task: due before now and not done', async () => {
		const { data } = (await call('GET', '/tasks/overdue')).body;
		const now = new Date().toISOString();
		for (const task of data) expect(task.completedAt === null && task.dueAt < now).toBe(true);
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

	// Interface: ARTICLE-3, ARTICLE-4.
	test('limit is 10 by default, and totalCount may be more', async () => {
		const { articles, totalCount } = await search('');
		expect([articles.length, totalCount]).toEqual([10, 40]);
	});

	// Interface: ARTICLE-1, ARTICLE-3.
	test('brings what matches, as much as limit says', async () => {
		const { articles, totalCount } = await search('?q=billing&limit=3');
		expect([articles.length, totalCount]).toEqual([3, 8]);
		expect((await search('?limit=500')).articles).toHaveLength(40);
	});

	// Interface: ARTICLE-5.
	test('has no further page', async () => {
		expect(await search('?page=2')).toEqual(await search(''));
	});
});

describe('what the interface leaves open about lists', () => {
	const articles = async (query: string) =>
		(await call('GET', `/knowledge-base/articles/search${query}`)).body.data;

	// Interface: OPEN-11.
	test.each(['q', 'search', 'query', 'term'])(
		'articleSearchParameter %s: the name of the search-term parameter',
		async (name) => {
			await variants({ articleSearchParameter: name, articleSearchWithoutTerm: 'nothing' });
			for (const sent of ['q', 'search', 'query', 'term']) {
				const { totalCount } = await articles(`?${sent}=billing`);
				expect(totalCount).toBe(sent === name ? 8 : 0);
			}
		},
	);

	// Interface: OPEN-11.
	test('articleSearchWithoutTerm rejected: the error names the parameter', async () => {
		await variants({ articleSearchWithoutTerm: 'rejected', articleSearchParameter: 'term' });
		const { status, body } = await call('GET', '/knowledge-base/articles/search?q=billing');
		expect(status).toBe(400);
		expect(body.error.message).toMatch(/term/);
	});

	test('articleLimitMaximum: the service may keep results back', async () => {
		await variants({ articleLimitMaximum: 25 });
		const { articles: found, totalCount } = await articles('?limit=40');
		expect([found.length, totalCount]).toEqual([25, 40]);
	});

	test('listOrder: every order is complete and stable, and they differ', async () => {
		const walks: string[][] = [];
		for (const listOrder of [
			'createdAscending',
			'createdDescending',
			'updatedAscending',
			'updatedDescending',
			'nameAscending',
			'nameDescending',
			'unspecified',
		]) {
			await variants({ listOrder });
			const walked = await walk();
			expect(await walk(50)).toEqual(walked);
			expect(new Set(walked).size).toBe(250);
			walks.push(walked);
		}
		expect(new Set(walks.map((walked) => walked.join())).size).toBe(7);
		for (const order of [0, 2, 4]) expect(walks[order + 1]).toEqual(walks[order].toReversed());
	});

	// Interface: LIST-10.
	test.each([
		['?page=0', 1, 20],
		['?page=-3', 1, 20],
		['?page=x', 1, 20],
		['?limit=0', 1, 1],
		['?limit=1000', 1, 100],
		['?limit=2.5', 1, 20],
	])('pagingOutOfRange: %s is clamped or rejected', async (query, page, limit) => {
		expect(await pagination(query)).toMatchObject({ page, limit });
		await variants({ pagingOutOfRange: 'rejected' });
		expect((await call('GET', `/contacts${query}`)).status).toBe(400);
	});

	test.each([404, 400, 416, 422])(
		'pagePastEnd: a page after the last one is empty or answered with %d',
		async (status) => {
			expect(await list('?page=14')).toMatchObject({
				data: [],
				meta: { pagination: { page: 14 } },
			});
			await variants({ pagePastEnd: status });
			expect((await call('GET', '/contacts?page=14')).status).toBe(status);
			expect((await call('GET', '/contacts?page=13')).status).toBe(200);
		},
	);

	test.each([
		['both', { totalCount: 250, totalPages: 13 }],
		['totalCount', { totalCount: 250 }],
		['totalPages', { totalPages: 13 }],
	])('listCounts: a page tells %s', async (listCounts, counts) => {
		await variants({ listCounts });
		expect(await pagination()).toEqual({ page: 1, limit: 20, ...counts });
	});

	test('listCounts: a page may tell neither, and then has no meta', async () => {
		await variants({ listCounts: 'neither' });
		expect(Object.keys(await list())).toEqual(['data']);
	});

	test('pageSizeMaximum: a page may hold fewer than 100, and says so', async () => {
		await variants({ pageSizeMaximum: 7 });
		expect(await pagination('?limit=100')).toMatchObject({ limit: 7, totalPages: 36 });
		expect(new Set(await walk()).size).toBe(250);
	});

	test.each([3600, 0.5, -0.5, -3600])(
		'clockOffset: the service is %d s ahead in all it tells',
		async (clockOffset) => {
			await variants({ clockOffset });
			const before = Date.now() + clockOffset * 1000;
			const { createdAt } = (await control('POST', '/contacts', { firstName: 'New' })).data;
			const { headers } = await call('GET', '/contacts');
			const after = Date.now() + clockOffset * 1000;
			expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before);
			expect(Date.parse(createdAt)).toBeLessThanOrEqual(after);
			// The header has whole seconds.
			expect(Date.parse(String(headers.date))).toBeGreaterThan(before - 1000);
			expect(Date.parse(String(headers.date))).toBeLessThanOrEqual(after);
		},
	);

	describe('timestamps: records are written', () => {
		const stored = {
			createdAt: '2026-01-31T23:30:00.750Z',
			updatedAt: '2026-02-01T00:00:00.999Z',
		};
		const inOtherZone = {
			createdAt: '2026-02-01T01:30:00.750+02:00',
			updatedAt: '2026-02-01T02:00:00.999+02:00',
		};
		const inSeconds = { createdAt: '2026-01-31T23:30:00Z', updatedAt: '2026-02-01T00:00:00Z' };
		const { createdAt, updatedAt } = stored;

		test.each([
			['milliseconds', stored],
			['seconds', inSeconds],
			['otherZone', inOtherZone],
			['createdOnly', { createdAt }],
			['updatedOnly', { updatedAt }],
			['absent', {}],
		])('%s', async (timestamps, written) => {
			const record = { id: 'a record', ...stored };
			await control('PUT', '/contacts', { contacts: [record] });
			await control('PUT', '/records/widgets', { records: [record] });
			await variants({ timestamps });
			const [contact] = (await list()).data;
			const [widget] = (await call('GET', '/widgets')).body.data;
			const times = ['createdAt', 'updatedAt'].filter((name) => name in contact);
			expect(Object.fromEntries(times.map((name) => [name, contact[name]]))).toEqual(written);
			expect(widget).toEqual({ id: 'a record', ...written });
			// What is stored stays as it was.
			expect((await service.contacts())[0]).toMatchObject(stored);
		});

		test('the same in the answer to an update, and no other time of a record is touched', async () => {
			await variants({ timestamps: 'absent' });
			const [{ id }] = await service.contacts();
			const { data } = (await call('PUT', `/contacts/${id}`, { jobTitle: 'Countess' })).body;
			expect(data).toMatchObject({ id, jobTitle: 'Countess' });
			expect(data).not.toHaveProperty('updatedAt');
			const [task] = (await call('GET', '/tasks/overdue')).body.data;
			expect(task).toHaveProperty('dueAt');
		});

		test('as they are stored, where that is no time', async () => {
			await control('PUT', '/contacts', { contacts: [{ createdAt: 'long ago' }] });
			await variants({ timestamps: 'seconds' });
			expect((await list()).data[0].createdAt).toBe('long ago');
		});
	});

	test('dateHeader: answers need not carry it', async () => {
		expect((await call('GET', '/contacts')).headers.date).toBeDefined();
		await variants({ dateHeader: 'absent' });
		expect((await call('GET', '/contacts')).headers.date).toBeUndefined();
	});

	test.each(variantDefinitions.dateAhead.allowed)(
		'dateAhead: the header is %d s ahead of what dates records',
		async (dateAhead) => {
			await variants({ dateAhead });
			const begun = Math.floor(Date.now() / 1000) * 1000 + dateAhead * 1000;
			const told = Date.parse((await call('GET', '/contacts')).headers.date as string);
			expect(told).toBeGreaterThanOrEqual(begun);
			expect(told).toBeLessThan(Date.now() + dateAhead * 1000 + 1);
		},
	);

	test('articleLimitMaximum: a higher limit may be rejected', async () => {
		await variants({ articleLimitMaximum: 50, pagingOutOfRange: 'rejected' });
		const search = (limit: number) =>
			call('GET', `/knowledge-base/articles/search?q=billing&limit=${limit}`);
		expect([(await search(50)).status, (await search(51)).status]).toEqual([200, 400]);
	});

	test('totalPagesWhenEmpty: an empty collection has no page or one', async () => {
		await control('PUT', '/contacts', { contacts: [] });
		expect(await pagination()).toMatchObject({ totalCount: 0, totalPages: 0 });
		await variants({ totalPagesWhenEmpty: 1 });
		expect(await pagination()).toMatchObject({ totalCount: 0, totalPages: 1 });
	});

	test.each([
		['namesAndEmail', { email: 1, name: 1, notes: 0 }],
		['everyField', { email: 1, name: 1, notes: 1 }],
		['nothingOfEmail', { email: 0, name: 1, notes: 1 }],
		['ignored', { email: 2, name: 2, notes: 2 }],
	])('searchCovers %s', async (searchCovers, expected) => {
		const contacts = [
			{ firstName: 'Zoë', email: 'someone@example.com', notes: 'wombat' },
			{ firstName: 'Other' },
		];
		await control('PUT', '/contacts', { contacts });
		await variants({ searchCovers });
		const found = async (text: string) =>
			(await pagination(`?search=${encodeURIComponent(text)}`)).totalCount;
		expect({
			email: await found('someone@example.com'),
			name: await found('ZOË'),
			notes: await found('wombat'),
		}).toEqual(expected);
	});

	test('searchMatches: anywhere in a word or only at its beginning', async () => {
		const found = async (text: string) => (await pagination(`?search=${text}`)).totalCount;
		expect(await found('ovelac')).toBe(1);
		await variants({ searchMatches: 'wordBeginnings' });
		expect([
			await found('ovelac'),
			await found('lovel'),
			await found('ada.lovelace@example'),
		]).toEqual([0, 1, 1]);
	});

	test('listStatus: every list may be answered with 206', async () => {
		await variants({ listStatus: 206 });
		for (const path of ['/contacts', '/widgets', '/knowledge-base/articles/search']) {
			expect((await call('GET', path)).status).toBe(206);
		}
	});

	test('extraFields: envelopes and records of lists have more fields', async () => {
		await variants({ extraFields: true });
		expect(Object.keys(await list())).toEqual(['data', 'meta', 'requestId', 'apiVersion']);
		const { body } = await call('GET', '/widgets');
		expect(body.data[0].object).toBe('record');
		expect(body).not.toHaveProperty('meta');
	});
});
