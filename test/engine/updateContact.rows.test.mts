import { beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { unknownContact } from '../support/engine/oneRequestEach.mts';
import {
	automaticUpdate,
	byEmail,
	byId,
	countRequests,
	countResults,
	manualUpdate,
	runUpdate,
	storeContacts,
	storedContacts,
	type StoredContact,
} from '../support/engine/updates.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const sandbox = sandboxInTests({ contacts: 250 });
let contacts: StoredContact[];
beforeEach(async () => {
	contacts = await storedContacts(sandbox);
});

test('Dry Run reads and compares everything, and writes nothing', async () => {
	const rows = contacts.slice(0, 200).map(({ email, firstName }, index) => ({
		email,
		firstName: index % 50 === 7 ? 'Augusta' : firstName,
	}));
	const dryRun = automaticUpdate(byEmail, { dryRun: true });
	const { json, hints } = await runUpdate(sandbox, dryRun, rows);

	expect(json.flatMap(({ _result }, index) => (_result === 'unchanged' ? [] : [index]))).toEqual([
		...[7, 57, 107, 157],
	]);
	const { firstName: old, ...row } = contacts[7];
	expect(json[7]).toMatchObject({
		...{ id: row.id, email: row.email, firstName: 'Augusta', _result: 'wouldUpdate' },
		_changes: { firstName: { old, new: 'Augusta' } },
	});
	expect(json[8]._changes).toEqual({});
	const sum = 'Dry run, nothing was written: 4 would be updated, 196 unchanged, 0 failed';
	expect(hints).toMatchObject([{ message: sum }]);
	expect(await countRequests(sandbox)).toMatchObject({ pages: 3, searches: 0, writes: 0 });
	expect(await storedContacts(sandbox)).toEqual(contacts);
});

test('Dry Run finds an ID that no contact has', async () => {
	const id = unknownContact;
	const parameters = automaticUpdate(byId, { dryRun: true });
	const { json } = await runUpdate(sandbox, parameters, [{ id, notes: 'x' }]);
	expect(json[0].error).toContain(`No contact with the ID ${id} was found`);
});

test('Dry Run can differ between items: the others build on nothing that it leaves', async () => {
	const [{ email }, { email: other }] = contacts;
	const parameters = automaticUpdate(byEmail, { dryRun: '={{ $json.isDry }}' });
	const rows = [
		{ email, isDry: true, jobTitle: 'A' },
		{ email: other, isDry: true, jobTitle: 'B' },
		{ email, isDry: false, notes: 'C' },
	];
	const { json, hints } = await runUpdate(sandbox, parameters, rows);
	expect(json.map(({ _result }) => _result)).toEqual(['wouldUpdate', 'wouldUpdate', 'updated']);
	expect(JSON.stringify(hints)).not.toContain('nothing was written');
	expect((await storedContacts(sandbox))[0]).toMatchObject({
		...{ jobTitle: contacts[0].jobTitle, notes: 'C' },
	});
});

test.each([{ missingValues: 'null' }, { missingValues: 'absent' }])(
	'_changes has the old and the new value of each field that differs (%j)',
	async (variants) => {
		const { email, jobTitle } = contacts[0];
		await storeContacts(sandbox, [
			{ ...contacts[0], source: 'partner', notes: null, tags: ['b', 'a'] },
		]);
		await sandbox.control('PATCH', '/variants', variants);
		const columns = { jobTitle: 'Countess', source: '', notes: 'New', tags: 'a, b' };
		const parameters = automaticUpdate(byEmail, { emptyValues: 'clear' });
		const row = { email: email.toUpperCase(), ...columns };
		const { json } = await runUpdate(sandbox, parameters, [row]);
		expect(json[0]).toMatchObject({ _result: 'updated' });
		expect(json[0]._changes).toEqual({
			jobTitle: { old: jobTitle, new: 'Countess' },
			source: { old: 'partner', new: null },
			notes: { old: null, new: 'New' },
		});
	},
);

test('_changes is absent if the earlier record is not known', async () => {
	const { json } = await runUpdate(sandbox, automaticUpdate(byId), [
		{ id: contacts[0].id, notes: 'x' },
	]);
	expect(json[0]).toMatchObject({ _result: 'updated' });
	expect(json[0]).not.toHaveProperty('_changes');
});

test.each([
	['email', byEmail],
	['ID', byId],
])('rows of a nightly sync by %s of which few changed cost few requests', async (name, by) => {
	const rows = contacts.map(({ companyId, createdAt, updatedAt, ...row }, index) => ({
		...row,
		...(index % 50 === 7 && { jobTitle: `Promoted, ${name}` }),
	}));
	const parameters = automaticUpdate(by, { skipUnchanged: true });
	const { json, error } = await runUpdate(sandbox, parameters, rows);
	expect(error).toBeUndefined();
	expect(countResults(json)).toEqual({ updated: 5, unchanged: 245 });
	// Three pages, the writes, and the pages that show what a first write has done.
	expect((await countRequests(sandbox)).all).toBeLessThanOrEqual(12);
	const now = await storedContacts(sandbox);
	expect(now.map(({ companyId, createdAt, updatedAt, ...fields }) => fields)).toEqual(rows);
});

describe('rows that change addresses', () => {
	/** Contacts with these addresses in front of others that are there to be looked through. */
	const store = async (...addresses: string[]) =>
		await storeContacts(sandbox, [
			...addresses.map((email) => ({ email, notes: 'before' })),
			...Array.from({ length: 10 }, (_, index) => ({ email: `other.${index}@c.co` })),
		]);
	const update = async (rows: IDataObject[]) => {
		const fields = { email: '={{ $json.to }}', notes: '={{ $json.notes }}' };
		return await runUpdate(sandbox, await manualUpdate(byEmail, fields), rows);
	};

	test('a row with an address is for the contact that has it after the rows before', async () => {
		const [a, b] = await store('a@x.co', 'b@x.co');
		const { json } = await update([
			{ email: 'a@x.co', to: 'old@x.co', notes: 'moved away' },
			{ email: 'b@x.co', to: 'a@x.co', notes: 'moved in' },
			{ email: 'a@x.co', notes: 'for whoever is a@ now' },
			{ email: 'old@x.co', notes: 'for whoever was a@' },
			{ email: 'b@x.co', notes: 'for nobody' },
		]);
		expect(json.map(({ id }) => id).slice(0, 4)).toEqual([a.id, b.id, b.id, a.id]);
		expect(json[4].error).toMatch(/^No contact with the email b@x.co was found/);
		expect((await storedContacts(sandbox)).slice(0, 2)).toMatchObject([
			{ id: a.id, email: 'old@x.co', notes: 'for whoever was a@' },
			{ id: b.id, email: 'a@x.co', notes: 'for whoever is a@ now' },
		]);
	});

	test('after an update that failed and may be done, rows with either address are an error', async () => {
		await store('a@x.co');
		const fault = { kind: 'status', status: 501, after: true, method: 'PUT', next: 1 };
		await sandbox.control('POST', '/faults', fault);
		const { json } = await update([
			{ email: 'a@x.co', to: 'old@x.co', notes: 'moved' },
			{ email: 'a@x.co', notes: 'for whom?' },
			{ email: 'old@x.co', notes: 'for whom?' },
		]);
		const uncertain = /^The outcome of an earlier update of a@x.co is unknown/;
		for (const { error } of json.slice(1)) expect(error).toMatch(uncertain);
		expect((await storedContacts(sandbox))[0].notes).toBe('moved');
	});

	test.each([{}, { unmappedFields: 'preserve' }])(
		'contacts pass their addresses on in input order, by ID (%j)',
		async (options) => {
			const stored = await store('a@x.co', 'b@x.co', 'c@x.co', 'd@x.co');
			// If the order isn't kept, the service refuses an address that is still in use.
			await sandbox.control('POST', '/faults', {
				...{ kind: 'delay', delayMs: 100, method: 'PUT', match: 'away@x.co', next: 1 },
			});
			const addresses = ['away@x.co', 'a@x.co', 'b@x.co', 'c@x.co'];
			const rows = addresses.map((email, index) => ({ id: stored[index].id, email }));
			const { json } = await runUpdate(sandbox, automaticUpdate(byId, options), rows);
			expect(json.map(({ error }) => error)).toEqual(Array(4).fill(undefined));
			const now = await storedContacts(sandbox);
			expect(now.slice(0, 4).map(({ email }) => email)).toEqual(addresses);
		},
	);
});
