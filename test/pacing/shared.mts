import { currentTime } from '../lists/time.mts';
import { limiters, type Limiter } from '../support/limiters.mts';
import { leastTime, type Cell, type Figures } from './cell.mts';
import { Process } from './process.mts';
import { Service, type Latency } from './service.mts';
import { hour, minute, pass } from './time.mts';

/** Processes that share a key. */
interface Shared {
	limiter: Limiter;
	latency: Latency;
	tellsWait: boolean;
	processes: number;
	/** Executions of each process. */
	executions: number;
	/** Requests of all processes together. */
	requests: number;
	/** Whether the processes have worked in the evening, and all begin at the same moment. */
	isBurst?: boolean;
	/** Whether the credential tells how many processes there are. */
	isDeclared?: boolean;
}

/** Requests per minute. */
const allowance = 60;

const kinds = {
	'one each': { executions: 1, ofEach: 150 },
	'ten each': { executions: 10, ofEach: 400 },
	burst: { executions: 10, ofEach: 400, isBurst: true },
};

/** At least so many requests, together: 40 minutes of work. */
const fewest = 2400;

/** Table 2: how processes that do not know of one another share a key. */
export function sharedCells(): Cell[] {
	const cells: Cell[] = [];
	for (const processes of [1, 2, 4, 8, 16]) {
		for (const [kind, { ofEach, ...work }] of Object.entries(kinds)) {
			for (const limiter of Object.keys(limiters) as Limiter[]) {
				for (const tellsWait of [true, false]) {
					for (const isDeclared of processes > 1 ? [false, true] : [false]) {
						const shared = { ...work, processes, limiter, tellsWait, isDeclared };
						const told = tellsWait ? 'told' : 'untold';
						cells.push({
							name: `${isDeclared ? 'declared' : 'shared'} ${processes} ${kind} ${limiter} ${told}`,
							play: async () =>
								await measure({
									...shared,
									requests: Math.max(fewest, processes * ofEach),
									latency: { most: 100 },
								}),
						});
					}
				}
			}
		}
	}
	return cells;
}

async function measure(shared: Shared): Promise<Figures> {
	const { processes, isDeclared } = shared;
	const { service, all, took, fairness, longest, requests } = await play(shared);
	const share = isDeclared ? Math.max(1, Math.floor(allowance / processes)) * processes : allowance;
	const failed = all.reduce((sum, one) => sum + one.failed, 0);
	const mostRefused = processes === 1 || isDeclared ? 0 : processes <= 8 ? 10 : 15;
	return {
		minutes: { value: took / minute },
		'of bound': { value: took / leastTime(requests, allowance, shared.latency) },
		'of shares': { value: took / leastTime(requests, share, shared.latency), atMost: 1.2 },
		failed: { value: failed, atMost: 0 },
		fairness: { value: fairness, atLeast: processes <= 8 ? 0.5 : 0.3 },
		'dry min': { value: longest / minute },
		'429 %': { value: (100 * service.refused) / service.requests, atMost: mostRefused },
	};
}

async function play(shared: Shared) {
	const { processes, executions, isBurst, isDeclared } = shared;
	const service = new Service({ ...shared, allowance });
	const settings = { requestsPerMinute: allowance, processes: isDeclared ? processes : 1 };
	const all = Array.from({ length: processes }, () => new Process(service, settings));
	if (isBurst) await evening(all, service);
	const ofEach = Math.ceil(shared.requests / processes / executions);
	const begun = currentTime();
	let fairness: number | undefined;
	let longest = 0;
	const working = all.map(async (process) => {
		const its = Array.from({ length: executions }, async () => {
			if (!isBurst) await pass(Math.random() * minute);
			await process.execution().work({ requests: ofEach });
		});
		await Promise.all(its);
		const done = all.map(({ successes }) => successes.length);
		longest = Math.max(longest, longestDrought(process, begun, currentTime()));
		fairness ??= Math.min(...done) / Math.max(...done);
	});
	await Promise.all(working);
	const requests = ofEach * executions * processes;
	return { service, all, took: currentTime() - begun, fairness: fairness!, longest, requests };
}

/** Some work in each process, and a long night after it. */
async function evening(all: Process[], service: Service): Promise<void> {
	await Promise.all(all.map(async (process) => await process.execution().work({ requests: 20 })));
	await pass(10 * hour);
	service.reset();
	for (const process of all) process.forget();
}

/** The longest time that a process which had work was without a success, in ms. */
function longestDrought({ successes }: Process, begun: number, ended: number): number {
	const ends = [...successes, ended];
	return Math.max(...ends.map((at, index) => at - (successes[index - 1] ?? begun)));
}
