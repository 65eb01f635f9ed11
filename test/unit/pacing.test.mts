import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { RateLimiter, type Permit } from '../../nodes/CrmWorkspace/transport/pacer';
import { realClock } from '../../nodes/CrmWorkspace/transport/clock';
import type { CrmWorkspaceCredential } from '../../nodes/CrmWorkspace/transport/credential';
import { getRateLimiter } from '../../nodes/CrmWorkspace/transport/pacer';

const holdPacer = (credential: CrmWorkspaceCredential, clock: typeof fakeClock) => ({
	pacer: getRateLimiter(credential, clock),
	release() {},
});
type SharedPacer = any;
import { fakeClock } from '../support/simulated/fakeClock.mts';

const requestsPerMinute = 60;
const minute = 60_000;

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

describe('pacing', () => {
	test('a short execution is not kept waiting by a long one', async () => {
		const pacer = new RateLimiter(fakeClock, requestsPerMinute);
		const { ask, order } = asking(pacer);
		const all = Promise.all([
			...Array.from({ length: 200 }, async () => await ask('long')),
			...Array.from({ length: 5 }, async () => await ask('short')),
		]);
		await jest.advanceTimersByTimeAsync(10 * minute);
		await all;

		expect(order.lastIndexOf('short')).toBeLessThan(requestsPerMinute + 2 * 5);
	});

	test.each([
		[3, 'unanswered', 66],
		[30, 'unanswered', 95],
		[3, 'letThrough', 63],
	] as const)(
		'what is %d s under way and then %s keeps its slot for %d s',
		async (seconds, outcome, kept) => {
			const pacer = new RateLimiter(fakeClock, 1);
			const first = await pacer.admit('a');
			await jest.advanceTimersByTimeAsync(seconds * 1000);
			first?.end(outcome);
			let isNext = false;
			const next = pacer.admit('a').then((pass) => {
				isNext = true;
				pass?.end('letThrough');
			});
			await jest.advanceTimersByTimeAsync((kept - seconds) * 1000);
			expect(isNext).toBe(false);
			await jest.advanceTimersByTimeAsync(100);
			expect(isNext).toBe(true);
			await next;
		},
	);

	test('a wait that is cancelled leaves no slot taken and no timer', async () => {
		const pacer = new RateLimiter(fakeClock, 1);
		(await pacer.admit('a'))?.end('letThrough');
		const stop = new AbortController();
		const waiting = pacer.admit('a', stop.signal);
		await jest.advanceTimersByTimeAsync(1000);
		expect(jest.getTimerCount()).toBe(1);

		stop.abort();
		expect(await waiting).toBeUndefined();
		expect(jest.getTimerCount()).toBe(0);
	});

	test('an idle pacer remembers nothing', async () => {
		const pacer = new RateLimiter(fakeClock, requestsPerMinute);
		for (let i = 0; i < requestsPerMinute; i++)
			(await pacer.admit('a'))?.end('letThrough');
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
		const pacerFor = (apiKey: string, baseUrl: string) =>
			holdPacer(credential(apiKey, { baseUrl }), fakeClock).pacer;

		// Interface: AUTH-6.
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
				expect([other, pacerFor('sk_test_a', other) === pacerFor('sk_test_a', one)]).toEqual([
					other,
					true,
				]);
			}
			expect(pacerFor('sk_test_b', one)).not.toBe(pacerFor('sk_test_a', one));
		});

		test('is the same with white space around the key', () => {
			expect(pacerFor(' sk_test_a\n', baseUrl)).toBe(pacerFor('sk_test_a', baseUrl));
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
			const pacers = services.map((service) => pacerFor('sk_test_services', service));
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

		test('keeps to the least for a minute longer: what was sent counts so long', async () => {
			const few = holdPacer(credential('sk_test_g', { requestsPerMinute: 10 }), fakeClock);
			const many = holdPacer(credential('sk_test_g', { requestsPerMinute: 30 }), fakeClock);
			const { pacer } = many;
			const ask = async () => (await pacer.admit('a'))?.end('letThrough');
			for (let i = 0; i < 8; i++) await ask();
			few.release();
			let sent = 0;
			const all = Promise.all(Array.from({ length: 40 }, async () => ask().then(() => sent++)));
			await jest.advanceTimersByTimeAsync(minute - 1);
			expect(sent).toBeLessThanOrEqual(2);
			await jest.advanceTimersByTimeAsync(1.5 * minute);
			expect(sent).toBeGreaterThan(20);
			await jest.advanceTimersByTimeAsync(2 * minute);
			await all;
			many.release();
		});

		test('keeps its allowance where nobody holds it for a while', async () => {
			const hold = (requestsPerMinute: number) =>
				holdPacer(credential('sk_test_h', { requestsPerMinute }), fakeClock);
			const few = hold(10);
			(await few.pacer.admit('a'))?.end('letThrough');
			few.release();
			await jest.advanceTimersByTimeAsync(minute / 2);
			const { pacer, release } = hold(30);
			await jest.advanceTimersByTimeAsync(minute - 1);
			expect([pacer.free, pacer.allowed]).toEqual([10, 10]);
			await jest.advanceTimersByTimeAsync(1);
			expect([pacer.free, pacer.allowed]).toEqual([30, 30]);
			release();
		});

		test.each([
			[60, 1, 60],
			[60, 4, 15],
			[60, 16, 3],
			[5, 8, 1],
			[60, undefined, 60],
		])('of %d requests a minute for %j processes, allows %d', (allowance, processes, share) => {
			const changes = { requestsPerMinute: allowance, processes };
			const { pacer, release } = holdPacer(
				credential(`sk_test_of_${processes}`, changes),
				fakeClock,
			);
			expect(pacer.requestsPerMinute).toBe(share);
			release();
		});

		test('keeps what refusals told, whoever comes and goes', async () => {
			const { pacer } = holdPacer(credential('sk_test_e'), fakeClock);
			(await pacer.admit('a'))?.end('throttled');
			expect(pacer.requestsPerMinute).toBe(12);
			for (const requestsPerMinute of [40, 2]) {
				const other = holdPacer(credential('sk_test_e', { requestsPerMinute }), fakeClock);
				expect(pacer.requestsPerMinute).toBe(Math.min(12, requestsPerMinute));
				other.release();
				await jest.advanceTimersByTimeAsync(minute);
				(await pacer.admit('a'))?.end('unanswered');
				expect(pacer.requestsPerMinute).toBe(12);
			}
		});

		test('is dropped when nobody holds it and it has nothing to remember', async () => {
			const pacers = new Map<string, SharedPacer>();
			const hold = (apiKey: string) => holdPacer(credential(apiKey), fakeClock, pacers);
			const runs = Array.from({ length: 1000 }, (_, index) => hold(`sk_test_${index}`));
			for (const { pacer } of runs) (await pacer.admit('a'))?.end('letThrough');
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
	});

	test('goes by a clock that setting the time does not move', () => {
		const before = [realClock.now(), realClock.date()];
		jest.setSystemTime(Date.now() - 60 * minute);
		expect(realClock.now()).toBeGreaterThanOrEqual(before[0]);
		expect(realClock.date()).toBe(before[1] - 60 * minute);
	});

	test('a time that is set back holds nothing up', async () => {
		const pacer = new RateLimiter(fakeClock, 1);
		(await pacer.admit('a'))?.end('letThrough');
		const waiting = pacer.admit('a');
		jest.setSystemTime(Date.now() - 60 * minute);
		await jest.advanceTimersByTimeAsync(minute + 1000);
		const next = pacer.admit('a', AbortSignal.abort());
		expect(await Promise.race([waiting, next])).toBeDefined();
	});

	describe('a key that is used elsewhere too', () => {
		/** So many requests are let through, then one is refused. */
		const refusedAfter = async (count: number, pauseMs = 0) => {
			const pacer = new RateLimiter(fakeClock, requestsPerMinute);
			for (let i = 0; i < count; i++) (await pacer.admit('a'))?.end('letThrough');
			await jest.advanceTimersByTimeAsync(1);
			(await pacer.admit('a'))?.end('throttled', pauseMs);
			return pacer;
		};

		const keepBusy = (pacer: RateLimiter, requests: number, end: (pass?: Permit) => void) =>
			Promise.all(
				Array.from({ length: requests }, async () => end(await pacer.admit('a'))),
			);

		/** Asks once, as soon as there is leave. */
		const ask = async (pacer: RateLimiter, outcome: 'letThrough' | 'throttled') => {
			const asked = pacer.admit('a');
			let isAdmitted = false;
			void asked.then(() => (isAdmitted = true));
			while (!isAdmitted) await jest.advanceTimersByTimeAsync(500);
			(await asked)?.end(outcome);
		};

		test('is asked for a fifth, however much it let through before', async () => {
			for (const count of [0, 20, 40])
				expect((await refusedAfter(count)).requestsPerMinute).toBe(12);
		});

		test('is asked again after a gap and a third, and later after each further refusal', async () => {
			const gap = minute / 12;
			const pacer = await refusedAfter(0);
			for (const gaps of [4 / 3, 5 / 3, 2, 2]) {
				expect(pacer.pause).toBeCloseTo(gaps * gap, 0);
				await ask(pacer, 'throttled');
			}
			await ask(pacer, 'letThrough');
			await ask(pacer, 'throttled');
			expect(pacer.pause).toBeLessThan((minute / pacer.requestsPerMinute) * 1.5);
		});

		test('may count for a minute what was asked before: what it refuses meanwhile takes nothing', async () => {
			const pacer = await refusedAfter(10);
			const refusedAt = fakeClock.now();
			const paces: number[] = [];
			for (;;) {
				await ask(pacer, 'throttled');
				if (fakeClock.now() >= refusedAt + minute) break;
				paces.push(pacer.requestsPerMinute);
			}
			expect(paces.length).toBeGreaterThan(3);
			expect(new Set(paces)).toEqual(new Set([12]));
			expect(pacer.requestsPerMinute).toBeLessThan(12);
		});

		test('is asked less than once in a minute where many share a small one, but not much less', async () => {
			const pacer = new RateLimiter(fakeClock, 5);
			for (let i = 0; i < 30; i++) await ask(pacer, 'throttled');
			const begunAt = fakeClock.now();
			for (let i = 0; i < 4; i++) await ask(pacer, 'throttled');
			expect(fakeClock.now() - begunAt).toBeGreaterThan(4 * minute);
			expect(fakeClock.now() - begunAt).toBeLessThanOrEqual(16.1 * minute);
		});

		test('is left alone for as long as it says', async () => {
			const pacer = await refusedAfter(10, 5 * minute);
			expect(pacer.pause).toBe(5 * minute);
			let sent = 0;
			const all = keepBusy(pacer, 5, (pass) => {
				sent++;
				pass?.end('letThrough');
			});
			await jest.advanceTimersByTimeAsync(5 * minute - 1);
			expect(sent).toBe(0);
			await jest.advanceTimersByTimeAsync(1);
			expect(sent).toBe(1);
			await jest.advanceTimersByTimeAsync(minute);
			await all;
		});

		test('is used in full again four minutes after a refusal that was the only one', async () => {
			const pacer = await refusedAfter(10);
			const all = keepBusy(pacer, 200, (pass) => pass?.end('letThrough'));
			await jest.advanceTimersByTimeAsync(5 * minute);
			expect(pacer.requestsPerMinute).toBe(requestsPerMinute);
			await jest.advanceTimersByTimeAsync(5 * minute);
			await all;
		});

		test('is asked for less after each further refusal, and for more after each minute without', async () => {
			const pacer = await refusedAfter(40);
			await jest.advanceTimersByTimeAsync(minute);
			const paces = [];
			for (const outcome of [
				'throttled',
				'throttled',
				'letThrough',
				'letThrough',
				'letThrough',
			] as const) {
				const asked = pacer.admit('a');
				await jest.advanceTimersByTimeAsync(minute);
				(await asked)?.end(outcome);
				paces.push(pacer.requestsPerMinute);
			}
			const [first, second, ...later] = paces;
			expect(first).toBeLessThan(40);
			expect(second).toBeLessThan(first);
			expect(later).toEqual(later.toSorted((a, b) => a - b));
			expect(later.at(-1)).toBeGreaterThan(second);
		});

		test('is forgotten ten minutes after the last refusal, also when nothing was asked', async () => {
			const pacer = await refusedAfter(10);
			expect(pacer.requestsPerMinute).toBe(12);
			await jest.advanceTimersByTimeAsync(10 * minute);
			expect(pacer.isIdle).toBe(true);
			expect(pacer.requestsPerMinute).toBe(requestsPerMinute);
		});
	});

	describe('when more is wanted than fits', () => {
		const urgent = async (pacer: RateLimiter) => {
			const asked = fakeClock.now();
			(await pacer.admit('urgent'))?.end('letThrough');
			return fakeClock.now() - asked;
		};

		test('an announced run leaves a slot every second from its beginning', async () => {
			const pacer = new RateLimiter(fakeClock, requestsPerMinute);
			pacer.announced = 300;
			const all = Promise.all(
				Array.from({ length: 300 }, async () =>
					(pacer.announced--, await pacer.admit('long'))?.end('letThrough'),
				),
			);
			for (let second = 0; second < 200; second += 10) {
				const wait = urgent(pacer);
				await jest.advanceTimersByTimeAsync(10_000);
				expect(await wait).toBeLessThanOrEqual(7000);
			}
			await jest.advanceTimersByTimeAsync(10 * minute);
			await all;
		});

		test('what fits goes at once, announced or not', async () => {
			for (const isAnnounced of [true, false]) {
				const pacer = new RateLimiter(fakeClock, requestsPerMinute);
				if (isAnnounced) pacer.announced += requestsPerMinute;
				const begun = fakeClock.now();
				const requests = Array.from({ length: requestsPerMinute }, async () =>
					(await pacer.admit('a'))?.end('letThrough'),
				);
				await Promise.all(requests);
				expect(fakeClock.now() - begun).toBe(0);
			}
		});

		test('what was announced and does not come is waited for no longer', async () => {
			const pacer = new RateLimiter(fakeClock, requestsPerMinute);
			pacer.announced += 1000;
			pacer.announced -= 1000;
			const requests = Array.from({ length: 30 }, async () =>
				(await pacer.admit('a'))?.end('letThrough'),
			);
			await Promise.all(requests);
			expect(jest.getTimerCount()).toBe(0);
		});

		test('executions have equal parts, and one that has nothing yet goes first', async () => {
			const pacer = new RateLimiter(fakeClock, requestsPerMinute);
			const { ask, order } = asking(pacer);
			const all = [...Array.from({ length: 100 }, async () => await ask('a'))];
			await jest.advanceTimersByTimeAsync(minute);
			all.push(...Array.from({ length: 100 }, async () => await ask('b')), ask('c'));
			await jest.advanceTimersByTimeAsync(10_000);
			const next = order.slice(60);
			expect(next.slice(0, 3)).toContain('c');
			expect(next.filter((one) => one === 'b').length).toBeGreaterThan(7);
			await jest.advanceTimersByTimeAsync(10 * minute);
			await Promise.all(all);
			expect(order).toHaveLength(201);
		});
	});
});

/** Asks a pacer for executions, and keeps which one came when. */
function asking(pacer: RateLimiter) {
	const order: string[] = [];
	const ask = async (execution: string) => {
		const pass = await pacer.admit(execution);
		order.push(execution);
		pass?.end('letThrough');
	};
	return { ask, order };
}
