import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { digestContact, ContactSnapshot } from '../../nodes/CrmWorkspace/trigger/contactSnapshot';
import { ContactWatch, type StoredContacts } from '../../nodes/CrmWorkspace/trigger/contactWatch';
import {
	selectEvents,
	type EventName,
	type PendingEvent,
} from '../../nodes/CrmWorkspace/trigger/events';
import { detectOrders } from '../../nodes/CrmWorkspace/trigger/contactReader';
import type { Client, JsonObject } from '../../nodes/CrmWorkspace/client/request';
import {
	Cancelled,
	RequestFailure,
	type FailureDetails,
} from '../../nodes/CrmWorkspace/client/failure';

const now = Date.UTC(2030, 0, 1);
const date = (moment: number) => new Date(moment).toISOString();

const contact = (id: string, fields: JsonObject = {}): JsonObject => ({
	...{ id, email: `${id}@example.com`, createdAt: date(0), updatedAt: date(0), ...fields },
});

const stored = (snapshot: ContactSnapshot) => new ContactSnapshot(true, snapshot.stored());

function remembering(contacts: JsonObject[]): ContactSnapshot {
	const snapshot = new ContactSnapshot(true);
	for (const one of contacts) snapshot.remember(digestContact(one));
	return stored(snapshot);
}

describe('a snapshot of contacts', () => {
	test('without updates to look for, a snapshot stores eight characters a contact', () => {
		const snapshot = new ContactSnapshot(false, remembering([contact('a')]).stored());
		snapshot.remember(digestContact(contact('b')));
		expect(snapshot.stored()).toHaveLength(8 + 1 + 8);
		const later = stored(snapshot);
		expect(later.has(digestContact(contact('a')))).toBe(true);
		expect(later.changedFields(digestContact(contact('a', { firstName: 'Maya' })))).toEqual([]);
	});

	test('beyond 60,000 contacts, a snapshot forgets those that were seen longest ago', () => {
		const snapshot = new ContactSnapshot(true);
		const some = Array.from({ length: 60_002 }, (_, index) => ({ id: `c${index}` }));
		for (const one of some) snapshot.remember(digestContact(one));
		snapshot.remember(digestContact(some[0]));
		const kept = stored(snapshot);
		expect(some.filter((one) => !kept.has(digestContact(one)))).toEqual([some[1], some[2]]);
	});
});

describe('the order of a list by date is detected', () => {
	const dated = (count: number, createdAt: (index: number) => number) =>
		Array.from({ length: count }, (_, index) =>
			digestContact({ createdAt: date(createdAt(index)), updatedAt: date(now) }),
		);

	test.each([
		['too few', dated(12, (index) => index), []],
		['rising', dated(13, (index) => index), [{ date: 'createdAt', isNewestFirst: false }]],
		['falling', dated(13, (index) => now - index), [{ date: 'createdAt', isNewestFirst: true }]],
		['none', dated(20, (index) => index % 7), []],
	])('%s', (_, contacts, orders) => {
		expect(detectOrders(contacts)).toEqual(orders);
	});
});

const notFound: FailureDetails = {
	...{ kind: 'status', statusCode: 404, outcome: 'Not read', host: 'x', mode: 'test' },
	...{ attempts: 1, isOutcomeUnknown: false },
};

describe('a pass through the contacts', () => {
	const recordsOf = (page: number) =>
		Array.from({ length: 100 }, (_, index) => contact(`${page} ${index}`));
	const settings = { events: ['contactCreated'] as EventName[], search: '', fields: [] };
	const before: StoredContacts = {
		...{ ...settings, snapshot: '', began: 0, passes: 1 },
		...{ page: 1, pageCount: 4, passedAt: 0, polledAt: now, orders: [] },
	};

	/** A list of four pages, of which a poll has the time to read some. */
	async function poll(
		pages: number,
		given: Partial<StoredContacts> = {},
		{
			limit = Infinity,
			lastPage = 4,
			events = settings.events,
			totalCount = (_page: number): number => 400,
			asOf = (_page: number): number | undefined => undefined,
		} = {},
	) {
		const asked: number[] = [];
		const request = async ({ query: { page } }: { query: { page: number } }) => {
			if (asked.length >= pages) throw new Cancelled(false);
			asked.push(page);
			if (page > lastPage) throw new RequestFailure(notFound);
			const counts = { totalCount: totalCount(page), totalPages: 4 };
			return { records: recordsOf(page), ...counts, asOf: asOf(page) };
		};
		const connection = { request } as unknown as Client;
		const watch = new ContactWatch({ ...settings, events }, { ...before, ...given });
		await watch.read(connection, false);
		const emitted = (await watch.findEvents()).slice(0, limit);
		for (const { remember } of emitted) remember();
		return { asked, emitted, stored: watch.stored()! };
	}

	beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(now));
	afterEach(() => void jest.restoreAllMocks());

	test.each([
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

	test('a pass that ends at a rejected page has not shown all contacts', async () => {
		const { asked, stored } = await poll(9, { passes: 0 }, { lastPage: 2 });
		expect(asked).toEqual([1, 2, 3]);
		expect(stored).toMatchObject({ page: 1, passes: 0 });
	});

	test('a first pass during which a contact was deleted is not the last one to trust', async () => {
		const totalCount = (page: number) => (page === 1 ? 401 : 400);
		const { stored } = await poll(9, { passes: 0 }, { totalCount });
		expect(stored.passes).toBe(1);
	});

	test('once updates are chosen, a pass learns the values of all contacts', async () => {
		const snapshot = remembering([1, 2, 3, 4].flatMap(recordsOf)).stored();
		const orders = [{ date: 'updatedAt' as const, isNewestFirst: true }];
		const given = { snapshot, orders, passes: 2, passedAt: now };
		expect((await poll(9, given)).asked).toEqual([1]);
		const events: EventName[] = ['contactCreated', 'contactUpdated'];
		expect((await poll(9, given, { events })).asked).toEqual([1, 2, 3, 4]);
		expect((await poll(9, { ...given, events }, { events })).asked).toEqual([1]);
	});

	test('what is created while a poll reads page after page is later than the poll', async () => {
		const asOf = (page: number) => now + page * 300_000;
		const { stored } = await poll(4, {}, { asOf });
		expect(stored.polledAt).toBeLessThan(asOf(1));
	});

	test('a pass stays on its pages until all of their events are emitted', async () => {
		const { stored } = await poll(2, { page: 3 }, { limit: 99 });
		expect(stored).toMatchObject({ page: 3, passedAt: 0 });
	});

	test.each([
		['first', [1, 2, 3, 4], 4, [1], 0],
		['first', [3, 4], 4, [1, 2, 3], 200],
		['last', [1, 2, 3, 4], 4, [4], 0],
		['last', [1, 2], 4, [4, 1, 2, 3, 4], 200],
		// It has grown by a page, or has shrunk by one, which the service rejects.
		['last', [1, 2, 3], 3, [3, 4], 100],
		['last', [1, 2, 3], 5, [5, 1, 2, 3, 4], 100],
	])(
		'of a list with the newest %s, pages %j known, %d pages before, reads pages %j: %d events',
		async (end, known, pageCount, asked, count) => {
			const snapshot = remembering(known.flatMap(recordsOf)).stored();
			const orders = [{ date: 'createdAt' as const, isNewestFirst: end === 'first' }];
			const given = { snapshot, orders, pageCount, passes: 2 };
			const polled = await poll(9, { ...given, passedAt: now });
			expect(polled.asked).toEqual(asked);
			expect(polled.emitted).toHaveLength(count);
			const isDue = { passedAt: now - 3_600_001 };
			expect((await poll(9, { ...given, ...isDue })).asked).toEqual([1, 2, 3, 4]);
		},
	);

	test.each([
		[1, 0],
		[2, 400],
	])('after %d passes, %d contacts older than the trigger are emitted', async (passes, count) => {
		expect((await poll(9, { began: now, passes })).emitted).toHaveLength(count);
	});

	test('a list without a fixed order emits no old contact that a pass has not shown', async () => {
		let stored: StoredContacts | undefined;
		const shown = [recordsOf(1), recordsOf(1)];
		const request = async ({ query: { page } }: { query: { page: number } }) => {
			return { records: shown[page - 1], totalCount: 200, totalPages: 2 };
		};
		const counts = [];
		for (const second of [1, 1, 1, 2, 3]) {
			shown[1] = recordsOf(second);
			const watch = new ContactWatch(settings, stored);
			await watch.read({ request } as unknown as Client, false);
			const events = await watch.findEvents();
			for (const { remember } of events) remember();
			counts.push(events.length);
			stored = watch.stored();
		}
		// Once it knows as many as there are, an unknown one is new.
		expect(counts).toEqual([0, 0, 0, 0, 100]);
	});
});

test('events come out oldest first, those without a date before all others', () => {
	const events = [5, NaN, 1, NaN, 3].map(
		(moment): PendingEvent => ({
			...{ event: 'contactCreated', record: {}, date: moment, parts: [] },
			remember: () => {},
		}),
	);
	expect(selectEvents(events, Infinity).map(({ date }) => date)).toEqual([NaN, NaN, 1, 3, 5]);
});
