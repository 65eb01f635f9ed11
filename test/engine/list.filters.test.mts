import { beforeEach, describe, expect, test } from '@jest/globals';
import type { INodeParameters, IPairedItemData } from 'n8n-workflow';
import { runNode, type NodeRun } from '../support/engine/runNode.mts';
import { unpaced } from '../support/sandbox/sandbox.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

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
	const result = await runNode({
		parameters: { operation: 'list', returnAll: true, ...parameters, filters },
		credential: unpaced(sandbox),
		...more,
	});
	return { ...result, ids: result.json.map(({ id }) => id) };
};
const requests = async () => (await sandbox.control('GET', '/requests')).data.length;
const going = { settings: { onError: 'continueRegularOutput' } } as const;

describe('Email', () => {
	// Interface: LIST-11.
	test.each(['namesAndEmail', 'everyField', 'nothingOfEmail', 'ignored'])(
		'Email gives the contact that has the address, whatever a search covers (searchCovers=%s)',
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

	test('Email can differ between items; what was read for one serves the others', async () => {
		const items = ['grace', 'nobody', 'ada', 'somebody', 'mary.7', 'no'].map((name) => ({
			email: `${name}@example.com`,
		}));
		const { ids, outputs } = await list({ email: '={{ $json.email }}' }, {}, { items });
		expect(ids).toEqual(['grace', 'ada', 'other 7']);
		expect(outputs[0].map(({ pairedItem }) => (pairedItem as IPairedItemData).item)).toEqual([
			0, 2, 4,
		]);
		expect(await requests()).toBe(3);
	});

	// Interface: LIST-14.
	test('Email fails the item if none is found in a list that never stands still', async () => {
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

	test('a tag is the same however Unicode composes its letters', async () => {
		await hold([{ ...ada, tags: ['café'.normalize('NFC')] }]);
		expect((await list({ tag: 'café'.normalize('NFD') })).ids).toEqual(['ada']);
	});

	test('Limit counts the contacts that come out; all are read', async () => {
		const { ids } = await list({ tag: 'news' }, { returnAll: false, limit: 110 });
		expect(ids).toHaveLength(110);
		expect(await requests()).toBe(3);
		expect((await list({ tag: 'vip' }, { returnAll: false, limit: 1 })).ids).toEqual(['ada']);
	});

	test('with Search, too, contacts are filtered before Limit counts them', async () => {
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
	])(
		'a filter that is empty refuses the item instead of letting all contacts through: %s',
		async (name, options) => {
			const { json } = await list(options, {}, going);
			expect(json).toEqual([{ error: expect.stringContaining(`'${name}' is empty`) }]);
			expect(await requests()).toBe(0);
		},
	);

	test.each([
		["'Email' isn't an email address", { email: 'ada' }],
		["'Email' is more than one address", { email: 'ada@example.com, grace@example.com' }],
		["'Tag' is a list, not text", { tag: '={{ ["vip", "new"] }}' }],
		["'Tag' is incomplete", { tag: '=vip{{ $json.none }}' }],
		["'Search' is incomplete", { search: '={{ "vip" + $json.none }}' }],
		["'Tag' is incomplete", { tag: '={{ $json.first }} {{ $json.none }}' }],
	])('%s', async (message, options) => {
		const { error } = await list(options, {}, { items: [{ first: 'Ada' }] });
		expect(error?.message).toContain(message);
		expect(await requests()).toBe(0);
	});
});

// Interface: OPEN-7.
describe('where no contact shows what was asked for, a hint says so', () => {
	test.each<[string, INodeParameters, string]>([
		['a tag in another case', { tag: 'Vip' }, 'Vip'],
		['another tag and an address', { tag: 'news', email: 'ada@example.com' }, 'news'],
		['an address', { email: 'nobody@example.com' }, 'nobody@example.com'],
		['two that exist, and one that does not', { tag: 'vip', source: 'partner' }, 'partner'],
	])('%s', async (_what, filters, missing) => {
		const { error, ids, hints } = await list(filters);
		expect(error).toBeUndefined();
		expect(ids).toEqual([]);
		expect(hints).toMatchObject([{ message: `No contact that was read shows “${missing}”` }]);
	});
});
