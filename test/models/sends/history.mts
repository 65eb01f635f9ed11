import fc from 'fast-check';
import type { Variants } from '../../../sandbox/variants.mts';

/**
 * The whole life of one execution of a workflow: what the workflow is, what its rows mean, and what
 * happens to it from the first try to the last. Everything a counter-example needs is in here, and
 * nothing of the node's own code.
 */
export interface History {
	/** Whether n8n gives each execution a token that outlives a crash, as it does since 2.14. */
	hasToken: boolean;
	/** How the send node is reached. */
	shape: Shape;
	order: 'v1' | 'legacy';
	/** Rows in each turn of *Loop Over Items*; 0 for no loop. */
	batch: 0 | 1 | 2 | 3;
	/** One or two send nodes in a chain. */
	sendNodes: 1 | 2;
	/** With two, each send node has a credential of its own, for a workspace of its own. */
	workspaces: 1 | 2;
	/** Whether both send nodes send the same content: to the same person, these are twins. */
	sameContent: boolean;
	/** Where a node stands that fails on demand. */
	other: 'none' | 'before' | 'after';
	rows: Row[];
	settings: Settings;
	variants: Partial<Variants>;
	tries: Try[];
}

export const shapes = ['rows', 'subOnce', 'subEach', 'agent2', 'agent3'] as const;

/**
 * - `rows`: the items go into the send node
 * - `subOnce`, `subEach`: the send nodes are in a sub-workflow, called once or for each item
 * - `agent2`: the send node is a tool that an agent calls inside itself
 * - `agent3`: the send node is a tool that an agent lets the engine call
 */
export type Shape = (typeof shapes)[number];

/** The people that messages go to, by number. */
export const people = ['ada', 'grace', 'alan', 'edsger'].map((name) => `${name}@example.com`);

/** One message that is meant: a content to a person. Equal messages in two rows are two messages. */
export interface Message {
	to: number;
	content: number;
}

export interface Row extends Message {
	/** What an agent asks for beside the row's own message. */
	more: Message[];
}

export interface Settings {
	/** Tries of the send node or the tool by *Retry On Fail*; 1 without it. */
	sendTries: 1 | 2 | 3;
	/** Tries of the agent. */
	agentTries: 1 | 2;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** Whether what comes out of the error output goes back into the send node, twice at most. */
	loopedBack: boolean;
	concurrency: number;
	/** Whether the content is another one each time it is made. */
	volatile: boolean;
	options: Options;
	/** Whether an agent calls its tools side by side. */
	parallel: boolean;
	/** Whether an agent fails when a tool does. */
	agentFailsWithTool: boolean;
	/** Whether the nodes of the sub-workflow have ids. */
	subIds: boolean;
}

/** Options of the send nodes, with the values that they can have: the default stands first. */
export const optionValues = {
	onContentChanged: ['fail', 'output'],
	onOriginalFailed: ['sendAgain', 'fail'],
	onRejected: ['fail', 'output'],
} as const;
export type Options = { [Name in keyof typeof optionValues]: (typeof optionValues)[Name][number] };

export const faultKinds = [
	'dropBefore',
	'dropAfter',
	'500before',
	'502before',
	'503before',
	'500after',
	'502after',
	'503after',
	'429',
	'422',
	'409',
	'truncated',
	'malformed',
	'page',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Some requests in a row are disturbed. */
export interface Disturbance {
	kind: FaultKind;
	/** The first request of the try, from 0, that it hits. */
	from: number;
	count: number;
	/** Only those to this person. */
	to?: number;
}

/** What is changed before a try. */
export type Edit =
	| { kind: 'rename'; node: 0 | 1 }
	| { kind: 'recreate'; node: 0 | 1 }
	| { kind: 'recipient'; row: number; to: number; where: Place }
	| { kind: 'content'; row: number; where: Place }
	| { kind: 'insert'; at: number; row: Row }
	| { kind: 'remove'; at: number }
	| { kind: 'reorder'; by: number }
	| { kind: 'credential' }
	| { kind: 'option'; option: keyof Options }
	| { kind: 'askOrder' }
	| { kind: 'askWords'; row: number };

/** Where a correction is made: in the data, or in the parameters of the node. */
export type Place = 'data' | 'node';

export interface Try {
	edits: Edit[];
	/** Which workflow the retry takes; without meaning in the first try. */
	retry: 'current' | 'original';
	faults: Disturbance[];
	/** What happens to messages for these people from now on. */
	outcomes: Array<{ to: number; outcome: 'deliver' | 'fail' | 'reject' }>;
	/** The turn, from 0, in which the other node fails. */
	otherFails: number | undefined;
	/** The turn, from 0, in which the agent fails, before or after it called its tools. */
	agentFails: { turn: number; after: boolean } | undefined;
	kill: Kill | undefined;
}

/** n8n ends at once. */
export interface Kill {
	/** The request of the try, from 0, that is the last to reach the service. */
	request: number;
	/** Whether the service does its work. */
	worked: boolean;
	/** Whether n8n's log tells which nodes had run: then run data is made up for them. */
	logged: boolean;
}

/** The first is where shrinking goes, from whichever was drawn. */
const oneOf = <T,>(...choices: Array<{ weight: number; arbitrary: fc.Arbitrary<T> }>) =>
	fc.oneof({ withCrossShrink: true }, ...choices);

const person = fc.nat({ max: people.length - 1 });
const somePeople = oneOf(
	{ weight: 3, arbitrary: fc.nat({ max: 1 }) },
	{ weight: 1, arbitrary: person },
);
const message = fc.record({ to: somePeople, content: fc.nat({ max: 2 }) });
const row: fc.Arbitrary<Row> = fc.record({
	to: somePeople,
	content: fc.nat({ max: 2 }),
	more: fc.array(message, { maxLength: 2 }),
});

const rarely = <T,>(usual: T, weight: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> =>
	oneOf({ weight: 10, arbitrary: fc.constant(usual) }, { weight, arbitrary });

const settings: fc.Arbitrary<Settings> = fc.record({
	sendTries: rarely<1 | 2 | 3>(1, 6, fc.constantFrom(2, 3)),
	agentTries: rarely<1 | 2>(1, 5, fc.constant(2 as const)),
	onError: rarely<Settings['onError']>(
		'stopWorkflow',
		3,
		fc.constantFrom('continueRegularOutput', 'continueErrorOutput'),
	),
	loopedBack: rarely(false, 6, fc.constant(true)),
	concurrency: fc.integer({ min: 1, max: 5 }),
	volatile: rarely(false, 2, fc.constant(true)),
	options: fc.record({
		onContentChanged: rarely<'fail' | 'output'>('fail', 3, fc.constant('output')),
		onOriginalFailed: rarely<'sendAgain' | 'fail'>('sendAgain', 2, fc.constant('fail')),
		onRejected: rarely<'fail' | 'output'>('fail', 2, fc.constant('output')),
	}),
	parallel: fc.boolean(),
	agentFailsWithTool: fc.boolean(),
	subIds: fc.boolean(),
});

const variants: fc.Arbitrary<Partial<Variants>> = fc.record(
	{
		sendFailureAnswer: fc.constantFrom('error', 'message'),
		failedAndDifferent: fc.constantFrom('IDEMPOTENT_REPLAY', 'IDEMPOTENCY_KEY_REUSED'),
		originalsThatFailed: fc.constantFrom('failed', 'failedOrRejected'),
		sendStatus: rarely<200 | 204>(200, 3, fc.constant(204 as const)),
		replayedMessage: fc.constantFrom('current', 'asAnswered'),
		missingValues: fc.constantFrom('null', 'absent', 'empty'),
		refusals: fc.constantFrom('usual', 'other'),
		service: rarely<Variants['service']>('usual', 3, fc.constant('odd')),
		errorBody: rarely<Variants['errorBody']>(
			'nested',
			10,
			oneOf(
				{ weight: 12, arbitrary: fc.constantFrom('flat', 'array', 'html') },
				{ weight: 2, arbitrary: fc.constant('empty' as const) },
			),
		),
	},
	{ requiredKeys: [] },
);

const disturbance: fc.Arbitrary<Disturbance> = fc.record(
	{
		kind: fc.constantFrom(...faultKinds),
		from: fc.nat({ max: 5 }),
		// The node asks five times: from there on the item is lost to this try.
		count: oneOf(
			{ weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) },
			{ weight: 1, arbitrary: fc.integer({ min: 5, max: 16 }) },
		),
		to: somePeople,
	},
	{ requiredKeys: ['kind', 'from', 'count'] },
);

const node = fc.constantFrom<0 | 1>(0, 1);
const place = fc.constantFrom<Place>('data', 'node');
const index = fc.nat({ max: 4 });

const edit: fc.Arbitrary<Edit> = fc.oneof(
	fc.record({ kind: fc.constant('rename' as const), node }),
	fc.record({ kind: fc.constant('recreate' as const), node }),
	fc.record({ kind: fc.constant('recipient' as const), row: index, to: person, where: place }),
	fc.record({ kind: fc.constant('content' as const), row: index, where: place }),
	fc.record({ kind: fc.constant('insert' as const), at: index, row }),
	fc.record({ kind: fc.constant('remove' as const), at: index }),
	fc.record({ kind: fc.constant('reorder' as const), by: fc.integer({ min: 1, max: 3 }) }),
	fc.record({ kind: fc.constant('credential' as const) }),
	fc.record({
		kind: fc.constant('option' as const),
		option: fc.constantFrom(...(Object.keys(optionValues) as Array<keyof Options>)),
	}),
	fc.record({ kind: fc.constant('askOrder' as const) }),
	fc.record({ kind: fc.constant('askWords' as const), row: index }),
);

/** In some tries only: a field that is absent otherwise. */
const sometimes = <T,>(weight: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
	oneOf({ weight: 10 - weight, arbitrary: fc.constant(undefined) }, { weight, arbitrary });

const oneTry: fc.Arbitrary<Try> = fc.record({
	edits: fc.array(edit, { maxLength: 3, size: 'max' }),
	retry: fc.constantFrom('current', 'original'),
	faults: fc.array(disturbance, { maxLength: 2, size: 'max' }),
	outcomes: oneOf(
		{ weight: 5, arbitrary: fc.constant<Try['outcomes']>([]) },
		{
			weight: 2,
			arbitrary: fc.array(
				fc.record({
					to: somePeople,
					outcome: oneOf(
						{ weight: 3, arbitrary: fc.constantFrom('fail' as const, 'deliver' as const) },
						{ weight: 1, arbitrary: fc.constant('reject' as const) },
					),
				}),
				{ minLength: 1, maxLength: 2 },
			),
		},
	),
	otherFails: sometimes(8, fc.nat({ max: 3 })),
	agentFails: sometimes(7, fc.record({ turn: fc.nat({ max: 2 }), after: fc.boolean() })),
	kill: sometimes(
		3,
		fc.record({ request: fc.nat({ max: 6 }), worked: fc.boolean(), logged: fc.boolean() }),
	),
});

const drawn: fc.Arbitrary<History> = fc.record({
	hasToken: rarely(true, 2, fc.constant(false)),
	shape: oneOf(
		{ weight: 5, arbitrary: fc.constant('rows' as const) },
		{ weight: 1, arbitrary: fc.constantFrom('subOnce' as const, 'subEach' as const) },
		{ weight: 4, arbitrary: fc.constantFrom('agent2' as const, 'agent3' as const) },
	),
	order: fc.constantFrom('v1', 'legacy'),
	batch: rarely<0 | 1 | 2 | 3>(0, 10, fc.constantFrom(1, 1, 2, 3)),
	sendNodes: rarely<1 | 2>(1, 4, fc.constant(2 as const)),
	workspaces: rarely<1 | 2>(1, 4, fc.constant(2 as const)),
	sameContent: fc.boolean(),
	other: fc.constantFrom('none', 'before', 'after', 'after'),
	rows: fc.array(row, { minLength: 1, maxLength: 5, size: 'max' }),
	settings,
	variants: oneOf({ weight: 1, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: variants }),
	tries: fc.array(oneTry, { minLength: 1, maxLength: 7, size: 'max' }),
});

/** Every history that the model and n8n allow, the simple ones first when shrinking. */
export const history: fc.Arbitrary<History> = drawn.map(withoutWhatCannotHappen);

/** So that a counter-example tells nothing that plays no part in it. */
function withoutWhatCannotHappen(drawn: History): History {
	const isAgent = drawn.shape === 'agent2' || drawn.shape === 'agent3';
	const hasOther = drawn.other !== 'none';
	// What is looped back with other content is another message.
	const loopedBack =
		drawn.settings.loopedBack && drawn.shape === 'rows' && !drawn.settings.volatile;
	const onError = loopedBack ? 'continueErrorOutput' : drawn.settings.onError;
	const ofAgents = ['askOrder', 'askWords'];
	// An answer without a body cannot tell that the message failed.
	const isSilent = drawn.variants.sendStatus === 204;
	// After a crash, nothing but a credential's ID tells which workspace it is for.
	const isKilled = drawn.tries.some(({ kill }) => kill);
	// Without a token it is n8n's log that tells what began, by the name that a node had then.
	const isForgotten = !drawn.hasToken && !isAgent && isKilled;
	const inFirstRun = (kill: Kill, index: number) =>
		index === 0 ? { ...kill, logged: true } : undefined;
	// A called node that has another name, another ID and another credential is another node.
	const isRenewed = drawn.tries.some(({ edits }) =>
		edits.some(({ kind }) => kind === 'credential'),
	);
	return {
		...drawn,
		hasToken: drawn.hasToken || isAgent,
		// In the legacy order n8n itself lets an agent of version 3 go on before its tools have run.
		order: drawn.shape === 'agent3' ? 'v1' : drawn.order,
		sendNodes: isAgent ? 1 : drawn.sendNodes,
		workspaces: isAgent || drawn.sendNodes === 1 ? 1 : drawn.workspaces,
		settings: { ...drawn.settings, onError, loopedBack },
		variants: isSilent ? { ...drawn.variants, sendFailureAnswer: 'error' } : drawn.variants,
		rows: isAgent ? drawn.rows : drawn.rows.map((row) => ({ ...row, more: [] })),
		tries: drawn.tries.map((one, index) => ({
			...one,
			edits: one.edits.filter(
				(edit) =>
					index > 0 &&
					(edit.kind !== 'credential' || !isKilled) &&
					(edit.kind !== 'rename' || !isForgotten) &&
					(edit.kind !== 'recreate' || !isAgent || !isRenewed) &&
					(isAgent || !ofAgents.includes(edit.kind)) &&
					(!('node' in edit) || edit.node === 0 || (!isAgent && drawn.sendNodes === 2)),
			),
			outcomes: one.outcomes.map(({ to, outcome }) => ({
				to,
				outcome: isSilent && outcome === 'reject' ? 'fail' : outcome,
			})),
			otherFails: hasOther ? one.otherFails : undefined,
			agentFails: isAgent ? one.agentFails : undefined,
			kill: isForgotten && one.kill ? inFirstRun(one.kill, index) : one.kill,
		})),
	};
}
