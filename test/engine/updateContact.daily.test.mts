import { afterEach, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runNode, type NodeRun } from '../support/engine/runNode.mts';
import { automaticUpdate, byEmail, byId, countResults } from '../support/engine/updates.mts';
import {
	httpAnswer,
	onePage,
	startJsonServer,
	type AskedJson,
	type RawServer,
} from '../support/sandbox/rawServer.mts';

/** What spreadsheets, webhooks, agents and services bring that do things in their own way. */

type Record = IDataObject & { id: string; email: string };

const idOf = (index: number) => `0000000${index}-0000-4000-8000-000000000000`;
const createdAt = '2026-01-01T00:00:00.000Z';
const ada = {
	...{ id: idOf(1), email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
	tags: ['vip'],
};
const grace = { id: idOf(2), email: 'grace@example.com', firstName: 'Grace', tags: [] };

const servers: RawServer[] = [];
afterEach(async () => {
	for (const server of servers.splice(0)) await server.stop();
});

interface Service {
	/** What it makes of a record before it is stored. */
	store?: (record: Record) => object;
	/** What a search or a list shows. */
	shown?: (contacts: Record[]) => object[];
	/** An answer instead of the usual one. */
	instead?: (asked: AskedJson) => Buffer | undefined;
}

let keys = 0;

/** A service with two contacts, which remembers under its own API key what the node has written. */
async function serve({ store = (record) => record, shown, instead }: Service = {}) {
	const contacts: Record[] = [ada, grace].map((one) => ({
		...one,
		createdAt,
		updatedAt: createdAt,
	}));
	const server = await startJsonServer((asked) => {
		const other = instead?.(asked);
		if (other) return other;
		const { method, path, query, body } = asked;
		if (method === 'GET') {
			const search = query.get('search') ?? '';
			const found = contacts.filter(({ email }) => email.includes(search));
			return onePage(shown?.(found) ?? found);
		}
		const at = contacts.findIndex(({ id }) => path.endsWith(id));
		const updatedAt = new Date().toISOString();
		contacts[at] = store({ ...contacts[at], ...body, updatedAt }) as Record;
		return { data: contacts[at] };
	});
	servers.push(server);
	const { baseUrl, requests } = server;
	const credential = { baseUrl, apiKey: `sk_test_${++keys}`, requestsPerMinute: 100_000 };
	return { contacts, requests, credential };
}

async function run(
	{ credential }: Pick<NodeRun, 'credential'>,
	parameters: INodeParameters,
	items: IDataObject[],
	settings: NodeRun['settings'] = { onError: 'continueRegularOutput' },
) {
	const result = await runNode({ parameters, items, credential, settings });
	return { ...result, said: result.hints.map(({ message }) => message).join('\n') };
}

test('rows that are all for one contact chosen from the list: a hint names By Email', async () => {
	const service = await serve();
	const rows = ['Ada', 'Grace', 'Mary'].map((firstName) => ({ firstName }));
	const update = automaticUpdate({ mode: 'list', value: ada.id });
	const { said } = await run(service, update, rows);
	expect(said).toContain('All items are for the same contact');
	expect(said).toContain("set 'Contact' to By Email");
	const { said: ofOne } = await run(service, update, rows.slice(0, 1));
	expect(ofOne).not.toContain('the same contact');
});

test('a contact that is chosen from the list may have braces in its name', async () => {
	const service = await serve();
	const contact = { mode: 'list', value: ada.id, cachedResultName: '{{first}} Smith' } as const;
	const { json } = await run(service, automaticUpdate(contact), [{ firstName: 'A' }]);
	expect(countResults(json)).toEqual({ updated: 1 });
});

test('a service that keeps a phone number in a form of its own: a hint says why no row is skipped', async () => {
	const store = ({ phone, ...one }: Record) => ({
		...one,
		phone: String(phone).replace(/\D/g, ''),
	});
	const service = await serve({ store });
	const rows = [{ email: ada.email, phone: '+44 20 7946 0001' }];
	const update = automaticUpdate(byEmail, { skipUnchanged: true });
	for (const _night of [1, 2]) {
		const { json, said } = await run(service, update, rows);
		expect(countResults(json)).toEqual({ updated: 1 });
		expect(said).toContain("'Phone' “+44 20 7946 0001” became “442079460001”");
		expect(said).toContain("otherwise 'Skip Unchanged' writes such rows each time");
	}
	const { json, said } = await run(service, update, [{ ...rows[0], phone: '442079460001' }]);
	expect(countResults(json)).toEqual({ unchanged: 1 });
	expect(said).not.toContain('became');
});

test('the order of tags and the case of an ID are no other form', async () => {
	const store = ({ tags, ...one }: Record) => ({ ...one, tags: [...(tags as string[])].sort() });
	const { json, said } = await run(await serve({ store }), automaticUpdate(byEmail), [
		{ email: ada.email, tags: 'vip, gold', accountId: idOf(9).toUpperCase() },
	]);
	expect(countResults(json)).toEqual({ updated: 1 });
	expect(said).not.toContain('became');
});

test('a credential with an expression that differs between the items is refused', async () => {
	const { requests, credential } = await serve();
	const ofItem = { credential: { ...credential, apiKey: '={{ $json.key }}' } };
	const rows = ['sk_test_a', 'sk_test_a', 'sk_test_b'].map((key) => ({
		...{ key, email: ada.email, notes: 'x' },
	}));
	const { error } = await run(ofItem, automaticUpdate(byEmail), rows, {});
	expect(error?.message).toBe('The credential has an expression that differs between the items');
	expect(error?.description).toMatch(/^Nothing was done\..*Loop Over Items/);
	expect(error?.context?.itemIndex).toBe(2);
	expect(requests).toEqual([]);
	const same = await run(ofItem, automaticUpdate(byEmail), rows.slice(0, 2), {});
	expect(same.json).toHaveLength(2);
});

test('as a tool, tags are added, and with Replace All they replace', async () => {
	const service = await serve();
	const settings = { type: 'n8n-nodes-crm-workspace.crmWorkspaceTool' };
	const rows = [{ email: ada.email, tags: 'gold' }];
	await run(service, automaticUpdate(byEmail), rows, settings);
	expect(service.contacts[0].tags).toEqual(['vip', 'gold']);
	await run(service, automaticUpdate(byEmail, { tagMode: 'replace' }), rows, settings);
	expect(service.contacts[0].tags).toEqual(['gold']);
});

/** A search that shows contacts as they were at first. */
const lagging = {
	shown: (found: Record[]) =>
		[ada, grace]
			.filter(({ id }) => found.some((one) => one.id === id))
			.map((one) => ({ ...one, createdAt, updatedAt: createdAt })),
};

const add = automaticUpdate(byEmail, { tagMode: 'add' });

test('of two executions that add a tag within a minute, both count, although the search lags behind', async () => {
	const service = await serve(lagging);
	await run(service, add, [{ email: ada.email, tags: 'gold' }]);
	const now = performance.now;
	performance.now = () => now() + 60_000;
	await run(service, add, [{ email: ada.email, tags: 'new' }]);
	expect(service.contacts[0].tags).toEqual(['vip', 'gold', 'new']);
	// Back to what the search still shows.
	const back = automaticUpdate(byEmail, { skipUnchanged: true });
	const { json } = await run(service, back, [{ email: ada.email, tags: 'vip' }]);
	expect(countResults(json)).toEqual({ updated: 1 });
	expect(service.contacts[0].tags).toEqual(['vip']);
});

test('a contact is found by the address that an execution has just given it', async () => {
	const service = await serve(lagging);
	const email = 'lovelace@example.com';
	await run(service, automaticUpdate(byId), [{ id: ada.id, email }]);
	const { json } = await run(service, automaticUpdate(byEmail), [{ email, notes: 'x' }]);
	expect(json[0]).toMatchObject({ _result: 'updated', id: ada.id });
});

test.each([
	['later', 60_000],
	['in the same second, or by an update that changes no date', 0],
])(
	'what others have written %s counts more than what this process has written',
	async (_when, later) => {
		const updatedAt = new Date(Date.now() + 60_000);
		const service = await serve({
			store: (one) => ({ ...one, updatedAt: updatedAt.toISOString() }),
		});
		await run(service, add, [{ email: ada.email, tags: 'gold' }]);
		updatedAt.setTime(updatedAt.getTime() + later);
		const theirs = { tags: ['theirs'], updatedAt: updatedAt.toISOString() };
		service.contacts[0] = { ...service.contacts[0], ...theirs };
		await run(service, add, [{ email: ada.email, tags: 'new' }]);
		expect(service.contacts[0].tags).toEqual(['theirs', 'new']);
	},
);

test('the hint names only the fields that were written back', async () => {
	const emptied = [{ firstName: null, tags: [] }];
	const service = await serve({ store: (record) => ({ ...record, ...emptied.pop() }) });
	const { said } = await run(service, automaticUpdate(byEmail), [{ email: ada.email, notes: 'x' }]);
	expect(said).toContain("didn't show values that the contact had in 'First Name', 'Tags'.");
	expect(service.contacts[0]).toMatchObject({ firstName: 'Ada', tags: ['vip'], notes: 'x' });
});

test('fields that no list shows may be cleared: a hint names them', async () => {
	const emptied = { firstName: null, notes: null };
	const shown = (found: Record[]) => found.map(({ notes, tags, ...one }) => one);
	const service = await serve({ shown, store: (record) => ({ ...record, ...emptied }) });
	const rows = [ada, grace].map(({ email }) => ({ email, phone: '1' }));
	const { said } = await run(service, automaticUpdate(byEmail), rows);
	expect(said).toMatch(
		/no contact that was read shows .*'Tags', 'Notes'\. Values there may be lost/,
	);
});

test('a rejected row whose address only names the contact says nothing of addresses', async () => {
	const wrong = httpAnswer('{"message":"phone must be E.164"}', { status: 422 });
	const service = await serve({ instead: ({ method }) => (method === 'PUT' ? wrong : undefined) });
	const { json } = await run(service, automaticUpdate(byEmail), [{ email: ada.email, phone: '1' }]);
	expect(json[0].error).toContain('phone must be E.164');
	expect(json[0].error).not.toContain('address');
});

test('two rows that swap their addresses: the advice says how that can be done', async () => {
	const taken = httpAnswer('{"message":"The email is taken"}', { status: 409 });
	const service = await serve({ instead: ({ method }) => (method === 'PUT' ? taken : undefined) });
	const { json } = await run(service, automaticUpdate(byId), [
		{ id: ada.id, email: grace.email },
		{ id: grace.id, email: ada.email },
	]);
	expect(json[0].error).toContain('to swap two addresses, give one contact a temporary address');
});
