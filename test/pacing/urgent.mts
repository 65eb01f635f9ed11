import { currentTime } from '../lists/time.mts';
import { limiters, type Limiter } from '../support/limiters.mts';
import { leastTime, quantile, type Cell, type Figures } from './cell.mts';
import { Process, type Execution, type Work } from './process.mts';
import { Service, type Latency } from './service.mts';
import { minute, pass } from './time.mts';

const second = 1000;

/** Long executions, and sends of others beside them, all in one process. */
interface Urgent {
	limiter: Limiter;
	latency: Latency;
	/** Requests per minute. */
	allowance?: number;
	/** Each of them is an execution. */
	syncs: Work[];
	/** How many sends of other executions begin at random moments. */
	sends?: number;
	/** How many of them begin at the same moment. */
	atOnce?: number;
	/** How many sends a minute begin as long as a sync is under way, in place of `sends`. */
	steady?: number;
	/** How often it is played, so that sends beside a short sync are many enough to tell. */
	times?: number;
}

/** What came of the sends and the syncs, times in ms. */
interface Came {
	waits: number[];
	/** How long the syncs took beyond the least time. */
	over: number;
	took: number;
	refused: number;
	failed: number;
	/** Least done by a sync, to most done, when the first sync was done. */
	fairness: number;
}

const latencies: Latency[] = [
	{ most: 0 },
	{ most: 100 },
	{ most: 500 },
	{ most: 100, isConstant: true },
	{ most: 500, isConstant: true },
];

/** Table 1: what a long execution leaves to others of its process, and what that costs it. */
export function urgentCells(): Cell[] {
	const cells: Cell[] = [];
	const add = (what: string, urgent: Omit<Urgent, 'limiter' | 'latency'>, some = latencies) => {
		for (const limiter of Object.keys(limiters) as Limiter[]) {
			for (const latency of some) {
				const words = `${latency.most} ms${latency.isConstant ? ' constant' : ''}`;
				cells.push({
					name: `urgent ${what} ${limiter} ${words}`,
					isQuick: limiter === 'slidingWindow' && latency.most === 100 && !latency.isConstant,
					play: async () => await measure({ ...urgent, limiter, latency }),
				});
			}
		}
	};
	const few = latencies.slice(1, 3);
	add('sync 3000', { syncs: [{ requests: 3000 }], sends: 50 });
	for (const requests of [61, 100, 300, 1000]) {
		const sends = Math.round(requests / 60);
		add(`sync ${requests}`, { syncs: [{ requests }], sends, times: Math.ceil(50 / sends) }, few);
	}
	add('allowance 600', { syncs: [{ requests: 6000, concurrency: 20 }], sends: 50, allowance: 600 });
	add('four at once', { syncs: [{ requests: 3000 }], sends: 60, atOnce: 4 }, few);
	add('loop', { syncs: [{ requests: 3000, each: 10 }], sends: 50 }, few);
	add('two syncs', { syncs: [{ requests: 1500 }, { requests: 1500 }], sends: 50 }, few);
	add('steady sends', { syncs: [{ requests: 1000 }], steady: 30 }, few);
	return cells;
}

async function measure(urgent: Urgent): Promise<Figures> {
	const { times = 1, syncs } = urgent;
	const all: Came[] = [];
	for (let time = 0; time < times; time++) all.push(await play(urgent));
	const waits = all.flatMap((one) => one.waits);
	const highest = (of: (one: Came) => number) => Math.max(...all.map(of));
	return {
		'median s': { value: quantile(waits, 0.5) / second },
		'95 % s': { value: quantile(waits, 0.95) / second, atMost: 5 },
		'longest s': { value: Math.max(...waits) / second },
		'sync min': { value: highest(({ took }) => took) / minute },
		'over s': { value: highest(({ over }) => over) / second, atMost: 60 },
		refused: { value: highest(({ refused }) => refused), atMost: 0 },
		failed: { value: highest(({ failed }) => failed), atMost: 0 },
		fairness: {
			value: Math.min(...all.map(({ fairness }) => fairness)),
			atLeast: syncs.length > 1 ? 0.8 : 0,
		},
	};
}

async function play(urgent: Urgent): Promise<Came> {
	const { limiter, latency, allowance = 60, syncs } = urgent;
	const service = new Service({ limiter, latency, allowance });
	const process = new Process(service, { requestsPerMinute: allowance });
	const sends: Execution[] = [];
	const send = async () => {
		sends.push(process.execution());
		await sends.at(-1)!.work({ requests: 1 });
	};
	const begun = currentTime();
	const executions = syncs.map(() => process.execution());
	let fairness: number | undefined;
	let isOver = false;
	const working = syncs.map(async (work, index) => {
		await executions[index].work(work);
		const done = executions.map((one) => one.done);
		fairness ??= Math.min(...done) / Math.max(...done);
	});
	const others = sendAll(urgent, send, () => isOver);
	await Promise.all(working);
	isOver = true;
	const took = currentTime() - begun;
	const over = took - leastTime(service.requests, allowance, latency);
	await others;
	return {
		waits: sends.flatMap(({ waits }) => waits),
		over,
		took,
		refused: service.refused,
		failed: process.failed,
		fairness: fairness!,
	};
}

async function sendAll(
	{ latency, allowance = 60, syncs, sends = 0, atOnce = 1, steady }: Urgent,
	send: () => Promise<void>,
	isOver: () => boolean,
): Promise<void> {
	const sending: Array<Promise<void>> = [];
	if (steady) {
		while (!isOver()) {
			sending.push(send());
			await pass((Math.random() * 2 * minute) / steady);
		}
	} else {
		const requests = syncs.reduce((sum, work) => sum + work.requests, sends);
		const during = leastTime(requests, allowance, latency);
		for (let left = sends; left > 0; left -= atOnce) {
			const group = Array.from({ length: Math.min(left, atOnce) });
			const later = pass(Math.random() * during);
			sending.push(...group.map(async () => await later.then(send)));
		}
	}
	await Promise.all(sending);
}
