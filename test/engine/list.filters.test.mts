import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runNode, type NodeRun } from '../support/engine/runNode.mts';
import { unpaced } from '../support/sandbox/sandbox.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

// A list that never comes to rest is read several times.
jest.setTimeout(60_000);

const sandbox = sandboxInTests({ contacts: 0 });

const old = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };
const others = Array.from({ length: 230 }, (_, number) => ({
	...old,
	id: `other ${number}`,
	firstName: 'Mary',
	email: `mary.${number}@example.com`,
	tags: number % 2 ? ['news'] : [],
	source: number % 2 ? 'website' : null,
}));
const ada = { ...others[1], id: 'ada', firstName: 'Ada', email: 'Ada@Example.com', tags: ['vip'] };
const changed = { ...others[0], id: 'changed', updatedAt: '2026-02-01T00:00:00Z' };
const grace = {
	...others[1],
	...{ id: 'grace', firstName: 'Grace', email: 'grace@example.com' },
	...{ tags: ['news', 'vip'], source: 'trade_show', updatedAt: '2026-02-01T00:00:00Z' },
};

const hold = async (contacts: object[], variants: object = {}) => {
	await sandbox.control('PATCH', '/variants', variants);
	await sandbox.control('PUT', '/contacts', { contacts });
	await sandbox.control('DELETE', '/requests');
};
beforeEach(async () => await hold([...others, ada, changed, grace]));

const list = async (
	filters: INodeParameters,
	parameters: INodeParameters = {},
	more: Partial<NodeRun> = {},
) => {
	const { json, error, hints, outputs } = await runNode({
		parameters: { operation: 'list', returnAll: true, ...parameters, filters },
		credential: unpaced(sandbox),
		...more,
	});
	return { ids: json.map(({ id }) => id), json, error, hints, outputs };
};
const queries = async (): Promise<any[]> =>
	(await sandbox.control('GET', '/requests')).data.map(({ query }: any) => query);
const requests = async () => (await queries()).length;
const going = { settings: { onError: 'continueRegularOutput' } } as const;

describe('Email', () => {
	// Interface: LIST-11.
	test.each(['namesAndEmail', 'everyField', 'nothingOfEmail', 'ignored'])(
		'gives the contact that has the address, whatever a search covers (searchCovers=%s)',
		async (searchCovers) => {
			await hold([...others, ada, grace], { searchCovers });
			for (const email of ['grace@example.com', ' GRACE@example.com', '\u200bgrace@example.com']) {
				const { ids, error, hints } = await list({ email });
				expect(error).toBeUndefined();
				expect(hints).toEqual([]);
				expect(ids).toEqual(['grace']);
			}
			expect((await list({ email: 'race@example.com' })).ids).toEqual([]);
		},
	);

	test('gives none where no one has it, after all contacts were read', async () => {
		const { ids, outputs, error } = await list({ email: 'nobody@example.com' });
		expect(error).toBeUndefined();
		expect(ids).toEqual([]);
		expect(outputs).toHaveLength(1);
		expect(await requests()).toBe(1 + 3);
	});

	test('is one of each item; what was read for one serves the others', async () => {
		const items = ['grace', 'nobody', 'ada', 'somebody', 'mary.7', 'no'].map((name) => ({
			email: `${name}@example.com`,
		}));
		const { ids, outputs } = await list({ email: '={{ $json.email }}' }, {}, { items });
		expect(ids).toEqual(['grace', 'ada', 'other 7']);
		expect(outputs[0].map(({ pairedItem }) => (pairedItem as any).item)).toEqual([0, 2, 4]);
		expect(await requests()).toBe(3);
	});

	// Interface: LIST-14.
	test('says that it is not certain where none is found in a list that never settles', async () => {
		await sandbox.control('POST', '/seed', { contacts: 300 });
		await sandbox.control('POST', '/changes', { every: 1, create: 200, delete: 200 });
		const { json } = await list({ email: 'nobody@example.com' }, {}, going);
		expect(json).toHaveLength(1);
		expect(json[0].error).toContain(
			"It's uncertain whether a contact has the email nobody@example.com",
		);
	});
});

describe('what the service cannot filter by', () => {
	test.each<[string, INodeParameters, string[]]>([
		['Tag', { tag: ' vip ' }, ['ada', 'grace']],
		['Source, of an expression', { source: '={{ "trade_" + "show" }}' }, ['grace']],
		['Tag and Source', { tag: 'vip', source: 'website' }, ['ada']],
		['Tag and Updated After', { tag: 'vip', updatedAfter: '2026-01-15' }, ['grace']],
		['Tag and Email', { tag: 'vip', email: 'ada@example.com' }, ['ada']],
	])('%s', async (_what, options, expected) => {
		const { ids, error, hints } = await list(options);
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		expect(ids).toEqual(expected);
	});

	test('the limit counts what comes out; all contacts are read', async () => {
		const { ids } = await list({ tag: 'news' }, { returnAll: false, limit: 110 });
		expect(ids).toHaveLength(110);
		expect(await requests()).toBe(3);
		expect((await list({ tag: 'vip' }, { returnAll: false, limit: 1 })).ids).toEqual(['ada']);
	});

	test('with Search and a Limit: what the search finds is filtered before it is counted', async () => {
		const few = { returnAll: false, limit: 1 };
		expect((await list({ tag: 'news', search: 'grace' }, few)).ids).toEqual(['grace']);
		expect((await list({ tag: 'vip', search: 'example.com' }, few)).ids).toEqual(['ada']);
	});

	test.each([
		['Tag', { tag: ' ' }],
		['Tag', { tag: '={{ $json.none }}' }],
		['Source', { source: '={{ null }}' }],
		['Search', { search: '={{ $json.none }}' }],
		['Updated After', { updatedAfter: '={{ undefined }}' }],
	])('%s that was added and is empty lets nothing out', async (name, options) => {
		const { json } = await list(options, {}, going);
		expect(json).toEqual([{ error: expect.stringContaining(`'${name}' is empty`) }]);
		expect(await requests()).toBe(0);
	});

	test.each([
		["'Email' isn't an email address", { email: 'ada' }],
		["'Email' is more than one address", { email: 'ada@example.com, grace@example.com' }],
		["'Tag' is a list, not text", { tag: '={{ ["vip", "new"] }}' }],
	])('%s', async (message, options) => {
		const { error } = await list(options);
		expect(error?.message).toContain(message);
		expect(await requests()).toBe(0);
	});
});

// Interface: OPEN-7.
describe('where no contact shows what was asked for, a hint says so', () => {
	test.each<[string, IDataObject, string]>([
		['a tag in another case', { tag: 'Vip' }, 'No contact that was read shows “Vip”'],
		[
			'another tag and an address',
			{ tag: 'news', email: 'ada@example.com' },
			'No contact that was read shows “news”',
		],
		[
			'an address',
			{ email: 'nobody@example.com' },
			'No contact that was read shows “nobody@example.com”',
		],
		[
			'two that exist, and one that does not',
			{ tag: 'vip', source: 'partner' },
			'No contact that was read shows “partner”',
		],
	])('%s', async (_what, filters, message) => {
		const { error, ids, hints } = await list(filters as INodeParameters);
		expect(error).toBeUndefined();
		expect(ids).toEqual([]);
		expect(hints.map((hint) => hint.message)).toEqual([message]);
	});
});
