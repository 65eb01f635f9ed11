import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';
import {
	automaticUpdate,
	byEmail,
	byId,
	countRequests,
	runUpdate,
	storeContacts,
	storedContacts,
	type StoredContact,
} from '../support/engine/updates.mts';

let sandbox: RunningSandbox;
let contacts: StoredContact[];

beforeAll(async () => {
	sandbox = await startSandbox(['--contacts', '250', '--requests-per-minute', '0']);
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
	await sandbox.control('POST', '/reset');
	contacts = await storedContacts(sandbox);
});

const read = (variants: object) => sandbox.control('PATCH', '/variants', variants);
const messages = (hints: Array<{ message: string }>) => hints.map(({ message }) => message);

describe('Dry Run', () => {
	test.each([
		['email', byEmail],
		['ID', byId],
	])('reads and compares everything, and writes nothing, by %s', async (_name, by) => {
		const rows = contacts.slice(0, 200).map(({ id, email, firstName }, index) => ({
			...(by === byId ? { id } : { email }),
			firstName: index % 50 === 7 ? 'Augusta' : firstName,
		}));
		const { json, hints } = await runUpdate(sandbox, automaticUpdate(by, { dryRun: true }), rows);

		expect(json.flatMap(({ _result }, index) => (_result === 'unchanged' ? [] : [index]))).toEqual([
			...[7, 57, 107, 157],
		]);
		const { firstName: old, ...row } = contacts[7];
		expect(json[7]).toMatchObject({
			...{ id: row.id, email: row.email, firstName: 'Augusta', _result: 'wouldUpdate' },
			_changes: { firstName: { old, new: 'Augusta' } },
		});
		expect(json[8]._changes).toEqual({});
		expect(messages(hints)).toContain(
			'Dry run, nothing was written: 4 would be updated, 196 unchanged, 0 failed',
		);
		expect(await countRequests(sandbox)).toMatchObject({ pages: 3, searches: 0, writes: 0 });
		expect(await storedContacts(sandbox)).toEqual(contacts);
	});

	test('compares each row with the contact as it is now', async () => {
		const [{ email }] = contacts;
		const rows = ['Countess', 'Countess'].map((jobTitle) => ({ email, jobTitle }));
		const { json } = await runUpdate(sandbox, automaticUpdate(byEmail, { dryRun: true }), rows);
		expect(json.map(({ _result }) => _result)).toEqual(['wouldUpdate', 'wouldUpdate']);
	});

	test('finds an ID that no contact has', async () => {
		const id = '00000000-0000-4000-8000-000000000000';
		const parameters = automaticUpdate(byId, { dryRun: true });
		const { json } = await runUpdate(sandbox, parameters, [{ id, notes: 'x' }]);
		expect(json[0].error).toContain(`There is no contact with the ID ${id}`);
	});
});

test('Dry Run is of the single item: what it leaves of a contact is nothing to build on', async () => {
	const [{ email }, { email: other }] = contacts;
	const parameters = automaticUpdate(byEmail, { dryRun: '={{ $json.isDry }}' });
	const rows = [
		{ email, isDry: true, jobTitle: 'A' },
		{ email: other, isDry: true, jobTitle: 'B' },
		{ email, isDry: false, notes: 'C' },
	];
	const { json, hints } = await runUpdate(sandbox, parameters, rows);
	expect(json.map(({ _result }) => _result)).toEqual(['wouldUpdate', 'wouldUpdate', 'updated']);
	expect(messages(hints).join()).not.toContain('nothing was written');
	expect((await storedContacts(sandbox))[0]).toMatchObject({
		...{ jobTitle: contacts[0].jobTitle, notes: 'C' },
	});
});

describe('_changes', () => {
	const none = { missingValues: 'null' };

	test.each([
		none,
		{ missingValues: 'absent' },
		{ updateAnswer: 'changedFields' },
		{ updateStatus: 204 },
	])('has the old and the new value of each field that differs (%j)', async (variants) => {
		await storeContacts(sandbox, [{ ...contacts[0], notes: null, tags: ['b', 'a'] }]);
		await read(variants);
		const { email, jobTitle } = contacts[0];
		const row = { email: email.toUpperCase(), jobTitle: 'Countess', notes: 'New', tags: 'a, b' };
		const { json } = await runUpdate(sandbox, automaticUpdate(byEmail), [row]);
		expect(json[0]).toMatchObject({ _result: 'updated' });
		expect(json[0]._changes).toEqual({
			jobTitle: { old: jobTitle, new: 'Countess' },
			// What a record does not show is not known.
			notes:
				'missingValues' in variants && variants.missingValues === 'absent'
					? { new: 'New' }
					: { old: null, new: 'New' },
		});
	});

	test('shows what the service has made of it, fields that it blanked too', async () => {
		await read({ omittedFields: 'blanked' });
		const [{ email, jobTitle, company }] = contacts;
		const row = { email, jobTitle };
		const parameters = automaticUpdate(byEmail, { unmappedFields: 'leave' });
		const { json } = await runUpdate(sandbox, parameters, [row]);
		expect(json[0]._changes).toMatchObject({ company: { old: company, new: null } });
	});

	test('is absent where the earlier record is not known', async () => {
		const [{ id }] = contacts;
		const rows = [{ id, notes: 'x' }];
		const { json } = await runUpdate(sandbox, automaticUpdate(byId), rows);
		expect(json[0]).toMatchObject({ _result: 'updated' });
		expect(json[0]).not.toHaveProperty('_changes');
	});
});

test('a hint sums up what came of the items', async () => {
	const rows = contacts
		.slice(0, 5)
		.map(({ email }, index) => ({ email, notes: index < 2 ? 'x' : undefined, jobTitle: 'Same' }));
	const parameters = automaticUpdate(byEmail, { skipUnchanged: true });
	await runUpdate(
		sandbox,
		parameters,
		rows.map(({ email, jobTitle }) => ({ email, jobTitle })),
	);
	const { hints } = await runUpdate(sandbox, parameters, [
		...rows,
		{ email: 'nobody@example.com', jobTitle: 'Same', _result: 'updated' },
	]);
	expect(messages(hints)).toContain('2 updated, 3 unchanged, 1 failed');

	const one = await runUpdate(sandbox, parameters, [rows[0]]);
	expect(one.hints).toEqual([]);
});
