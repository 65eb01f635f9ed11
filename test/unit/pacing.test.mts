import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import Table from 'cli-table3';
import { Pacer, type Pass } from '../../nodes/CrmWorkspace/transport/pacer';
import { realClock } from '../../nodes/CrmWorkspace/transport/clock';
import type { CrmWorkspaceCredential } from '../../nodes/CrmWorkspace/transport/credential';
import { holdPacer, type SharedPacer } from '../../nodes/CrmWorkspace/transport/pacers';
import { fakeClock } from '../support/fakeClock.mts';
import { limiters, type Limiter } from '../support/limiters.mts';
import { seededRandom } from '../support/seededRandom.mts';

const requestsPerMinute = 60;
const minute = 60_000;

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

describe('pacing', () => {
	test('a lone n8n is never answered 429 and loses no time, however the service counts', async () => {
		const table = new Table({
			style: { head: [], border: [], compact: true },
			head: ['limiter', 'latency', 'executions', 'requests', '429', 'seconds', 'of bound'],
		});
		for (const limiter of Object.keys(limiters) as Limiter[]) {
			for (const latency of [0, 100, 500]) {
				for (const executions of [1, 3, 10]) {
					for (const requests of [30, 60, 61, 300, 600]) {
						const run = await simulate({ limiter, latency, executions, requests });
						const bound = Math.floor((requests - 1) / requestsPerMinute) * minute + latency;
						const ratio = bound === run.took ? 1 : run.took / bound;
						table.push([
							limiter,
							latency,
							executions,
							requests,
							run.refused,
							run.took / 1000,
							ratio.toFixed(4),
						]);
						expect({ ...run, withinBound: ratio <= 1.02 }).toMatchObject({
							refused: 0,
							answered: requests,
							withinBound: true,
						});
					}
				}
			}
		}
		process.stdout.write(`${table.toString()}\n`);
	});

	test('a short execution is not kept waiting by a long one', async () => {
		const pacer = new Pacer(fakeClock, requestsPerMinute);
		const order: string[] = [];
		const ask = async (execution: string) => {
			const pass = await pacer.admit(execution);
			order.push(execution);
			pass?.end('accepted');
		};
		const all = Promise.all([
			...Array.from({ length: 200 }, async () => await ask('long')),
			...Array.from({ length: 5 }, async () => await ask('short')),
		]);
		await jest.advanceTimersByTimeAsync(10 * minute);
		await all;

		expect(order.lastIndexOf('short')).toBeLessThan(requestsPerMinute + 2 * 5);
	});

	test('a wait that is cancelled gives up its turn and leaves no timer', async () => {
		const pacer = new Pacer(fakeClock, 1);
		(await pacer.admit('a'))?.end('accepted');
		const stop = new AbortController();
		const waiting = pacer.admit('a', stop.signal);
		await jest.advanceTimersByTimeAsync(1000);
		expect(jest.getTimerCount()).toBe(1);

		stop.abort();
		expect(await waiting).toBeUndefined();
		expect(jest.getTimerCount()).toBe(0);
	});

	test('an idle pacer remembers nothing', async () => {
		const pacer = new Pacer(fakeClock, requestsPerMinute);
		for (let i = 0; i < requestsPerMinute; i++) (await pacer.admit('a'))?.end('accepted');
		expect(pacer.isIdle).toBe(false);

		await jest.advanceTimersByTimeAsync(minute + 1000);
		expect(pacer.isIdle).toBe(true);
		expect(jest.getTimerCount()).toBe(0);
	});

	describe('the pacer of a key', () => {
		const baseUrl = 'https://crm.example.com/api/v1';
		const credential = (apiKey: string, changes: Partial<CrmWorkspaceCredential> = {}) =>
			({
				baseUrl,
				mode: 'test',
				apiKey,
				authHeader: 'authorization',
				requestsPerMinute,
				...changes,
			}) as const;
		const pacerOf = (apiKey: string, baseUrl: string) =>
			holdPacer(credential(apiKey, { baseUrl }), fakeClock).pacer;

		test.each([
			[
				'https://crm.example.com/api/v1',
				['/', '//', ' '].map((end) => `${baseUrl}${end}`),
				['HTTPS://CRM.EXAMPLE.COM/api/v1', 'https://crm.example.com.:443/api/v1'],
			],
			[
				'http://localhost:8787/api/v1',
				['127.0.0.1', '127.1', '2130706433', 'LOCALHOST', 'localhost.', '[::1]', '0.0.0.0'].map(
					(host) => `http://${host}:8787/api/v1`,
				),
				['HTTP://127.0.0.1:08787/api/v1', 'http://[::ffff:127.0.0.1]:8787/api/v1'],
			],
			['http://127.0.0.1/api/v1', ['http://localhost:80/api/v1'], ['HTTP://[0:0:0:0:0:0:0:1]/api']],
		])('is one for all, however the address is written: %s', (one, others, more) => {
			for (const other of [...others, ...more]) {
				expect([other, pacerOf('sk_test_a', other) === pacerOf('sk_test_a', one)]).toEqual([
					other,
					true,
				]);
			}
			expect(pacerOf('sk_test_b', one)).not.toBe(pacerOf('sk_test_a', one));
		});

		test('is another one for each service', () => {
			const services = [
				'https://crm.example.com',
				'http://crm.example.com',
				'https://crm.example.com:8443',
				'https://www.crm.example.com',
				'https://localhost.example.com',
				'http://localhost:8787',
				'http://localhost:8788',
				'https://localhost:8787',
				'http://128.0.0.1:8787',
				'http://[::2]:8787',
			];
			const pacers = services.map((service) => pacerOf('sk_test_services', service));
			expect(new Set(pacers).size).toBe(services.length);
		});

		test('stays the same as long as somebody holds it, idle or not', async () => {
			const first = holdPacer(credential('sk_test_c'), fakeClock);
			const second = holdPacer(credential('sk_test_c'), fakeClock);
			await jest.advanceTimersByTimeAsync(60 * minute);
			const third = holdPacer(credential('sk_test_c'), fakeClock);
			expect([second.pacer, third.pacer]).toEqual([first.pacer, first.pacer]);
			first.release();
			second.release();
			expect(holdPacer(credential('sk_test_c'), fakeClock).pacer).toBe(first.pacer);
		});

		test('keeps to the least that those who hold it allow, whoever came last', () => {
			const hold = (requestsPerMinute: number) =>
				holdPacer(credential('sk_test_d', { requestsPerMinute }), fakeClock);
			const first = hold(600);
			const { pacer } = first;
			const [boundless, slow, alsoSlow] = [hold(1e9), hold(1), hold(1)];
			expect(pacer.requestsPerMinute).toBe(1);
			boundless.release();
			slow.release();
			expect(pacer.requestsPerMinute).toBe(1);
			alsoSlow.release();
			expect(pacer.requestsPerMinute).toBe(600);
			first.release();
			expect(hold(1e9).pacer.requestsPerMinute).toBe(1e9);
		});

		test('keeps what refusals told, whoever comes and goes', async () => {
			const { pacer } = holdPacer(credential('sk_test_e'), fakeClock);
			for (let i = 0; i < 2; i++) {
				await jest.advanceTimersByTimeAsync(1);
				(await pacer.admit('a'))?.end('refused');
			}
			expect(pacer.requestsPerMinute).toBe(30);
			for (const requestsPerMinute of [40, 10]) {
				const other = holdPacer(credential('sk_test_e', { requestsPerMinute }), fakeClock);
				expect(pacer.requestsPerMinute).toBe(Math.min(30, requestsPerMinute));
				other.release();
				expect(pacer.requestsPerMinute).toBe(30);
			}
		});

		test('is dropped when nobody holds it and it has nothing to remember', async () => {
			const pacers = new Map<string, SharedPacer>();
			const hold = (apiKey: string) => holdPacer(credential(apiKey), fakeClock, pacers);
			const runs = Array.from({ length: 1000 }, (_, index) => hold(`sk_test_${index}`));
			for (const { pacer } of runs) (await pacer.admit('a'))?.end('accepted');
			for (const { release } of runs.slice(1)) release();
			const again = hold('sk_test_999');
			expect(again.pacer).toBe(runs[999].pacer);
			again.release();

			for (let i = 0; i < 1000; i++) hold('sk_test_0').release();
			expect(pacers.size).toBe(1000);
			await jest.advanceTimersByTimeAsync(minute + 1000);
			for (let i = 0; i < 1000; i++) hold('sk_test_0').release();
			expect([...pacers.values()].map(({ pacer }) => pacer)).toEqual([runs[0].pacer]);
		});

		test('is had as soon among ten times as many others', () => {
			const timeOf = (count: number) => {
				const pacers = new Map<string, SharedPacer>();
				const begun = realClock.now();
				for (let i = 0; i < count; i++) {
					const { pacer, release } = holdPacer(credential(`sk_test_${i}`), realClock, pacers);
					void pacer.admit('a').then((pass) => pass?.end('accepted'));
					release();
				}
				return realClock.now() - begun;
			};
			jest.useRealTimers();
			timeOf(1000);
			expect(timeOf(10_000)).toBeLessThan(30 * timeOf(1000) + 100);
		});
	});

	test('goes by a clock that setting the time does not move', () => {
		const before = [realClock.now(), realClock.date()];
		jest.setSystemTime(Date.now() - 60 * minute);
		expect(realClock.now()).toBeGreaterThanOrEqual(before[0]);
		expect(realClock.date()).toBe(before[1] - 60 * minute);
	});

	test('a time that is set back holds nothing up', async () => {
		const pacer = new Pacer(fakeClock, 1);
		(await pacer.admit('a'))?.end('accepted');
		const waiting = pacer.admit('a');
		jest.setSystemTime(Date.now() - 60 * minute);
		await jest.advanceTimersByTimeAsync(minute + 1000);
		const next = pacer.admit('a', AbortSignal.abort());
		expect(await Promise.race([waiting, next])).toBeDefined();
	});

	test('ten times as many requests a minute take ten times as long, not a hundred times', async () => {
		jest.useRealTimers();
		const timeOf = async (count: number) => {
			const clock = { time: 0, now: () => clock.time, date: () => 0, wait: async () => {} };
			const pacer = new Pacer(clock, count);
			const begun = performance.now();
			for (; clock.time < 2 * minute; clock.time += minute + 1000) {
				const admitted = Array.from({ length: count }, async () => await pacer.admit('a'));
				for (const pass of await Promise.all(admitted)) pass?.end('accepted');
			}
			return performance.now() - begun;
		};
		await timeOf(4000);
		expect(await timeOf(40_000)).toBeLessThan(30 * (await timeOf(4000)) + 100);
	});

	test('two processes on one key share it, with few refusals', async () => {
		const table = new Table({
			style: { head: [], border: [], compact: true },
			head: ['limiter', 'latency', 'seed', '429', 'seconds', 'of bound'],
		});
		const runs = [];
		const shared = { executions: 2, processes: 2, requests: 400, concurrency: 5 };
		for (const limiter of Object.keys(limiters) as Limiter[]) {
			for (const [latency, seed] of [20, 100, 500].flatMap((ms) => [1, 2, 3].map((n) => [ms, n]))) {
				const run = await simulate({ ...shared, limiter, latency, seed });
				const ratio = run.took / (6 * minute + latency);
				table.push([limiter, latency, seed, run.refused, run.took / 1000, ratio.toFixed(3)]);
				runs.push({ ...run, ratio });
			}
		}
		process.stdout.write(`${table.toString()}\n`);
		for (const { answered, refused, ratio } of runs) {
			expect(answered).toBe(400);
			expect(refused).toBeLessThanOrEqual(20);
			expect(ratio).toBeLessThanOrEqual(1.25);
		}
	});

	test('a process that begins later finds its place when the service tells the time', async () => {
		const shared = { executions: 2, processes: 2, requests: 400, concurrency: 5 };
		for (const [lag, seed] of [100, 400, 1500].flatMap((ms) => [1, 2, 3].map((n) => [ms, n]))) {
			for (const latency of [6, 60]) {
				const service = tellingService(requestsPerMinute);
				const limiter = 'fixedWindow';
				const run = await simulate({ ...shared, limiter, service, latency, lag, seed });
				const isInTime = run.took / (6 * minute) <= 1.25;
				expect({ lag, seed, latency, isInTime }).toMatchObject({ isInTime: true });
				expect(run.refused).toBeLessThanOrEqual(20);
			}
		}
	});

	test('a key that is free again is soon used in full', async () => {
		const pacer = new Pacer(fakeClock, requestsPerMinute);
		for (let i = 0; i < 10; i++) (await pacer.admit('a'))?.end('accepted');
		(await pacer.admit('a'))?.end('refused');
		expect(pacer.requestsPerMinute).toBe(requestsPerMinute);
		await jest.advanceTimersByTimeAsync(1);
		(await pacer.admit('a'))?.end('refused');
		expect(pacer.requestsPerMinute).toBe(30);

		const busy = (async () => {
			for (let i = 0; i < 400; i++) (await pacer.admit('a'))?.end('accepted');
		})();
		await jest.advanceTimersByTimeAsync(9 * minute);
		expect(pacer.requestsPerMinute).toBe(requestsPerMinute);
		await jest.advanceTimersByTimeAsync(10 * minute);
		await busy;
	});

	test('after a pause that the service asked for, a second refusal is not met by a burst', async () => {
		const pacer = new Pacer(fakeClock, requestsPerMinute);
		for (let i = 0; i < 10; i++) (await pacer.admit('a'))?.end('accepted');
		(await pacer.admit('a'))?.end('refused', minute);
		const under: Array<Pass | undefined> = [];
		for (let i = 0; i < 5; i++) void pacer.admit('a').then((pass) => under.push(pass));
		await jest.advanceTimersByTimeAsync(minute + 1000);
		expect(under).toHaveLength(1);

		under[0]?.end('refused');
		expect(pacer.isSharing).toBe(true);
	});

	test('what refusals told is forgotten ten minutes after the last one, also when idle', async () => {
		const pacer = new Pacer(fakeClock, requestsPerMinute);
		for (let i = 0; i < 2; i++) {
			await jest.advanceTimersByTimeAsync(1);
			(await pacer.admit('a'))?.end('refused');
		}
		expect(pacer.requestsPerMinute).toBe(30);

		await jest.advanceTimersByTimeAsync(10 * minute);
		const passes = await Promise.all(
			Array.from({ length: requestsPerMinute }, async () => await pacer.admit('a')),
		);
		for (const pass of passes) pass?.end('accepted');
		await jest.advanceTimersByTimeAsync(2 * minute);
		expect(pacer.isIdle).toBe(true);
	});
});

interface Simulation {
	limiter: Limiter;
	/** Longest way to the service and back together, in ms; each request takes a random part of it. */
	latency: number;
	executions: number;
	requests: number;
	/** How many processes with a pacer of their own the executions are spread over. */
	processes?: number;
	/** Requests under way at once in each execution; unbounded unless told. */
	concurrency?: number;
	seed?: number;
	/** Takes the place of the limiter, and says when to come back. */
	service?: Service;
	/** By how much each execution begins later than the one before it, in ms. */
	lag?: number;
}

interface Service {
	isAllowed(now: number): boolean;
	/** The Retry-After of a refusal, in ms. */
	wait(now: number): number;
}

/** Counts minutes from a first request on and says, in whole seconds, when the next one begins. */
function tellingService(limit: number): Service {
	let start = -Infinity;
	let count = 0;
	return {
		isAllowed(now) {
			if (now >= start + minute) [start, count] = [now, 0];
			return ++count <= limit;
		},
		wait: (now) => Math.ceil((start + minute - now) / 1000) * 1000,
	};
}

/** Requests of several executions against a service with a limiter of its own clock offset. */
async function simulate({
	limiter,
	latency,
	executions,
	requests,
	processes = 1,
	concurrency = Infinity,
	seed = 1,
	lag = 0,
	service,
}: Simulation) {
	const random = seededRandom(`${limiter} ${latency} ${executions} ${requests} ${seed}`);
	const begun = Date.now();
	const startOfClock = begun + Math.floor(random() * minute);
	const isAllowed = service?.isAllowed ?? limiters[limiter](requestsPerMinute, startOfClock);
	const pacers = Array.from({ length: processes }, () => new Pacer(fakeClock, requestsPerMinute));
	const counts = { answered: 0, refused: 0, took: 0 };

	async function travel(): Promise<void> {
		if (latency > 0) await fakeClock.wait((random() * latency) / 2);
	}

	async function request(execution: number): Promise<void> {
		const pass = await pacers[execution % processes].admit(`${execution}`);
		await travel();
		const allowed = isAllowed(Date.now());
		const wait = allowed ? 0 : (service?.wait(Date.now()) ?? 0);
		await travel();
		pass?.end(allowed ? 'accepted' : 'refused', wait);
		if (allowed) {
			counts.answered++;
			counts.took = Date.now() - begun;
			return;
		}
		counts.refused++;
		await fakeClock.wait(wait);
		await request(execution);
	}

	async function work(execution: number, share: { left: number }): Promise<void> {
		while (share.left-- > 0) await request(execution);
	}

	const all = Promise.all(
		Array.from({ length: executions }, async (_, execution) => {
			const count = Math.floor(requests / executions) + (execution < requests % executions ? 1 : 0);
			const share = { left: count };
			await fakeClock.wait(execution * lag);
			await Promise.all(
				Array.from(
					{ length: Math.min(count, concurrency) },
					async () => await work(execution, share),
				),
			);
		}),
	);
	await jest.advanceTimersByTimeAsync(60 * minute);
	await all;
	return counts;
}
