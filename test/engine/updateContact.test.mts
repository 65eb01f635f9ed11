import { describe, expect, test } from '@jest/globals';
import { chooseContact } from '../support/engine/chooseContact.mts';
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
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const sandbox = sandboxInTests({ contacts: 250 });

const seededContacts = () => storedContacts(sandbox);
const stored = (contact: StoredContact) => storedContact(sandbox, contact);
const read = (...variants: Array<[string, unknown]>) =>
	sandbox.control('PATCH', '/variants', Object.fromEntries(variants));

describe('which contact', () => {
	test('one email takes one search, however white space and case are', async () => {
		const [ada] = await seededContacts();
		const email = `  ${ada.email.toUpperCase()} `;
		const { json } = await runUpdate(sandbox, automaticUpdate(byEmail), [{ email, notes: 'Met' }]);

		expect(json).toMatchObject([{ id: ada.id, _result: 'updated' }]);
		expect(await stored(ada)).toMatchObject({ notes: 'Met', email: ada.email });
		expect(await countRequests(sandbox)).toMatchObject({ searches: 1, pages: 0, writes: 1 });
	});

	test('one chosen from the list is read by one search for the address in its name', async () => {
		const [{ id, email, jobTitle }] = await seededContacts();
		const cachedResultName = `Ada Lovelace · ${email} · Analytical Engines Ltd`;
		const contact = { mode: 'list', value: id, cachedResultName } as const;
		const parameters = automaticUpdate(contact, { skipUnchanged: true });
		const { json } = await runUpdate(sandbox, parameters, [{ jobTitle }, { jobTitle: 'Countess' }]);
		expect(json.map(({ _result }) => _result)).toEqual(['unchanged', 'updated']);
		expect(await countRequests(sandbox)).toMatchObject({ searches: 1, pages: 0, writes: 1 });
	});

	test('one chosen from the list is found although its address has changed since', async () => {
		const [{ id }] = await seededContacts();
		const cachedResultName = 'Ada Lovelace · ada@before.example.com';
		const contact = { mode: 'list', value: id, cachedResultName } as const;
		const { json } = await runUpdate(sandbox, automaticUpdate(contact, { dryRun: true }), [
			{ jobTitle: 'Countess' },
		]);
		expect(json).toMatchObject([{ id, _result: 'wouldUpdate' }]);
	});

	test('an ID in capitals means the contact that has it in lower case', async () => {
		const [ada] = await seededContacts();
		const row = { id: ada.id.toUpperCase(), tags: 'a-tag' };
		const { json } = await runUpdate(sandbox, automaticUpdate(byId, { tagMode: 'add' }), [row]);
		expect(json).toMatchObject([{ email: ada.email, _result: 'updated' }]);
		expect((await stored(ada)).tags).toEqual([...ada.tags, 'a-tag']);
	});

	test('all contacts can be chosen from the list, page after page', async () => {
		const chosen: unknown[] = [];
		for (let page: string | undefined = '1'; page !== undefined; ) {
			const shown = await chooseContact(sandbox.baseUrl, sandbox.testKey, page);
			chosen.push(...shown.results.map(({ value }) => value));
			page = shown.paginationToken as string | undefined;
		}
		expect(chosen).toEqual((await seededContacts()).map(({ id }) => id));
	});

	test('for more emails than pages, all contacts are read once', async () => {
		const rows = (await seededContacts()).slice(40, 90).map(({ email }) => ({ email, notes: 'x' }));
		const { json } = await runUpdate(sandbox, automaticUpdate(byEmail), rows);

		expect(countResults(json)).toEqual({ updated: 50 });
		expect(await countRequests(sandbox)).toMatchObject({ searches: 0, writes: 50, pages: 3 });
	});

	test.each(['nothingOfEmail', 'ignored'])(
		'a contact that a search does not show is found anyway (searchCovers=%s)',
		async (covers) => {
			await read(['searchCovers', covers]);
			const contacts = await seededContacts();
			const last = contacts.at(-1)!;
			const row = { email: last.email, notes: 'Found' };
			const { json } = await runUpdate(sandbox, automaticUpdate(byEmail), [row]);

			expect(json).toMatchObject([{ id: last.id, _result: 'updated' }]);
			expect(await stored(last)).toMatchObject({ notes: 'Found' });
			expect(await countRequests(sandbox)).toMatchObject({ searches: 1, pages: 3, writes: 1 });
		},
	);

	test('an email that no one has is said to be unknown after all contacts were read', async () => {
		const email = 'nobody@example.com';
		const { json } = await runUpdate(sandbox, automaticUpdate(byEmail), [{ email, notes: 'x' }]);
		expect(json[0].error).toContain(
			`No contact with the email ${email} was found. Nothing was written for this item.`,
		);
		expect(await countRequests(sandbox)).toMatchObject({ searches: 1, pages: 3, writes: 0 });
	});

	test('an email that two contacts have is an error that names both', async () => {
		const [ada, grace, ...others] = await seededContacts();
		await storeContacts(sandbox, [ada, { ...grace, email: ada.email.toUpperCase() }, ...others]);
		const row = { email: ada.email, notes: 'x' };
		for (const rows of [[row], [row, ...others.map(({ email }) => ({ email, phone: '1' }))]]) {
			const { json } = await runUpdate(sandbox, automaticUpdate(byEmail), rows);
			expect(json[0].error).toContain(ada.id);
			expect(json[0].error).toContain(grace.id);
			expect(countResults(json.slice(1))).toEqual(rows.length > 1 ? { updated: 248 } : {});
		}
		expect(await stored(ada)).toEqual(ada);
		expect((await stored(grace)).notes).toBe(grace.notes);
	});

	test('invisible characters are no part of an address or an ID', async () => {
		const [ada, grace, alan] = await seededContacts();
		await storeContacts(sandbox, [ada, grace, { ...alan, email: `${alan.email}\u200b` }]);
		const emails = [`\u200e${ada.email}\u200f`, ` \u200b${grace.email}`, alan.email];
		const rows = emails.map((email) => ({ email, notes: 'by email' }));
		const { json } = await runUpdate(sandbox, automaticUpdate(byEmail), rows);
		const updated = [ada, grace, alan].map(({ id }) => ({ id, _result: 'updated' }));
		expect(json).toMatchObject(updated);
		const byIds = await runUpdate(sandbox, automaticUpdate(byId), [
			{ id: `\ufeff${ada.id}\u200b`, notes: 'by ID' },
		]);
		expect(byIds.json).toMatchObject([{ id: ada.id, _result: 'updated' }]);
	});
});

describe('the same contact twice', () => {
	test('rows of one contact are written in input order, one at a time', async () => {
		const [ada, grace] = await seededContacts();
		const fault = { kind: 'delay', delayMs: 50, method: 'PUT', probability: 1 };
		await sandbox.control('POST', '/faults', fault);
		const rows = [
			{ email: ada.email, notes: 'Ada 1' },
			{ email: ada.email, notes: 'Ada 2' },
			{ email: ada.email, notes: 'Ada 3' },
			{ email: grace.email, notes: 'Grace' },
		];
		// With 'auto', the first updates of a run go one by one anyway.
		const options = { concurrency: 2, unmappedFields: 'leave' };
		await runUpdate(sandbox, automaticUpdate(byEmail, options), rows);
		const { data: requests } = await sandbox.control('GET', '/requests');
		const arrived = requests.flatMap(({ method, body }: any) =>
			method === 'PUT' ? body.notes : [],
		);
		// Two at a time: Ada's second row neither overlaps with her first nor takes Grace's place.
		expect(arrived.slice(0, 2).sort()).toEqual(['Ada 1', 'Grace']);
		expect(arrived.slice(2)).toEqual(['Ada 2', 'Ada 3']);
		expect(await stored(ada)).toMatchObject({ notes: 'Ada 3' });
	});

	test('a row after an update that failed and may be done is an error, and never unchanged', async () => {
		const [ada] = await storeContacts(sandbox, [{ ...(await seededContacts())[0], notes: 'old' }]);
		await sandbox.control('POST', '/faults', {
			...{ kind: 'status', status: 501, after: true, method: 'PUT', next: 1 },
		});
		const rows = [
			{ email: ada.email, notes: 'written, with an error for an answer' },
			{ email: ada.email, notes: 'old' },
		];
		const options = { skipUnchanged: true };
		const { json } = await runUpdate(sandbox, automaticUpdate(byEmail, options), rows);
		expect(json[1].error).toContain(
			`The outcome of an earlier update of ${ada.email} is unknown. `,
		);
		expect(await stored(ada)).toMatchObject({ notes: rows[0].notes });
	});
});

describe('what goes wrong midway', () => {
	test('a run that ends with an error writes nothing more, not even what waits its turn', async () => {
		const [ada, grace] = await seededContacts();
		await sandbox.control('POST', '/faults', {
			...{ kind: 'status', status: 501, method: 'PUT', match: '"3"', probability: 1 },
		});
		const rows = [grace, ...Array.from({ length: 8 }, () => ada)].map(({ email }, index) => ({
			email,
			notes: `${index}`,
		}));
		const { error } = await runUpdate(sandbox, automaticUpdate(byEmail), rows, { settings: {} });
		expect(error?.description).toContain('3 of 9 items were done');
		expect(error?.context?.itemIndex).toBe(3);
		expect(await stored(ada)).toMatchObject({ notes: '2' });
		expect(await countRequests(sandbox)).toMatchObject({ writes: 4 });
	});

	test('reading all contacts that fails is an error for the items that wait for it, and is done again for later ones', async () => {
		await sandbox.control('POST', '/faults', {
			...{ kind: 'status', status: 501, method: 'GET', next: 1 },
		});
		const rows = (await seededContacts()).slice(0, 30).map(({ email }) => ({ email, notes: 'x' }));
		const { json } = await runUpdate(sandbox, automaticUpdate(byEmail), rows);
		expect(countResults(json)).toEqual({ error: 5, updated: 25 });
		expect(await countRequests(sandbox)).toMatchObject({ pages: 4, writes: 25 });
	});
});

describe('fields', () => {
	// Interface: UPDATE-3.
	test('columns that are no fields are ignored and named in a hint', async () => {
		const [ada] = await seededContacts();
		const row = { id: ada.id, notes: 'x', score: 7, constructor: 'y' };
		const { hints } = await runUpdate(sandbox, automaticUpdate(byId), [row, { ...row, row: 2 }]);
		expect(hints.map(({ message }) => message)).toContain(
			'No field of a contact has the name of these columns: score, constructor, row',
		);
		const { data: requests } = await sandbox.control('GET', '/requests');
		expect(requests[0].body).toEqual({ notes: 'x' });
	});

	test('empty values change nothing', async () => {
		const [ada] = await seededContacts();
		const row = { id: ada.id, notes: 'x', phone: '', company: null, tags: [], jobTitle: '  ' };
		await runUpdate(sandbox, automaticUpdate(byId), [row]);
		const { updatedAt } = await stored(ada);
		expect(await stored(ada)).toEqual({ ...ada, notes: 'x', updatedAt });
	});

	const everything = { phone: '', company: null, tags: [], source: '', accountId: '', notes: ' ' };

	// Interface: OPEN-7.
	test('with Empty Values: Clear, empty values clear their fields', async () => {
		await read(['clearingValue', 'null']);
		const grace = { ...(await seededContacts())[1], source: 'partner', tags: ['vip'] };
		await storeContacts(sandbox, [grace]);
		const parameters = automaticUpdate(byId, { emptyValues: 'clear' });
		const { json } = await runUpdate(sandbox, parameters, [{ id: grace.id, ...everything }]);
		expect(countResults(json)).toEqual({ updated: 1 });
		const after: any = await stored(grace);
		for (const name of Object.keys(everything)) {
			expect([name, after[name]?.length ?? 0]).toEqual([name, 0]);
		}
		expect(after.email).toBe(grace.email);
	});

	// n8n's editor keeps nothing of a field that was added and left blank but that it was added.
	test.each([
		['nothing', {}],
		['null', { company: null, phone: null, source: null }],
	])('fields that the user added and left blank are cleared (%s)', async (_what, blank) => {
		const [ada] = await seededContacts();
		const parameters = await manualUpdate(
			byId,
			{ jobTitle: 'Countess', ...blank },
			{ emptyValues: 'clear' },
			['company', 'phone', 'source'],
		);
		const { json } = await runUpdate(sandbox, parameters, [{ id: ada.id }]);
		expect(countResults(json)).toEqual({ updated: 1 });
		const { company, phone, source, updatedAt, ...others } = await stored(ada);
		expect([company, phone, source].map((value) => value ?? '')).toEqual(['', '', '']);
		expect({ ...ada, ...others, updatedAt }).toEqual({
			...ada,
			jobTitle: 'Countess',
			updatedAt,
		});
	});

	// Interface: OPEN-7.
	test('a field that the service does not clear fails its item', async () => {
		await read(['nullInUpdate', 'omitted'], ['clearingValue', 'neither']);
		const [ada, seeded] = await seededContacts();
		const grace = { ...seeded, source: null };
		await storeContacts(sandbox, [ada, grace]);
		const rows = [ada, grace].map(({ id }) => ({ id, source: '', notes: 'New' }));
		const parameters = automaticUpdate(byId, { emptyValues: 'clear' });
		const { json } = await runUpdate(sandbox, parameters, rows);
		expect(json[0].error).toContain("The service didn't clear 'Source'");
		expect(await stored(ada)).toMatchObject({ source: ada.source, notes: 'New' });
		expect(json[1]._result).toBe('updated');
	});

	test('rows that name one contact by ID and by email build on one another', async () => {
		await read(['omittedFields', 'blanked']);
		const [ada] = await seededContacts();
		const parameters = {
			...automaticUpdate(byId, { unmappedFields: 'preserve' }),
			contact: { __rl: true, mode: '={{ $json.mode }}', value: '={{ $json.contact }}' },
		};
		const { json } = await runUpdate(sandbox, parameters, [
			{ mode: 'id', contact: ada.id, jobTitle: 'Countess' },
			{ mode: 'email', contact: ada.email, notes: 'Met' },
			{ mode: 'id', contact: ada.id, phone: '1' },
			{ mode: 'email', contact: ada.email, company: 'Lovelace & Co' },
		]);
		expect(countResults(json)).toEqual({ updated: 4 });
		expect(await stored(ada)).toEqual({
			...{ ...ada, jobTitle: 'Countess', notes: 'Met', phone: '1', company: 'Lovelace & Co' },
			updatedAt: expect.any(String),
		});
	});
});

// Interface: UPDATE-2, UPDATE-3, CONTACT-7, CONTACT-11, CONTACT-12, CONTACT-13.
describe('bad input is an error for its item only', () => {
	test.each([
		[{ id: '42' }, "'Contact' isn't a UUID"],
		[
			{ source: 'Fair' },
			"'Source' is “Fair”, which the service doesn't know. Use website, referral",
		],
		[{ tags: true }, "'Tags' is neither a list of texts nor"],
		[{ accountId: 'x' }, "'Account ID' isn't a UUID"],
		[{ email: 'ada' }, "'Email' isn't an email address"],
		[{ email: 'a@x.co,b@x.co' }, "'Email' is more than one address"],
		[{ notes: undefined }, 'Nothing to update: no field has a value'],
	])('%j', async (wrong, message) => {
		const contacts = await seededContacts();
		const [before, hit, after] = contacts.map(({ id }) => ({ id, notes: 'Row' }));
		const rows = [before, { ...hit, ...wrong }, after];
		const { json } = await runUpdate(sandbox, automaticUpdate(byId), rows);

		expect(json[1].error).toContain(message);
		expect(json[0]._result).toBe('updated');
		expect(json[2]._result).toBe('updated');
		expect(await stored(contacts[1])).toEqual(contacts[1]);
	});
});
