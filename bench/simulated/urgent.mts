import { quickRandom } from '../../test/models/harness/random.mts';
import { contestants, type Case, type Figure, type FurtherTable } from '../case.mts';
import { leastTimeOf } from './bound.mts';
import { playPlan, type Line } from './play.mts';
import type { Batch } from '../httpRequest.mts';
import type { Came, Scenario } from './scenario.mts';
import { known, quantile, seconds, worst } from './statistics.mts';
import { limiterNames } from './words.mts';

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

/**
 * Sends at random moments of a long sync in the same n8n instance. Waits are those of the sends that got
 * a response at all. Each figure is that of the worst limiter, over all seeds.
 */
export const urgent: Case = {
	title: 'An urgent send during a sync',
	async run({ isQuick, progress }) {
		const kinds: Kind[] = [undefined, ...Object.keys(settings)];
		const lines = await playPlan({ kinds, seeds: isQuick ? 1 : 5, scenarioOf, progress });
		return {
			figures: Object.keys(settings).flatMap((setting) => figuresOf(setting, lines)),
			tables: [limiterTable(lines)],
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
