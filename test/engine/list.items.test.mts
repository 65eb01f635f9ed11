import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runNode } from '../support/engine/runNode.mts';
import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';

let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--contacts', '20', '--requests-per-minute', '0']);
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.control('POST', '/reset', { contacts: 20 }));

/** One after another, so that requests are in the order of the items. */
const list = async (parameters: INodeParameters, items: IDataObject[], options: object = {}) =>
	await runNode({
		parameters: { operation: 'list', ...parameters, options: { concurrency: 1, ...options } },
		items,
		settings: { onError: 'continueRegularOutput' },
		credential: {
			baseUrl: sandbox.baseUrl,
			apiKey: sandbox.testKey,
			requestsPerMinute: 100_000,
		},
	});
const queries = async () =>
	(await sandbox.control('GET', '/requests')).data.map(({ path, query }: any) => ({
		path,
		...query,
	}));

describe('each item has parameters of its own', () => {
	test('Limit', async () => {
		const items = [{ limit: 1 }, { limit: 3 }];
		const { outputs } = await list({ limit: '={{ $json.limit }}' }, items);
		const counts = items.map(
			(_, index) =>
				outputs[0].filter(({ pairedItem }) => (pairedItem as any).item === index).length,
		);
		expect(counts).toEqual([1, 3]);
	});

	test('Return All and Simplify', async () => {
		const { json } = await list(
			{ returnAll: '={{ $json.all }}', limit: 1, simplify: '={{ $json.simplify }}' },
			[
				{ all: false, simplify: true },
				{ all: true, simplify: false },
			],
		);
		expect(json).toHaveLength(1 + 20);
		expect(json.map((contact) => 'companyId' in contact)).toEqual([false, ...Array(20).fill(true)]);
	});

	test('Search', async () => {
		const filters = { search: '={{ $json.text }}' };
		await list({ filters, limit: 1 }, [{ text: 'ada' }, { text: 'grace' }]);
		expect(await queries()).toMatchObject([{ search: 'ada' }, { search: 'grace' }]);
	});

	test('Search Term and Search Parameter', async () => {
		const parameters = {
			collection: 'knowledgeBaseArticles',
			searchTerm: '={{ $json.text }}',
			limit: 1,
		};
		const items = [
			{ text: 'one', name: 'q' },
			{ text: 'two', name: 'term' },
		];
		await list(parameters, items, { searchParameter: '={{ $json.name }}' });
		expect(await queries()).toMatchObject([{ q: 'one' }, { term: 'two' }]);
	});

	test('Updated After', async () => {
		const items = [{ after: '2020-01-01' }, { after: '2999-01-01' }];
		const filters = { updatedAfter: '={{ $json.after }}' };
		const { outputs } = await list({ returnAll: true, filters }, items);
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(Array(20).fill({ item: 0 }));
	});
});

test.each<[string, INodeParameters, unknown, unknown]>([
	["'Limit' isn't", { limit: '={{ $json.value }}' }, 1, 0],
	["'Search' is an object", { filters: { search: '={{ $json.value }}' } }, 'a', { a: 1 }],
	[
		"'Search Term' is an object",
		{ collection: 'knowledgeBaseArticles', searchTerm: '={{ $json.value }}' },
		'how',
		{ a: 1 },
	],
	["'Updated After' isn't", { filters: { updatedAfter: '={{ $json.value }}' } }, '2020', 'soon'],
])('an item whose %s … is the only one that fails', async (message, parameters, good, value) => {
	const rows = [{ value: good }, { value }, { value: good }] as IDataObject[];
	const { outputs } = await list({ limit: 1, ...parameters }, rows);
	expect(outputs[0].map(({ json }) => 'error' in json)).toEqual([false, true, false]);
	expect(outputs[0][1].json.error).toContain(message);
});

test('items with the same parameters share one reading, and a warning says so', async () => {
	const { json, outputs, hints } = await list({ returnAll: true }, [{}, {}, {}]);
	expect(json).toHaveLength(3 * 20);
	expect(outputs[0].map(({ pairedItem }) => (pairedItem as any).item)).toEqual(
		[0, 1, 2].flatMap((item) => Array(20).fill(item)),
	);
	expect(await queries()).toHaveLength(1);
	expect(hints).toMatchObject([
		{ type: 'warning', message: expect.stringContaining('the same list 3 times') },
	]);
	const others = await list({ limit: '={{ $json.limit }}' }, [{ limit: 1 }, { limit: 2 }]);
	expect(others.hints).toEqual([]);
});

test('what another collection was asked for, and is still in the node, changes nothing', async () => {
	const filters = { search: '={{ [] }}', updatedAfter: '={{ "soon" }}' };
	const left = { filters, searchTerm: '', returnAll: true, simplify: true };
	const options = { searchParameter: ' ' };
	const { json } = await list({ ...left, collection: 'widgets' }, [{}], options);
	expect(json).toEqual((await sandbox.control('GET', '/records/widgets')).data);
});
