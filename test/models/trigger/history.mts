import fc from 'fast-check';
import { orders } from '../harness/contacts.mts';
import { maybe, weighted, type Drawn } from '../harness/draw.mts';

const eventNames = ['contactCreated', 'contactUpdated', 'activityAdded', 'taskOverdue'] as const;
export type EventName = (typeof eventNames)[number];

/** How the service behaves where the interface leaves it open. */
const variants = fc.record({
	order: fc.constantFrom(...orders),
	/** To what they are cut; all are the same one if contacts came with a migration. */
	dates: fc.constantFrom(...(['ms', 'ms', 's', 's', 'none', 'all equal'] as const)),
	/** Whether an update changes `updatedAt`. */
	stampsUpdates: weighted([4, true], [1, false]),
	/** How far the clock of the `Date` header is ahead of the one that dates contacts, in ms. */
	dateAhead: weighted<number>([6, 0], [1, 50_000], [1, -50_000]),
});

/** A change that other users make in the workspace. */
const change = fc.record({
	of: fc.constantFrom(
		...(['contacts', 'contacts', 'contacts', 'activities', 'overdueTasks'] as const),
	),
	/** Activities and tasks are created, repeated with equal content, deleted and restored only. */
	kind: fc.oneof(
		fc.constantFrom(...(['create', 'update', 'revert', 'delete', 'restore'] as const)),
		fc.constantFrom(...(['create', 'update', 'touch', 'import', 'repeat'] as const)),
	),
	/** How many records, which stand side by side. */
	count: fc.oneof(
		{ weight: 10, arbitrary: fc.integer({ min: 1, max: 3 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 4, max: 30 }) },
	),
	/** Where in the list, in hundredths of its length. */
	where: fc.oneof(fc.constantFrom(0, 100, 50), fc.nat(100)),
});

export type Change = Drawn<typeof change>;

/** What the user chose. */
const settings = fc.record({
	events: fc.oneof(
		fc.constant<EventName[]>([...eventNames]),
		fc.subarray<EventName>([...eventNames], { minLength: 1 }),
	),
	limit: maybe(fc.integer({ min: 1, max: 5 }), 3),
});

export type Settings = Drawn<typeof settings>;

/** A request of a poll, from 0: most polls have few. */
const request = fc.oneof(fc.nat(3), fc.nat(12));

/** What happens up to a poll, and the poll. */
const step = fc.record({
	/** How long after the last poll, in ms. */
	wait: weighted([6, 60_000], [2, 1_000], [2, 300_000], [3, 3_700_000]),
	acts: fc.array(change, { maxLength: 4 }),
	settings: maybe(settings, 14),
	/** Changes in the middle of the poll, before a request is answered. */
	during: maybe(fc.record({ acts: fc.array(change, { minLength: 1, maxLength: 3 }), request }), 5),
	/** From which request on how many answers are lost: 1000 outlast each retry. */
	fault: maybe(fc.record({ request, times: weighted([1, 1], [3, 1000]) }), 6),
	/** Whether n8n is killed right after the poll: before or after it stores the state. */
	end: fc.oneof(fc.constant('well'), fc.constantFrom('well', 'killed before', 'killed after')),
});

export type Step = Drawn<typeof step>;

/** The life of a trigger. */
export const history = fc.record({
	contacts: fc.oneof(fc.nat(12), fc.nat(60)),
	activities: fc.nat(8),
	overdueTasks: fc.nat(5),
	pageSize: fc.constantFrom(3, 5, 10, 20, 100),
	/** How far apart the first contacts were created, in ms. */
	apart: fc.constantFrom(3_600_000, 1_000, 0),
	latency: fc.constantFrom(5, 400),
	/** How long a poll may take, in ms: undefined is ample, otherwise it's a few pages. */
	budget: weighted<number | undefined>([3, undefined], [2, 3_000]),
	/** Whether n8n stores the state after each poll, and not only after a poll with events. */
	isDurable: fc.boolean(),
	variants,
	settings,
	steps: fc.array(step, { minLength: 1, maxLength: 10 }),
	/** Draws IDs and values. */
	chance: fc.nat(1_000_000),
});

export type History = Drawn<typeof history>;
