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
const ada = { id: idOf(1), email: 'ada@example.com', firstName: 'Ada', tags: ['vip'] };
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
	instead?: (asked: AskedJson, index: number) => Buffer | undefined;
}

/** A service with two contacts. */
async function serve({ store = (record) => record, shown, instead }: Service = {}) {
	const contacts: Record[] = [ada, grace].map((one) => ({
		...one,
		createdAt,
		updatedAt: createdAt,
	}));
	const writes: object[] = [];
	const server = await startJsonServer((asked, index) => {
		const other = instead?.(asked, index);
		if (other) return other;
		const { method, path, query, body } = asked;
		if (method === 'GET') {
			const search = query.get('search') ?? '';
			const found = contacts.filter(({ email }) => email.includes(search));
			return onePage(shown?.(found) ?? found);
		}
		writes.push(body);
		const at = contacts.findIndex(({ id }) => path.endsWith(id));
		const updatedAt = new Date().toISOString();
		contacts[at] = store({ ...contacts[at], ...body, updatedAt }) as Record;
		return { data: contacts[at] };
	});
	servers.push(server);
	return { contacts, writes, server };
}

let keys = 0;

async function run(
	{ server }: { server: RawServer },
	parameters: INodeParameters,
	items: IDataObject[],
	more: Partial<NodeRun> = {},
) {
	const { baseUrl } = server;
	const result = await runNode({
		parameters,
		items,
		credential: { baseUrl, apiKey: `sk_test_${++keys}`, requestsPerMinute: 100_000 },
		settings: { onError: 'continueRegularOutput' },
		...more,
	});
	return { ...result, said: result.hints.map(({ message }) => message).join('\n') };
}

test('three rows for one contact that is chosen from the list: a hint names By Email', async () => {
	const service = await serve();
	const rows = ['Ada', 'Grace', 'Mary'].map((firstName) => ({ firstName }));
	const { said } = await run(service, automaticUpdate({ mode: 'list', value: ada.id }), rows);
	expect(said).toContain('All items are for the same contact');
	expect(said).toContain("set 'Contact' to By Email");
	const { said: ofOne } = await run(service, automaticUpdate({ mode: 'list', value: ada.id }), [
		rows[0],
	]);
	expect(ofOne).not.toContain('the same contact');
});

test('a contact that is chosen from the list may have braces in its name', async () => {
	const service = await serve();
	const contact = { mode: 'list', value: ada.id, cachedResultName: '{{first}} Smith' } as const;
	const { json } = await run(service, automaticUpdate(contact), [{ firstName: 'A' }]);
	expect(countResults(json)).toEqual({ updated: 1 });
});

test('a list of which a page fails is read again for the items that come later', async () => {
	const failing = { ...automaticUpdate(byEmail), operation: 'list', collection: 'contacts' };
	const parameters = { ...failing, filters: { tag: 'vip' }, returnAll: true };
	const service = await serve({
		instead: (_asked, index) => (index === 0 ? httpAnswer('{}', { status: 501 }) : undefined),
	});
	const items = [{}, {}, {}];
	const { json } = await run(service, { ...parameters, options: { concurrency: 1 } }, items);
	expect(json.map(({ error, id }) => (error ? 'error' : id))).toEqual(['error', ada.id, ada.id]);
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
	const { said } = await run(await serve({ store }), automaticUpdate(byEmail), [
		{ email: ada.email, tags: 'vip, gold', accountId: idOf(9).toUpperCase() },
	]);
	expect(said).not.toContain('became');
});

const credentialOf = (baseUrl: string) => ({
	...{ baseUrl, apiKey: '={{ $json.key }}', requestsPerMinute: 100_000 },
});

test('a credential with an expression that differs between the items is refused', async () => {
	const service = await serve();
	const rows = ['sk_test_a', 'sk_test_a', 'sk_test_b'].map((key) => ({
		key,
		email: ada.email,
		notes: 'x',
	}));
	const credential = credentialOf(service.server.baseUrl);
	const more = { credential, settings: {} };
	const { error } = await run(service, automaticUpdate(byEmail), rows, more);
	expect(error?.message).toBe('The credential has an expression that differs between the items');
	expect(error?.description).toMatch(/^Nothing was done\..*Loop Over Items/);
	expect(error?.context?.itemIndex).toBe(2);
	expect(service.server.requests).toEqual([]);
	const same = await run(service, automaticUpdate(byEmail), rows.slice(0, 2), more);
	expect(same.json).toHaveLength(2);
});

test('as a tool, tags are added, and with Replace All they replace', async () => {
	const service = await serve();
	const settings = { type: 'n8n-nodes-crm-workspace.crmWorkspaceTool' };
	const rows = [{ email: ada.email, tags: 'gold' }];
	await run(service, automaticUpdate(byEmail), rows, { settings });
	expect(service.contacts[0].tags).toEqual(['vip', 'gold']);
	await run(service, automaticUpdate(byEmail, { tagMode: 'replace' }), rows, { settings });
	expect(service.contacts[0].tags).toEqual(['gold']);
});

/** A search that shows contacts as they were at first. */
const lagging = {
	shown: (found: Record[]) =>
		[ada, grace]
			.filter(({ id }) => found.some((one) => one.id === id))
			.map((one) => ({ ...one, createdAt, updatedAt: createdAt })),
};

test('of two executions in a row that add a tag, both count, although the search lags behind', async () => {
	const service = await serve(lagging);
	const credential = { apiKey: 'sk_test_lag', requestsPerMinute: 100_000 };
	const more = { credential: { ...credential, baseUrl: service.server.baseUrl } };
	for (const tags of ['gold', 'new']) {
		const update = automaticUpdate(byEmail, { tagMode: 'add' });
		await run(service, update, [{ email: ada.email, tags }], more);
	}
	expect(service.contacts[0].tags).toEqual(['vip', 'gold', 'new']);
	// Back to what the search still shows.
	const back = automaticUpdate(byEmail, { skipUnchanged: true });
	const { json } = await run(service, back, [{ email: ada.email, tags: 'vip' }], more);
	expect(countResults(json)).toEqual({ updated: 1 });
	expect(service.contacts[0].tags).toEqual(['vip']);
});

test.each(['in the same second', 'by an update that changes no date'])(
	'what others have written %s counts, too',
	async () => {
		const now = new Date(Date.now() + 60_000).toISOString();
		const service = await serve({ store: (record) => ({ ...record, updatedAt: now }) });
		const credential = { apiKey: `sk_test_same${++keys}`, requestsPerMinute: 100_000 };
		const more = { credential: { ...credential, baseUrl: service.server.baseUrl } };
		const add = automaticUpdate(byEmail, { tagMode: 'add' });
		await run(service, add, [{ email: ada.email, tags: 'gold' }], more);
		service.contacts[0] = { ...service.contacts[0], tags: ['vip', 'gold', 'theirs'] };
		await run(service, add, [{ email: ada.email, tags: 'new' }], more);
		expect(service.contacts[0].tags).toEqual(['vip', 'gold', 'theirs', 'new']);
	},
);

test('a contact is found by the address that an execution has just given it', async () => {
	const service = await serve(lagging);
	const credential = { apiKey: 'sk_test_address', requestsPerMinute: 100_000 };
	const more = { credential: { ...credential, baseUrl: service.server.baseUrl } };
	const email = 'lovelace@example.com';
	await run(service, automaticUpdate(byId), [{ id: ada.id, email }], more);
	const { json } = await run(service, automaticUpdate(byEmail), [{ email, notes: 'x' }], more);
	expect(json[0]).toMatchObject({ _result: 'updated', id: ada.id });
});

test('what others have written since counts more than what this process has written', async () => {
	const service = await serve();
	const credential = { apiKey: 'sk_test_others', requestsPerMinute: 100_000 };
	const more = { credential: { ...credential, baseUrl: service.server.baseUrl } };
	const add = automaticUpdate(byEmail, { tagMode: 'add' });
	await run(service, add, [{ email: ada.email, tags: 'gold' }], more);
	const updatedAt = new Date(Date.now() + 1000).toISOString();
	service.contacts[0] = { ...service.contacts[0], tags: ['theirs'], updatedAt };
	await run(service, add, [{ email: ada.email, tags: 'new' }], more);
	expect(service.contacts[0].tags).toEqual(['theirs', 'new']);
});

test('the hint names only the fields that were written back', async () => {
	const held = { firstName: null, tags: [] };
	let isFirst = true;
	const store = (record: Record) => (isFirst ? { ...record, ...held } : record);
	const service = await serve({
		store: (record) => [store(record), (isFirst = false)][0] as object,
	});
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
