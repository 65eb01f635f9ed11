import fc from 'fast-check';
import { orders, type Order, type Stamps } from '../harness/contacts.mts';
import { maybe, weighted } from '../harness/draw.mts';
import type { PageVariants } from '../harness/service.mts';

/** How the service of a history reads what the interface leaves open. */
export interface Variants extends PageVariants {
	/** When a page is looked up: as the request arrives, or as its answer leaves. */
	looksUp: 'on arrival' | 'on departure';
	/** Whether a page shows its contacts as they were when they were put in order, or later. */
	shows: 'as ordered' | 'as answered';
	/** How far the service's clock is ahead of ours, in ms. */
	ahead: number;
	/** Whether answers tell the service's time in a `Date` header. */
	hasDate: boolean;
	/** How far the clock of that header is ahead of the one that dates contacts, in ms. */
	dateAhead: number;
	/** To what its timestamps are cut. */
	granularity: 'ms' | 's';
	stamps: Stamps;
	/** Whether an update changes `updatedAt`. */
	stampsUpdates: boolean;
	/** Whether contacts that come keep old dates, as in an import. */
	keepsOldDates: boolean;
	/** What comes first of two contacts that the order does not tell apart. */
	tie: 'id' | 'sequence';
}

/** Something that others do to the contacts. */
export interface Act {
	kind: 'create' | 'delete' | 'update';
	/** How many at once: contacts, or whole pages of them. */
	amount: { contacts: number } | { pages: number };
	/** Where in the list, in hundredths of its length. */
	where: number;
	/** Whether those concerned stand all over the list instead of side by side. */
	isScattered: boolean;
}

/** What others do at a moment of the list, with nothing in between. */
export interface Change {
	acts: Act[];
	moment: 'before request' | 'after request' | 'before answer' | 'after answer';
	/** At which request or answer, from 0; taken modulo what a walk has of them. */
	at: number;
	/** After how many more of them it happens again, and how often in all. */
	every: number;
	times: number;
}

/** A passing fault that a request meets. */
export interface Fault {
	at: number;
	kind: 'answered 503' | 'answer lost';
}

/** A collection, the service that keeps it, and what happens while it is listed. */
export interface History {
	pages: number;
	/** Contacts beyond the full pages, modulo the page size. */
	rest: number;
	/** What the service cuts every limit to. */
	pageSize: number;
	order: Order;
	concurrency: number;
	requestsPerMinute: number;
	/** How long ago anything was created or updated before the list begins, in ms. */
	quiet: number;
	/** How far apart the contacts were created, in ms. */
	apart: number;
	/** Of the requests in turn, in ms. */
	latencies: number[];
	variants: Variants;
	changes: Change[];
	faults: Fault[];
	/** Draws ids, names and how old the contacts are. */
	chance: number;
	/** How many more contacts are wanted than there are at the beginning; undefined for all. */
	spare?: number;
}

/** No collection has more at the beginning. */
const mostContacts = 1500;

/** How many contacts there are at the beginning. */
export function countOf({ pages, rest, pageSize }: History): number {
	return Math.min(mostContacts, pages * pageSize + (rest % pageSize));
}

/** The most contacts that are wanted. */
export function limitOf(history: History): number {
	const { spare = Infinity } = history;
	return Math.max(1, countOf(history) + spare);
}

/**
 * Whether the service tells all that it takes to know that nothing changes: how many contacts there
 * are, what time it is, and when each of them was created and updated.
 */
export function tellsAll({ variants: { totals, hasDate, stamps } }: History): boolean {
	const isCounted = totals === 'both' || totals === 'totalCount';
	return isCounted && hasDate && stamps === 'both';
}

/** At which request or answer a change happens first, from 0. */
export function firstTurn(history: History, { at }: Change): number {
	const pages = Math.ceil(countOf(history) / history.pageSize);
	// A walk has as many requests as there are pages, or somewhat more.
	return at % (pages + Math.ceil(pages / 3) + 2);
}

/** After how many requests one contact more is deleted, where they are deleted steadily. */
const deletionPaces = [1, 2, 5, 10, 20, 50, 100];

const steadily = 10_000;

/** The pace at which contacts are deleted, where that is all that happens. */
export function deletionPace({ changes }: History): number | undefined {
	return changes.length === 1 && changes[0].times === steadily ? changes[0].every : undefined;
}

const variants: fc.Arbitrary<Variants> = fc.record({
	looksUp: fc.constantFrom('on arrival', 'on departure'),
	shows: weighted<Variants['shows']>([4, 'as ordered'], [1, 'as answered']),
	ahead: weighted<number>(
		[4, 0],
		[1, 500],
		[1, -500],
		[1, 5_000],
		[1, -5_000],
		[1, 3_600_000],
		[1, -3_600_000],
	),
	hasDate: weighted([15, true], [1, false]),
	dateAhead: weighted<number>(
		[8, 0],
		[1, 900],
		[1, -900],
		[2, 10_000],
		[1, -10_000],
		[2, 50_000],
		[1, -50_000],
	),
	granularity: fc.constantFrom('ms', 's'),
	stamps: weighted<Variants['stamps']>(
		[6, 'both'],
		[1, 'createdAt'],
		[1, 'updatedAt'],
		[1, 'none'],
	),
	stampsUpdates: weighted([5, true], [1, false]),
	keepsOldDates: weighted([7, false], [1, true]),
	tie: fc.constantFrom('id', 'sequence'),
	totals: weighted<Variants['totals']>(
		[6, 'both'],
		[1, 'totalCount'],
		[1, 'totalPages'],
		[1, 'none'],
	),
	pastEnd: fc.constantFrom(200, 404, 400, 416, 422),
});

const few: fc.Arbitrary<Act['amount']> = fc.record({ contacts: weighted([6, 1], [1, 2], [1, 3]) });

const many: fc.Arbitrary<Act['amount']> = fc.oneof(
	fc.record({ pages: fc.integer({ min: 1, max: 6 }) }),
	fc.record({ contacts: fc.constantFrom(20, 50, 100, 150, 300) }),
);

const act = (amount: fc.Arbitrary<Act['amount']>): fc.Arbitrary<Act> =>
	fc.record({
		kind: fc.constantFrom('create', 'delete', 'update'),
		amount,
		where: fc.oneof(fc.constantFrom(0, 100, 50), fc.nat(100)),
		isScattered: weighted([3, false], [1, true]),
	});

/** One act, or some at once, which may outweigh one another. */
const acts = (amount: fc.Arbitrary<Act['amount']>): fc.Arbitrary<Act[]> =>
	fc.oneof(
		{ weight: 3, arbitrary: fc.array(act(amount), { minLength: 1, maxLength: 1 }) },
		{
			weight: 1,
			arbitrary: amount.chain((same) =>
				fc.array(act(fc.constant(same)), { minLength: 2, maxLength: 3 }),
			),
		},
	);

const moment = {
	moment: fc.constantFrom('before request', 'after request', 'before answer', 'after answer'),
	at: fc.oneof(fc.nat(2), fc.nat(400)),
} as const;

const once: fc.Arbitrary<Change> = fc.record({
	acts: acts(few),
	...moment,
	every: fc.constant(1),
	times: fc.constant(1),
});

const again: fc.Arbitrary<Change> = fc.record({
	acts: acts(few),
	...moment,
	every: fc.integer({ min: 1, max: 12 }),
	times: weighted([1, 3], [2, 20], [1, 1000]),
});

const bulk: fc.Arbitrary<Change> = fc.record({
	acts: acts(many),
	...moment,
	every: fc.integer({ min: 1, max: 20 }),
	times: weighted([6, 1], [3, 2], [1, 5], [1, 40]),
});

/** One contact deleted every so many requests, for as long as the list takes. */
const deletions: fc.Arbitrary<Change> = fc.record({
	acts: fc.tuple(
		fc.record({
			kind: fc.constant<Act['kind']>('delete'),
			amount: fc.constant({ contacts: 1 }),
			where: fc.nat(100),
			isScattered: fc.constant(false),
		}),
	),
	moment: moment.moment,
	at: fc.nat(2),
	every: fc.constantFrom(...deletionPaces),
	times: fc.constant(steadily),
});

const none = { minLength: 0, maxLength: 0 };

const changes: fc.Arbitrary<Change[]> = fc.oneof(
	{ weight: 2, arbitrary: fc.array(once, none) },
	{ weight: 4, arbitrary: fc.array(once, { minLength: 1, maxLength: 4 }) },
	{ weight: 2, arbitrary: fc.array(deletions, { minLength: 1, maxLength: 1 }) },
	{ weight: 3, arbitrary: fc.array(fc.oneof(once, again), { minLength: 1, maxLength: 5 }) },
	{ weight: 3, arbitrary: fc.array(fc.oneof(once, bulk), { minLength: 1, maxLength: 4 }) },
	{
		weight: 3,
		arbitrary: fc.array(fc.oneof(once, again, bulk), { minLength: 2, maxLength: 8 }),
	},
);

const fault = fc.record<Fault>({
	at: fc.nat(40),
	kind: fc.constantFrom('answered 503', 'answer lost'),
});

/** Any history, the small and quiet ones first. */
export const history: fc.Arbitrary<History> = fc.record({
	// What takes many contacts takes its time, and most of what can go wrong takes few.
	pages: fc.oneof(
		{ weight: 16, arbitrary: fc.nat(8) },
		{ weight: 3, arbitrary: fc.nat(30) },
		{ weight: 1, arbitrary: fc.nat(100) },
	),
	rest: fc.oneof(fc.constantFrom(0, 1, 2), fc.nat(99)),
	pageSize: fc.oneof(
		{ weight: 4, arbitrary: fc.integer({ min: 3, max: 10 }) },
		{ weight: 1, arbitrary: fc.constantFrom(20, 50, 99, 100) },
		{ weight: 1, arbitrary: fc.integer({ min: 11, max: 100 }) },
	),
	order: fc.constantFrom(...orders),
	concurrency: fc.constantFrom(1, 5, 20),
	requestsPerMinute: weighted([4, 1_000_000], [1, 60]),
	quiet: weighted([3, 86_400_000], [2, 600_000], [1, 60_000], [1, 5_000], [1, 900], [1, 50]),
	apart: fc.constantFrom(3_600_000, 1_000, 10, 0),
	latencies: fc.oneof(
		fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 3 }),
		fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 12 }),
	),
	variants,
	changes,
	faults: fc.oneof(
		{ weight: 8, arbitrary: fc.array(fault, none) },
		{ weight: 1, arbitrary: fc.array(fault, { minLength: 1, maxLength: 3 }) },
	),
	chance: fc.nat(1_000_000),
	spare: maybe(fc.integer({ min: -30, max: 30 }), 4),
});
