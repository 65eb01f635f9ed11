import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';
import {
	automaticUpdate,
	byEmail,
	byId,
	countRequests,
	countResults,
	runUpdate,
	storeContacts,
	storedContacts,
	type StoredContact,
} from '../support/engine/updates.mts';

let sandbox: RunningSandbox;
let ada: StoredContact;
let grace: StoredContact;

beforeAll(async () => {
	sandbox = await startSandbox(['--contacts', '2', '--requests-per-minute', '0']);
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
	await sandbox.control('POST', '/reset');
	[ada, grace] = await storedContacts(sandbox);
});

const read = (variants: object) => sandbox.control('PATCH', '/variants', variants);
const stored = async ({ id }: StoredContact) =>
	(await storedContacts(sandbox)).find((contact) => contact.id === id);
const answers = ['record', 'changedFields', 'listOfOne', 'nullData', 'emptyObject', 'success'];

describe.each([...answers, 'null', 'text'])(
	'an update that is answered with %s',
	(updateAnswer) => {
		test.each([byId, byEmail])('is done, and no field is lost by the next one (%j)', async (by) => {
			await read({ updateAnswer, omittedFields: 'blanked' });
			const { id, email } = ada;
			const rows = [{ jobTitle: 'Countess' }, { phone: '1' }, { notes: 'Last' }];
			const { json } = await runUpdate(
				sandbox,
				automaticUpdate(by, { unmappedFields: 'preserve' }),
				rows.map((row) => (by === byId ? { id, ...row } : { email, ...row })),
			);
			expect(json).toMatchObject(rows.map(() => ({ id, _result: 'updated' })));
			expect(json[2]).toMatchObject({ email, jobTitle: 'Countess' });
			const expected = { ...ada, jobTitle: 'Countess', phone: '1', notes: 'Last' };
			expect(await stored(ada)).toEqual({ ...expected, updatedAt: expect.any(String) });
		});

		test('leaves only what is known to be compared with', async () => {
			await read({ updateAnswer, omittedFields: 'blanked' });
			const { email, jobTitle } = ada;
			const rows = [
				{ email, notes: 'New' },
				{ email, notes: 'New' },
				{ email, jobTitle },
			];
			const options = { unmappedFields: 'leave', skipUnchanged: true };
			const parameters = automaticUpdate(byEmail, options);
			const { json } = await runUpdate(sandbox, parameters, rows);
			expect(json.map(({ _result }) => _result)).toEqual(['updated', 'unchanged', 'updated']);
			expect(await stored(ada)).toMatchObject({ email, jobTitle });
		});
	},
);

test('what was preserved is known to be as it was, whatever is answered', async () => {
	await read({ updateAnswer: 'nullData', omittedFields: 'blanked' });
	const { email, company } = ada;
	const rows = [
		{ email, jobTitle: 'Countess' },
		{ email, company },
	];
	const options = { unmappedFields: 'preserve', skipUnchanged: true };
	const { json } = await runUpdate(sandbox, automaticUpdate(byEmail, options), rows);
	expect(countResults(json)).toEqual({ updated: 1, unchanged: 1 });
});

test('an answer that is no record is no part of the output', async () => {
	await read({ updateAnswer: 'success' });
	const parameters = { ...automaticUpdate(byId), simplify: false };
	const { json } = await runUpdate(sandbox, parameters, [{ id: ada.id, phone: '1' }]);
	expect(json).toEqual([{ id: ada.id, phone: '1', _result: 'updated' }]);
});

describe('a stored value that the service does not take on input', () => {
	const row = () => ({ id: ada.id, jobTitle: 'Countess' });
	const preserving = automaticUpdate(byId, { unmappedFields: 'preserve' });

	test.each([
		['source', 'import', "'Source' is “import”, which the service doesn't know"],
		['accountId', 'A-17', "'Account ID' isn't a UUID"],
		['email', 'ada at home', "'Email' isn't an email address"],
	])('is named when it may be in the way: %s', async (field, value, words) => {
		for (const variants of [{ errorBody: 'empty' }, { validationStatus: 422 }]) {
			await sandbox.control('POST', '/reset', { variants });
			await storeContacts(sandbox, [{ ...ada, [field]: value }, grace]);
			const { json } = await runUpdate(sandbox, preserving, [row()]);
			expect(json[0].error).toContain(words);
			expect(json[0].error).toContain('The values of unmapped fields were sent along');
			expect(await stored(ada)).toEqual({ ...ada, [field]: value });
		}
	});

	test('is not blamed for what has another reason', async () => {
		await storeContacts(sandbox, [{ ...ada, source: 'import' }, grace]);
		await read({ emailTakenStatus: 422, unchangedValues: 'taken' });
		const given = { ...row(), email: grace.email };
		const { json } = await runUpdate(sandbox, preserving, [given]);
		expect(json[0].error).toContain('EMAIL_TAKEN');
	});

	test('is sent along where the service takes back what it has', async () => {
		await read({ unchangedValues: 'taken', omittedFields: 'blanked' });
		await storeContacts(sandbox, [{ ...ada, source: 'import' }, grace]);
		const { json } = await runUpdate(sandbox, preserving, [row()]);
		expect(countResults(json)).toEqual({ updated: 1 });
		expect(await stored(ada)).toMatchObject({ source: 'import', jobTitle: 'Countess' });
	});

	test('does no harm where it is mapped to one that the service takes', async () => {
		await storeContacts(sandbox, [{ ...ada, source: 'import' }, grace]);
		const { json } = await runUpdate(sandbox, preserving, [{ ...row(), source: 'partner' }]);
		expect(countResults(json)).toEqual({ updated: 1 });
	});

	/** The first row leaves its other fields to the service, the second one preserves them. */
	const mixed = automaticUpdate(byEmail, {
		unmappedFields: '={{ $json.omitted }}',
		concurrency: 1,
	});

	test.each([['kept'], ['blanked']])(
		'is sent along anyway, as it could be lost otherwise (%s)',
		async (omittedFields) => {
			await read({ omittedFields });
			await storeContacts(sandbox, [{ ...ada, source: 'import' }, grace]);
			const { json } = await runUpdate(sandbox, mixed, [
				{ email: grace.email, jobTitle: 'Admiral', omitted: 'leave' },
				{ email: ada.email, jobTitle: 'Countess', omitted: 'preserve' },
			]);
			expect(countResults(json)).toEqual({ updated: 1, error: 1 });
			expect(await stored(ada)).toMatchObject({ source: 'import', notes: ada.notes });
			expect(await countRequests(sandbox)).toMatchObject({ writes: 2 });
		},
	);
});

test('an address that is taken after an answer was lost: no one says that nothing was changed', async () => {
	const row = { id: ada.id, email: grace.email };
	const fault = { match: grace.email, next: 1 };
	await sandbox.control('POST', '/faults', { kind: 'dropBefore', ...fault });
	const { json } = await runUpdate(sandbox, automaticUpdate(byId), [row]);
	expect(json[0].error).toContain('already used by another contact');
	expect(json[0].error).not.toContain('Nothing was changed.');
	const again = await runUpdate(sandbox, automaticUpdate(byId), [row]);
	expect(again.json[0].error).toContain('Nothing was changed.');
});
