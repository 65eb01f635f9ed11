import fc from 'fast-check';
import { maybe, type Drawn } from '../harness/draw.mts';
import type { MessageVariants, Outcome } from '../harness/messages.mts';

/** The people that messages go to, by number. */
export const people = ['ada', 'grace', 'alan'].map((name) => `${name}@example.com`);

/** Options of the send node, with the values that they can have: the default stands first. */
export const optionValues = {
	onContentChanged: ['fail', 'output'],
	onOriginalFailed: ['sendAgain', 'fail'],
	onRejected: ['fail', 'output'],
} as const;
export type Options = { [Name in keyof typeof optionValues]: (typeof optionValues)[Name][number] };

/** The first value half of the time, and most simple. */
const mostly = <T,>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
	fc.constantFrom(usual, ...others.map(() => usual), ...others);

const rarely = <T,>(usual: T, other: T): fc.Arbitrary<T> =>
	fc.constantFrom(usual, usual, usual, usual, other);

/** Mostly the same one: messages to different people have nothing to do with one another. */
const person = fc.constantFrom(0, 0, 0, 1, 1, 2);

/** Equal messages in two rows of different runs are two messages. */
const message = fc.record({ to: person, content: fc.nat(2) });

/** A message, and what an agent asks for beside it. */
const row = fc.record({
	to: person,
	content: fc.nat(2),
	more: fc.array(message, { maxLength: 2 }),
});

const settings = fc.record({
	options: fc.record({
		onContentChanged: mostly(...optionValues.onContentChanged),
		onOriginalFailed: rarely(...optionValues.onOriginalFailed),
		onRejected: rarely(...optionValues.onRejected),
	}),
	/** Of the send node, or of the agent, by *Retry On Fail*. */
	maxTries: mostly(1, 2, 3),
	onError: mostly<'stopWorkflow' | `continue${'Regular' | 'Error'}Output`>(
		'stopWorkflow',
		'continueRegularOutput',
		'continueErrorOutput',
	),
	/**
	 * Where what comes out of the error output goes: back into the send node, also in other words or
	 * in another order, or to another node that sends another message.
	 */
	errorPath: mostly<'none' | 'back' | 'rewordedBack' | 'reorderedBack' | 'fallback'>(
		'none',
		...(['back', 'rewordedBack', 'reorderedBack', 'fallback'] as const),
	),
	concurrency: fc.constantFrom(1, 2, 5),
	/** Whether an agent calls its tools side by side. */
	isParallel: fc.boolean(),
	/** Whether an agent says the same in other words when it is retried. */
	rewords: rarely(false, true),
	/** Whether each row has a custom key, almost as long as the service takes. */
	hasCustomKeys: rarely(false, true),
	/** How an agent makes a failed call again. */
	repeats: mostly<'no' | 'same' | 'reworded'>('no', 'same', 'reworded'),
});

/** How the service reads what the interface leaves open. */
const variants = fc.record<MessageVariants>({
	failureAnswer: fc.constantFrom<MessageVariants['failureAnswer']>(502, 422, 'message'),
	rejectedIsFailed: fc.boolean(),
	failedAndDifferent: fc.constantFrom('IDEMPOTENT_REPLAY', 'IDEMPOTENCY_KEY_REUSED'),
});

/** Some requests in a row get another response than the service's, or none. */
const fault = fc.record({
	/** The status of an error, or what comes instead of the message. */
	response: fc.constantFrom(
		...(['none', 'none', 'unreachable', 503, 422, 422, 429, 409, 'page', 'otherJson'] as const),
	),
	/** Whether the service does its work; not if it refuses (4xx). */
	isDone: fc.boolean(),
	/** The first request of the try, from 0, that it hits. */
	from: fc.constantFrom(0, 0, 0, 1, 2, 4),
	// The node makes five attempts: from there on the item is lost to this try.
	count: fc.constantFrom(1, 2, 5, 6, 12),
	/** Only requests to this person. */
	to: maybe(person, 2),
});

const kind = <Kind extends string>(name: Kind) => fc.constant(name);
const index = fc.nat(3);

/** What is changed before a retry. */
const edit = fc.oneof(
	/** A row's message gets another recipient or other words, in the parameters of the node. */
	{ weight: 3, arbitrary: fc.record({ kind: kind('correct'), row: index, to: maybe(person, 2) }) },
	fc.record({ kind: kind('insert'), at: index, row }),
	fc.record({ kind: kind('remove'), at: index }),
	fc.record({ kind: kind('reorder'), by: fc.integer({ min: 1, max: 3 }) }),
	fc.record({ kind: kind('rename') }),
	fc.record({ kind: kind('credential') }),
	fc.record({
		kind: kind('option'),
		option: fc.constantFrom(...(Object.keys(optionValues) as Array<keyof Options>)),
	}),
);

const outcome = fc.constantFrom<Outcome>('delivered', 'failed', 'rejected');

const oneTry = fc.record({
	edits: fc.array(edit, { maxLength: 2, size: 'max' }),
	/** Which workflow a retry takes. */
	workflow: mostly('current', 'original'),
	/** Whether the first execution is retried once more, and not the last one. */
	isOfFirst: rarely(false, true),
	faults: fc.array(fault, { maxLength: 2, size: 'max' }),
	/** What happens to messages for a person from now on. */
	outcomes: fc.array(fc.record({ to: person, outcome }), { maxLength: 1, size: 'max' }),
	/** The pass, from 0, in which the node after the send node fails, or the agent after its calls. */
	failsAfter: maybe(fc.constantFrom(0, 0, 0, 1, 2), 2),
	/** n8n ends at once with this request, from 0, on which the service may do its work. */
	kill: maybe(fc.record({ request: fc.nat(5), isDone: fc.boolean() }), 4),
	/** Whether the service has forgotten by now the keys of which an answer has told. */
	isLate: rarely(false, true),
});

/**
 * A workflow that sends, and what happens to one execution of it from the first try to the last.
 * Everything a counter-example needs is in here, and nothing of the node's own code.
 */
const drawn = fc.record({
	/** For latencies and the like. */
	chance: fc.nat(),
	/**
	 * - `rows`: the items go into the send node
	 * - `sub`: the send node is in a sub-workflow, called once
	 * - `agent`: the send node is a tool that an AI Agent up to 2.2 calls
	 * - `agent3`: the send node is a tool that n8n calls for an AI Agent from 3 on
	 */
	shape: fc.constantFrom('rows', 'rows', 'rows', 'sub', 'agent', 'agent3'),
	/** Rows in each pass of *Loop Over Items*; 0 for no loop. */
	batch: mostly(0, 1, 2, 3),
	rows: fc.array(row, { minLength: 1, maxLength: 4, size: 'max' }),
	settings,
	service: variants,
	tries: fc.array(oneTry, { minLength: 1, maxLength: 4, size: 'max' }),
});

export type History = Drawn<typeof drawn>;
export type Row = Drawn<typeof row>;
export type Fault = Drawn<typeof fault>;
export type Edit = Drawn<typeof edit>;
export type Try = Drawn<typeof oneTry>;

/** Every history that n8n and the node's documents allow. */
export const history = drawn.map((one): History => {
	const { shape, settings, tries } = one;
	const errorPath = shape === 'rows' ? settings.errorPath : 'none';
	const onError = errorPath === 'none' ? settings.onError : 'continueErrorOutput';
	const hasCustomKeys = settings.hasCustomKeys && (shape === 'rows' || shape === 'sub');
	// Where an execution doesn't know what was sent, nothing but a credential's ID shows which workspace
	// it was for. Nor does a call of an agent show that it's for that of an equal call.
	const isKilled = tries.some(({ kill }) => kill);
	const isRetriedTwice = tries.some(({ isOfFirst }) => isOfFirst);
	const isUnknown = isKilled || isRetriedTwice || shape === 'agent3';
	const canBe = ({ kind }: Edit) => kind !== 'credential' || !isUnknown;
	return {
		...one,
		settings: { ...settings, onError, errorPath, hasCustomKeys },
		tries: tries.map((each) => ({
			...each,
			edits: each.edits.filter(canBe),
			isLate: each.isLate && !isKilled && !isRetriedTwice,
		})),
	};
});
