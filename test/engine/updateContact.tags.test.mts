import { beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	automaticUpdate,
	byEmail,
	byId,
	countRequests,
	countResults,
	runUpdate,
	storeContacts,
	storedContact,
	storedContacts,
	type StoredContact,
} from '../support/engine/updates.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const sandbox = sandboxInTests({ contacts: 250 });
let ada: StoredContact;
let grace: StoredContact;
let mary: StoredContact;
beforeEach(async () => {
	const [first, second, third, ...others] = await storedContacts(sandbox);
	[ada, grace, mary] = await storeContacts(sandbox, [
		{ ...first, tags: ['vip', 'news'] },
		{ ...second, tags: ['vip'] },
		{ ...third, tags: null },
		...others,
	]);
});

const serviceThat = (variants: object) => sandbox.control('PATCH', '/variants', variants);
const tagsNow = async (...contacts: StoredContact[]) => {
	const now = await storedContacts(sandbox);
	return contacts.map(({ id }) => now.find((one) => one.id === id)?.tags);
};
describe('Tag Mode', () => {
	const update = async (
		options: INodeParameters,
		rows: Array<[StoredContact, IDataObject]>,
		by: typeof byId | typeof byEmail = byEmail,
	) =>
		await runUpdate(
			sandbox,
			automaticUpdate(by, options),
			rows.map(([{ id, email }, row]) => ({ ...(by === byId ? { id } : { email }), ...row })),
		);

	test.each([
		['ID', byId],
		['email', byEmail],
	])('Add by %s keeps the tags that the contact has', async (_name, by) => {
		const rows: Array<[StoredContact, IDataObject]> = [
			[ada, { tags: 'customer, vip' }],
			[grace, { tags: ['vip'] }],
			[mary, { tags: 'customer' }],
		];
		const { json } = await update({ tagMode: 'add' }, rows, by);
		expect(json).toMatchObject([
			{
				_result: 'updated',
				_changes: { tags: { old: ['vip', 'news'], new: ['vip', 'news', 'customer'] } },
			},
			{ _result: 'unchanged', _changes: {} },
			{ _result: 'updated', _changes: { tags: { old: null, new: ['customer'] } } },
		]);
		expect(await tagsNow(ada, grace, mary)).toEqual([
			['vip', 'news', 'customer'],
			['vip'],
			['customer'],
		]);
		expect(await countRequests(sandbox)).toMatchObject({ searches: 0, pages: 3, writes: 2 });
	});

	test('Remove takes only the mapped tags away; one that is not there is no error', async () => {
		const { json } = await update({ tagMode: 'remove' }, [
			[ada, { tags: 'vip, customer' }],
			[grace, { tags: 'vip' }],
			[mary, { tags: 'vip' }],
		]);
		expect(countResults(json)).toEqual({ updated: 2, unchanged: 1 });
		expect(await tagsNow(ada, grace)).toEqual([['news'], []]);
	});

	test('Add touches no other field, and writes other mapped fields too', async () => {
		await update({ tagMode: 'add' }, [
			[ada, { tags: 'a' }],
			[grace, { tags: 'vip', jobTitle: 'Rear Admiral' }],
		]);
		const updatedAt = expect.any(String);
		expect((await storedContacts(sandbox)).slice(0, 2)).toEqual([
			{ ...ada, tags: ['vip', 'news', 'a'], updatedAt },
			{ ...grace, jobTitle: 'Rear Admiral', updatedAt },
		]);
	});

	// Interface: OPEN-7, OPEN-9.
	test.each([{ missingValues: 'empty' }, { omittedFields: 'blanked' }])(
		'no tag is lost, however the service shows contacts and answers (%j)',
		async (variants) => {
			await serviceThat(variants);
			const options = { tagMode: 'add', unmappedFields: 'preserve' };
			const { json } = await update(options, [
				[ada, { tags: 'a' }],
				[mary, { tags: 'a' }],
				[mary, { tags: 'b' }],
				[ada, { jobTitle: 'Countess', tags: 'b' }],
			]);
			expect(countResults(json)).toEqual({ updated: 4 });
			expect(await tagsNow(ada, mary)).toEqual([
				['vip', 'news', 'a', 'b'],
				['a', 'b'],
			]);
		},
	);

	// Interface: OPEN-7.
	test('Add fails the item if the service shows no tags, because some may be lost', async () => {
		await serviceThat({ missingValues: 'absent' });
		const { json } = await update({ tagMode: 'add' }, [
			[ada, { tags: 'a' }],
			[mary, { tags: 'a' }],
		]);
		expect(json[0]._result).toBe('updated');
		expect(json[1].error).toContain(`The service doesn't show 'Tags' of ${mary.email}`);
		expect(json[1].error).toContain('Replace All');
		expect(await tagsNow(ada, mary)).toEqual([['vip', 'news', 'a'], null]);
	});
});

/** Webhooks of a shop come in bursts for one customer. */
describe('executions side by side', () => {
	beforeEach(() =>
		sandbox.control('POST', '/faults', { kind: 'delay', delayMs: 50, probability: 1 }),
	);
	const tagAda = async (tag: string) =>
		await runUpdate(sandbox, automaticUpdate(byEmail, { tagMode: 'add' }), [
			{ email: ada.email, tags: tag },
		]);

	test('executions at the same moment each add their tag to a contact', async () => {
		const results = await Promise.all(['a', 'b', 'c'].map((tag) => tagAda(tag)));
		for (const { json } of results) expect(json[0]._result).toBe('updated');
		const [tags] = await tagsNow(ada);
		expect([...tags].sort()).toEqual(['a', 'b', 'c', 'news', 'vip']);
	});

	test('executions at the same moment keep what each has changed of a contact', async () => {
		await serviceThat({ omittedFields: 'blanked' });
		const preserving = automaticUpdate(byEmail, { unmappedFields: 'preserve' });
		const rows = [{ phone: '+49 1' }, { jobTitle: 'Countess' }, { notes: 'Met' }];
		await Promise.all(
			rows.map((row) => runUpdate(sandbox, preserving, [{ email: ada.email, ...row }])),
		);
		expect(await storedContact(sandbox, ada)).toMatchObject(
			Object.assign({ tags: ada.tags, company: ada.company }, ...rows),
		);
	});

	test.each([
		['in the meantime', 0],
		['minutes ago', 180_000],
	])('one of a thousand rows adds to what another execution has written %s', async (_when, ms) => {
		await sandbox.control('DELETE', '/faults');
		const path = `/contacts/${grace.id}`;
		await sandbox.control('POST', '/faults', { kind: 'delay', delayMs: 2000, method: 'PUT', path });
		const rows = [mary, grace, ada].map(({ email }) => ({ email, tags: 'sync' }));
		const adding = automaticUpdate(byEmail, { tagMode: 'add', concurrency: 1 });
		const sync = runUpdate(sandbox, adding, rows);
		const hasRead = async () => (await countRequests(sandbox)).writes > 0;
		while (!(await hasRead())) await new Promise((resolve) => setImmediate(resolve));
		await tagAda('webhook');
		expect((await tagsNow(ada))[0]).not.toContain('sync');
		const now = performance.now;
		performance.now = () => now() + ms;
		expect((await sync).json.map(({ _result }) => _result)).toEqual(Array(3).fill('updated'));
		const [tags] = await tagsNow(ada);
		expect([...tags].sort()).toEqual(['news', 'sync', 'vip', 'webhook']);
	});
});
