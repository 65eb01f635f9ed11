import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { contactFieldNames } from '../../nodes/CrmWorkspace/api/records';
import { Polled, type PolledEvent, type PolledNode } from '../support/engine/polledNode.mts';
import { unpaced } from '../support/sandbox/sandbox.mts';
import { httpAnswer, onePage, startJsonServer } from '../support/sandbox/rawServer.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const all = ['contactCreated', 'contactUpdated', 'activityAdded', 'taskOverdue'];
const ofContacts = ['contactCreated', 'contactUpdated'];

const sandbox = sandboxInTests({ contacts: 30 });
beforeEach(async () => {
	jest.restoreAllMocks();
	await sandbox.control('DELETE', '/requests');
});

function trigger({ parameters, ...given }: Partial<PolledNode> = {}): Polled {
	const credential = unpaced(sandbox);
	return new Polled({ credential, ...given, parameters: { events: all, ...parameters } });
}

async function create(fields: object = {}): Promise<string> {
	const email = `${randomUUID()}@example.com`;
	return (await sandbox.control('POST', '/contacts', { email, ...fields })).data.id;
}

const update = async (id: string, fields: object) =>
	await sandbox.control('PATCH', `/contacts/${id}`, fields);

const add = async (collection: string, record: object) =>
	await sandbox.control('POST', `/records/${collection}`, record);

const variants = async (some: object) => await sandbox.control('PATCH', '/variants', some);

const told = (events: PolledEvent[]) => events.map(({ event, record: { id } }) => [event, id]);

const requests = async (): Promise<number> =>
	(await sandbox.control('GET', '/requests')).data.length;

const date = (moment: number) => new Date(moment).toISOString();

describe('events', () => {
	test('the first poll emits nothing, later ones what has happened since, each once', async () => {
		const polled = trigger();
		expect(await polled.poll()).toEqual([]);
		const id = await create({ firstName: 'Maya' });
		await add('activities', { id: 'a1', createdAt: date(0), text: 'Called' });
		await add('tasks', { id: 't1', createdAt: date(0), dueAt: date(1), completedAt: null });
		expect(told(await polled.poll()).sort()).toEqual([
			['activityAdded', 'a1'],
			['contactCreated', id],
			['taskOverdue', 't1'],
		]);
		await update(id, { firstName: 'Mia', tags: ['vip'] });
		const [updated] = await polled.poll();
		expect(updated).toMatchObject({
			event: 'contactUpdated',
			eventTime: date(Date.parse(String(updated.record.updatedAt))),
			record: { id, firstName: 'Mia' },
			changedFields: ['firstName', 'tags'],
		});
		expect(await polled.poll()).toEqual([]);
	});

	test('only what was chosen is emitted, and what is chosen later begins later', async () => {
		const polled = trigger({ parameters: { events: ['contactCreated'] } });
		await polled.poll();
		const id = await create();
		await add('activities', { id: 'a1', createdAt: date(0) });
		expect(told(await polled.poll())).toEqual([['contactCreated', id]]);

		await update(id, { firstName: 'Before' });
		const other = await create();
		const more = trigger({ stored: polled.stored() });
		expect(told(await more.poll())).toEqual([['contactCreated', other]]);
		await update(id, { firstName: 'After' });
		expect(told(await more.poll())).toEqual([['contactUpdated', id]]);

		const updates = trigger({ parameters: { events: ['contactUpdated'] } });
		await updates.poll();
		await create();
		const both = trigger({ stored: updates.stored(), parameters: { events: ofContacts } });
		expect(await both.poll()).toEqual([]);
	});

	test.each<[string, (record: object) => Promise<unknown>]>([
		['contactCreated', create],
		['activityAdded', async (record) => await add('activities', record)],
	])(
		'%s beyond Max Events is emitted by the next polls, the oldest first',
		async (event, store) => {
			const polled = trigger({ parameters: { events: [event], options: { maxEvents: 2 } } });
			await polled.poll();
			const dates = [1, 2, 3, 4, 5].map((index) => date(2e12 + index));
			for (const createdAt of dates) await store({ createdAt });
			const polls = [await polled.poll(), await polled.poll(), await polled.poll()];
			expect(polls.map((events) => events.length)).toEqual([2, 2, 1]);
			expect(polls.flat().map(({ record }) => record.createdAt)).toEqual(dates);
			expect(await polled.poll()).toEqual([]);
		},
	);

	test('a new contact comes out although each poll has more activities than Max Events', async () => {
		const polled = trigger({ parameters: { options: { maxEvents: 5 } } });
		await polled.poll();
		const id = await create();
		const events: string[] = [];
		for (let round = 1; round <= 3; round++) {
			for (let one = 1; one <= 6; one++)
				await add('activities', { id: `a${round}${one}`, createdAt: date(round * 100 + one) });
			events.push(...told(await polled.poll()).map(String));
		}
		expect(events).toHaveLength(15);
		expect(events).toContain(`contactCreated,${id}`);
	});

	test.each([
		['activityAdded', 'activities', [2, 0, 0, 0, 0, 0, 0, 0]],
		['taskOverdue', 'tasks', [2, 0, 0, 0, 1, 0, 0, 1]],
	])('%s: only a changed task that comes back is an event again', async (event, name, expected) => {
		const polled = trigger({ parameters: { events: [event] } });
		const show = async (records: object[]) =>
			await sandbox.control('PUT', `/records/${name}`, { records });
		const tasks = [1, 2].map((n) => ({ id: `t${n}`, createdAt: date(0), dueAt: date(n) }));
		await show([]);
		await polled.poll();
		const polls = [];
		const [third, fourth] = [3, 4].map((n) => [{ ...tasks[0], dueAt: date(n) }]);
		for (const records of [tasks, [], tasks, [], third, third, [], fourth]) {
			await show(records);
			polls.push(await polled.poll());
		}
		expect(polls.map((events) => events.length)).toEqual(expected);
		const keys = polls.flat().map(({ key }) => key);
		expect(new Set(keys).size).toBe(keys.length);
	});

	test('contacts that match the search are emitted, and another search begins again', async () => {
		const searching = (search: string) => ({ events: ofContacts, options: { search } });
		const polled = trigger({ parameters: searching('kline') });
		await polled.poll();
		const id = await create({ lastName: 'Kline' });
		const other = await create({ lastName: 'Other' });
		expect(told(await polled.poll())).toEqual([['contactCreated', id]]);
		const another = trigger({ stored: polled.stored(), parameters: searching('other') });
		expect(await another.poll()).toEqual([]);
		await update(other, { firstName: 'Ada' });
		expect(told(await another.poll())).toEqual([['contactUpdated', other]]);
		const without = trigger({ stored: another.stored(), parameters: { events: ofContacts } });
		expect(await without.poll()).toEqual([]);
	});

	test('with Watched Fields, an update of other fields alone is remembered without an event', async () => {
		const id = await create({ tags: ['a'] });
		const parameters = { events: ofContacts, options: { fields: ['tags', 'source'] } };
		const polled = trigger({ parameters });
		await polled.poll();
		await update(id, { firstName: 'Maya' });
		expect(await polled.poll()).toEqual([]);
		await update(id, { lastName: 'Lee', tags: ['b', 'a'] });
		const [updated] = await polled.poll();
		expect(updated).toMatchObject({ event: 'contactUpdated', changedFields: ['lastName', 'tags'] });
		const other = await create();
		expect(told(await polled.poll())).toEqual([['contactCreated', other]]);
		const all = trigger({ stored: polled.stored(), parameters: { events: ofContacts } });
		expect(await all.poll()).toEqual([]);
	});

	test('writing the values that are there already is no event', async () => {
		const id = await create({ firstName: 'Maya', tags: ['a', 'b'] });
		const polled = trigger({ parameters: { events: ofContacts } });
		await polled.poll();
		await update(id, { firstName: 'Maya', tags: ['b', 'a'] });
		expect(await polled.poll()).toEqual([]);
		await update(id, { tags: ['a'] });
		expect(await polled.poll()).toMatchObject([{ changedFields: ['tags'] }]);
	});

	test.each(['', ' '])(
		'an empty search is refused, because it would match all contacts: %j',
		async (search) => {
			const polled = trigger({ parameters: { events: ofContacts, options: { search } } });
			await expect(polled.poll()).rejects.toThrow("'Search' is empty");
		},
	);

	test('Simplify leaves ten fields of a contact', async () => {
		const polled = trigger({ parameters: { simplify: true } });
		await polled.poll();
		await create();
		await add('activities', { id: 'a1', createdAt: date(0), text: 'Called' });
		const [activity, contact] = await polled.poll();
		expect(Object.keys(contact.record)).toHaveLength(10);
		expect(activity.record).toMatchObject({ id: 'a1', text: 'Called' });
	});

	test('without Max Events, all new records come out in one poll', async () => {
		const polled = trigger();
		await polled.poll();
		const records = Array.from({ length: 150 }, (_, index) => ({
			...{ id: `a${index}`, createdAt: date(index) },
		}));
		await sandbox.control('PUT', '/records/activities', { records });
		expect(await polled.poll()).toHaveLength(150);
	});
});

describe('the key of an event', () => {
	test('an event that n8n emits again after a crash has the same key, and each other event another one', async () => {
		const polled = trigger();
		await polled.poll();
		const stored = polled.stored();
		const id = await create();
		await add('activities', { createdAt: date(0), text: 'Called' });
		await add('tasks', { id: 't1', createdAt: date(0), dueAt: date(1) });
		const first = await polled.poll();
		const again = await trigger({ stored }).poll();
		expect(again).toEqual(first);
		const [other] = await trigger({ stored, workflowId: 'other' }).poll();
		expect(first.map(({ key }) => key)).not.toContain(other.key);
		await update(id, { firstName: 'Maya' });
		const keys = [...first, ...(await polled.poll())].map(({ key }) => key);
		expect(new Set(keys).size).toBe(4);
	});

	test('each update has another key, also one back to earlier values, even without dates', async () => {
		await variants({ timestamps: 'absent' });
		const polled = trigger({ parameters: { events: ofContacts } });
		const id = await create({ firstName: 'One' });
		await polled.poll();
		const keys = new Set<string>();
		for (const firstName of ['Two', 'One', 'Two', 'One']) {
			await update(id, { firstName });
			for (const { key } of await polled.poll()) keys.add(key);
		}
		expect(keys.size).toBe(4);
	});
});

test('a value that turns from null to absent or empty is no update', async () => {
	const polled = trigger({ parameters: { events: ofContacts } });
	for (const missingValues of ['null', 'absent', 'empty']) {
		await variants({ missingValues });
		expect(await polled.poll()).toEqual([]);
	}
});

describe('bad input', () => {
	test('a collection that shrinks to nothing and comes back emits nothing', async () => {
		const polled = trigger({ parameters: { events: [...ofContacts, 'activityAdded'] } });
		await polled.poll();
		const { data: contacts } = await sandbox.control('GET', '/contacts');
		const { data: records } = await sandbox.control('GET', '/records/activities');
		await sandbox.control('PUT', '/contacts', { contacts: [] });
		await sandbox.control('PUT', '/records/activities', { records: [] });
		expect(await polled.poll()).toEqual([]);
		await sandbox.control('PUT', '/contacts', { contacts });
		await sandbox.control('PUT', '/records/activities', { records });
		expect(await polled.poll()).toEqual([]);
	});

	// Interface: OPEN-10.
	test.each([{}, { id: '' }, { id: null }])(
		'a record without an ID fails the poll, because it would be emitted again and again: %j',
		async (id) => {
			const body = { data: [{ id: 1 }, { text: 'Called', ...id }] };
			await sandbox.control('POST', '/faults', { kind: 'body', status: 200, body, next: 1 });
			const polled = trigger({ parameters: { events: ['activityAdded'] } });
			await expect(polled.poll()).rejects.toThrow('has no ID');
		},
	);

	test('more than 50,000 contacts are an error that names Search, and nothing is stored', async () => {
		const meta = { pagination: { totalCount: 50_001, totalPages: 501 } };
		const body = { data: [{ id: 'c1' }], meta };
		await sandbox.control('POST', '/faults', { kind: 'body', status: 200, body, next: 1 });
		const polled = trigger({ parameters: { events: ofContacts } });
		await expect(polled.poll()).rejects.toMatchObject({
			message: 'There are more than 50,000 contacts',
			description: expect.stringContaining("the option 'Search'"),
		});
		expect(polled.stored()).toEqual({ 'node:CRM Workspace Trigger': {} });
	});

	test.each([
		['text', () => 'text'],
		['of a later version', (state: object) => ({ ...state, version: 4 })],
		[
			'cut',
			({ contacts, ...state }: any) => ({ ...state, contacts: { ...contacts, snapshot: 1 } }),
		],
	])(
		'a stored state that is unreadable is left alone, and the error says so: %s',
		async (_, spoil) => {
			const polled = trigger();
			await polled.poll();
			const name = 'node:CRM Workspace Trigger';
			const { [name]: node } = polled.stored() as { [name]: { state: object } };
			const stored = { [name]: { state: spoil(node.state) } } as PolledNode['stored'];
			const spoilt = trigger({ stored });
			await expect(spoilt.poll()).rejects.toThrow("This version can't read");
			expect(spoilt.stored()).toEqual(stored);
		},
	);
});

describe('failures', () => {
	test('two polls never run at once', async () => {
		const polled = trigger();
		await polled.poll();
		await create();
		await sandbox.control('POST', '/faults', { kind: 'delay', delayMs: 300 });
		const [one, other] = await Promise.all([polled.poll(), polled.poll()]);
		expect([one.length, other.length]).toEqual([1, 0]);
	});

	test('a poll that can read the tasks but not the contacts fails, and the next one emits both', async () => {
		const polled = trigger();
		await polled.poll();
		const id = await create();
		await add('tasks', { id: 't1', createdAt: date(0), dueAt: date(1) });
		const fault = { kind: 'status', status: 500, path: '/contacts', probability: 1 };
		await sandbox.control('POST', '/faults', fault);
		// Retries follow at once.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		await expect(polled.poll()).rejects.toThrow("Contacts weren't read");
		await sandbox.control('DELETE', '/faults');
		expect(told(await polled.poll()).sort()).toEqual([
			['contactCreated', id],
			['taskOverdue', 't1'],
		]);
	});

	test('an event that could not be put out is not remembered: the next poll emits it', async () => {
		const polled = trigger();
		await polled.poll();
		const before = polled.stored();
		const id = await create();
		jest.spyOn(Date.prototype, 'toISOString').mockImplementationOnce(() => {
			throw new Error('no text of this date');
		});
		await expect(polled.poll()).rejects.toThrow('no text of this date');
		expect(polled.stored()).toEqual(before);
		expect(told(await polled.poll())).toEqual([['contactCreated', id]]);
	});

	test('a service that is down for ten polls loses nothing, and brings no storm', async () => {
		const polled = trigger();
		await polled.poll();
		const before = polled.stored();
		await sandbox.control('POST', '/faults', { kind: 'status', status: 501, next: 10 });
		for (let index = 0; index < 10; index++) {
			if (index === 3) await create();
			await expect(polled.poll()).rejects.toThrow();
			expect(polled.stored()).toEqual(before);
		}
		await sandbox.control('DELETE', '/requests');
		expect(await polled.poll()).toHaveLength(1);
		expect(await requests()).toBe(3);
	});

	test('a key of another workspace begins again, a new key of the same goes on', async () => {
		const contacts = (from: number, count: number) =>
			Array.from({ length: count }, (_, index) => ({ id: `c${from + index}` }));
		let held: object[] = [];
		const service = await startJsonServer(() => onePage(held));
		const polled = async (apiKey: string, now: object[], stored?: IDataObject) => {
			held = now;
			const credential = { baseUrl: service.baseUrl, apiKey, requestsPerMinute: 6000 };
			const one = trigger({ credential, parameters: { events: ['contactCreated'] }, stored });
			return { events: await one.poll(), stored: one.stored() };
		};
		const { stored } = await polled('sk_test_one', contacts(0, 5));
		expect((await polled('sk_test_two', contacts(0, 6), stored)).events).toHaveLength(1);
		const other = await polled('sk_test_two', contacts(100, 6), stored);
		expect(other.events).toHaveLength(0);
		const later = await polled('sk_test_two', contacts(100, 7), other.stored);
		expect(later.events).toHaveLength(1);
		// An empty response doesn't show whose key it is.
		const empty = await polled('sk_test_two', [], stored);
		expect((await polled('sk_test_two', contacts(100, 6), empty.stored)).events).toHaveLength(0);
		expect((await polled('sk_test_two', contacts(0, 6), empty.stored)).events).toHaveLength(1);
		await service.stop();
	});

	test('a new key of the same workspace loses nothing if one collection has only new records', async () => {
		const events = ['contactCreated', 'taskOverdue'];
		const tasks: object[] = [];
		const service = await startJsonServer(({ path }) =>
			path === '/contacts' ? onePage([{ id: 'c1' }]) : { data: tasks },
		);
		const pollWith = async (apiKey: string, stored?: IDataObject) => {
			const credential = { baseUrl: service.baseUrl, apiKey };
			const polled = trigger({ credential, parameters: { events }, stored });
			return { events: told(await polled.poll()), stored: polled.stored() };
		};
		const { stored } = await pollWith('sk_test_old');
		tasks.push({ id: 't1' });
		expect((await pollWith('sk_test_new', stored)).events).toEqual([['taskOverdue', 't1']]);
		await service.stop();
	});

	test.each([
		['contactCreated', '/contacts'],
		['taskOverdue', '/tasks/overdue'],
	])(
		'a poll without time for the second collection loses none of its events: %s',
		async (event, slow) => {
			const held: object[] = [{ id: '1' }];
			let isSlow = false;
			const wait = httpAnswer('{}', { status: 429, headers: { 'retry-after': '300' } });
			const service = await startJsonServer(({ path }) => {
				if (path === slow) return isSlow ? wait : onePage(held);
				return { data: [] };
			});
			const credential = { baseUrl: service.baseUrl, apiKey: `sk_test_slow${event}` };
			const parameters = { events: ['activityAdded', event] };
			const first = trigger({ credential, parameters });
			await first.poll();
			held.push({ id: '2' });
			isSlow = true;
			const hurried = trigger({ credential, parameters, stored: first.stored(), budget: 9_000 });
			expect(await hurried.poll()).toEqual([]);
			isSlow = false;
			const now = performance.now;
			performance.now = () => now() + 600_000;
			const last = trigger({ credential, parameters, stored: hurried.stored() });
			expect(told(await last.poll())).toEqual([[event, '2']]);
			await service.stop();
		},
	);

	test.each([400, 404])('a poll whose contacts are rejected with %i fails', async (status) => {
		const polled = trigger();
		await polled.poll();
		await sandbox.control('POST', '/faults', { kind: 'status', status, path: '/contacts' });
		await expect(polled.poll()).rejects.toThrow("Contacts weren't read");
	});

	test('a contact that is created early in a first poll of minutes is an event of the next', async () => {
		const begun = Date.UTC(2030, 0, 1);
		const contacts = Array.from({ length: 199 }, (_, index) => ({ id: `c${index}` }) as object);
		const service = await startJsonServer(({ query }) => {
			const page = Number(query.get('page'));
			const answer = httpAnswer(
				JSON.stringify({
					data: contacts.slice(page * 100 - 100, page * 100),
					meta: { pagination: { page, limit: 100, totalCount: contacts.length, totalPages: 2 } },
				}),
				{ headers: { date: new Date(begun + page * 100_000).toUTCString() } },
			);
			const isFirst = contacts.length === 199;
			if (isFirst) contacts.unshift({ id: 'new', createdAt: date(begun + 110_000) });
			return answer;
		});
		const credential = {
			baseUrl: service.baseUrl,
			...{ apiKey: 'sk_test_minutes', requestsPerMinute: 100_000 },
		};
		const polled = trigger({ credential, parameters: { events: ['contactCreated'] } });
		expect(await polled.poll()).toEqual([]);
		expect(told(await polled.poll())).toEqual([['contactCreated', 'new']]);
		await service.stop();
	});

	test('contacts on a page that the service rejects at first are no events later', async () => {
		let isRejected = true;
		const service = await startJsonServer(({ query }) => {
			const page = Number(query.get('page'));
			if (page === 3 && isRejected) return httpAnswer('{}', { status: 404 });
			const pagination = { page, limit: 100, totalCount: 300, totalPages: 3 };
			const data = Array.from({ length: 100 }, (_, index) => ({ id: `c${page} ${index}` }));
			return { data, meta: { pagination } };
		});
		const credential = {
			baseUrl: service.baseUrl,
			apiKey: 'sk_test_rejects',
			requestsPerMinute: 6000,
		};
		const polled = trigger({ credential, parameters: { events: ['contactCreated'] } });
		const counts = [];
		for (isRejected of [true, true, false]) counts.push((await polled.poll()).length);
		expect(counts).toEqual([0, 0, 0]);
		await service.stop();
	});

	test('the API key is stored nowhere, even if a contact has it in a field', async () => {
		const polled = trigger();
		await polled.poll();
		await create({ notes: sandbox.testKey });
		await polled.poll();
		expect(JSON.stringify(polled.stored())).not.toContain(sandbox.testKey.slice(8));
	});
});

describe('requests', () => {
	test('a list sorted by update takes one request for contacts, once the order is known', async () => {
		await sandbox.control('POST', '/seed', { contacts: 450 });
		await variants({ listOrder: 'updatedDescending' });
		const polled = trigger({ parameters: { events: ofContacts } });
		await polled.poll();
		const { data: contacts } = await sandbox.control('GET', '/contacts');
		await sandbox.control('DELETE', '/requests');
		const created = await create();
		await update(contacts[200].id, { firstName: 'Maya' });
		expect(told(await polled.poll()).sort()).toEqual([
			['contactCreated', created],
			['contactUpdated', contacts[200].id],
		]);
		expect(await requests()).toBeLessThanOrEqual(2);
	});
});

test('an update of an old contact is emitted at once although no contact was ever updated', async () => {
	const contacts = Array.from({ length: 250 }, (_, index) => {
		const createdAt = date(1e12 + index * 1000);
		return { email: `${index}@example.com`, createdAt, updatedAt: createdAt };
	});
	await sandbox.control('PUT', '/contacts', { contacts });
	const polled = trigger({ parameters: { events: ofContacts } });
	await polled.poll();
	await polled.poll();
	const { data } = await sandbox.control('GET', '/contacts');
	await update(data[10].id, { firstName: 'Maya' });
	expect(told(await polled.poll())).toEqual([['contactUpdated', data[10].id]]);
});

describe('Fetch Test Event', () => {
	test('Fetch Test Event shows the newest record of each chosen event, and stores nothing', async () => {
		const polled = trigger();
		await polled.poll();
		const before = polled.stored();
		const id = await create({ createdAt: date(2e12) });
		const updated = await create({ updatedAt: date(2.1e12) });
		await add('activities', { id: 'a1', createdAt: date(2e12) });
		await add('tasks', { id: 't1', createdAt: date(2e12), dueAt: date(1), completedAt: null });
		const shown = await polled.poll('manual');
		expect(told(shown)).toEqual([
			['contactCreated', id],
			['contactUpdated', updated],
			['activityAdded', 'a1'],
			['taskOverdue', 't1'],
		]);
		expect(shown.map(({ eventTime }) => eventTime)).toEqual([
			...[date(2e12), date(2.1e12), date(2e12)],
			undefined,
		]);
		expect(Object.keys(shown[1])).toEqual([
			...['event', 'key', 'eventTime', 'record', 'changedFields'],
		]);
		expect(polled.stored()).toEqual(before);
		const keys = (await polled.poll()).map(({ key }) => key);
		expect(keys).toContain(shown[0].key);
	});

	test.each([
		[{}, contactFieldNames],
		[{ fields: ['email', 'tags'] }, ['email', 'tags']],
	])(
		'Fetch Test Event shows an update as if all watched fields had changed: %j',
		async (options, fields) => {
			const polled = trigger({ parameters: { events: ['contactUpdated'], options } });
			const [{ changedFields }] = await polled.poll('manual');
			expect(changedFields).toEqual(fields);
		},
	);
});

test('two triggers of a workflow that have the same node ID both poll', async () => {
	const [one, other] = ['One', 'Other'].map((name) => trigger({ name }));
	await Promise.all([one.poll(), other.poll()]);
	await create();
	const both = await Promise.all([one.poll(), other.poll()]);
	expect(both.map((events) => events.length)).toEqual([1, 1]);
});

test('a poll for which the service asks to wait blames no other requests', async () => {
	const wait = httpAnswer('{}', { status: 429, headers: { 'retry-after': '300' } });
	const server = await startJsonServer(() => wait);
	const credential = { baseUrl: server.baseUrl, apiKey: 'sk_test_waits' };
	const polled = trigger({ credential, budget: 6_000 });
	await polled.poll().catch(() => undefined);
	const error = await polled.poll().catch((thrown: unknown) => thrown);
	expect(error).toMatchObject({
		message: "Activities weren't read: the service is throttling this API key",
		description: expect.stringMatching(/^Try again in \d+ (?:s|min)\.$/),
	});
	await server.stop();
});

test('a poll that the rate limit leaves no room says so', async () => {
	// A key of its own, because no one gets anywhere with it for a minute.
	const server = await startJsonServer(() => ({ data: [] }));
	const credential = { baseUrl: server.baseUrl, apiKey: 'sk_test_busy', requestsPerMinute: 1 };
	const parameters = { events: ['taskOverdue'] };
	await trigger({ credential, parameters }).poll();
	const busy = trigger({ credential, parameters, budget: 6_000 });
	await expect(busy.poll()).rejects.toThrow('are using up the rate limit');
	await server.stop();
});
