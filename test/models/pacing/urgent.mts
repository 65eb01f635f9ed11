import { currentTime, minute, pass } from '../harness/clock.mts';
import { limiters, type Limiter } from '../harness/limiters.mts';
import type { Cell, Figures } from './judge.mts';
import { leastTime, type Latency } from '../harness/leastTime.mts';
import { Process, type Execution, type Work } from './process.mts';
import { LimitedService } from '../harness/limitedService.mts';

const second = 1000;

/** Long executions, and sends of others beside them, all in one process. */
interface Urgent {
	/** Requests per minute: 60 by default. */
	allowance?: number;
	/** Each of them is an execution. */
	syncs: Work[];
	/** How many executions send something in the meantime. */
	sends: number;
	/** How many of them begin at the same moment: one by default. */
	atOnce?: number;
	/** How many messages each of them sends, all at once: one by default. */
	messages?: number;
	/** How often it is played, so that sends beside a short sync are many enough to tell. */
	times?: number;
	/** Whether no bound of the waiting is promised. */
	isShownOnly?: boolean;
}

/** What an urgent cell is played with. */
interface Circumstances {
	limiter: Limiter;
	latency: Latency;
}

/** What came of the sends and the syncs, times in ms. */
interface Came {
	waits: number[];
	took: number;
	/** How long the syncs took beyond the least time. */
	over: number;
	refused: number;
	failed: number;
	/** Least done by a sync, to most done, when the first sync was done. */
	fairness: number;
}

const sync: Work = { requests: 3000 };

const everyLatency: Latency[] = [
	{ most: 0 },
	{ most: 100 },
	{ most: 500 },
	{ most: 100, isConstant: true },
	{ most: 500, isConstant: true },
];

const someLatencies = everyLatency.slice(1, 3);

/*
 * What spreads its places over the minute makes the last sixty requests in a minute where another
 * makes them at once, so it ends up to a minute later by nature; how much later depends on how many
 * requests are left for the last minute. The numbers of requests leave some seconds to spare, as
 * no one can keep to a minute without some distance.
 */

/** With every latency. */
const first: Record<string, Urgent> = {
	'sync 3000': { syncs: [sync], sends: 50 },
};

/**
 * With some latencies. A sync may use an idle key's whole allowance at once, as no one knows yet how
 * long it will be: who comes in its first minute may have to wait, and of a short sync that minute
 * is more than one part in twenty.
 */
const others: Record<string, Urgent> = {
	'sync 61': { syncs: [{ requests: 61 }], sends: 1, times: 50, isShownOnly: true },
	'sync 100': { syncs: [{ requests: 100 }], sends: 2, times: 25, isShownOnly: true },
	'sync 300': { syncs: [{ requests: 300 }], sends: 5, times: 10, isShownOnly: true },
	'sync 1000': { syncs: [{ requests: 1000 }], sends: 17, times: 3, isShownOnly: true },
	'allowance 600': {
		syncs: [{ requests: 18_000, concurrency: 20 }],
		sends: 50,
		allowance: 600,
	},
	'concurrency 1': { syncs: [{ ...sync, concurrency: 1 }], sends: 50 },
	'concurrency 20': { syncs: [{ ...sync, concurrency: 20 }], sends: 50 },
	'unforeseen 3000': { syncs: [{ ...sync, isUnforeseen: true }], sends: 50 },
	'loop of 10': { syncs: [{ ...sync, each: 10 }], sends: 50 },
	'loop of 1': { syncs: [{ ...sync, each: 1 }], sends: 50 },
	'two syncs': { syncs: [{ requests: 1500 }, { requests: 1500 }], sends: 50 },
	'ten syncs': { syncs: Array.from({ length: 10 }, () => ({ requests: 300 })), sends: 50 },
	'4 sends at once': { syncs: [sync], sends: 200, atOnce: 4 },
	'4 messages each': { syncs: [sync], sends: 50, messages: 4 },
	'half of all are sends': { syncs: [{ requests: 1530 }], sends: 1500 },
	'allowance 20': { syncs: [{ requests: 1000 }], sends: 50, allowance: 20 },
	'allowance 6': { syncs: [{ requests: 300 }], sends: 50, allowance: 6, isShownOnly: true },
	'20 sends at once': { syncs: [sync], sends: 100, atOnce: 20, isShownOnly: true },
};

/** What a long execution leaves to others of its process, and what that costs it. */
export function urgentCells(): Cell[] {
	const cellsOf = (kinds: Record<string, Urgent>, latencies: Latency[]) =>
		Object.entries(kinds).flatMap(([kind, urgent]) =>
			(Object.keys(limiters) as Limiter[]).flatMap((limiter) =>
				latencies.map((latency) => ({
					name: `urgent ${kind} ${limiter} ${latency.most}ms${latency.isConstant ? ' constant' : ''}`,
					play: async () => await measure(urgent, { limiter, latency }),
				})),
			),
		);
	return [...cellsOf(first, everyLatency), ...cellsOf(others, someLatencies)];
}

async function measure(urgent: Urgent, circumstances: Circumstances): Promise<Figures> {
	const { times = 1, isShownOnly } = urgent;
	const all: Came[] = [];
	for (let time = 0; time < times; time++) all.push(await play(urgent, circumstances));
	const waits = all.flatMap((one) => one.waits);
	const most = (of: (one: Came) => number) => Math.max(...all.map(of));
	return {
		'median s': { value: quantile(waits, 0.5) / second },
		'95 % s': { value: quantile(waits, 0.95) / second, atMost: isShownOnly ? Infinity : 5 },
		'longest s': { value: Math.max(...waits) / second },
		'sync min': { value: most(({ took }) => took) / minute },
		'over s': { value: most(({ over }) => over) / second, atMost: 60 },
		'429s': { value: most(({ refused }) => refused), atMost: 0 },
		failed: { value: most(({ failed }) => failed), atMost: 0 },
		fairness: { value: Math.min(...all.map(({ fairness }) => fairness)), atLeast: 0.8 },
	};
}

async function play(urgent: Urgent, circumstances: Circumstances): Promise<Came> {
	const { allowance = 60 } = urgent;
	const { latency } = circumstances;
	const service = new LimitedService({ ...circumstances, allowance });
	const process = new Process(service, { requestsPerMinute: allowance });
	const begun = currentTime();
	const sending = sendMeanwhile(urgent, latency, process);
	const fairness = await workAll(urgent.syncs, process);
	const took = currentTime() - begun;
	const over = took - leastTime(service.requests, allowance, latency);
	const waits = (await sending).flatMap((execution) => execution.waits);
	return { waits, took, over, refused: service.refused, failed: process.failed, fairness };
}

/** Resolves when all syncs are done, with the least done, to the most done, when the first was. */
async function workAll(syncs: Work[], process: Process): Promise<number> {
	const executions = syncs.map(() => process.execution());
	let fairness: number | undefined;
	const working = syncs.map(async (work, index) => {
		await executions[index].work(work);
		const done = executions.map((execution) => execution.done);
		fairness ??= Math.min(...done) / Math.max(...done);
	});
	await Promise.all(working);
	return fairness!;
}

/** Begins executions, each at a random moment of its part of the time that all must take. */
async function sendMeanwhile(
	{ allowance = 60, syncs, sends, atOnce = 1, messages = 1 }: Urgent,
	latency: Latency,
	process: Process,
): Promise<Execution[]> {
	const requests = syncs.reduce((sum, work) => sum + work.requests, sends * messages);
	const during = leastTime(requests, allowance, latency);
	const count = sends / atOnce;
	const groups = Array.from({ length: count }, async (_, index) => {
		await pass(((index + Math.random()) / count) * during);
		const executions = Array.from({ length: atOnce }, () => process.execution());
		await Promise.all(executions.map((one) => one.work({ requests: messages })));
		return executions;
	});
	return (await Promise.all(groups)).flat();
}

/** The value that so large a part of all does not exceed, from 0 to 1. */
function quantile(values: number[], part: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.ceil(part * sorted.length) - 1];
}
