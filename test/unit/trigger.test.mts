import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { digestContact, ContactSnapshot } from '../../nodes/CrmWorkspace/trigger/contactSnapshot';
import { ContactWatch, type StoredContacts } from '../../nodes/CrmWorkspace/trigger/contactWatch';
import {
	computeEventKey,
	selectEvents,
	type EventName,
	type PendingEvent,
} from '../../nodes/CrmWorkspace/trigger/events';
import { detectOrders } from '../../nodes/CrmWorkspace/trigger/contactReader';
import { RecordWatch, type StoredRecords } from '../../nodes/CrmWorkspace/trigger/recordWatch';
import type { Client, JsonObject } from '../../nodes/CrmWorkspace/client/request';
import {
	Cancelled,
	RequestFailure,
	type FailureDetails,
} from '../../nodes/CrmWorkspace/client/failure';

const now = Date.UTC(2030, 0, 1);
const date = (moment: number) => new Date(moment).toISOString();

type Fields = JsonObject;

const contact = (
	id: string,
	{ createdAt = now, updatedAt = createdAt, ...fields }: Fields = {},
) => ({
	...{ id, email: `${id}@example.com`, ...fields },
	...{ createdAt: date(createdAt as number), updatedAt: date(updatedAt as number) },
});

const stored = (snapshot: ContactSnapshot) => new ContactSnapshot(true, snapshot.stored());

function remembering(contacts: Fields[]): ContactSnapshot {
	const snapshot = new ContactSnapshot(true);
	for (const one of contacts) snapshot.remember(digestContact(one));
	return stored(snapshot);
}

const changeOf = (snapshot: ContactSnapshot, one: Fields) =>
	snapshot.changedFields(digestContact(one));

describe('a snapshot of contacts', () => {
	it('shows which fields differ, whatever the date', () => {
		const changed = contact('a', { createdAt: 0, tags: ['x'] });
		expect(changeOf(remembering([contact('a')]), changed)).toEqual(['tags']);
	});

	it.each<[string, Fields, Fields]>([
		['dates are no longer shown', contact('a'), { id: 'a', email: 'a@example.com' }],
		[
			'dates are shown at last',
			{ id: 'a', email: 'a@example.com' },
			contact('a', { createdAt: 1 }),
		],
		['only the date is later', contact('a'), contact('a', { updatedAt: now + 5_000 })],
		[
			'tags are in another order',
			{ id: 'a', tags: ['x', 'y'] },
			{ id: 'a', tags: ['y', 'x', 'y'] },
		],
		['there is none in another way', { id: 'a', notes: '', tags: [] }, { id: 'a', phone: null }],
	])('shows no difference if %s', (_, before, after) => {
		expect(changeOf(remembering([before]), after)).toEqual([]);
	});

	it('knows only which contacts there are where no updates are looked for', () => {
		const snapshot = new ContactSnapshot(false, remembering([contact('a')]).stored());
		snapshot.remember(digestContact(contact('b')));
		expect(snapshot.stored()).toHaveLength(8 + 1 + 8);
		const later = stored(snapshot);
		expect(later.has(digestContact(contact('a')))).toBe(true);
		expect(changeOf(later, contact('a', { firstName: 'Maya' }))).toEqual([]);
	});

	it('forgets what was seen longest ago beyond 60,000', () => {
		const snapshot = new ContactSnapshot(true);
		const some = Array.from({ length: 60_002 }, (_, index) => ({ id: `c${index}` }));
		for (const one of some) snapshot.remember(digestContact(one));
		snapshot.remember(digestContact(some[0]));
		const kept = stored(snapshot);
		expect(some.filter((one) => !kept.has(digestContact(one)))).toEqual([some[1], some[2]]);
	});
});

describe('the orders of a list', () => {
	const dated = (count: number, createdAt: (index: number) => number) =>
		Array.from({ length: count }, (_, index) =>
			digestContact({ createdAt: date(createdAt(index)), updatedAt: date(now) }),
		);

	it.each([
		['too few', dated(12, (index) => index), []],
		['rising', dated(13, (index) => index), [{ date: 'createdAt', isNewestFirst: false }]],
		['falling', dated(13, (index) => now - index), [{ date: 'createdAt', isNewestFirst: true }]],
		['none', dated(20, (index) => index % 7), []],
	])('%s', (_, contacts, orders) => {
		expect(detectOrders(contacts)).toEqual(orders);
	});
});

describe('a collection that is answered whole', () => {
	async function poll(
		event: 'activityAdded' | 'taskOverdue',
		records: Fields[],
		before?: StoredRecords,
	) {
		const watch = new RecordWatch(event, before);
		const connection = { request: async () => records } as unknown as Client;
		await watch.read(connection);
		const events = await watch.findEvents();
		for (const { remember } of events) remember();
		return { events, stored: JSON.parse(JSON.stringify(watch.stored())) as StoredRecords };
	}

	it('has a record of an id once', async () => {
		const { stored } = await poll('activityAdded', []);
		const first = await poll('activityAdded', [{ id: 1 }, { id: '1' }, { id: 2 }], stored);
		expect(first.events).toHaveLength(2);
		const next = await poll('activityAdded', [{ id: 3 }, { id: 1 }, { id: 2 }], first.stored);
		expect(next.events).toHaveLength(1);
	});

	// Interface: OPEN-10.
	it.each([{}, { id: '' }, { id: null }])(
		'is refused if a record has no id: %j',
		async (record) => {
			const records = [{ id: 1 }, { text: 'Called', ...record }];
			await expect(poll('activityAdded', records)).rejects.toThrow('has no ID');
		},
	);

	it.each([
		['activityAdded', [1, 0, 0]],
		['taskOverdue', [1, 0, 1]],
	] as const)('emits %s that come back %j, once as it was', async (collection, expected) => {
		let { stored } = await poll(collection, []);
		const keys: unknown[] = [];
		const counts: number[] = [];
		const [task, changed] = [{ id: 1 }, { id: 1, dueAt: '2026-12-01' }];
		for (const records of [[task], [], [task], [], [changed]]) {
			const polled = await poll(collection, records, stored);
			({ stored } = polled);
			if (records.length > 0) counts.push(polled.events.length);
			keys.push(...polled.events.map(({ parts }) => JSON.stringify(parts)));
		}
		expect(counts).toEqual(expected);
		expect(new Set(keys).size).toBe(keys.length);
	});
});

const notFound: FailureDetails = {
	...{ kind: 'status', statusCode: 404, outcome: 'Not read', host: 'x', mode: 'test' },
	...{ attempts: 1, isOutcomeUnknown: false },
};

describe('a pass through the list', () => {
	const recordsOf = (page: number) =>
		Array.from({ length: 100 }, (_, index) => contact(`${page} ${index}`, { createdAt: 0 }));
	const before: StoredContacts = {
		...{ search: '', events: ['contactCreated'], snapshot: '', began: 0, passes: 1 },
		...{ page: 1, pageCount: 4, passedAt: 0, polledAt: now, orders: [] },
	};

	/** A list of four pages, of which a poll has the time to read some. */
	async function poll(
		pages: number,
		given: Partial<StoredContacts> = {},
		{ limit = Infinity, events = ['contactCreated'] as EventName[], lastPage = 4 } = {},
	) {
		const asked: number[] = [];
		const request = async ({ query: { page } }: { query: { page: number } }) => {
			if (asked.length >= pages) throw new Cancelled(false);
			asked.push(page);
			if (page > lastPage) throw new RequestFailure(notFound);
			return { records: recordsOf(page), totalCount: 400, totalPages: 4 };
		};
		const connection = { request } as unknown as Client;
		const watch = new ContactWatch({ events, search: '', fields: [] }, { ...before, ...given });
		await watch.read(connection, false);
		const told = (await watch.findEvents()).slice(0, limit);
		for (const { remember } of told) remember();
		return { asked, told, stored: watch.stored()! };
	}

	beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(now));
	afterEach(() => void jest.restoreAllMocks());

	it.each([
		[1, 3, [1, 2, 3], { page: 4, passedAt: 0 }],
		[1, 4, [1, 2, 3, 4], { page: 1, passedAt: now }],
		[3, 1, [3], { page: 4, passedAt: 0 }],
		[3, 9, [3, 4], { page: 1, passedAt: now }],
		[5, 9, [5], { page: 1, passedAt: now }],
	])('from page %d, with time for %d of 4: %j', async (page, pages, asked, end) => {
		const polled = await poll(pages, { page });
		expect(polled.asked).toEqual(asked);
		expect(polled.stored).toMatchObject(end);
	});

	it('that a service rejects within the list is none that shows all contacts', async () => {
		const { asked, stored } = await poll(9, { passes: 0 }, { lastPage: 2 });
		expect(asked).toEqual([1, 2, 3]);
		expect(stored).toMatchObject({ page: 1, passes: 0 });
	});

	it('stays on pages until all of their events are emitted', async () => {
		expect((await poll(2, { page: 3 }, { limit: 99 })).stored).toMatchObject({
			page: 3,
			passedAt: 0,
		});
	});

	it('is stored as it was where there was no time for a page', async () => {
		await expect(poll(0)).rejects.toThrow(Cancelled);
	});

	it.each([
		[true, [1]],
		[false, [4]],
	])(
		'is not read of a list with the newest first: %j, but its new end',
		async (isNewestFirst, asked) => {
			const snapshot = remembering([1, 2, 3, 4].flatMap(recordsOf)).stored();
			const orders = [{ date: 'updatedAt' as const, isNewestFirst }];
			const given = { snapshot, orders, passedAt: now, passes: 2 };
			expect((await poll(9, given)).asked).toEqual(asked);
			const isDue = await poll(9, { ...given, passedAt: now - 3_600_001 });
			expect(isDue.asked).toEqual([1, 2, 3, 4]);
		},
	);

	it.each([
		['on', true, [3, 4], [1, 2, 3]],
		['in full with the oldest first,', false, [1, 2], [4, 1, 2, 3, 4]],
	])('goes %s as long as there is news', async (_how, isNewestFirst, known, asked) => {
		const snapshot = remembering(known.flatMap(recordsOf)).stored();
		const orders = [{ date: 'createdAt' as const, isNewestFirst }];
		const polled = await poll(9, { snapshot, orders, passedAt: now, passes: 2 });
		expect(polled.asked).toEqual(asked);
		expect(polled.told).toHaveLength(200);
	});

	it.each([
		['grown by a page', 3, [3, 4]],
		['shrunk by a page, which the service rejects', 5, [5, 1, 2, 3, 4]],
	])('of a list with the oldest first that has %s', async (_how, pageCount, asked) => {
		const snapshot = remembering([1, 2, 3].flatMap(recordsOf)).stored();
		const orders = [{ date: 'createdAt' as const, isNewestFirst: false }];
		const polled = await poll(9, { snapshot, orders, pageCount, passedAt: now, passes: 2 });
		expect(polled.asked).toEqual(asked);
		expect(polled.told).toHaveLength(100);
	});

	it.each([
		[1, 0],
		[2, 400],
	])('after %d passes, emits %d contacts older than the trigger', async (passes, count) => {
		expect((await poll(9, { began: now, passes })).told).toHaveLength(count);
	});

	it('of a list without a fixed order emits no old contact that a pass has not shown', async () => {
		let stored: StoredContacts | undefined;
		const shown = [recordsOf(1), recordsOf(1)];
		const request = async ({ query: { page } }: { query: { page: number } }) => {
			return { records: shown[page - 1], totalCount: 200, totalPages: 2 };
		};
		const told = [];
		for (const second of [1, 1, 1, 2, 3]) {
			shown[1] = recordsOf(second);
			const settings = { events: ['contactCreated'] as EventName[], search: '', fields: [] };
			const watch = new ContactWatch(settings, stored);
			await watch.read({ request } as unknown as Client, false);
			const events = await watch.findEvents();
			for (const { remember } of events) remember();
			told.push(events.length);
			stored = watch.stored();
		}
		// Once it knows as many as there are, an unknown one is new.
		expect(told).toEqual([0, 0, 0, 0, 100]);
	});

	it('emits no update from before updates were chosen', async () => {
		const events: EventName[] = ['contactCreated', 'contactUpdated'];
		const snapshot = remembering([{ id: '1 0', firstName: 'Ada' }]).stored();
		const { told } = await poll(9, { snapshot, passes: 2 }, { events });
		expect(told.map(({ event }) => event)).not.toContain('contactUpdated');
	});
});

describe('events', () => {
	const pendingEvent = (moment: number): PendingEvent => ({
		...{ event: 'contactCreated', record: {}, date: moment, parts: [moment] },
		remember: () => {},
	});

	const select = (events: PendingEvent[], max: number) =>
		selectEvents(events, max).map(({ event, date }) => [event, date]);

	it('come oldest first, those without a date before all others', () => {
		const moments = [5, NaN, 1, NaN, 3].map(pendingEvent);
		const dates = select(moments, Infinity).map(([, date]) => date);
		expect(dates).toEqual([NaN, NaN, 1, 3, 5]);
	});

	it('of a kind that is rare are not held up by a busy one', () => {
		const busy = [NaN, 1, 2, 3].map((date) => ({
			...pendingEvent(date),
			event: 'activityAdded' as const,
		}));
		const rare = pendingEvent(9);
		expect(select([...busy, rare], 3)).toEqual([
			['activityAdded', NaN],
			['activityAdded', 1],
			['contactCreated', 9],
		]);
		expect(select([...busy.slice(1), pendingEvent(0)], 1)).toEqual([['contactCreated', 0]]);
	});

	it('have a key for each origin', () => {
		const keys = [['w'], ['x'], ['w', 'x']].map((origin) =>
			computeEventKey(pendingEvent(1), origin),
		);
		expect(new Set(keys).size).toBe(3);
		for (const key of keys) expect(key).toMatch(/^contactCreated-[\w-]{22}$/);
	});
});
