import { describe, expect, test } from '@jest/globals';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
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
	type StoredContact,
} from '../support/engine/updates.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

/** The data is theirs: what the service holds is not changed by a byte, whatever it looks like. */

const sandbox = sandboxInTests();
const { testKey: key } = sandbox;

const run = async (parameters: INodeParameters, more: Partial<NodeRun> = {}) =>
	await runNode({
		parameters,
		credential: unpaced(sandbox),
		...more,
	});

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

describe('Update Contact with Unmapped Fields: Always Preserve', () => {
	const updated = ({ updatedAt, ...contact }: StoredContact) => ({
		...contact,
		company: 'Analytical Engines',
	});
	const writes = async (): Promise<any[]> => {
		const { data } = await sandbox.control('GET', '/requests');
		return data.filter(({ method }: any) => method === 'PUT');
	};

	test('writes back what the service holds, byte for byte', async () => {
		const held = await storeContacts(sandbox, contactsOf(key, 30));
		await sandbox.control('PATCH', '/variants', { omittedFields: 'blanked' });
		const rows = held.map((contact) => ({ id: contact.id, company: 'Analytical Engines' }));
		const parameters = automaticUpdate(byId, { unmappedFields: 'preserve' });
		const { json } = await runUpdate(sandbox, parameters, rows);
		const bodies = new Map((await writes()).map(({ path, body }) => [path, body]));
		const lost = held.flatMap((contact) => {
			const { id, companyId, createdAt, updatedAt, accountId, source, ...settable } = contact;
			const wanted = { ...settable, company: 'Analytical Engines' };
			return differences(bodies.get(`/contacts/${id}`), wanted);
		});
		expect(lost.slice(0, 10)).toEqual([]);
		expect(countResults(json)).toEqual({ updated: held.length });

		expect(changedRecords(await storedContacts(sandbox), held.map(updated))).toEqual([]);
	});
});

describe('Skip Unchanged', () => {
	/** Each text in place of each other one. */
	async function heldAndWanted() {
		const pieces = Object.values(lookalikesOf(key));
		const pairs = pieces.flatMap((old) => pieces.map((wanted) => ({ old, wanted })));
		const email = (index: number) => `person${index}@example.com`;
		await storeContacts(
			sandbox,
			pairs.map(({ old }, index) => ({ email: email(index), notes: old })),
		);
		return pairs.map((pair, index) => ({ ...pair, email: email(index) }));
	}

	test('takes a value for unchanged if it is equal, and only then', async () => {
		const pairs = await heldAndWanted();
		const rows = pairs.map(({ email, wanted }) => ({ email, notes: wanted }));
		const { json } = await runUpdate(
			sandbox,
			automaticUpdate(byEmail, { skipUnchanged: true }),
			rows,
		);
		const wrong = pairs.flatMap(({ old, wanted }, index) => {
			const expected = old === wanted ? 'unchanged' : 'updated';
			const { _result } = json[index];
			return _result === expected ? [] : [`${old} → ${wanted}: ${String(_result)}`];
		});
		expect(wrong.slice(0, 10)).toEqual([]);
		const notes = new Map((await storedContacts(sandbox)).map((one) => [one.email, one.notes]));
		expect(pairs.filter(({ email, wanted }) => notes.get(email) !== wanted)).toEqual([]);
	});
});

describe('Send Transactional Email gives the message as the service gave it', () => {
	const send = { ...oneRequestEach['Send Transactional Email'], simplify: false };

	test.each<[string, IDataObject, INodeParameters]>([
		['taken', { status: 'queued' }, {}],
		['rejected, where that counts as done', { status: 'rejected' }, { onRejected: 'output' }],
	])('%s', async (_what, more, options) => {
		const data = { id: '1', ...more, ...recordOf(key), subject: key, errorReason: null };
		if (more.status === 'rejected') Object.assign(data, { errorReason: key });
		await sandbox.control('POST', '/faults', { kind: 'body', body: { data } });
		const { json, error } = await run({ ...send, options });
		expect(error).toBeUndefined();
		expect(differences(json[0], data)).toEqual([]);
		expect(json[0]._result).toBe(more.status === 'rejected' ? 'rejected' : 'sent');
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
		const told = held.filter(({ id }) => records.some((record) => record.id === id));
		expect(changedRecords(records, told)).toEqual([]);
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
