import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import Table from 'cli-table3';
import { RateLimiter } from '../../nodes/CrmWorkspace/transport/pacer';
import { fakeClock } from '../support/simulated/fakeClock.mts';
import { limiters, type Limiter } from '../models/harness/limiters.mts';
import { seededRandom } from '../support/simulated/seededRandom.mts';

const requestsPerMinute = 60;
const minute = 60_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

// Interface: LIMIT-1.
test('a lone n8n is never answered 429 and loses a minute at most, however the service counts', async () => {
	const table = new Table({
		style: { head: [], border: [], compact: true },
		head: ['limiter', 'latency', 'executions', 'requests', '429', 'seconds', 'over'],
	});
	for (const limiter of Object.keys(limiters) as Limiter[]) {
		for (const latency of [0, 100, 500]) {
			for (const executions of [1, 3, 10]) {
				for (const requests of [30, 60, 61, 300, 600]) {
					const run = await simulate({ limiter, latency, executions, requests });
					const minutes = Math.floor((requests - 1) / requestsPerMinute);
					const over = run.took - minutes * (minute + latency / 2);
					table.push([
						limiter,
						latency,
						executions,
						requests,
						run.refused,
						run.took / 1000,
						(over / 1000).toFixed(1),
					]);
					// What fits goes at once: the first ten are answered before all others go.
					const isInTime = over <= (minutes === 0 ? 6 * latency : minute);
					expect({ ...run, over, isInTime }).toMatchObject({
						refused: 0,
						answered: requests,
						isInTime: true,
					});
				}
			}
		}
	}
	process.stdout.write(`${table.toString()}\n`);
});

interface Simulation {
	limiter: Limiter;
	/** Longest way to the service and back together, in ms; each request takes a random part of it. */
	latency: number;
	executions: number;
	requests: number;
}

/** Requests of several executions against a service with a limiter of its own clock offset. */
async function simulate({ limiter, latency, executions, requests }: Simulation) {
	const random = seededRandom(`${limiter} ${latency} ${executions} ${requests}`);
	const begun = Date.now();
	const startOfClock = begun + Math.floor(random() * minute);
	const { isAllowed } = limiters[limiter](requestsPerMinute, startOfClock);
	const pacer = new RateLimiter(fakeClock, requestsPerMinute);
	const counts = { answered: 0, refused: 0, took: 0 };

	async function travel(): Promise<void> {
		if (latency > 0) await fakeClock.wait((random() * latency) / 2);
	}

	async function request(execution: string): Promise<void> {
		const pass = await pacer.admit(execution);
		await travel();
		const allowed = isAllowed(Date.now());
		await travel();
		pass?.end(allowed ? 'letThrough' : 'throttled');
		counts[allowed ? 'answered' : 'refused']++;
		counts.took = Date.now() - begun;
	}

	const all = Promise.all(
		Array.from({ length: requests }, async (_, index) => await request(`${index % executions}`)),
	);
	await jest.advanceTimersByTimeAsync(60 * minute);
	await all;
	return counts;
}
