import fc from 'fast-check';
import { contactFields, orders, type Order, type Stamps } from '../harness/contacts.mts';
import { maybe, weighted } from '../harness/draw.mts';
import type { PageVariants } from '../harness/service.mts';
import type { ContactField } from './service/contact.mts';

export const eventNames = [
	'contactCreated',
	'contactUpdated',
	'activityAdded',
	'taskOverdue',
] as const;

export type EventName = (typeof eventNames)[number];

/** How the service of a history reads what the interface leaves open. */
export interface Variants extends PageVariants {
	order: Order;
	/** What comes first of two contacts that the order does not tell apart. */
	tie: 'id' | 'sequence';
	stamps: Stamps;
	/** How they are written; all are the same one where contacts came with a migration. */
	form: 'ms' | 's' | 'other zone' | 'all equal';
	/** Whether an update changes `updatedAt`. */
	stampsUpdates: boolean;
	/** Whether some contacts have no timestamps although the others do. */
	isPatchy: boolean;
	/** How a value is written that is missing. */
	blanks: 'null' | 'absent' | 'empty' | 'mixed';
	/** Whether a field that the interface does not name tells versions of a contact apart. */
	hasRevisions: boolean;
	/** What activities and tasks have for an id. */
	ids: 'text' | 'number' | 'none' | 'some';
	/** How far the clock of the `Date` header is ahead of the one that dates contacts, in ms. */
	dateAhead: number;
}

/** Something that others do in the workspace. */
export interface Act {
	kind:
		| 'create'
		| 'import with old dates'
		| 'update'
		| 'update back'
		| 'touch'
		| 'delete'
		| 'bring back'
		| 'add activity'
		| 'repeat activity'
		| 'drop activity'
		| 'bring back activity'
		| 'task becomes overdue'
		| 'task like another'
		| 'task leaves'
		| 'task is back';
	/** How many at once: records, or whole pages of contacts. */
	amount: { records: number } | { pages: number };
	/** Where in the list, in hundredths of its length. */
	where: number;
	isScattered: boolean;
}

/** What others do in the middle of a poll. */
export interface During {
	acts: Act[];
	/** At which request of the poll, from 0, before or after it was looked up. */
	at: number;
	moment: 'before' | 'after';
}

/** A fault that requests of a poll meet. */
export interface Fault {
	/** The request that meets it first, from 0. */
	at: number;
	kind: 'answered 500' | 'connection reset' | 'answer lost';
	/** How many requests in turn; many outlast every retry. */
	times: number;
}

/** What the user chose. */
export interface Settings {
	events: EventName[];
	limit?: number;
	search: '' | 'Alpha' | 'Beta';
	/** Only an update of one of these is wanted; of any if there are none. */
	fields: ContactField[];
	simplify: boolean;
}

export type Exchange =
	| 'another credential'
	| 'another address'
	| 'another mode'
	| 'new key'
	| 'key of another workspace';

/** How a poll ends: as it should, or with the death of n8n. */
export type End = 'well' | 'killed within' | 'killed before the write' | 'killed after the write';

/** What happens up to a poll, and the poll. */
export interface Step {
	/** How long after the last poll, in ms. */
	wait: number;
	acts: Act[];
	settings?: Settings;
	exchange?: Exchange;
	/** By how much the service's clock is set, in ms. */
	clock?: number;
	restart: boolean;
	isManual: boolean;
	/** In ms; undefined where n8n has none. */
	budget?: number;
	during: During[];
	faults: Fault[];
	/** At which request a second poll begins. */
	overlap?: number;
	end: End;
	/** At which request n8n is killed within a poll. */
	killedAt: number;
}

/** The life of a trigger. */
export interface History {
	contacts: number;
	activities: number;
	tasks: number;
	pageSize: number;
	/** How far apart the contacts were created, in ms. */
	apart: number;
	latencies: number[];
	requestsPerMinute: number;
	isDurable: boolean;
	/** Whether another workflow polls as well, right after this one. */
	hasTwin: boolean;
	variants: Variants;
	settings: Settings;
	steps: Step[];
	/** Draws ids and values. */
	chance: number;
}

const variants: fc.Arbitrary<Variants> = fc.record({
	order: fc.constantFrom(...orders),
	tie: fc.constantFrom('id', 'sequence'),
	stamps: weighted<Variants['stamps']>(
		[8, 'both'],
		[1, 'createdAt'],
		[1, 'updatedAt'],
		[2, 'none'],
	),
	form: weighted<Variants['form']>([4, 'ms'], [3, 's'], [2, 'other zone'], [1, 'all equal']),
	stampsUpdates: weighted([4, true], [1, false]),
	isPatchy: weighted([7, false], [1, true]),
	totals: weighted<Variants['totals']>(
		[6, 'both'],
		[1, 'totalCount'],
		[1, 'totalPages'],
		[1, 'none'],
	),
	pastEnd: fc.constantFrom(200, 404, 400, 422),
	blanks: fc.constantFrom('null', 'absent', 'empty', 'mixed'),
	hasRevisions: fc.boolean(),
	ids: fc.constantFrom('text', 'number', 'none', 'some'),
	dateAhead: weighted<number>([6, 0], [1, 10_000], [1, -10_000], [1, 50_000], [1, -50_000]),
});

const ofContacts = weighted<Act['kind']>(
	[4, 'create'],
	[6, 'update'],
	[2, 'update back'],
	[2, 'touch'],
	[3, 'delete'],
	[3, 'bring back'],
	[1, 'import with old dates'],
);

const ofOthers = weighted<Act['kind']>(
	[3, 'add activity'],
	[2, 'repeat activity'],
	[1, 'drop activity'],
	[1, 'bring back activity'],
	[3, 'task becomes overdue'],
	[1, 'task like another'],
	[3, 'task leaves'],
	[3, 'task is back'],
);

const amount: fc.Arbitrary<Act['amount']> = fc.oneof(
	{ weight: 12, arbitrary: fc.record({ records: weighted([6, 1], [1, 2], [1, 3]) }) },
	{ weight: 1, arbitrary: fc.record({ records: fc.integer({ min: 4, max: 120 }) }) },
	{ weight: 1, arbitrary: fc.record({ pages: fc.integer({ min: 1, max: 4 }) }) },
);

const act: fc.Arbitrary<Act> = fc.record({
	kind: fc.oneof({ weight: 5, arbitrary: ofContacts }, { weight: 2, arbitrary: ofOthers }),
	amount,
	where: fc.oneof(fc.constantFrom(0, 100, 50), fc.nat(100)),
	isScattered: weighted([3, false], [1, true]),
});

const during: fc.Arbitrary<During> = fc.record({
	acts: fc.array(act, { minLength: 1, maxLength: 2 }),
	at: fc.oneof(fc.nat(2), fc.nat(30)),
	moment: fc.constantFrom('before', 'after'),
});

const fault: fc.Arbitrary<Fault> = fc.record({
	at: fc.oneof(fc.nat(3), fc.nat(30)),
	kind: fc.constantFrom('answered 500', 'connection reset', 'answer lost'),
	times: weighted([1, 1], [3, 1000]),
});

const settings: fc.Arbitrary<Settings> = fc.record({
	events: fc.oneof(
		{ weight: 3, arbitrary: fc.constant<EventName[]>([...eventNames]) },
		{
			weight: 3,
			arbitrary: fc.constantFrom<EventName[]>(
				['contactCreated'],
				['contactUpdated'],
				['contactCreated', 'contactUpdated'],
			),
		},
		{ weight: 2, arbitrary: fc.subarray<EventName>([...eventNames], { minLength: 1 }) },
	),
	limit: maybe(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(50)), 5),
	search: weighted<Settings['search']>([10, ''], [1, 'Alpha'], [1, 'Beta']),
	fields: fc.oneof(
		{ weight: 4, arbitrary: fc.constant<ContactField[]>([]) },
		{ weight: 1, arbitrary: fc.subarray([...contactFields], { minLength: 1, maxLength: 4 }) },
	),
	simplify: weighted([3, false], [1, true]),
});

/** Any of these, and mostly none: what goes wrong one at a time is understood one at a time. */
const rarely = <T,>(arbitrary: fc.Arbitrary<T>, oneIn: number, maxLength = 2) =>
	fc.oneof(
		{ weight: oneIn - 1, arbitrary: fc.constant<T[]>([]) },
		{ weight: 1, arbitrary: fc.array(arbitrary, { minLength: 1, maxLength }) },
	);

const step: fc.Arbitrary<Step> = fc.record({
	wait: weighted([6, 60_000], [2, 1_000], [2, 900_000], [3, 3_700_000], [1, 12_000_000]),
	acts: fc.oneof(
		{ weight: 1, arbitrary: fc.constant<Act[]>([]) },
		{ weight: 3, arbitrary: fc.array(act, { minLength: 1, maxLength: 3 }) },
		{ weight: 1, arbitrary: fc.array(act, { minLength: 3, maxLength: 8 }) },
	),
	settings: maybe(settings, 14),
	exchange: maybe(
		fc.constantFrom<Exchange>(
			'another credential',
			'another address',
			'another mode',
			'new key',
			'key of another workspace',
		),
		25,
	),
	clock: maybe(fc.constantFrom(-7_200_000, -90_000, -1_000, 5_000), 20),
	restart: weighted([7, false], [1, true]),
	isManual: weighted([30, false], [1, true]),
	budget: fc.oneof(
		{ weight: 2, arbitrary: fc.constant(undefined) },
		{ weight: 6, arbitrary: fc.constant<number | undefined>(300_000) },
		{ weight: 1, arbitrary: fc.constantFrom<number | undefined>(2_000, 10_000, 30_000) },
	),
	during: rarely(during, 5),
	faults: rarely(fault, 8),
	overlap: maybe(fc.nat(5), 25),
	end: weighted<End>(
		[12, 'well'],
		[1, 'killed within'],
		[2, 'killed before the write'],
		[1, 'killed after the write'],
	),
	killedAt: fc.oneof(fc.nat(3), fc.nat(30)),
});

const size = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.record({ contacts: fc.nat(12), pageSize: fc.constantFrom(3, 4, 5, 100) }),
	},
	{
		weight: 6,
		arbitrary: fc.record({ contacts: fc.nat(60), pageSize: fc.integer({ min: 3, max: 20 }) }),
	},
	{
		weight: 2,
		arbitrary: fc.record({ contacts: fc.nat(400), pageSize: fc.constantFrom(10, 20, 50, 100) }),
	},
);

const large = fc.record({
	contacts: fc.integer({ min: 1_000, max: 4_500 }),
	pageSize: fc.constant(100),
});

const life = (ofSize: typeof size, maxSteps: number): fc.Arbitrary<History> =>
	ofSize.chain(({ contacts, pageSize }) =>
		fc.record({
			contacts: fc.nat(contacts).map((fewer) => contacts - fewer),
			pageSize: fc.constant(pageSize),
			activities: fc.oneof(fc.nat(5), fc.nat(40)),
			tasks: fc.oneof(fc.nat(3), fc.nat(20)),
			apart: fc.constantFrom(3_600_000, 1_000, 10, 0),
			latencies: fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 }),
			requestsPerMinute: weighted([9, 1_000_000], [1, 60]),
			isDurable: weighted([2, false], [1, true]),
			hasTwin: weighted([15, false], [1, true]),
			variants,
			settings,
			steps: fc.array(step, { minLength: 1, maxLength: maxSteps }),
			chance: fc.nat(1_000_000),
		}),
	);

/** Any history, the small ones first. */
export const history: fc.Arbitrary<History> = fc.oneof(
	{ weight: 100, arbitrary: life(size, 12) },
	{ weight: 1, arbitrary: life(large, 6) },
);
