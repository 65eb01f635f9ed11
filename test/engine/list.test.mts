import { describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters, IPairedItemData } from 'n8n-workflow';
import { collections, leastSeeded } from '../support/sandbox/collections.mts';
import { runNode, type NodeRun } from '../support/engine/runNode.mts';
import { httpAnswer, startJsonServer } from '../support/sandbox/rawServer.mts';
import { unpaced } from '../support/sandbox/sandbox.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const sandbox = sandboxInTests({ contacts: 250 });

const list = async (parameters: INodeParameters, more: Partial<NodeRun> = {}) =>
	await runNode({
		parameters: { operation: 'list', ...parameters },
		credential: unpaced(sandbox),
		...more,
	});
const requests = async (): Promise<any[]> => (await sandbox.control('GET', '/requests')).data;
const stored = async (): Promise<any[]> => (await sandbox.control('GET', '/contacts')).data;
const articles = { collection: 'knowledgeBaseArticles', searchTerm: 'how' };
const ofEach = Object.entries(collections).map(([collection, { parameters }]) => ({
	collection,
	...parameters,
}));

describe('each collection makes the request of the interface, and gives its own records', () => {
	const each = Object.entries(collections);
	const summary = ({ method, path, query }: any) => ({ method, path, query });

	// Interface: HTTP-2, WORK-2, LIST-8, LIST-9, LIST-12, WHOLE-3, WHOLE-4, WHOLE-5, WHOLE-6,
	// WHOLE-7, ARTICLE-1, ARTICLE-2.
	test.each(each)('%s, some', async (collection, { path, query, parameters, control }) => {
		const { json } = await list({ collection, ...parameters, limit: leastSeeded });
		const expected = { method: 'GET', path, query: query(String(leastSeeded)) };
		expect((await requests()).map(summary)).toEqual([expected]);
		const own = (await sandbox.control('GET', control)).data.map(({ id }: any) => id);
		expect(json).toHaveLength(leastSeeded);
		expect(own).toEqual(expect.arrayContaining(json.map(({ id }) => id)));
	});

	// Interface: LIST-10, LIST-13, WHOLE-1, ARTICLE-4, OPEN-1.
	test.each(each)('%s, all', async (collection, { path, query, parameters, seeded = 250 }) => {
		const { json } = await list({ collection, ...parameters, returnAll: true });
		const made = (await requests()).map(summary);
		expect(made[0]).toEqual({ method: 'GET', path, query: query('100') });
		expect(new Set(made.map((request) => `${request.method} ${request.path}`)).size).toBe(1);
		expect(json).toHaveLength(seeded);
	});
});

// Interface: LIST-5, LIST-7, LIST-13, WHOLE-2, OPEN-6, OPEN-7.
describe('a variant of the list shape gives the same records', () => {
	test.each([
		{ missingValues: 'absent' },
		{ listOrder: 'unspecified' },
		{ articleSearchWithoutTerm: 'nothing' },
		{ clockOffset: -3600 },
		{ service: 'odd' },
	])('%j', async (variants) => {
		for (const parameters of ofEach) {
			const wanted = { returnAll: true, ...parameters };
			const usual = await list(wanted);
			await sandbox.control('PATCH', '/variants', variants);
			const { json, error, hints } = await list(wanted);
			await sandbox.control('POST', '/reset', { contacts: 250 });

			expect(error).toBeUndefined();
			expect(hints).toEqual([]);
			expect(json.length).toBeGreaterThan(2);
			expect(sortedFacts(json)).toMatchObject(sortedFacts(usual.json));
		}
	});

	// Interface: OPEN-11.
	test.each(['search', 'query', 'term'])(
		'articleSearchParameter=%s, once the option says so',
		async (searchParameter) => {
			const usual = await list({ ...articles, returnAll: true });
			await sandbox.control('PATCH', '/variants', { articleSearchParameter: searchParameter });
			const { json } = await list({ ...articles, returnAll: true, options: { searchParameter } });
			expect(json).toEqual(usual.json);
		},
	);
});

describe('contacts', () => {
	// Interface: LIST-10, LIST-13.
	test('contacts come in the order of the service, a hundred a request, linked to their item', async () => {
		const { json, outputs, hints } = await list({ returnAll: true }, { items: [{}, {}] });
		const ids = (await stored()).map(({ id }) => id);
		expect(json.map(({ id }) => id)).toEqual([...ids, ...ids]);
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([
			...ids.map(() => ({ item: 0 })),
			...ids.map(() => ({ item: 1 })),
		]);
		expect((await requests()).map(({ query }) => query.limit)).toEqual(Array(3).fill('100'));
		expect(hints).toMatchObject([{ message: expect.stringContaining('the same list 2 times') }]);
	});

	// Interface: LIST-14.
	test('a list of contacts that come and change all the time comes out whole', async () => {
		await sandbox.control('POST', '/reset', { contacts: 600 });
		const before = (await stored()).map(({ id }) => id);
		await sandbox.control('POST', '/changes', { every: 2, create: 2, update: 2 });
		await sandbox.control('PATCH', '/variants', { listOrder: 'updatedDescending' });
		const { json, hints } = await list({ returnAll: true });
		const ids = json.map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(expect.arrayContaining(before));
		expect(JSON.stringify(hints)).not.toContain('may be missing');
	});

	test('a list that never stands still comes with the warning that contacts may be missing', async () => {
		await sandbox.control('POST', '/changes', { every: 1, create: 200, delete: 200 });
		const { json, hints, error } = await list({ returnAll: true });
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThan(100);
		const message = /^Some contacts may be missing: \d+ \(the service counted \d+\) were read/;
		expect(hints).toMatchObject([{ type: 'warning', message: expect.stringMatching(message) }]);
	});

	test('Return All gives more than 10,000 contacts, each once', async () => {
		const count = 10_250;
		const server = await startJsonServer(({ query }) => {
			const page = Number(query.get('page'));
			const data = Array.from({ length: Math.min(100, count - (page - 1) * 100) }, (_, index) => ({
				...{ id: `c${(page - 1) * 100 + index}`, createdAt: '2026-01-01T00:00:00Z' },
			}));
			const pagination = {
				page,
				limit: 100,
				totalCount: count,
				totalPages: Math.ceil(count / 100),
			};
			return { data, meta: { pagination } };
		});
		const credential = { baseUrl: server.baseUrl, apiKey: 'sk_test_many', requestsPerMinute: 1e6 };
		const { json, hints } = await list({ returnAll: true }, { credential });
		await server.stop();
		expect(hints).toEqual([]);
		expect(json.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, n) => `c${n}`));
	});

	// Interface: LIST-11.
	test('Search is done by the service', async () => {
		const { json } = await list({ returnAll: true, filters: { search: ' lovelace ' } });
		expect(json).toMatchObject([{ firstName: 'Ada', lastName: 'Lovelace' }]);
		expect((await requests())[0].query).toMatchObject({ search: 'lovelace' });
	});

	test('contacts are simplified to ten fields, which workflows rely on, or come as they are', async () => {
		const fields = async (simplify: boolean) =>
			Object.keys((await list({ limit: 1, simplify })).json[0]);
		expect(await fields(true)).toEqual([
			...['id', 'email', 'firstName', 'lastName', 'phone', 'company', 'jobTitle', 'source', 'tags'],
			'updatedAt',
		]);
		expect(await fields(false)).toEqual(
			expect.arrayContaining(['companyId', 'notes', 'createdAt']),
		);
	});

	test('a search that finds no contact gives no item', async () => {
		const filters = { search: 'nobody at all' };
		const { json, outputs, error } = await list({ returnAll: true, filters });
		expect(error).toBeUndefined();
		expect(json).toEqual([]);
		expect(outputs).toHaveLength(1);
	});
});

describe('Updated After', () => {
	const contacts = [
		{ id: 'before', updatedAt: '2026-01-31T07:59:59.999Z' },
		{ id: 'at the moment', updatedAt: '2026-01-31T08:00:00.000Z' },
		{ id: 'after', updatedAt: '2026-01-31T08:00:00.001Z' },
		{ id: 'unreadable', updatedAt: 'yesterday' },
	];

	test.each([
		["text in the workflow's zone", '2026-01-31T03:00:00'],
		['a Luxon date', '={{ DateTime.fromISO("2026-01-31T08:00:00Z") }}'],
		['a JavaScript date', '={{ new Date("2026-01-31T08:00:00Z") }}'],
	])('takes %s; a date that cannot be read counts as changed', async (_what, updatedAfter) => {
		await sandbox.control('PUT', '/contacts', { contacts });
		const { json, error } = await list({ filters: { updatedAfter } });
		expect(error).toBeUndefined();
		expect(json.map(({ id }) => id)).toEqual(expect.arrayContaining(['after', 'unreadable']));
		expect(json).toHaveLength(2);
	});

	test('takes 1970-01-01T00:00:00Z, for a first run', async () => {
		await sandbox.control('PUT', '/contacts', { contacts });
		const { json } = await list({ filters: { updatedAfter: '1970-01-01T00:00:00Z' } });
		expect(json).toHaveLength(4);
	});

	test.each(['yesterday', '31.1.2026', '={{ 5 }}'])('refuses %s', async (value) => {
		const { error } = await list({ filters: { updatedAfter: value } });
		expect(error?.message).toContain("'Updated After' isn't a date");
		expect(await requests()).toEqual([]);
	});
});

// Interface: WHOLE-2, OPEN-10.
test('records of a whole collection come out in any shape, also without an ID', async () => {
	const data = [{ name: 'a' }, { name: 'a' }, { id: 7, value: null }];
	await sandbox.control('POST', '/faults', { kind: 'body', body: { data } });
	const { json } = await list({ collection: 'widgets', returnAll: true });
	expect(json).toEqual(data);
});

describe('knowledge base articles', () => {
	// Interface: ARTICLE-3, ARTICLE-5.
	test('Return All requests all articles if the first response has only some of them', async () => {
		const one = (await sandbox.control('GET', '/records/articles')).data[0];
		const many = Array.from({ length: 130 }, (_, n) => ({
			...one,
			id: `article ${n}`,
			title: 'How',
		}));
		await sandbox.control('PUT', '/records/articles', { records: many });
		const { json, hints } = await list({ ...articles, returnAll: true });
		expect(json).toHaveLength(130);
		expect((await requests()).map(({ query }) => query.limit)).toEqual(['100', '130']);
		expect(hints).toEqual([]);
	});

	// Interface: ARTICLE-3.
	test.each([25, 10])(
		'a hint says how many articles the service withholds (limit %d)',
		async (limit) => {
			await sandbox.control('PATCH', '/variants', { articleLimitMaximum: 25 });
			const { json, hints } = await list({ ...articles, returnAll: true });
			expect(json).toHaveLength(25);
			expect(hints).toMatchObject([{ message: expect.stringMatching(/returned only 25/) }]);

			const limited = await list({ ...articles, limit });
			expect(limited.json).toHaveLength(limit);
			expect(limited.hints).toEqual([]);
		},
	);

	test('if the service rejects a request for more articles, those it has returned come out', async () => {
		const found = Array.from({ length: 100 }, (_, id) => ({ id: `${id}` }));
		const first = { data: { articles: found, totalCount: 130 } };
		const refused = httpAnswer('{"message":"limit is too high"}', { status: 400 });
		const server = await startJsonServer((_asked, index) => (index === 0 ? first : refused));
		const credential = { baseUrl: server.baseUrl, apiKey: 'sk_test_1', requestsPerMinute: 100_000 };
		const { json, hints, error } = await list({ ...articles, returnAll: true }, { credential });
		await server.stop();
		expect(error).toBeUndefined();
		expect(json).toEqual(found);
		expect(hints).toMatchObject([{ message: expect.stringContaining('returned only 100') }]);
	});
});

test('each item has a Limit, Return All and Simplify of its own', async () => {
	const parameters = {
		returnAll: '={{ $json.all }}',
		limit: '={{ $json.limit }}',
		simplify: '={{ $json.simplify }}',
	};
	const items = [
		{ all: false, limit: 3, simplify: true },
		{ all: false, limit: 2, simplify: true },
		{ all: true, limit: 2, simplify: true },
		{ all: false, limit: 2, simplify: false },
	];
	const { json, outputs } = await list(parameters, { items });
	const ofItem = outputs[0].map(({ pairedItem }) => (pairedItem as IPairedItemData).item);
	expect(ofItem).toEqual([0, 0, 0, 1, 1, ...Array(250).fill(2), 3, 3]);
	expect(json.map((contact) => 'companyId' in contact)).toEqual(ofItem.map((item) => item === 3));
});

test('a collection that the service does not list is refused with those that it lists', async () => {
	const { error } = await list({ collection: 'tasks' });
	expect(`${error?.message} ${error?.description}`).toMatch(
		/'Collection' .*“tasks”.*contacts.*overdueTasks/s,
	);
	expect(await requests()).toEqual([]);
});

test('what another collection was asked for, and is still in the node, changes nothing', async () => {
	const filters = { search: '={{ [] }}', updatedAfter: '={{ "soon" }}', email: '' };
	const left = { filters, searchTerm: '', options: { searchParameter: ' ' }, returnAll: true };
	const { json } = await list({ ...left, collection: 'widgets' });
	expect(json).toEqual((await sandbox.control('GET', '/records/widgets')).data);
});

/** The records in one order, with the fields that have a value. */
function sortedFacts(records: IDataObject[]): IDataObject[] {
	const hasValue = ([, value]: [string, unknown]) => String(value ?? '') !== '';
	return records
		.map((record) => Object.fromEntries(Object.entries(record).filter(hasValue)))
		.sort((a, b) => String(a.id).localeCompare(String(b.id)));
}
