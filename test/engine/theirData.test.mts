import { describe, expect, test } from '@jest/globals';
import type { IDataObject, INode, INodeParameters, IPairedItemData } from 'n8n-workflow';
import { oneRequestEach } from '../support/engine/oneRequestEach.mts';
import { collections } from '../support/sandbox/collections.mts';
import { runNode, type NodeRun } from '../support/engine/runNode.mts';
import { contactsOf, differences, lookalikesOf, recordOf } from '../support/keys/lookalikes.mts';
import { Polled } from '../support/engine/polledNode.mts';
import { unpaced } from '../support/sandbox/sandbox.mts';
import {
	automaticUpdate,
	byEmail,
	byId,
	countResults,
	runUpdate,
	storeContacts,
	storedContacts,
} from '../support/engine/updates.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

/** The data is theirs: what the service holds is not changed by a byte, whatever it looks like. */

const sandbox = sandboxInTests();
const { testKey: key } = sandbox;

const run = async (parameters: INodeParameters, more: Partial<NodeRun> = {}) =>
	await runNode({ parameters, credential: unpaced(sandbox), ...more });

/** What of each record came out otherwise than it is held. */
function changedRecords(given: IDataObject[], held: Array<{ id: string }>): string[] {
	const byIds = new Map(given.map((record) => [record.id, record]));
	return held.flatMap((record) => differences(byIds.get(record.id), record)).slice(0, 10);
}

describe('List gives what the service holds, byte for byte:', () => {
	test('contacts', async () => {
		const held = await storeContacts(sandbox, contactsOf(key, 40));
		const parameters = { operation: 'list', collection: 'contacts', returnAll: true };
		const { json } = await run({ ...parameters, simplify: false });
		expect(changedRecords(json, held)).toEqual([]);
	});

	test.each(Object.entries(collections).filter(([name]) => name !== 'contacts'))(
		'%s, with the names of their fields',
		async (collection, { control, parameters }) => {
			const ofTask = { dueAt: '2026-01-01T00:00:00Z', completedAt: null };
			const record = { title: 'how', ...ofTask, ...recordOf(key) };
			await sandbox.control('PUT', control, { records: [] });
			for (const count of [1, 2]) await sandbox.control('POST', control, { ...record, count });
			const { data: held } = await sandbox.control('GET', control);
			expect(held).toHaveLength(2);
			const { json } = await run({ operation: 'list', collection, ...parameters, returnAll: true });
			expect(changedRecords(json, held)).toEqual([]);
		},
	);
});

test('Update Contact with Unmapped Fields: Always Preserve writes back what the service holds, byte for byte', async () => {
	const held = await storeContacts(sandbox, contactsOf(key, 30));
	await sandbox.control('PATCH', '/variants', { omittedFields: 'blanked' });
	const company = 'Analytical Engines';
	const parameters = automaticUpdate(byId, { unmappedFields: 'preserve' });
	const rows = held.map(({ id }) => ({ id, company }));
	const { json } = await runUpdate(sandbox, parameters, rows);
	expect(countResults(json)).toEqual({ updated: held.length });
	const wanted = held.map(({ updatedAt, ...contact }) => ({ ...contact, company }));
	expect(changedRecords(await storedContacts(sandbox), wanted)).toEqual([]);
});

test('Skip Unchanged takes a value for unchanged if it is equal, and only then', async () => {
	// Each text in its own place, the key in place of each other one, and each other one in its place.
	const pieces = Object.values(lookalikesOf(key));
	const pairs = pieces
		.flatMap((old) => pieces.map((wanted) => ({ old, wanted })))
		.filter(({ old, wanted }) => old === wanted || [old, wanted].includes(key))
		.map((pair, index) => ({ ...pair, email: `person${index}@example.com` }));
	const before = pairs.map(({ email, old }) => ({ email, notes: old }));
	const rows = pairs.map(({ email, wanted }) => ({ email, notes: wanted }));
	await storeContacts(sandbox, before);
	const skipping = automaticUpdate(byEmail, { skipUnchanged: true });
	const { json } = await runUpdate(sandbox, skipping, rows);
	const unchanged = pairs.filter((_pair, index) => json[index]._result === 'unchanged');
	expect(unchanged).toEqual(pairs.filter(({ old, wanted }) => old === wanted));
	const after = await storedContacts(sandbox);
	expect(after.map(({ email, notes }) => ({ email, notes }))).toEqual(rows);
});

describe('Send Transactional Email gives the message as the service gave it', () => {
	const send = { ...oneRequestEach['Send Transactional Email'], simplify: false };

	test.each<[string, IDataObject, INodeParameters, string]>([
		['taken', { status: 'queued', errorReason: null }, {}, 'sent'],
		['rejected', { status: 'rejected', errorReason: key }, { onRejected: 'output' }, 'rejected'],
	])('%s', async (_what, more, options, result) => {
		const data = { id: '1', ...recordOf(key), subject: key, ...more };
		await sandbox.control('POST', '/faults', { kind: 'body', body: { data } });
		const { json, error } = await run({ ...send, options });
		expect(error).toBeUndefined();
		expect(differences(json[0], data)).toEqual([]);
		expect(json[0]._result).toBe(result);
	});

	test('and sends what the input says', async () => {
		const contents = Object.values(lookalikesOf(key)).filter((text) => !text.includes('{{'));
		const items = contents.map((subject) => ({ subject }));
		const parameters = {
			...{ operation: 'sendTransactionalEmail', to: 'ada@example.com', content: 'html' },
			...{ subject: '={{ $json.subject }}', html: '={{ $json.subject }}', simplify: false },
		};
		const { json } = await run(parameters, { items });
		expect(json.map(({ subject }) => subject)).toEqual(contents);
		const { data } = await sandbox.control('GET', '/inbox');
		expect(data.map(({ subject }: any) => subject).sort()).toEqual([...contents].sort());
	});
});

const [ada, grace, alan] = ['ada', 'grace', 'alan'].map((name) => `${name}@example.com`);
const three = [ada, 'nobody', grace].map((email) => ({ email, notes: 'New' }));
const sendEach = { ...oneRequestEach['Send Transactional Email'], to: '={{ $json.email }}' };
const listEach = { operation: 'list', limit: '={{ $json.limit }}' };
const limits = [2, -1, 3].map((limit) => ({ limit }));

/** The second item of each fails; of each item that comes out: the number of its input, and whom it shows. */
test.each<[string, INodeParameters, IDataObject[], string]>([
	['Send', sendEach, three, '0 ada, 1 failed, 2 grace'],
	['Update', automaticUpdate(byEmail), three, '0 ada, 1 failed, 2 grace'],
	['List', listEach, limits, '0 ada, 0 grace, 1 failed, 2 ada, 2 grace, 2 alan'],
])('%s links each item to its own input item', async (_name, parameters, items, expected) => {
	await storeContacts(sandbox, [{ email: ada }, { email: grace }, { email: alan }]);
	// The first one is done last.
	await sandbox.control('POST', '/faults', { kind: 'delay', delayMs: 100, next: 1 });
	const settings = { onError: 'continueRegularOutput' as const };
	const { outputs } = await run(parameters, { items, settings });
	const linked = outputs[0].map(({ json, pairedItem }) => {
		const [name] = json.error ? ['failed'] : String(json.to ?? json.email).split('@');
		return `${(pairedItem as IPairedItemData).item} ${name}`;
	});
	expect(linked.join(', ')).toBe(expected);
});

describe('an item that fails keeps the fields of its input, byte for byte', () => {
	test.each<[string, INode['onError']]>([
		['in the one output', 'continueRegularOutput'],
		['in the error output', 'continueErrorOutput'],
	])('%s', async (_where, onError) => {
		const items = [recordOf(key), { note: key }, { [key]: { deep: key } }] as IDataObject[];
		const settings = { onError };
		for (const parameters of [
			{ ...oneRequestEach['Send Transactional Email'], to: 'nobody' },
			oneRequestEach['Update Contact'],
		]) {
			const { outputs } = await run(parameters, { items, settings });
			const failed = outputs.flat().map(({ json }) => json);
			expect(failed.map(({ error }) => typeof error)).toEqual(items.map(() => 'string'));
			expect(failed.flatMap((json, index) => differences(json, items[index]))).toEqual([]);
		}
	});
});

describe('the trigger', () => {
	const ofContacts = ['contactCreated', 'contactUpdated'];
	const polledWith = (apiKey: string, events = ofContacts, stored?: IDataObject) =>
		new Polled({ credential: { ...unpaced(sandbox), apiKey }, parameters: { events }, stored });

	test('gives records as they are', async () => {
		const polled = polledWith(key, [...ofContacts, 'activityAdded']);
		await polled.poll();
		for (const contact of contactsOf(key, 20)) {
			await sandbox.control('POST', '/contacts', contact);
		}
		await sandbox.control('POST', '/records/activities', recordOf(key));
		const held = [
			...(await storedContacts(sandbox)),
			...(await sandbox.control('GET', '/records/activities')).data,
		];
		const records = (await polled.poll()).map(({ record }) => record);
		expect(records).toHaveLength(21);
		const emitted = held.filter(({ id }) => records.some((record) => record.id === id));
		expect(emitted).toHaveLength(21);
		expect(changedRecords(records, emitted)).toEqual([]);
	});

	test('tells no update for another key of the same workspace', async () => {
		const held = await storeContacts(sandbox, contactsOf(key, 20));
		const polled = polledWith(key);
		await polled.poll();

		// The same records, and keys of their own.
		const { testKey } = await sandbox.control('POST', '/reset', { seed: 2 });
		expect(testKey).not.toBe(key);
		const changed = { ...held[7], notes: 'Changed', updatedAt: new Date().toISOString() };
		await sandbox.control('PUT', '/contacts', {
			contacts: held.map((contact) => (contact.id === changed.id ? changed : contact)),
		});
		const events = await polledWith(testKey, ofContacts, polled.stored()).poll();
		expect(events.map(({ event, record }) => [event, record.id])).toEqual([
			['contactUpdated', changed.id],
		]);
	});
});
