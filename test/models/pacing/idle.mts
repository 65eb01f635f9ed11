import { minute, pass } from '../harness/clock.mts';
import { limiters, type Limiter } from '../harness/limiters.mts';
import type { Cell, Figures } from './judge.mts';
import { Process, type Work } from './process.mts';
import { LimitedService } from '../harness/limitedService.mts';

const second = 1000;

/** Requests per minute. */
const allowance = 60;

/** Executions that begin at the same moment, with as many requests as the allowance. */
const kinds: Record<string, Work[]> = {
	'one execution': [{ requests: 60 }],
	'one execution all at once': [{ requests: 60, concurrency: 60 }],
	'two executions': [{ requests: 55 }, { requests: 5 }],
	'many executions': Array.from({ length: 12 }, () => ({ requests: 5 })),
};

/** Up to its allowance an idle key is used at once, whatever was before. */
export function idleCells(): Cell[] {
	return Object.entries(kinds).flatMap(([kind, executions]) =>
		[0, 300].flatMap((before) =>
			(Object.keys(limiters) as Limiter[]).map((limiter) => ({
				name: `idle ${kind} ${before > 0 ? 'after a sync ' : ''}${limiter}`,
				play: async () => await measure(executions, limiter, before),
			})),
		),
	);
}

/** @param before requests of an execution that ended some minutes ago */
async function measure(executions: Work[], limiter: Limiter, before: number): Promise<Figures> {
	const service = new LimitedService({ limiter, allowance, latency: { most: 100 } });
	const process = new Process(service, { requestsPerMinute: allowance });
	if (before > 0) {
		await process.execution().work({ requests: before });
		await pass(3 * minute);
	}
	const waits = await Promise.all(
		executions.map(async (work) => {
			const execution = process.execution();
			await execution.work(work);
			return execution.waits;
		}),
	);
	return {
		'longest wait s': { value: Math.max(...waits.flat()) / second, atMost: 0.3 },
		'429s': { value: service.refused, atMost: 0 },
		failed: { value: process.failed, atMost: 0 },
	};
}
