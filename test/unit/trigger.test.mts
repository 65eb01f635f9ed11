import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ContactMemory } from '../../nodes/CrmWorkspace/trigger/contacts/contactMemory';
import { summaryOf } from '../../nodes/CrmWorkspace/trigger/contacts/contactSummary';
import { DateOrder } from '../../nodes/CrmWorkspace/trigger/contacts/dateOrder';
import { digest } from '../../nodes/CrmWorkspace/trigger/digest';
import { inTurn, eventKeyOf, type PendingEvent } from '../../nodes/CrmWorkspace/trigger/events';
import { digitsOf, pack, unpack, UnreadableState } from '../../nodes/CrmWorkspace/trigger/packed';
import { Cancelled } from '../../nodes/CrmWorkspace/transport/errors/failure';
import { RecordMemory } from '../../nodes/CrmWorkspace/trigger/wholeCollections/recordMemory';
import { WholeCollectionWatch } from '../../nodes/CrmWorkspace/trigger/wholeCollections/wholeCollectionWatch';
import type { ServiceAccess } from '../../nodes/CrmWorkspace/trigger/session';
import type { Watch } from '../../nodes/CrmWorkspace/trigger/watch';
import { readAll } from '../../nodes/CrmWorkspace/trigger/watches';

const day = 86_400_000;
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

const compared = (memory: ContactMemory, one: Fields) => memory.compare(summaryOf(one), one, now);

function remembering(contacts: Fields[], began = now): ContactMemory {
	const memory = new ContactMemory();
	memory.beginWalk();
	for (const one of contacts) memory.remember(summaryOf(one), one, false);
	memory.endWalk(began);
	return new ContactMemory(JSON.parse(JSON.stringify(memory.stored())));
}

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
		expect(compared(memory, elsewhere)).toEqual({ is: 'known' });
		expect(compared(memory, contact('c'))).toEqual({ is: 'new' });
	});

	it.each<[string, Fields]>([
		['another field', contact('a', { firstName: 'Maya' })],
		['a later update', contact('a', { updatedAt: now + 5_000 })],
		['both, dated earlier', contact('a', { createdAt: now - day, lastName: 'Lee' })],
	])('notices %s', (_, changed) => {
		expect(compared(remembering([contact('a')]), changed)).toMatchObject({ is: 'changed' });
	});

	it('names the fields that have changed', () => {
		const changed = contact('a', { firstName: 'Maya', tags: ['vip'], notes: '' });
		expect(compared(remembering([contact('a')]), changed)).toEqual({
			is: 'changed',
			changedFields: ['firstName', 'tags'],
			updates: 0,
		});
	});

	it.each<[string, Fields, Fields]>([
		['are no longer shown', contact('a'), { id: 'a', email: 'a@example.com' }],
		['are shown at last', { id: 'a', email: 'a@example.com' }, contact('a', { createdAt: 1 })],
		['are cut', contact('a', { createdAt: now + 7 }), contact('a')],
		['are cut no longer', contact('a'), contact('a', { createdAt: now + 7 })],
	])('takes dates that %s for no change', (_, before, after) => {
		expect(compared(remembering([before]), after)).toEqual({ is: 'known' });
	});

	it.each<[string, number]>([
		['an hour later', 3_600_000],
		['an hour earlier', -3_600_000],
		['with milliseconds instead of days', 45_678_901],
	])('takes dates that are all written %s for no news', (_, by) => {
		const old = now - 10 * day;
		const before = Array.from({ length: 7_000 }, (_one, index) =>
			contact(`c${index}`, { createdAt: old - index * 60_000 }),
		);
		const memory = remembering(before);
		for (const index of [0, 4_990, 5_000, 5_010, 6_999]) {
			const createdAt = old - index * 60_000 + by;
			expect(compared(memory, contact(`c${index}`, { createdAt }))).toEqual({ is: 'known' });
		}
	});

	it('takes an id that is used again for another contact, if it is not the same in all', () => {
		const memory = remembering([contact('a')]);
		const another = { createdAt: now + day, firstName: 'Somebody', lastName: 'Else' };
		expect(compared(memory, contact('a', another))).toEqual({ is: 'new' });
		expect(compared(memory, contact('a', { createdAt: now + day }))).toMatchObject({
			is: 'changed',
		});
		memory.beginWalk();
		memory.beginWalk();
		expect(compared(memory, contact('a', { createdAt: now + day }))).toEqual({ is: 'new' });
	});

	it('of many, remembers the latest, and knows the others by their dates', () => {
		const many = Array.from({ length: 12_000 }, (_, index) =>
			contact(`c${index}`, { createdAt: now - (index + 1) * day }),
		);
		const memory = remembering(many);
		expect(memory.size).toBe(5_000);
		for (const one of [many[0], many[4_999], many[5_000], many[11_999]]) {
			expect(compared(memory, one)).toEqual({ is: 'known' });
		}
		expect(compared(memory, contact('new'))).toEqual({ is: 'new' });
		const updated = { ...many[11_999], updatedAt: date(now) };
		expect(compared(memory, updated)).toEqual({ is: 'changed', updates: 0 });
	});

	it('of what shares a date, forgets all or none', () => {
		const at = now - 10 * day;
		const imported = Array.from({ length: 6_000 }, (_, index) =>
			contact(`i${index}`, { createdAt: at }),
		);
		const older = Array.from({ length: 3_000 }, (_, index) =>
			contact(`o${index}`, { createdAt: at - index * 60_000 - 1 }),
		);
		expect(remembering([...imported, ...older]).size).toBe(6_000);
		const many = Array.from({ length: 30_000 }, (_, index) =>
			contact(`m${index}`, { createdAt: at }),
		);
		expect(remembering(many).size).toBe(0);
	});

	it('of dates without a time of day, knows what is new today', () => {
		const today = Math.floor(now / day) * day;
		const some = Array.from({ length: 7_000 }, (_, index) =>
			contact(`c${index}`, { createdAt: today - Math.floor(index / 100) * day }),
		);
		const memory = remembering(some, now + day / 2);
		expect(compared(memory, contact('new', { createdAt: today }))).toEqual({ is: 'new' });
	});

	it('never forgets what is dated near a walk, or not at all', () => {
		const recent = Array.from({ length: 6_000 }, (_, index) =>
			contact(`c${index}`, { createdAt: now - index }),
		);
		const undated = Array.from({ length: 6_000 }, (_, index) => ({ id: `u${index}` }));
		expect(remembering([...recent, ...undated]).size).toBe(12_000);
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

describe('what there was no time to read', () => {
	const source = {} as ServiceAccess;
	const read = { read: async () => {} } as unknown as Watch;
	const noTime = {
		read: async () => {
			throw new Cancelled(false);
		},
	} as unknown as Watch;

	it('has its turn with the next poll, unless nothing could be read', async () => {
		expect(await readAll([read, noTime, read], source)).toEqual([read]);
		await expect(readAll([noTime, read], source)).rejects.toThrow(Cancelled);
	});

	it('is stored as it was, so that it is no news the next time', () => {
		expect(new WholeCollectionWatch('activities').stored()).toBeUndefined();
		const before = new RecordMemory().stored();
		expect(new WholeCollectionWatch('activities', before).stored()).toBe(before);
	});
});

describe('the order of dates', () => {
	const orderOf = (dates: number[]) => {
		const order = new DateOrder();
		for (const one of dates) order.observe(one);
		return new DateOrder(JSON.parse(JSON.stringify(order.stored()))).direction;
	};
	const rising = Array.from({ length: 20 }, (_, index) => index);

	it.each<[string, number[], string | undefined]>([
		['rising', rising, 'rising'],
		['falling', rising.toReversed(), 'falling'],
		['rising but for one', [...rising, 3], undefined],
		['too few', rising.slice(0, 12), undefined],
		['all equal', rising.map(() => 7), undefined],
		['one without a date', [...rising, NaN], undefined],
	])('%s', (_, dates, direction) => {
		expect(orderOf(dates)).toBe(direction);
	});
});

describe('events', () => {
	const pendingEvent = (moment: number): PendingEvent => ({
		...{ event: 'contactCreated', record: {}, date: moment, parts: [moment] },
		remember: () => {},
	});

	it('come in turn, those that tell no time first', () => {
		const moments = [5, NaN, 1, NaN, 3].map(pendingEvent);
		expect(inTurn(moments).map(({ date: moment }) => moment)).toEqual([NaN, NaN, 1, 3, 5]);
	});

	it('have a key for each place', () => {
		const keys = [['w'], ['x'], ['w', 'x']].map((place) => eventKeyOf(pendingEvent(1), place));
		expect(new Set(keys).size).toBe(3);
		for (const key of keys) expect(key).toMatch(/^contactCreated-[\da-f]{32}$/);
	});
});
