import { quickRandom } from '../../test/models/harness/random.mts';
import { contestants, type Bars, type Case, type Figure, type FurtherTable } from '../case.mts';
import { leastTimeOf } from './bound.mts';
import { playPlan, type Line } from './play.mts';
import type { Batch } from '../httpRequest.mts';
import type { Came, Scenario } from './scenario.mts';
import { known, quantile, seconds, worst } from './statistics.mts';
import { howSimulated, limiterNames } from './words.mts';

const updates = 3_000;
const sends = 50;

/** What the least time is of: all that is asked. */
const bound = leastTimeOf(updates + sends);

/** How the sync of the HTTP Request node is paced. */
const settings: Record<string, Batch> = {
	'at 60 a minute': { batchSize: 1, batchInterval: 1_017 },
	'at 50 a minute': { batchSize: 1, batchInterval: 1_200 },
};

/** The name of a setting of the HTTP Request node; undefined is this node. */
type Kind = string | undefined;

/** Sends that come at random moments of a long sync of the same n8n. */
export const urgent: Case = {
	title: 'An urgent send during a sync',
	about: `A sync of 3,000 updates runs for most of an hour, and 50 messages are sent meanwhile, each by an execution of its own of the same n8n, at random moments. A wait is from the beginning of the send’s node until its request is answered. ${howSimulated}

This node is used with its defaults for both. The sync of the HTTP Request node makes a request every 1,017 ms, which is 60 in 61 s, or every 1,200 ms, which is 50 a minute and leaves ten for others. Its sends have no batch, and everything has *Retry On Fail* with five tries and 5 s between them. Waits are those of the sends that were answered at all, so they say little where many failed. The bound of the sync is the least time of all 3,050 requests. Each figure is that of the worst limiter over all seeds.

At 50 a minute the sends of the HTTP Request node wait less, because a sixth of the limit is always free for them. That costs its sync ten minutes in the hour, whether anything is sent or not, while this node uses the whole limit and lets a send go next.`,
	async run({ isQuick, progress }) {
		const kinds: Kind[] = [undefined, ...Object.keys(settings)];
		const lines = await playPlan({ kinds, seeds: isQuick ? 1 : 5, scenarioOf, progress });
		return {
			figures: Object.keys(settings).flatMap((setting) => figuresOf(setting, lines)),
			tables: [limiterTable(lines)],
			plots: [plotOf(lines, 'waits'), plotOf(lines, 'failed')],
		};
	},
};

function scenarioOf(setting: Kind, given: Pick<Scenario, 'limiter' | 'seed'>): Scenario {
	const random = quickRandom(given.seed);
	const batch = setting === undefined ? undefined : settings[setting];
	// Each at a random moment of its part of the time.
	const moments = Array.from({ length: sends }, (_, index) => ((index + random()) / sends) * bound);
	return {
		...given,
		contestant: setting === undefined ? 'ours' : 'other',
		processes: [
			[
				{ kind: 'update', items: updates, at: 0, batch },
				...moments.map((at) => ({ kind: 'send' as const, items: 1, at })),
			],
		],
	};
}

/** Of the sends that were answered, in s. */
function waitsOf(came: Came[]): number[] {
	return came
		.flatMap(({ jobs }) => jobs)
		.filter(({ kind, error }) => kind === 'send' && error === undefined)
		.map(({ beganAt, endedAt }) => seconds(endedAt - beganAt));
}

/** Sends that failed, in a run. */
function failedSends({ jobs }: Came): number {
	return jobs.filter(({ kind, error }) => kind === 'send' && error !== undefined).length;
}

/** How long the sync took, in s; null when it failed. */
function syncTime({ jobs }: Came): number | null {
	const { endedAt, error } = jobs.find(({ kind }) => kind === 'update')!;
	return error === undefined ? seconds(endedAt) : null;
}

function figuresOf(setting: string, lines: Array<Line<Kind>>): Figure[] {
	const worstOf = (kind: Kind, of: (came: Came[]) => number | null) =>
		worst(lines.filter((line) => line.kind === kind).map(({ came }) => of(came)));
	const figure = (name: string, unit: string, of: (came: Came[]) => number | null) => ({
		name: `HTTP Request ${setting}: ${name}`,
		ours: known(worstOf(undefined, of), name),
		other: worstOf(setting, of),
		bound: null,
		unit,
	});
	const most = (of: (came: Came) => number | null) => (came: Came[]) => worst(came.map(of));
	return [
		figure('wait, median', 's', (came) => quantile(waitsOf(came), 0.5)),
		{
			...figure('wait, 95 of 100', 's', (came) => quantile(waitsOf(came), 0.95)),
			atMost: { ours: 5 },
		},
		figure('wait, longest', 's', (came) => quantile(waitsOf(came), 1)),
		{ ...figure('sends that failed', 'of 50', most(failedSends)), bound: 0, atMost: { ours: 0 } },
		{
			...figure('the sync', 's', most(syncTime)),
			bound: seconds(bound),
			atMost: { ours: seconds(bound) + 60 },
		},
		{
			...figure(
				'updates not made',
				'of 3,000',
				most(({ updated }) => updates - updated),
			),
			bound: 0,
			atMost: { ours: 0 },
		},
		{
			...figure(
				'refusals',
				'requests',
				most(({ refused }) => refused),
			),
			bound: 0,
			atMost: { ours: 0 },
		},
	];
}

function nameOf(kind: Kind): string {
	return kind === undefined ? contestants.ours : `${contestants.other} ${kind}`;
}

function limiterTable(lines: Array<Line<Kind>>): FurtherTable {
	return {
		title: 'Under each limiter',
		head: ['node', 'limiter', 'median s', '95 % s', 'longest s', 'failed', 'sync s', 'refusals'],
		rows: lines.map(({ kind, limiter, came }) => [
			nameOf(kind),
			limiterNames[limiter],
			...[0.5, 0.95, 1].map((part) => quantile(waitsOf(came), part) ?? '–'),
			worst(came.map(failedSends))!,
			worst(came.map(syncTime)) ?? 'failed',
			worst(came.map(({ refused }) => refused))!,
		]),
	};
}

const plotted = {
	waits: {
		title: 'How long 95 of 100 urgent sends wait, of those that are answered',
		values: 'seconds',
		of: (came: Came[]) => quantile(waitsOf(came), 0.95),
	},
	failed: {
		title: 'Urgent sends that fail, of 50',
		values: 'sends',
		of: (came: Came[]) => worst(came.map(failedSends)),
	},
};

function plotOf(lines: Array<Line<Kind>>, what: keyof typeof plotted): Bars {
	const { title, values, of } = plotted[what];
	const bars = lines.flatMap(({ kind, limiter, came }) => {
		const value = of(came);
		const series = kind === undefined ? contestants.ours : contestants.other;
		// This node stands in each group, beside either setting of the other.
		const beside = kind === undefined ? Object.keys(settings) : [kind];
		return value === null
			? []
			: beside.map((setting) => ({
					group: `${setting}, ${limiterNames[limiter]}`,
					series,
					value,
				}));
	});
	return { kind: 'bars', name: `urgent-${what}`, title, values, bars };
}
