import './harness/simulatedTime.mts';
import { describe, expect, test } from '@jest/globals';
import { isBrief } from '../support/atLength.mts';
import { currentTime, minute, pass, passUntilDone } from './harness/clock.mts';
import { leastTime, LimitedService, limiterNames } from './harness/limitedService.mts';
import { beginAnew } from './harness/model.mts';
import { Process } from './pacing/process.mts';

const allowance = 60;
const given = { allowance, latencyMs: 500 };
const seeds = isBrief ? [11] : Array.from({ length: 10 }, (_, index) => 11 + index);

// Interface: LIMIT-1.
describe.each(limiterNames)('a service that counts by %s', (limiter) => {
	const createService = (tellsWait = true) => new LimitedService({ ...given, limiter, tellsWait });

	simulated('requests that fit into the minute go at once, whatever was before', async () => {
		const service = createService();
		const [process] = createProcesses(1, service);
		await process.execute({ requests: 300 });
		await pass(3 * minute);
		const many = Array.from({ length: 12 }, () => process.execute({ requests: 5 }));
		const waits = (await Promise.all(many)).flatMap((one) => one.waits);
		expect(Math.max(...waits)).toBeLessThanOrEqual(300);
		expect(service.refused).toBe(0);
	});

	const long = { sync: {}, loop: { each: 1 }, 'run of unknown length': { isUnforeseen: true } };
	for (const [what, work] of Object.entries(long)) {
		simulated(`a ${what} leaves gaps to urgent sends, at the cost of a minute`, async () => {
			const service = createService();
			const [process] = createProcesses(1, service);
			const least = leastTime(3050, given);
			const sends = Array.from({ length: 50 }, async (_, index) => {
				await pass(((index + Math.random()) / 50) * least);
				return (await process.execute({ requests: 1 })).waits[0];
			});
			const took = await timed(process.execute({ requests: 3000, ...work }));
			expect(took - least).toBeLessThanOrEqual(minute);
			const late = (await Promise.all(sends)).filter((wait) => wait > 5000);
			expect(late.length).toBeLessThanOrEqual(50 / 20);
			expect([service.refused, process.failed]).toEqual([0, 0]);
		});
	}

	simulated('two syncs of a process get equal parts', async () => {
		const [process] = createProcesses(1, createService());
		const syncs = [process.execute({ requests: 1500 }), process.execute({ requests: 1500 })];
		expect(fairness(await Promise.all(syncs))).toBeGreaterThanOrEqual(0.8);
	});

	for (const count of [2, 8]) {
		simulated(`${count} processes that know nothing of each other share the key`, async () => {
			const tellsWait = count === 2;
			const service = createService(tellsWait);
			const processes = createProcesses(count, service);
			const took = await timed(workAll(processes, 2400 / count));
			expect(took / leastTime(2400, given)).toBeLessThanOrEqual(1.35);
			expect(fairness(processes)).toBeGreaterThanOrEqual(0.2);
			expect(service.refused / service.requests).toBeLessThanOrEqual(0.1);
			expect(processes.map(({ failed }) => failed)).toEqual(processes.map(() => 0));
		});
	}

	simulated('a process takes over what three others leave', async () => {
		const [stays, ...others] = createProcesses(4, createService());
		const leavesAt = currentTime() + 20 * minute;
		const [from, until] = [leavesAt + 5 * minute, leavesAt + 25 * minute];
		for (const other of others) void other.execute({ requests: 3600, until: leavesAt });
		await stays.execute({ requests: 3600, until });
		const after = stays.successes.filter((at) => at > from && at <= until);
		expect(after.length / (20 * allowance)).toBeGreaterThanOrEqual(0.85);
	});

	simulated('processes that the credential counts are never throttled', async () => {
		const service = createService();
		const took = await timed(workAll(createProcesses(4, service, 4), 300));
		expect(took / leastTime(1200, given)).toBeLessThanOrEqual(1.35);
		expect(service.refused).toBe(0);
	});
});

/** A test that is played in simulated time, with each seed. */
function simulated(title: string, play: () => Promise<void>): void {
	test(title, async () => {
		for (const seed of seeds) {
			beginAnew(seed);
			await passUntilDone(play());
		}
	});
}

/** @param declared the number of processes, as the credential has it */
function createProcesses(count: number, service: LimitedService, declared = 1): Process[] {
	const settings = { requestsPerMinute: allowance, processes: declared };
	return Array.from({ length: count }, () => new Process(service, settings));
}

/** Has each process make so many requests; they begin within a minute. */
async function workAll(processes: Process[], requests: number): Promise<void> {
	const working = processes.map(async (process) => {
		await pass(Math.random() * minute);
		await process.execute({ requests });
	});
	await Promise.all(working);
}

/** How long it takes until something is done, in ms. */
async function timed(doing: Promise<unknown>): Promise<number> {
	const begunAt = currentTime();
	await doing;
	return currentTime() - begunAt;
}

/** The least done to the most, by the time at which the first is done. */
function fairness(all: Array<{ successes: number[] }>): number {
	const until = Math.min(...all.map(({ successes }) => successes.at(-1)!));
	const done = all.map(({ successes }) => successes.filter((at) => at <= until).length);
	return Math.min(...done) / Math.max(...done);
}
