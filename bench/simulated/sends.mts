import { quickRandom } from '../../test/models/harness/random.mts';
import { contestants, type Case, type Figure, type FurtherTable } from '../case.mts';
import { leastTimeOf } from './bound.mts';
import { playPlan, type Line } from './play.mts';
import type { Batch } from '../httpRequest.mts';
import type { Came, Scenario } from './scenario.mts';
import { known, seconds, worst } from './statistics.mts';
import { limiterNames } from './words.mts';

const sendsEach = 300;
const minute = 60_000;

/** How n8n's HTTP Request node is set. */
const settings: Record<string, Batch> = {
	'60 every 61,000 ms': { batchSize: 60, batchInterval: 61_000 },
	'60 every 60,000 ms': { batchSize: 60, batchInterval: 60_000 },
	'1 every 1,017 ms': { batchSize: 1, batchInterval: 1_017 },
	'1 every 1,000 ms': { batchSize: 1, batchInterval: 1_000 },
};

/** How many n8n processes send 300 messages each. */
const places = { alone: 1, 'beside another process': 2 };
type Place = keyof typeof places;

/** With which setting the HTTP Request node does best in a place, under all limiters taken together. */
const best: Record<Place, string> = {
	alone: '60 every 61,000 ms',
	'beside another process': '1 every 1,017 ms',
};

/** Where, and with which setting of the HTTP Request node; none is this node. */
interface Kind {
	place: Place;
	setting?: string;
}

/**
 * 300 sends under the rate limit, alone and beside another n8n process that sends as many with the same
 * key. HTTP Request has the best of its settings, and Retry On Fail with five tries and 5 s between them.
 * Each figure is that of the worst limiter and seed.
 */
export const sends: Case = {
	title: '300 sends under the rate limit',
	async run({ isQuick, progress }) {
		const kinds = (Object.keys(places) as Place[]).flatMap((place) =>
			[undefined, ...Object.keys(settings)].map((setting): Kind => ({ place, setting })),
		);
		const lines = await playPlan({ kinds, seeds: isQuick ? 1 : 5, scenarioOf, progress });
		return {
			figures: (Object.keys(places) as Place[]).flatMap((place) => figuresOf(place, lines)),
			tables: [settingsTable(lines)],
		};
	},
};

function scenarioOf({ place, setting }: Kind, given: Pick<Scenario, 'limiter' | 'seed'>): Scenario {
	const random = quickRandom(given.seed);
	const batch = setting === undefined ? undefined : settings[setting];
	return {
		...given,
		contestant: setting === undefined ? 'ours' : 'other',
		processes: Array.from({ length: places[place] }, (_, index) => {
			const at = index * Math.floor(random() * minute);
			return [{ kind: 'send', items: sendsEach, at, batch }];
		}),
	};
}

/** Messages that all processes of a place are to send. */
function wanted(place: Place): number {
	return sendsEach * places[place];
}

/** In ms; null when messages are not sent at the end. */
function timeOf({ took, messages }: Came, place: Place): number | null {
	return messages < wanted(place) ? null : took;
}

function bound(place: Place): number {
	return leastTimeOf(wanted(place));
}

function figuresOf(place: Place, lines: Array<Line<Kind>>): Figure[] {
	const worstOf = (setting: string | undefined, of: (came: Came) => number | null) =>
		worst(cameOf(lines, place, setting).map(of));
	const figure = (name: string, unit: string, of: (came: Came) => number | null) => ({
		name: `${wanted(place)} sends ${place}: ${name}`,
		ours: known(worstOf(undefined, of), `${place}, ${name}`),
		other: worstOf(best[place], of),
		unit,
	});
	const least = seconds(bound(place));
	const isAlone = place === 'alone';
	return [
		{
			...figure('time', 's', (came) => seconds(timeOf(came, place))),
			bound: least,
			...(isAlone && { atMost: { ours: least + 60 } }),
		},
		{
			...figure('refusals', 'requests', ({ refused }) => refused),
			bound: 0,
			...(isAlone && { atMost: { ours: 0 } }),
		},
		{
			...figure('not sent at the end', 'messages', ({ messages }) => wanted(place) - messages),
			bound: 0,
			atMost: { ours: 0 },
		},
		{ ...figure('requests', 'requests', ({ requests }) => requests), bound: wanted(place) },
	];
}

function cameOf(lines: Array<Line<Kind>>, place: Place, setting?: string): Came[] {
	return lines
		.filter(({ kind }) => kind.place === place && kind.setting === setting)
		.flatMap(({ came }) => came);
}

function settingsTable(lines: Array<Line<Kind>>): FurtherTable {
	return {
		title: 'Each setting under each limiter: the worst of all seeds',
		head: ['node', 'setting', 'place', 'limiter', 's', 'refusals', 'not sent', 'executions failed'],
		rows: lines.map(({ kind: { place, setting }, limiter, came }) => {
			const most = (of: (came: Came) => number) => worst(came.map(of))!;
			return [
				setting === undefined ? contestants.ours : contestants.other,
				setting ?? 'defaults',
				place,
				limiterNames[limiter],
				seconds(most(({ took }) => took)),
				most(({ refused }) => refused),
				most(({ messages }) => wanted(place) - messages),
				most(({ jobs }) => jobs.filter(({ error }) => error).length),
			];
		}),
	};
}
