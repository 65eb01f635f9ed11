import fc from 'fast-check';
import { orders, type Order, type Stamps } from '../harness/contacts.mts';
import { maybe, weighted } from '../harness/draw.mts';
import type { PageVariants } from '../harness/service.mts';

export const eventNames = [
	'contactCreated',
	'contactUpdated',
	'activityAdded',
	'taskOverdue',
] as const;

export type EventName = (typeof eventNames)[number];

/** The fields of a contact that change here. */
export const fieldNames = ['lastName', 'jobTitle', 'notes', 'tags'] as const;

export type FieldName = (typeof fieldNames)[number];

/** How the service of a history behaves where the interface leaves it open. */
export interface Variants extends PageVariants {
	order: Order;
	stamps: Stamps;
	/** To what timestamps are cut; all are the same one if contacts came with a migration. */
	form: 'ms' | 's' | 'all equal';
	/** Whether an update changes `updatedAt`. */
	stampsUpdates: boolean;
	/** Whether activities and tasks have an ID. */
	hasIds: boolean;
	/** How far the clock of the `Date` header is ahead of the one that dates contacts, in ms. */
	dateAhead: number;
}

export type Collection = 'contacts' | 'activities' | 'overdueTasks';

/** A change that other users make in the workspace. */
export interface Act {
	of: Collection;
	/** Activities and tasks are created, deleted and restored only; `repeat` creates an equal one. */
	kind: 'create' | 'repeat' | 'import' | 'update' | 'revert' | 'touch' | 'delete' | 'restore';
	/** How many records at once. */
	count: number;
	/** Where in the list, in hundredths of its length. */
	where: number;
	isScattered: boolean;
}

/** Changes in the middle of a poll. */
export interface During {
	acts: Act[];
	/** At which request of the poll, from 0, and whether before or after its records are read. */
	at: number;
	moment: 'before' | 'after';
}

/** A fault that requests of a poll meet. */
export interface Fault {
	/** The first request, from 0. */
	at: number;
	kind: 'answered 500' | 'answer lost';
	/** How many requests in turn; 1000 outlast each retry. */
	times: number;
}

/** What the user chose. */
export interface Settings {
	events: EventName[];
	limit?: number;
	search: '' | 'Alpha' | 'Beta';
}

/** What happens up to a poll, and the poll. */
export interface Step {
	/** How long after the last poll, in ms. */
	wait: number;
	acts: Act[];
	settings?: Settings;
	hasNewCredential: boolean;
	during: During[];
	fault?: Fault;
	/** Whether n8n is killed right after the poll: before or after it stores the state. */
	end: 'well' | 'killed before' | 'killed after';
}

/** The life of a trigger. */
export interface History {
	contacts: number;
	activities: number;
	tasks: number;
	pageSize: number;
	/** How far apart the first contacts were created, in ms. */
	apart: number;
	latency: number;
	/** How long a poll may take, in ms; the usual time if undefined. */
	budget?: number;
	/** Whether n8n stores the state after each poll, and not only after a poll with events. */
	isDurable: boolean;
	/** Only updates of these fields are events; all if empty. */
	watched: FieldName[];
	variants: Variants;
	settings: Settings;
	steps: Step[];
	/** Draws IDs and values. */
	chance: number;
}

const variants: fc.Arbitrary<Variants> = fc.record({
	order: fc.constantFrom(...orders),
	stamps: weighted<Stamps>([8, 'both'], [1, 'createdAt'], [1, 'updatedAt'], [2, 'none']),
	form: weighted<Variants['form']>([4, 'ms'], [3, 's'], [1, 'all equal']),
	stampsUpdates: weighted([4, true], [1, false]),
	totals: weighted<Variants['totals']>([6, 'both'], [1, 'totalPages'], [1, 'none']),
	pastEnd: fc.constantFrom(200, 404),
	hasIds: fc.boolean(),
	dateAhead: weighted<number>([6, 0], [1, 50_000], [1, -50_000]),
});

const act: fc.Arbitrary<Act> = fc.record({
	of: weighted<Collection>([5, 'contacts'], [1, 'activities'], [2, 'overdueTasks']),
	kind: weighted<Act['kind']>(
		[4, 'create'],
		[6, 'update'],
		[2, 'revert'],
		[2, 'touch'],
		[4, 'delete'],
		[4, 'restore'],
		[1, 'repeat'],
		[1, 'import'],
	),
	count: fc.oneof(
		{ weight: 10, arbitrary: fc.integer({ min: 1, max: 3 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 4, max: 30 }) },
	),
	where: fc.oneof(fc.constantFrom(0, 100, 50), fc.nat(100)),
	isScattered: weighted([3, false], [1, true]),
});

const during: fc.Arbitrary<During> = fc.record({
	acts: fc.array(act, { minLength: 1, maxLength: 2 }),
	at: fc.oneof(fc.nat(2), fc.nat(12)),
	moment: fc.constantFrom('before', 'after'),
});

const fault: fc.Arbitrary<Fault> = fc.record({
	at: fc.oneof(fc.nat(3), fc.nat(12)),
	kind: fc.constantFrom('answered 500', 'answer lost'),
	times: weighted([1, 1], [3, 1000]),
});

const settings: fc.Arbitrary<Settings> = fc.record({
	events: fc.oneof(
		{ weight: 1, arbitrary: fc.constant<EventName[]>([...eventNames]) },
		{ weight: 1, arbitrary: fc.subarray<EventName>([...eventNames], { minLength: 1 }) },
	),
	limit: maybe(fc.integer({ min: 1, max: 5 }), 3),
	search: weighted<Settings['search']>([8, ''], [1, 'Alpha'], [1, 'Beta']),
});

const step: fc.Arbitrary<Step> = fc.record({
	wait: weighted([6, 60_000], [2, 1_000], [3, 3_700_000]),
	acts: fc.array(act, { maxLength: 4 }),
	settings: maybe(settings, 14),
	hasNewCredential: weighted([40, false], [1, true]),
	during: fc.oneof(
		{ weight: 5, arbitrary: fc.constant<During[]>([]) },
		{ weight: 1, arbitrary: fc.array(during, { minLength: 1, maxLength: 2 }) },
	),
	fault: maybe(fault, 6),
	end: weighted<Step['end']>([10, 'well'], [2, 'killed before'], [1, 'killed after']),
});

export const history: fc.Arbitrary<History> = fc.record({
	contacts: fc.oneof(fc.nat(12), fc.nat(60)),
	activities: fc.nat(8),
	tasks: fc.nat(5),
	pageSize: fc.constantFrom(3, 5, 10, 20, 100),
	apart: fc.constantFrom(3_600_000, 1_000, 0),
	latency: fc.constantFrom(5, 400),
	budget: weighted<number | undefined>([3, undefined], [2, 3_000]),
	isDurable: fc.boolean(),
	watched: fc.oneof(
		{ weight: 3, arbitrary: fc.constant<FieldName[]>([]) },
		{
			weight: 1,
			arbitrary: fc.subarray<FieldName>([...fieldNames], { minLength: 1, maxLength: 2 }),
		},
	),
	variants,
	settings,
	steps: fc.array(step, { minLength: 1, maxLength: 10 }),
	chance: fc.nat(1_000_000),
});
