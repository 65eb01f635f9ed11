import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { contactFieldNames } from '../../nodes/CrmWorkspace/api/records';
import type { NodeResult } from '../support/engine/runNode.mts';
import { retryOnFail } from '../support/n8n/sending.mts';
import { startEmptyingService, type EmptyingService } from '../support/sandbox/emptyingService.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';
import {
	automaticUpdate,
	byEmail,
	byId,
	countRequests,
	countResults,
	manualUpdate,
	runUpdate,
	storeContacts,
	storedContact,
	storedContacts,
	type StoredContact,
} from '../support/engine/updates.mts';

let sandbox: EmptyingService;
let contacts: StoredContact[];
let ada: StoredContact;
let grace: StoredContact;

const behind = sandboxInTests({ contacts: 30 });
beforeAll(async () => void (sandbox = await startEmptyingService(behind)));
afterAll(() => sandbox.stop());
beforeEach(async () => {
	sandbox.emptied = {};
	const seeded = await storedContacts(sandbox);
	await store(seeded.map((one, index) => ({ ...one, tags: ['vip'], notes: `Note ${index}` })));
});

async function store(all: object[]) {
	contacts = await storeContacts(sandbox, all);
	[ada, grace] = contacts;
}

const serviceThat = (variant: object) => sandbox.control('PATCH', '/variants', variant);
const fault = (one: object) => sandbox.control('POST', '/faults', { method: 'PUT', ...one });
const now = (contact: StoredContact) => storedContact(sandbox, contact);
const bodies = async (): Promise<object[]> =>
	(await sandbox.control('GET', '/requests')).data
		.filter(({ method }: any) => method === 'PUT')
		.map(({ body }: any) => body);
const hintsOf = ({ hints }: NodeResult) => hints.map(({ message }) => message).join('\n');
const writtenBack = "The response to an update didn't show values that the contact had";

const emptiedBut = (...kept: string[]) =>
	Object.fromEntries(
		contactFieldNames.filter((name) => !kept.includes(name)).map((name) => [name, null]),
	);

/** An update of Tags alone, by email. */
const tag = async (rows: IDataObject[], options: INodeParameters = {}, settings?: object) => {
	const items = rows.map(({ email }) => ({ email, tags: 'customer' }));
	const parameters = await manualUpdate(byEmail, { tags: '={{ $json.tags }}' }, options);
	return await runUpdate(sandbox, parameters, items, settings && { settings });
};

async function expectTaggedAlone(tagged: StoredContact[]) {
	for (const one of tagged) {
		const expected = { ...one, tags: ['customer'], updatedAt: expect.anything() };
		expect(await now(one)).toEqual(expected);
	}
}

// Interface: OPEN-9.
describe('a service that clears unmapped fields', () => {
	beforeEach(() => serviceThat({ omittedFields: 'blanked' }));

	test('what an update clears is written back', async () => {
		const result = await tag([ada]);
		expect(result.json[0]._changes).toEqual({ tags: { old: ['vip'], new: ['customer'] } });
		await expectTaggedAlone([ada]);
		expect(hintsOf(result)).toContain(writtenBack);
		expect(await countRequests(sandbox)).toMatchObject({ searches: 1, writes: 2 });
	});

	test('only one contact is cleared and repaired, however many are updated side by side', async () => {
		await fault({ kind: 'delay', delayMs: 50, probability: 1 });
		const { json } = await tag(contacts, { concurrency: 20 });
		expect(countResults(json)).toEqual({ updated: 30 });
		const sent = (await bodies()).map((body) => Object.keys(body).length);
		expect(sent.filter((fields) => fields === 1)).toHaveLength(1);
		expect(sent).toHaveLength(31);
		await expectTaggedAlone(contacts);
	});

	test.each([
		['nothing else', 'blanked', {}],
		['nothing but the address', 'kept', emptiedBut('email')],
	])('by ID, a hint warns if the response shows %s', async (_what, omittedFields, emptied) => {
		await serviceThat({ omittedFields });
		sandbox.emptied = emptied;
		const parameters = await manualUpdate(byId, { notes: 'Met' });
		expect(hintsOf(await runUpdate(sandbox, parameters, [ada]))).toMatch(/Always Preserve/);
		await serviceThat({ omittedFields: 'kept' });
		sandbox.emptied = {};
		expect(hintsOf(await runUpdate(sandbox, parameters, [grace]))).toBe('');
	});

	test('a run that ends with the error of another item writes back first', async () => {
		await fault({ kind: 'delay', delayMs: 200, after: true, next: 1 });
		const { error } = await tag([ada, grace, { email: 'nobody@example.com' }], {}, {});
		expect(error?.message).toContain('No contact with the email nobody@example.com was found');
		await expectTaggedAlone([ada]);
		expect(await now(grace)).toMatchObject({ company: grace.company, notes: grace.notes });
	});

	test('clearing is detected by the second update if the first one is rejected', async () => {
		await fault({ kind: 'status', status: 422, next: 1 });
		const { json } = await tag(contacts.slice(0, 8));
		expect(countResults(json)).toEqual({ error: 1, updated: 7 });
		for (const one of contacts) expect(await now(one)).toMatchObject({ company: one.company });
	});

	test('values that the service refuses to take back are in the error', async () => {
		await fault({ kind: 'status', status: 422, match: ada.company, next: 1 });
		const { json } = await tag([ada, grace], { concurrency: 1 });
		expect(json[0].error).toMatch(
			/^Unmapped fields of ada.lovelace@example.com may be empty now: the service rejected/,
		);
		expect(json[0].error).toContain(`${ada.email} may have lost values`);
		expect(json[0].error).toContain(`Company “${ada.company}”`);
		expect(json[0].error).toContain('Notes “Note 0”');
		expect(json[0].error).not.toContain('Nothing was changed');
		expect(json[1]._result).toBe('updated');
		await expectTaggedAlone([grace]);
	});

	test('a value that the service is known not to accept is in the error, and all others come back', async () => {
		await store([{ ...ada, source: 'import' }, grace]);
		const { json } = await tag([ada]);
		expect(json[0].error).toContain("'Source' is “import”, which the service doesn't know");
		expect(json[0].error).toContain('re-enter missing values: Source “import”.');
		expect(await now(ada)).toMatchObject({ company: ada.company, tags: ['customer'] });
	});

	const unanswered = { kind: 'status', status: 503, after: true, next: 5 };
	const values = () => [`Company “${ada.company}”`, 'Notes “Note 0”'];

	test('an update that is never confirmed is an error with the values that may be gone', async () => {
		await fault(unanswered);
		const { json } = await tag([ada, grace], { concurrency: 1 });
		expect(json[0].error).toContain(`The contact ${ada.email} may have been updated: `);
		for (const value of [ada.email, ...values()]) expect(json[0].error).toContain(value);
		await expectTaggedAlone([grace]);
	});

	test('Retry On Fail shows the values that its first attempt may have cost', async () => {
		await serviceThat({ omittedFields: 'kept' });
		sandbox.emptied = emptiedBut('email');
		await fault(unanswered);
		const result = await tag([ada, grace], { concurrency: 1 }, retryOnFail);
		expect(result.error).toBeUndefined();
		const warning = result.hints.filter(({ type }) => type === 'warning');
		expect(warning).toHaveLength(1);
		for (const value of [ada.email, ...values()]) expect(warning[0].message).toContain(value);
		await expectTaggedAlone([grace]);
	});

	test('the error that ends a run names the values that another item may have cost', async () => {
		await fault({ kind: 'status', status: 422, path: `/contacts/${grace.id}` });
		await fault(unanswered);
		const options = { concurrency: 2, unmappedFields: '={{ $json.mode }}' };
		const parameters = await manualUpdate(byEmail, { tags: 'customer' }, options);
		const { error } = await runUpdate(
			sandbox,
			parameters,
			[
				{ email: grace.email, mode: 'leave' },
				{ email: ada.email, mode: 'auto' },
			],
			{ settings: {} },
		);
		expect(error?.message).toContain(`The contact ${grace.email} wasn't updated`);
		for (const value of [ada.email, ...values()]) expect(error?.description).toContain(value);
	});
});

test('a service that keeps unmapped fields is sent the mapped ones alone', async () => {
	const result = await tag(contacts);
	expect(countResults(result.json)).toEqual({ updated: 30 });
	expect(await bodies()).toEqual(contacts.map(() => ({ tags: ['customer'] })));
	expect(hintsOf(result)).not.toContain(writtenBack);
});

test('a contact without other values that the node has read is no reason for a warning', async () => {
	const { id, email } = ada;
	await store([{ id, email, ...emptiedBut('email') }]);
	const result = await runUpdate(sandbox, automaticUpdate(byEmail), [{ email, notes: 'Met' }]);
	expect(countResults(result.json)).toEqual({ updated: 1 });
	expect(hintsOf(result)).not.toContain("hadn't read");
});

describe('with Unmapped Fields: Always Preserve', () => {
	const preserving = automaticUpdate(byId, { unmappedFields: 'preserve' });
	const row = () => ({ id: ada.id, jobTitle: 'Countess' });

	// Interface: OPEN-7.
	test('a field that the service does not show may have a value: nothing is written', async () => {
		await serviceThat({ missingValues: 'absent', omittedFields: 'blanked' });
		await store([
			{ ...ada, notes: null },
			{ ...grace, phone: '1', accountId: ada.accountId },
		]);
		const items = [ada, grace].map(({ id }) => ({ id, jobTitle: 'Countess' }));
		const { json } = await runUpdate(sandbox, preserving, items);
		expect(json[0].error).toMatch(
			/^The service doesn't show .*'Notes' of ada.lovelace@example.com/,
		);
		expect(json[0].error).toContain('Auto-Detect');
		expect(await now(ada)).toEqual(ada);
		const again = await runUpdate(sandbox, automaticUpdate(byId), items.slice(0, 1));
		expect(again.json[0]._result).toBe('updated');
	});

	test('a stored value that may be in the way is named', async () => {
		await store([{ ...ada, source: 'import' }, grace]);
		const { json } = await runUpdate(sandbox, preserving, [row()]);
		expect(json[0].error).toContain("'Source' is “import”, which the service doesn't know");
		expect(json[0].error).toContain('The values of unmapped fields were sent along');
		expect(await now(ada)).toEqual(ada);
	});

	test('an address that is taken after a lost response: the error does not say that nothing was changed', async () => {
		const taking = { id: ada.id, email: grace.email };
		await fault({ kind: 'dropBefore', match: grace.email, next: 1 });
		const { json } = await runUpdate(sandbox, automaticUpdate(byId), [taking]);
		expect(json[0].error).toContain('already used by another contact');
		expect(json[0].error).toContain(`The contact ${ada.id} may have been updated: `);
		const again = await runUpdate(sandbox, automaticUpdate(byId), [taking]);
		expect(again.json[0].error).toContain(`The contact ${ada.id} wasn't updated: `);
	});
});

test('an item that fails ends the run before those that wait for their turn', async () => {
	await fault({ kind: 'status', status: 422, path: `/contacts/${ada.id}`, next: 1 });
	await sandbox.control('PATCH', '/latency', { latency: 20 });
	const { error } = await tag(contacts, { concurrency: 20 }, { onError: 'stopWorkflow' });
	expect(error?.message).toBe(
		`The contact ${ada.email} wasn't updated: the service rejected the update`,
	);
	// The next one may have had its turn already.
	expect((await bodies()).length).toBeLessThanOrEqual(2);
});
