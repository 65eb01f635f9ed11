import { minute } from '../harness/clock.mts';
import { limiters, type Limiter } from '../harness/limiters.mts';
import type { Cell, Figures } from './judge.mts';
import { allowance, fairnessOf, longestDrought, workAsCrowd, type Crowd } from './crowd.mts';
import { leastTime } from '../harness/leastTime.mts';

/** What the processes do: executions of each, and requests of each process at least. */
const works = {
	'one each': { executions: 1, requests: 150 },
	'ten each': { executions: 10, requests: 400 },
	burst: { executions: 10, requests: 400, isBurst: true },
};

/** How many requests all make together at least: 40 minutes of work; and at most. */
const fewest = 2400;
const most = 6400;

const usual = { processes: [1, 2, 4, 8, 16], latencies: [100], isDeclared: false };

/** Table 2: how processes that know nothing of one another share a key, and those that do. */
export function sharedCells(): Cell[] {
	return [
		...cellsOf('shared', usual),
		...cellsOf('shared', { ...usual, processes: [2, 16], latencies: [20, 500] }),
		...cellsOf('shared', { ...usual, processes: [32] }),
		...cellsOf('declared', { ...usual, processes: [2, 4, 8, 16, 32], isDeclared: true }),
	];
}

function cellsOf(what: string, { processes, latencies, isDeclared }: typeof usual): Cell[] {
	const cells: Cell[] = [];
	for (const count of processes) {
		for (const latency of latencies) {
			for (const [work, { executions, requests, ...begin }] of Object.entries(works)) {
				for (const limiter of Object.keys(limiters) as Limiter[]) {
					// Who is never refused is shown nothing either.
					for (const tellsWait of isDeclared ? [false] : [true, false]) {
						const total = Math.min(most, Math.max(fewest, count * requests));
						const crowd: Crowd = {
							...begin,
							limiter,
							latency: { most: latency },
							tellsWait,
							processes: count,
							executions,
							requests: Math.round(total / count / executions),
							declared: isDeclared ? count : 1,
						};
						const told = tellsWait ? 'told' : 'untold';
						cells.push({
							name: `${what} ${count} ${work} ${limiter} ${isDeclared ? '' : `${told} `}${latency}ms`,
							play: async () => await measure(crowd),
						});
					}
				}
			}
		}
	}
	return cells;
}

async function measure(crowd: Crowd): Promise<Figures> {
	const { processes, executions, latency, declared = 1 } = crowd;
	const { service, members, begunAt, endedAt, failed } = await workAsCrowd(crowd);
	const took = endedAt - begunAt;
	const requests = crowd.requests * executions * processes;
	// A share is a whole number of requests.
	const shares = declared * Math.max(1, Math.floor(allowance / declared));
	const droughts = members.map(longestDrought);
	return {
		minutes: { value: took / minute },
		'of bound': { value: took / leastTime(requests, allowance, latency) },
		'of shares': {
			value: took / leastTime(requests, shares, latency),
			atMost: mostTime(crowd),
		},
		failed: { value: failed, atMost: processes > 16 ? Infinity : 0 },
		fairness: {
			value: fairnessOf(members, begunAt),
			atLeast: leastFairness(crowd),
		},
		'dry min': {
			value: Math.max(...droughts) / minute,
			atMost: processes > 16 ? Infinity : 10,
		},
		'429 %': {
			value: (100 * service.refused) / service.requests,
			atMost: mostRefused(crowd),
		},
	};
}

/** The least done by a process to the most, from the beginning until one has done its work. */
function leastFairness({ processes }: Crowd): number {
	if (processes > 16) return 0;
	return processes > 8 ? 0.1 : 0.2;
}

/** In percent of all requests. */
function mostRefused({ processes, declared }: Crowd): number {
	if (processes === declared) return 0;
	if (processes > 16) return Infinity;
	return processes > 8 ? 18 : 10;
}

/** As a part of the least time. Where refused requests count too, each takes a place from another. */
function mostTime({ processes, limiter }: Crowd): number {
	if (processes > 16) return Infinity;
	return processes > 8 && limiter === 'slidingWindow' ? 1.5 : 1.35;
}
