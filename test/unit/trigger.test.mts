import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { ContactMemory } from '../../nodes/CrmWorkspace/trigger/contacts/contactMemory';
import { summaryOf } from '../../nodes/CrmWorkspace/trigger/contacts/contactSummary';
import {
	mergedOrders,
	edgeOf,
	readPageByPage,
	type Orders,
} from '../../nodes/CrmWorkspace/trigger/contacts/contactPages';
import {
	ContactWatch,
	type ContactWatchOptions,
	type StoredContactWatch,
} from '../../nodes/CrmWorkspace/trigger/contacts/contactWatch';
import { digest } from '../../nodes/CrmWorkspace/trigger/digest';
import {
	oldestFirst,
	eventKeyOf,
	type EventName,
	type PendingEvent,
} from '../../nodes/CrmWorkspace/trigger/events';
import { digitsOf, pack, unpack, UnreadableState } from '../../nodes/CrmWorkspace/trigger/packed';
import { Cancelled } from '../../nodes/CrmWorkspace/transport/failure';
import { RecordMemory } from '../../nodes/CrmWorkspace/trigger/wholeCollections/recordMemory';
import { WholeCollectionWatch } from '../../nodes/CrmWorkspace/trigger/wholeCollections/wholeCollectionWatch';
import type { Connection } from '../../nodes/CrmWorkspace/transport/connection';
import { realClock } from '../../nodes/CrmWorkspace/transport/clock';
import type { ServiceAccess } from '../../nodes/CrmWorkspace/trigger/session';
import type { Watch } from '../../nodes/CrmWorkspace/trigger/watch';
import { readAll } from '../../nodes/CrmWorkspace/trigger/watches';

const now = Date.UTC(2030, 0, 1);
const date = (moment: number) => new Date(moment).toISOString();

type Fields = Record<string, unknown>;

const contact = (
	id: string,
	{ createdAt = now, updatedAt = createdAt, ...fields }: Fields = {},
) => ({
	...{ id, email: `${id}@example.com`, ...fields },
	...{ createdAt: date(createdAt as number), updatedAt: date(updatedAt as number) },
});

const stored = (memory: ContactMemory) => new ContactMemory(memory.stored());

function remembering(contacts: Fields[]): ContactMemory {
	const memory = new ContactMemory('');
	for (const one of contacts) memory.remember(summaryOf(one));
	return stored(memory);
}

const changeOf = (memory: ContactMemory, one: Fields) => memory.changeOf(summaryOf(one));

describe('what is stored', () => {
	it('comes back as it was', () => {
		const row = fc.uint8Array({ minLength: 6, maxLength: 6 });
		fc.assert(
			fc.property(fc.array(row), (rows) => {
				const digits = rows.map((bytes) => Buffer.from(bytes).toString('hex'));
				expect(unpack(pack(digits), 6)).toEqual(digits);
			}),
		);
	});

	it.each([undefined, null, 7, 'AAAA', {}])('is refused when it is none: %j', (stored) => {
		expect(() => unpack(stored, 6)).toThrow(UnreadableState);
	});

	it.each([
		[0, '0000'],
		[258, '0102'],
		[70_000, 'ffff'],
		[-1, '0000'],
	])('has a number in the room that there is: %d', (number, digits) => {
		expect(digitsOf(number, 2)).toBe(digits);
	});
});

describe('a digest', () => {
	it('does not depend on the order of properties, but on that of a list', () => {
		expect(digest({ a: 1, b: { c: 2, d: 3 } }, 8)).toBe(digest({ b: { d: 3, c: 2 }, a: 1 }, 8));
		expect(digest([1, 2], 8)).not.toBe(digest([2, 1], 8));
		expect(digest([['a', 1]], 8)).not.toBe(digest({ a: 1 }, 8));
	});
});

describe('a memory of contacts', () => {
	it('knows what it has seen, whatever its dates are written like', () => {
		const memory = remembering([contact('a'), contact('b')]);
		const elsewhere = { ...contact('a'), updatedAt: '2030-01-01T02:00:00+02:00' };
		expect(memory.has(summaryOf(elsewhere))).toBe(true);
		expect(changeOf(memory, elsewhere)).toBeUndefined();
		expect(memory.has(summaryOf(contact('c')))).toBe(false);
	});

	it.each<[string, Fields, string[]]>([
		['another field', contact('a', { firstName: 'Maya' }), ['firstName']],
		['a later update', contact('a', { updatedAt: now + 5_000 }), []],
		['fields, and an earlier date', contact('a', { createdAt: 0, tags: ['x'] }), ['tags']],
		[
			'some fields',
			contact('a', { firstName: 'M', tags: ['x'], notes: '' }),
			['firstName', 'tags'],
		],
	])('notices %s', (_, changed, changedFields) => {
		const change = changeOf(remembering([contact('a')]), changed);
		expect(change).toEqual({ changedFields, updates: 0 });
	});

	it.each<[string, Fields, Fields]>([
		['dates are no longer shown', contact('a'), { id: 'a', email: 'a@example.com' }],
		[
			'dates are shown at last',
			{ id: 'a', email: 'a@example.com' },
			contact('a', { createdAt: 1 }),
		],
		['dates are cut', contact('a', { createdAt: now + 7 }), contact('a')],
		['dates are cut no longer', contact('a'), contact('a', { createdAt: now + 7 })],
		[
			'tags are in another order',
			{ id: 'a', tags: ['x', 'y'] },
			{ id: 'a', tags: ['y', 'x', 'y'] },
		],
		['a letter is composed', { id: 'a', notes: 'Noe\u0308l' }, { id: 'a', notes: 'No\u00ebl' }],
		['lines end in another way', { id: 'a', notes: 'a\r\nb' }, { id: 'a', notes: 'a\nb' }],
		['a UUID is written in capitals', { id: 'a', accountId: 'AB' }, { id: 'a', accountId: 'ab' }],
		['there is none in another way', { id: 'a', notes: '', tags: [] }, { id: 'a', phone: null }],
	])('takes it for no change that %s', (_, before, after) => {
		expect(changeOf(remembering([before]), after)).toBeUndefined();
	});

	it('does not forget a date that is not shown for once', () => {
		const memory = remembering([contact('a')]);
		const { updatedAt: _, ...undated } = contact('a');
		memory.remember(summaryOf(undated));
		expect(changeOf(memory, contact('a', { updatedAt: now + 5_000 }))).toBeDefined();
	});

	it('counts the updates that were told, as far as a byte goes', () => {
		const memory = remembering([contact('a')]);
		const counts: Array<number | undefined> = [];
		for (let update = 1; update <= 257; update++) {
			const updated = contact('a', { jobTitle: String(update) });
			counts.push(changeOf(memory, updated)?.updates);
			memory.remember(summaryOf(updated), true);
		}
		expect(counts.slice(-3)).toEqual([254, 255, 0]);
		expect(changeOf(stored(memory), contact('a'))?.updates).toBe(1);
	});

	it('that was told to forget the fields knows which contacts there are, and learns them anew', () => {
		const memory = remembering([contact('a')]);
		memory.forgetFields();
		const changed = contact('a', { firstName: 'Maya', updatedAt: now + 5_000 });
		expect(memory.has(summaryOf(changed))).toBe(true);
		expect(changeOf(stored(memory), changed)).toBeUndefined();
		memory.remember(summaryOf(changed));
		expect(changeOf(memory, contact('a'))).toMatchObject({ changedFields: ['firstName'] });
	});

	it('takes 41 bytes for each, and forgets what was seen longest ago beyond 60,000', () => {
		const memory = new ContactMemory('');
		const some = Array.from({ length: 60_002 }, (_, index) => ({ id: `c${index}` }));
		for (const one of some) memory.remember(summaryOf(one));
		memory.remember(summaryOf(some[0]));
		const text = memory.stored();
		expect(Buffer.from(text, 'base64')).toHaveLength(60_000 * 41);
		const kept = new ContactMemory(text);
		expect(some.filter((one) => !kept.has(summaryOf(one)))).toEqual([some[1], some[2]]);
	});
});

describe('the edge of a list', () => {
	const ordered = (createdAt?: 'rising' | 'falling' | 'none', updatedAt?: typeof createdAt) => ({
		createdAt,
		updatedAt,
	});

	it.each([
		[ordered('none', 'falling'), true, 'first page'],
		[ordered('none', 'rising'), true, 'last page'],
		[ordered(undefined, 'rising'), true, 'last page'],
		[ordered('rising', 'none'), true, undefined],
		[ordered('falling', 'falling'), true, undefined],
		[ordered('falling', 'falling'), false, 'first page'],
		[ordered('rising', 'falling'), false, 'last page'],
		[ordered('none', 'rising'), false, 'last page'],
		[ordered(), false, undefined],
		[ordered('none', 'none'), false, undefined],
	])('%j, with updates %j: %s', (orders, withUpdates, edge) => {
		expect(edgeOf(orders, withUpdates)).toBe(edge);
	});

	it('is none where the list once shows another order than those before', () => {
		const rising = ordered('rising', 'rising');
		expect(mergedOrders(rising, ordered(undefined, 'falling'))).toEqual(ordered('rising', 'none'));
		expect(mergedOrders(ordered('none', undefined), rising)).toEqual(ordered('none', 'rising'));
	});
});

describe('a roster', () => {
	const seen = async (roster: RecordMemory, records: Fields[]) => {
		const members = await roster.seenIn(records);
		const news = members.filter((member) => !roster.isPresent(member));
		roster.noteAbsent(members);
		for (const member of members) roster.remember(member);
		return news;
	};

	it('has a record of an id once, and equal ones without an id as often as they are', async () => {
		const entry = { text: 'Called' };
		const roster = new RecordMemory();
		expect(await seen(roster, [{ id: 1 }, { id: '1' }, entry, { ...entry }])).toHaveLength(3);
		expect(await seen(roster, [entry, { id: 1 }, entry, entry])).toHaveLength(1);
	});

	it('counts how often a record has come back, also when it was stored meanwhile', async () => {
		let roster = new RecordMemory();
		const returns: number[] = [];
		for (const records of [[{ id: 1 }], [], [{ id: 1 }], [], [{ id: 1 }]]) {
			for (const member of await seen(roster, records)) returns.push(member.returns);
			roster = new RecordMemory(JSON.parse(JSON.stringify(roster.stored())));
		}
		expect(returns).toEqual([0, 1, 2]);
	});

	it('forgets what has been missing for 250 answers', async () => {
		const roster = new RecordMemory();
		await seen(roster, [{ id: 1 }]);
		for (let answer = 0; answer < 251; answer++) await seen(roster, []);
		expect(roster.size).toBe(0);
	});
});

const ofContacts: ContactWatchOptions = { events: ['contactCreated'], search: '', fields: [] };
const someContacts: StoredContactWatch = {
	...{ search: '', events: ['contactCreated'], memory: new ContactMemory().stored() },
	...{ began: 0, isProven: true, readings: 1, page: 1, lastPage: 1, readAt: 0, orders: {} },
};

describe('what there was no time to read', () => {
	const source = {} as ServiceAccess;
	const read = { read: async () => {} } as unknown as Watch;
	const noTime = {
		read: async () => {
			throw new Cancelled(false);
		},
	} as unknown as Watch;

	it('has its turn with the next poll, unless nothing could be read', async () => {
		expect(await readAll([read, noTime, read], source, false)).toEqual([read]);
		await expect(readAll([noTime, read], source, false)).rejects.toThrow(Cancelled);
	});

	it('is stored as it was, so that it is no news the next time', () => {
		expect(new WholeCollectionWatch('activities').stored()).toBeUndefined();
		const before = new RecordMemory().stored();
		expect(new WholeCollectionWatch('activities', before).stored()).toBe(before);
		expect(new ContactWatch(ofContacts, someContacts).stored()).toBe(someContacts);
	});

	it('is not kept where another record has shown that the workspace is another one', () => {
		const watch = new ContactWatch(ofContacts, someContacts);
		watch.beginAnew();
		expect(watch.stored()).toBeUndefined();
	});
});

describe('a round through the list', () => {
	const recordsOf = (page: number) =>
		Array.from({ length: 100 }, (_, index) => contact(`${page} ${index}`, { createdAt: 0 }));

	/**
	 * A list of four pages, of which a poll has the time to read some.
	 * @param counts how many contacts the first answers count; 400 unless told
	 */
	function listWithTimeFor(pages: number, counts: number[] = []) {
		const asked: number[] = [];
		const clock = jest.spyOn(realClock, 'now').mockReturnValue(0);
		const request = async ({ query: { page } }: { query: { page: number } }) => {
			if (asked.length >= pages) throw new Cancelled(false);
			const totalCount = counts[asked.length] ?? 400;
			asked.push(page);
			if (asked.length === pages) clock.mockReturnValue(1);
			return { records: recordsOf(page), totalCount };
		};
		const connection = { request } as unknown as Connection;
		const budget = { timeout: 1, deadline: 1 };
		return { access: { connection, budget, search: '' } as ServiceAccess, asked };
	}

	beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(now));
	afterEach(() => void jest.restoreAllMocks());

	it.each([
		[1, 3, [1, 2, 3], { page: 4, hasEnded: false }],
		[1, 4, [1, 2, 3, 4], { page: 1, hasEnded: true }],
		[3, 1, [3], { page: 4, hasEnded: false }],
		[3, 2, [3, 4], { page: 1, hasEnded: true }],
		[3, 9, [3, 4], { page: 1, hasEnded: true }],
		// The list has become shorter meanwhile.
		[6, 9, [6], { page: 1, hasEnded: true }],
	])('from page %d, with time for %d of 4: %j', async (start, pages, read, end) => {
		const { access, asked } = listWithTimeFor(pages);
		expect(await readPageByPage(access, start)).toMatchObject({ ...end, lastPage: 4 });
		expect(asked).toEqual(read);
	});

	/** A poll that goes on with the third page, and has room for so many events. */
	async function pollOn(
		{ access }: ReturnType<typeof listWithTimeFor>,
		{ limit = Infinity, ...more }: { limit?: number } & Partial<StoredContactWatch> = {},
	) {
		const stored = { ...someContacts, page: 3, readAt: 1, ...more };
		const watch = new ContactWatch(ofContacts, stored);
		await watch.read(access, false);
		for (const { remember } of (await watch.newEvents()).slice(0, limit)) remember();
		return watch.stored();
	}

	it('stays on pages of which not everything is told, and goes on when it is', async () => {
		expect(await pollOn(listWithTimeFor(1), { limit: 99 })).toMatchObject({ page: 3, readAt: 0 });
		expect(await pollOn(listWithTimeFor(1))).toMatchObject({ page: 4, readAt: 1 });
	});

	it('leaves the moment at which the first poll began', async () => {
		expect(await pollOn(listWithTimeFor(9))).toMatchObject({ began: someContacts.began });
	});

	/** Reads on from the first page, in a service that gives these answers, and then the last one. */
	async function readOnIn(answers: object[]) {
		const request = async () => (answers.length > 1 ? answers.shift() : answers[0]);
		const connection = { request } as unknown as Connection;
		return await readPageByPage({ ...listWithTimeFor(9).access, connection }, 1);
	}

	it.each([
		[12, undefined],
		[13, 'rising'],
	])('takes the dates of %d contacts for an order: %s', async (count, order) => {
		const records = Array.from({ length: count }, (_, index) =>
			contact(`c${index}`, { createdAt: index }),
		);
		const { orders } = await readOnIn([{ records, totalCount: count }]);
		expect(orders).toEqual({ createdAt: order, updatedAt: order });
	});

	it('ends with a page that comes again, where the service does not tell how many there are', async () => {
		const read = await readOnIn([{ records: recordsOf(1) }]);
		expect(read).toMatchObject({ hasEnded: true, page: 1 });
		expect(read.contacts).toHaveLength(100);
	});

	it('takes of a contact that comes twice what was updated last', async () => {
		const [first, ...others] = recordsOf(1);
		const updated = contact(first.id, { createdAt: 0, updatedAt: 5_000 });
		const pages = [[updated, ...others], [first]].map((records) => ({ records, totalCount: 101 }));
		expect((await readOnIn(pages)).contacts[0]).toBe(updated);
	});

	it('allows for a minute between the clock that answers and the one that dates contacts', async () => {
		const { began } = await readOnIn([{ records: [], totalCount: 0, asOf: now }]);
		expect(began).toBe(now - 60_000);
	});

	it('tells no update from before updates were chosen, however many polls it takes', async () => {
		const events: EventName[] = ['contactCreated', 'contactUpdated'];
		const before = remembering(['1 0', '4 0'].map((id) => ({ id, firstName: 'Ada' }))).stored();
		let stored: StoredContactWatch | undefined = { ...someContacts, memory: before, readAt: now };
		const told: unknown[] = [];
		for (let poll = 0; poll < 2; poll++) {
			const watch: ContactWatch = new ContactWatch({ ...ofContacts, events }, stored);
			await watch.read(listWithTimeFor(2).access, false);
			for (const { event, record, remember } of await watch.newEvents()) {
				told.push(event === 'contactUpdated' && record.id);
				remember();
			}
			stored = watch.stored();
		}
		expect(stored).toMatchObject({ page: 1, events });
		expect(told.filter(Boolean)).toEqual([]);
	});

	describe('with an edge', () => {
		const orders: Orders = { updatedAt: 'falling' };

		it('begins anew where the list has changed while the edge was read', async () => {
			const list = listWithTimeFor(9, [400, 401]);
			expect(await pollOn(list, { orders })).toMatchObject({ page: 1, readAt: Date.now() });
			expect(list.asked).toEqual([1, 2, 1, 2, 3, 4]);
		});

		it('begins anew with the next poll, without the edge, where there is no time for it', async () => {
			const list = listWithTimeFor(2, [400, 401]);
			expect(await pollOn(list, { orders })).toMatchObject({ page: 1, readAt: 0 });
		});

		it('begins anew, without the edge, where not everything is told', async () => {
			const list = listWithTimeFor(9);
			expect(await pollOn(list, { limit: 99, orders })).toMatchObject({ page: 1, readAt: 0 });
			expect(list.asked).toEqual([1, 2, 3, 4, 3, 4]);
		});

		it.each([
			['an order that has hidden a contact is not relied on any more', '3 7', 'none'],
			['one that has not is', '1 0', 'falling'],
		])('%s', async (_, unknown, direction) => {
			const known = [1, 2, 3, 4].flatMap(recordsOf).filter(({ id }) => id !== unknown);
			const memory = remembering(known).stored();
			const polled = await pollOn(listWithTimeFor(9), { page: 1, memory, orders });
			expect(polled).toMatchObject({ orders: { updatedAt: direction } });
		});

		it('goes on where the edge is seen', async () => {
			expect(await pollOn(listWithTimeFor(5), { orders })).toMatchObject({ page: 4, readAt: 1 });
		});
	});
});

describe('events', () => {
	const pendingEvent = (moment: number): PendingEvent => ({
		...{ event: 'contactCreated', record: {}, date: moment, parts: [moment] },
		remember: () => {},
	});

	it('come in turn, those that tell no time first', () => {
		const moments = [5, NaN, 1, NaN, 3].map(pendingEvent);
		expect(oldestFirst(moments).map(({ date: moment }) => moment)).toEqual([NaN, NaN, 1, 3, 5]);
	});

	it('have a key for each origin', () => {
		const keys = [['w'], ['x'], ['w', 'x']].map((origin) => eventKeyOf(pendingEvent(1), origin));
		expect(new Set(keys).size).toBe(3);
		for (const key of keys) expect(key).toMatch(/^contactCreated-[\da-f]{32}$/);
	});
});
