import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';
import {
	automaticUpdate,
	byEmail,
	byId,
	manualUpdate,
	runUpdate,
	storeContacts,
	storedContacts,
} from '../support/engine/updates.mts';

let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(() => sandbox.stop());

/** Rows that name their contact by `email` or `id`, and give it the address `to` if they have one. */
async function update(
	rows: IDataObject[],
	options: object = {},
	by: typeof byEmail | typeof byId = byEmail,
) {
	const fields = { email: '={{ $json.to }}', notes: '={{ $json.notes }}' };
	return await runUpdate(sandbox, await manualUpdate(by, fields, { ...options }), rows);
}

/** Contacts with these addresses in front of others that are there to be looked through. */
async function store(addresses: string[], others: number) {
	return await storeContacts(sandbox, [
		...addresses.map((email) => ({ email, notes: 'before' })),
		...Array.from({ length: others }, (_, index) => ({ email: `other.${index}@c.co` })),
	]);
}

const plans = { 'one walk': 10, 'a search each': 950 };

describe.each(Object.entries(plans))('looked up by %s', (_plan, others) => {
	test.each(['namesAndEmail', 'nothingOfEmail'])(
		'a row means the contact that has the address when its turn has come (searchCovers=%s)',
		async (searchCovers) => {
			await sandbox.control('POST', '/reset', { contacts: 0, variants: { searchCovers } });
			const [a, b] = await store(['a@x.co', 'b@x.co'], others);
			const { json } = await update([
				{ email: 'a@x.co', to: 'old@x.co', notes: 'moved away' },
				{ email: 'b@x.co', to: 'a@x.co', notes: 'moved in' },
				{ email: 'a@x.co', notes: 'for whoever is a@ now' },
				{ email: 'old@x.co', notes: 'for whoever was a@' },
			]);
			expect(json.map(({ id }) => id)).toEqual([a.id, b.id, b.id, a.id]);
			expect((await storedContacts(sandbox)).slice(0, 2)).toMatchObject([
				{ id: a.id, email: 'old@x.co', notes: 'for whoever was a@' },
				{ id: b.id, email: 'a@x.co', notes: 'for whoever is a@ now' },
			]);
		},
	);

	test('an address that was given up is no one’s', async () => {
		await sandbox.control('POST', '/reset', { contacts: 0 });
		await store(['a@x.co'], others);
		const { json } = await update([
			{ email: 'a@x.co', to: 'old@x.co', notes: 'moved' },
			{ email: 'A@x.co', notes: 'for nobody' },
		]);
		expect(json[1].error).toMatch(/^There is no contact with the email A@x.co/);
		expect((await storedContacts(sandbox))[0].notes).toBe('moved');
	});

	test('a contact is uncertain after an update that failed and may be done', async () => {
		await sandbox.control('POST', '/reset', { contacts: 0 });
		await store(['a@x.co', 'b@x.co'], others);
		for (const match of ['old@x.co', 'fails']) {
			await sandbox.control('POST', '/faults', {
				...{ kind: 'status', status: 501, after: true, method: 'PUT', match, next: 1 },
			});
		}
		const { json } = await update([
			{ email: 'a@x.co', to: 'old@x.co', notes: 'moved' },
			{ email: 'a@x.co', notes: 'for whom?' },
			{ email: 'old@x.co', notes: 'for whom?' },
			{ email: 'b@x.co', notes: 'fails, and changes no address' },
			{ email: 'b@x.co', notes: 'for b@' },
		]);
		expect(json.map(({ error }) => error)).toEqual([
			expect.any(String),
			expect.stringMatching(/^The outcome of an earlier update of this contact is unknown/),
			expect.stringMatching(/^The outcome of an earlier update of this contact is unknown/),
			expect.stringContaining('501'),
			expect.stringMatching(/^The outcome of an earlier update of this contact is unknown/),
		]);
		const notes = (await storedContacts(sandbox)).slice(0, 2).map((one) => one.notes);
		expect(notes).toEqual(['moved', 'fails, and changes no address']);
	});
});

test('a change of an address that the service refused leaves it where it was', async () => {
	await sandbox.control('POST', '/reset', { contacts: 0 });
	const [a] = await store(['a@x.co', 'b@x.co'], 10);
	const { json } = await update([
		{ email: 'a@x.co', to: 'b@x.co', notes: 'refused' },
		{ email: 'a@x.co', notes: 'for a@' },
	]);
	expect(json).toMatchObject([{ error: expect.stringContaining('already used') }, { id: a.id }]);
	expect((await storedContacts(sandbox))[0]).toMatchObject({ id: a.id, notes: 'for a@' });
});

test.each([{}, { skipUnchanged: true }, { unmappedFields: 'preserve' }])(
	'contacts named by ID pass addresses on in input order (%j)',
	async (options) => {
		await sandbox.control('POST', '/reset', { contacts: 0 });
		const contacts = await store(['a@x.co', 'b@x.co', 'c@x.co', 'd@x.co'], 0);
		// Where the order is not kept, the service refuses an address that is still in use.
		await sandbox.control('POST', '/faults', {
			...{ kind: 'delay', delayMs: 100, method: 'PUT', match: 'away@x.co', next: 1 },
		});
		const addresses = ['away@x.co', 'a@x.co', 'b@x.co', 'c@x.co'];
		const rows = contacts.map(({ id }, index) => ({ id, email: addresses[index] }));
		const { json } = await runUpdate(sandbox, automaticUpdate(byId, options), rows);
		expect(json.map(({ error }) => error)).toEqual(Array(4).fill(undefined));
		expect((await storedContacts(sandbox)).map(({ email }) => email)).toEqual(addresses);
	},
);
