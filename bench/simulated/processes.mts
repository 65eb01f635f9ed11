import { quickRandom } from '../../test/models/harness/random.mts';
import { contestants, type Bars, type Case, type Figure, type FurtherTable } from '../case.mts';
import { leastTimeOf } from './bound.mts';
import { playPlan, strictest, type Line } from './play.mts';
import type { Batch } from '../httpRequest.mts';
import type { Came, Scenario } from './scenario.mts';
import { allowance } from './service.mts';
import { known, seconds, worst } from './statistics.mts';
import { howSimulated, limiterNames } from './words.mts';

const sends = 2_400;
const minute = 60_000;
const counts = [2, 4, 8, 16];
const bound = leastTimeOf(sends);

const ways = ['knowing nothing of one another', 'told how many they are'] as const;
type Way = (typeof ways)[number];

/** Who sends: so many processes, with which node, in which way. */
interface Kind {
	processes: number;
	way: Way;
	contestant: Scenario['contestant'];
}

/** n8n processes that share a key. */
export const processes: Case = {
	title: 'Several n8n processes on one key',
	about: `Two to sixteen n8n processes send 2,400 messages together with one key, one execution each, which begins within a minute. At first they know nothing of one another, then they are told how many they are. ${howSimulated}

This node runs with its defaults, then with *Number of n8n Processes* set in its credential. The HTTP Request node makes a request every 1,017 ms, which is 60 in 61 s, and then as many requests every 61,000 ms as the part of its process has, 60 divided by the number of processes and rounded down. It has *Retry On Fail* with five tries and 5 s between them. The bound is the least time of 2,400 requests. Fairness is the least done by a process to the most done, when the first has ended. Each figure is that of the worst limiter and seed.

Knowing nothing of one another, the processes with the HTTP Request node are refused, and each retry sends everything again: there is no time to compare where messages are not sent at the end. Under the sliding window, which counts refused requests too, hardly anything gets through then; the table shows the others. Told how many they are, both keep to the same parts and nobody is refused. The HTTP Request node is then up to 1 % ahead, as it sends each part at once and so need not wait for the last minute to pass, while this node spreads its part so that other executions of the process get in between. Sixteen parts of a whole number of requests are 48 of 60, which costs both a quarter.`,
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
			plots: [timePlot(lines), unsentPlot(lines)],
		};
	},
};

function scenarioOf(kind: Kind, given: Pick<Scenario, 'limiter' | 'seed'>): Scenario {
	const { processes, way, contestant } = kind;
	const random = quickRandom(given.seed);
	const part = Math.floor(allowance / processes);
	const batch: Batch =
		way === 'told how many they are'
			? { batchSize: part, batchInterval: 61_000 }
			: { batchSize: 1, batchInterval: 1_017 };
	return {
		...given,
		contestant,
		declared: way === 'told how many they are' ? processes : 1,
		processes: Array.from({ length: processes }, () => {
			const at = Math.floor(random() * minute);
			return [{ kind: 'send', items: sends / processes, at, batch }];
		}),
	};
}

/** Requests per minute of all processes, as each part is a whole number. */
function together({ processes, way }: Pick<Kind, 'processes' | 'way'>): number {
	if (way === 'knowing nothing of one another') return allowance;
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
		name: `${count} processes ${way}: ${name}`,
		ours: known(
			pick(cameOf(lines, { ...kind, contestant: 'ours' }).map(of)),
			`${count} ${way}, ${name}`,
		),
		other: pick(cameOf(lines, { ...kind, contestant: 'other' }).map(of)),
		bound: null,
		unit,
	});
	const isTold = way === 'told how many they are';
	// As test/models/pacing promises of the transport alone.
	const most = count > 8 && !isTold ? 1.5 : 1.35;
	return [
		{
			...figure('time', 's', timeOf),
			bound: seconds(bound),
			atMost: { ofBound: (most * allowance) / together(kind) },
		},
		{
			...figure('refusals', '% of requests', refusals),
			bound: 0,
			atMost: { ours: isTold ? 0 : count > 8 ? 18 : 10 },
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

function timePlot(lines: Array<Line<Kind>>): Bars {
	return {
		kind: 'bars',
		name: 'processes-time',
		title: 'Until 2,400 messages are sent, by the worst limiter (no bar: they never all are)',
		values: 'seconds',
		bars: barsOf(lines, timeOf).map((bar) => ({ ...bar, bound: seconds(bound) })),
	};
}

function unsentPlot(lines: Array<Line<Kind>>): Bars {
	return {
		kind: 'bars',
		name: 'processes-not-sent',
		title: 'Messages of 2,400 that are not sent at the end, by the worst limiter',
		values: 'messages',
		bars: barsOf(lines, unsent),
	};
}

function barsOf(lines: Array<Line<Kind>>, of: (came: Came) => number | null) {
	return counts.flatMap((processes) =>
		ways.flatMap((way) =>
			(['ours', 'other'] as const).flatMap((contestant) => {
				const value = worst(cameOf(lines, { processes, way, contestant }).map(of));
				const group = `${processes}, ${way}`;
				return value === null ? [] : [{ group, series: contestants[contestant], value }];
			}),
		),
	);
}
