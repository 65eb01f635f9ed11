import { quickRandom } from '../../test/models/harness/random.mts';
import { contestants, type Case, type Figure, type FurtherTable } from '../case.mts';
import { leastTimeOf } from './bound.mts';
import { playPlan, strictest, type Line } from './play.mts';
import type { Batch } from '../httpRequest.mts';
import type { Came, Scenario } from './scenario.mts';
import { allowance } from './service.mts';
import { known, seconds, worst } from './statistics.mts';
import { limiterNames } from './words.mts';

const sends = 2_400;
const minute = 60_000;
const counts = [2, 4, 8, 16];
const bound = leastTimeOf(sends);

const ways = ['undeclared', 'declared'] as const;
type Way = (typeof ways)[number];

/** Who sends: so many processes, with which node, in which way. */
interface Kind {
	processes: number;
	way: Way;
	contestant: Scenario['contestant'];
}

/**
 * n8n processes that share a key: with the number of processes declared (HTTP Request: with a part of
 * the limit in its batches), or not. Fairness is the least done by a process to the most done, when the
 * first one has ended. Each figure is that of the worst limiter and seed.
 */
export const processes: Case = {
	title: 'Several n8n processes on one key',
	async run({ isQuick, progress }) {
		const kinds = counts.flatMap((processes) =>
			ways.flatMap((way) => [
				{ processes, way, contestant: 'ours' as const },
				{ processes, way, contestant: 'other' as const },
			]),
		);
		const amount = isQuick ? { limiters: [strictest], seeds: 1 } : { seeds: 3 };
		const lines = await playPlan<Kind>({ kinds, ...amount, scenarioOf, progress });
		return {
			figures: counts.flatMap((count) => ways.flatMap((way) => figuresOf(count, way, lines))),
			tables: [limiterTable(lines)],
		};
	},
};

function scenarioOf(kind: Kind, given: Pick<Scenario, 'limiter' | 'seed'>): Scenario {
	const { processes, way, contestant } = kind;
	const random = quickRandom(given.seed);
	const part = Math.floor(allowance / processes);
	const batch: Batch =
		way === 'declared'
			? { batchSize: part, batchInterval: 61_000 }
			: { batchSize: 1, batchInterval: 1_017 };
	return {
		...given,
		contestant,
		declared: way === 'declared' ? processes : 1,
		processes: Array.from({ length: processes }, () => {
			const at = Math.floor(random() * minute);
			return [{ kind: 'send', items: sends / processes, at, batch }];
		}),
	};
}

/** Requests per minute of all processes, as each part is a whole number. */
function together({ processes, way }: Pick<Kind, 'processes' | 'way'>): number {
	if (way === 'undeclared') return allowance;
	return processes * Math.floor(allowance / processes);
}

const unsent = ({ messages }: Came) => sends - messages;

/** In s; null when messages are not sent at the end. */
function timeOf(came: Came): number | null {
	return unsent(came) > 0 ? null : seconds(came.took);
}

/** In percent of all requests. */
function refusals({ refused, requests }: Came): number {
	return Math.round((1000 * refused) / requests) / 10;
}

/** From 0, when some process has done nothing, to 1. */
function fairness({ jobs, done }: Came): number {
	const first = Math.min(...jobs.map(({ endedAt }) => endedAt));
	const counts = done.map((moments) => moments.filter((at) => at <= first).length);
	const most = Math.max(...counts);
	return most === 0 ? 1 : Math.round((100 * Math.min(...counts)) / most) / 100;
}

function figuresOf(count: number, way: Way, lines: Array<Line<Kind>>): Figure[] {
	const kind = { processes: count, way };
	const figure = (name: string, unit: string, of: (came: Came) => number | null, pick = worst) => ({
		name: `${count} processes, ${way}: ${name}`,
		ours: known(
			pick(cameOf(lines, { ...kind, contestant: 'ours' }).map(of)),
			`${count} ${way}, ${name}`,
		),
		other: pick(cameOf(lines, { ...kind, contestant: 'other' }).map(of)),
		bound: null,
		unit,
	});
	const isDeclared = way === 'declared';
	// As test/models/pacing promises of the transport alone.
	const most = count > 8 && !isDeclared ? 1.5 : 1.35;
	return [
		{
			...figure('time', 's', timeOf),
			bound: seconds(bound),
			atMost: { ofBound: (most * allowance) / together(kind) },
		},
		{
			...figure('refusals', '% of requests', refusals),
			bound: 0,
			atMost: { ours: isDeclared ? 0 : count > 8 ? 18 : 10 },
		},
		figure('fairness', 'least to most', fairness, least),
		{
			...figure('not sent at the end', 'messages', unsent),
			bound: 0,
			atMost: { ours: 0 },
		},
	];
}

/** The least of some values, as the worst of what is better when it is more. */
function least(values: Array<number | null>): number | null {
	const worstOfAll = worst(values.map((value) => (value === null ? null : -value)));
	return worstOfAll === null ? null : Math.abs(worstOfAll);
}

function cameOf(lines: Array<Line<Kind>>, { processes, way, contestant }: Kind): Came[] {
	return lines
		.filter(({ kind }) => kind.processes === processes && kind.way === way)
		.filter(({ kind }) => kind.contestant === contestant)
		.flatMap(({ came }) => came);
}

function limiterTable(lines: Array<Line<Kind>>): FurtherTable {
	return {
		title: 'Under each limiter: the worst of all seeds',
		head: ['node', 'processes', 'way', 'limiter', 'of bound', 'refusals %', 'fairness', 'not sent'],
		rows: lines.map(({ kind: { processes, way, contestant }, limiter, came }) => {
			const time = worst(came.map(timeOf));
			return [
				contestants[contestant],
				processes,
				way,
				limiterNames[limiter],
				time === null ? '–' : (time / seconds(bound)).toFixed(2),
				worst(came.map(refusals))!,
				least(came.map(fairness))!,
				worst(came.map(unsent))!,
			];
		}),
	};
}
