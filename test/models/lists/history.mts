import fc from 'fast-check';
import { maybe, weighted } from '../harness/draw.mts';

/** What other users do at one moment: each act concerns `count` contacts. */
export interface Change {
	acts: Array<{ kind: 'create' | 'delete' | 'update'; where: number }>;
	count: number;
	/** Before which lookup of a page, from 1, after how many more again, and how often in all. */
	at: number;
	every: number;
	times: number;
}

/** A list of contacts, the service that has it, and what happens while the node reads it. */
export interface History {
	contacts: number;
	pageSize: number;
	/** By `place`, which is different for each contact and never changes, or by a date. */
	orderedBy: 'place' | 'createdAt' | 'updatedAt';
	isDescending: boolean;
	/** How long ago the youngest contact was created, and how far apart they were, in ms. */
	youngest: number;
	apart: number;
	hasDates: boolean;
	/** How far the clock of the `Date` header is ahead of that of the contacts; null without it. */
	dateAhead: number | null;
	/** Of the requests in turn, in ms. */
	latencies: number[];
	/** The node searches, and a created contact is an older one that now matches. */
	hasSearch: boolean;
	limit?: number;
	concurrency: number;
	requestsPerMinute: number;
	changes: Change[];
	/** Where contacts are placed, and their dates. */
	seed: number;
}

const act = fc.record({
	kind: fc.constantFrom('create', 'delete', 'update'),
	// In hundredths of the list.
	where: fc.oneof(fc.constantFrom(0, 50, 100), fc.nat(100)),
});

const change: fc.Arbitrary<Change> = fc.record({
	// Several at one moment may outweigh one another.
	acts: fc.oneof(
		{ weight: 3, arbitrary: fc.array(act, { minLength: 1, maxLength: 1 }) },
		{ weight: 1, arbitrary: fc.array(act, { minLength: 2, maxLength: 3 }) },
	),
	count: weighted([6, 1], [2, 2], [1, 5], [1, 30]),
	at: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 40 })),
	every: fc.integer({ min: 1, max: 12 }),
	times: weighted([6, 1], [2, 2], [1, 5], [1, 40]),
});

/** Any history, the small and quiet ones first. */
export const history: fc.Arbitrary<History> = fc.record({
	contacts: fc.oneof({ weight: 8, arbitrary: fc.nat(40) }, { weight: 1, arbitrary: fc.nat(300) }),
	pageSize: fc.oneof(
		{ weight: 5, arbitrary: fc.integer({ min: 3, max: 10 }) },
		{ weight: 1, arbitrary: fc.constantFrom(20, 50, 99, 100) },
	),
	orderedBy: fc.constantFrom('place', 'createdAt', 'updatedAt'),
	isDescending: fc.boolean(),
	youngest: weighted([3, 86_400_000], [2, 600_000], [1, 60_000], [1, 5_000], [1, 50]),
	apart: fc.constantFrom(3_600_000, 1_000, 10, 0),
	hasDates: weighted([6, true], [1, false]),
	dateAhead: weighted<number | null>([6, 0], [2, 50_000], [2, -50_000], [2, null]),
	latencies: fc.oneof(
		fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 3 }),
		fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 12 }),
	),
	hasSearch: weighted([3, false], [1, true]),
	limit: maybe(fc.integer({ min: 1, max: 50 }), 4),
	concurrency: fc.constantFrom(1, 5, 20),
	requestsPerMinute: weighted([4, 1_000_000], [1, 60]),
	changes: fc.oneof(
		{ weight: 1, arbitrary: fc.constant<Change[]>([]) },
		{ weight: 6, arbitrary: fc.array(change, { minLength: 1, maxLength: 5 }) },
	),
	seed: fc.nat(1_000_000),
});
