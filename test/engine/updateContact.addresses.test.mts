import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { runs } from '../support/atLength.mts';
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

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

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
			await sandbox.control('POST', '/reset', { contacts: 0, readings: { searchCovers } });
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

	test('an address that was given up is nobody’s', async () => {
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
			expect.stringMatching(/^It isn't certain what an earlier update has changed/),
			expect.stringMatching(/^It isn't certain what an earlier update has changed/),
			expect.stringContaining('501'),
			expect.stringMatching(/^It isn't certain what an earlier update has changed/),
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

const nobody = '00000000-0000-4000-8000-000000000000';

const address = fc.constantFrom('a@x.co', 'b@x.co', 'c@x.co', 'd@x.co', 'A@x.co', 'nobody@x.co');

const history = fc.record({
	addresses: fc.uniqueArray(fc.constantFrom('a@x.co', 'b@x.co', 'c@x.co', 'd@x.co'), {
		minLength: 2,
	}),
	others: fc.constantFrom(0, 250, 450),
	rows: fc.array(
		fc.record({
			email: address,
			to: fc.option(address, { nil: undefined }),
			notes: fc.constantFrom('one', 'two', 'before'),
		}),
		{ minLength: 2, maxLength: 12 },
	),
	options: fc.record({
		skipUnchanged: fc.boolean(),
		unmappedFields: fc.constantFrom('auto', 'leave', 'preserve'),
		concurrency: fc.constantFrom(1, 5, 20),
	}),
	readings: fc.record({
		searchCovers: fc.constantFrom('namesAndEmail', 'nothingOfEmail', 'ignored'),
		updateAnswer: fc.constantFrom('record', 'changedFields', 'nullData'),
		emailTakenStatus: fc.constantFrom(409, 400),
	}),
});

interface Person {
	email: string;
	notes: string;
}

type Row = { email: string; to?: string; notes: string };

/**
 * What each row comes to, one after the other: the contact that it is for, or undefined.
 * @param meant the contact that a row means, -1 for none
 */
function play(people: Person[], rows: Row[], meant: (row: Row) => number) {
	const having = hasAddress(people);
	return rows.map((row) => {
		const { to, notes } = row;
		const index = meant(row);
		const isTaken = to !== undefined && ![-1, index].includes(having(to));
		if (index < 0 || isTaken) return undefined;
		const isOwn = having(to ?? '') === index;
		Object.assign(people[index], { notes, ...(to && !isOwn && { email: to }) });
		return index;
	});
}

const hasAddress = (people: Person[]) => (address: string) =>
	people.findIndex(({ email }) => email.toLowerCase() === address.toLowerCase());

/** Puts each answer off for a while, or none, so that only what has to keep its order does. */
async function disturb() {
	const delay = { kind: 'delay', method: 'PUT', probability: 0.3 };
	await sandbox.control('POST', '/faults', { ...delay, delayMs: 15, seed: 1 });
	await sandbox.control('POST', '/faults', { ...delay, delayMs: 10, seed: 2, after: true });
}

test.each(['email', 'id'])(
	'rows that pass addresses on come to what they come to one after the other, by %s',
	async (by) => {
		const counts = { histories: 0, rows: 0, written: 0, failed: 0 };
		const property = fc.asyncProperty(
			history,
			async ({ addresses, others, rows, options, readings }) => {
				await sandbox.control('POST', '/reset', { contacts: 0, readings });
				const before = await store(addresses, others);
				await disturb();

				const people = addresses.map((email) => ({ email, notes: 'before' }));
				// Named by its ID, a row is for the contact that had the address before the first one.
				const first = hasAddress(structuredClone(people));
				const named = rows.map((row) => ({ ...row, id: before[first(row.email)]?.id ?? nobody }));
				const { json } = await update(named, options, by === 'id' ? byId : byEmail);

				const expected = play(people, rows, ({ email }) =>
					by === 'id' ? first(email) : hasAddress(people)(email),
				);
				expect(json.map(({ id, error }) => (error ? undefined : id))).toEqual(
					expected.map((index) => (index === undefined ? undefined : before[index].id)),
				);
				const after = (await storedContacts(sandbox)).slice(0, addresses.length);
				const shown = ({ email, notes }: any) => ({ email: email.toLowerCase(), notes });
				expect(after.map(shown)).toEqual(people.map(shown));
				counts.histories++;
				counts.rows += rows.length;
				counts.written += expected.filter((index) => index !== undefined).length;
				counts.failed += expected.filter((index) => index === undefined).length;
			},
		);
		await fc.assert(property, { numRuns: runs, seed });
		process.stdout.write(`by ${by}, seed ${seed}: ${JSON.stringify(counts)}\n`);
	},
	240_000,
);
