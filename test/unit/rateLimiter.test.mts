import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { CrmWorkspaceCredential } from '../../nodes/CrmWorkspace/n8n/credential';
import type { IExecuteFunctions } from 'n8n-workflow';
import { RateLimiter } from '../../nodes/CrmWorkspace/client/rateLimiter';
import { createClient } from '../../nodes/CrmWorkspace/n8n/http';
import { fakeClock } from '../support/simulated/fakeClock.mts';

const minute = 60_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Sends requests that are accepted at once, and keeps which execution went when. */
function sender(limiter: RateLimiter) {
	const sent: Array<{ execution: string; at: number }> = [];
	const send = async (execution = 'a') => {
		const permit = await limiter.acquire(execution);
		sent.push({ execution, at: fakeClock.now() });
		permit?.end('accepted');
	};
	const sendAll = async (count: number, execution = 'a') =>
		await Promise.all(Array.from({ length: count }, async () => await send(execution)));
	return { sent, send, sendAll };
}

test('at a low rate, a new execution has a turn beside long runs that have all waited', async () => {
	const { sent, send, sendAll } = sender(new RateLimiter(fakeClock, 5));
	const runs = ['a', 'b', 'c', 'd'].map(async (name) => await sendAll(20, name));
	await jest.advanceTimersByTimeAsync(5 * minute);
	const before = sent.length;
	const urgent = send('urgent');
	await jest.advanceTimersByTimeAsync(20 * minute);
	await Promise.all([urgent, ...runs]);
	expect(sent.slice(before, before + 2).map(({ execution }) => execution)).toContain('urgent');
});

describe('the window', () => {
	test('what fits goes at once, and the rest when the first requests leave it', async () => {
		const { sent, sendAll } = sender(new RateLimiter(fakeClock, 60));
		const begunAt = fakeClock.now();
		await sendAll(60);
		expect(fakeClock.now()).toBe(begunAt);
		const rest = sendAll(60);
		await jest.advanceTimersByTimeAsync(minute);
		expect(sent).toHaveLength(60);
		await jest.advanceTimersByTimeAsync(minute);
		expect(sent).toHaveLength(120);
		await rest;
	});

	test('a request counts until a minute after its response', async () => {
		const limiter = new RateLimiter(fakeClock, 1);
		const first = await limiter.acquire('a');
		await jest.advanceTimersByTimeAsync(30_000);
		first?.end('noResponse');
		const { sent, send } = sender(limiter);
		const next = send();
		await jest.advanceTimersByTimeAsync(minute);
		expect(sent).toHaveLength(0);
		await jest.advanceTimersByTimeAsync(100);
		expect(sent).toHaveLength(1);
		await next;
	});

	test('a wait that is cancelled takes no permit and leaves no timer', async () => {
		const limiter = new RateLimiter(fakeClock, 1);
		(await limiter.acquire('a'))?.end('accepted');
		const stop = new AbortController();
		const waiting = limiter.acquire('a', stop.signal);
		await jest.advanceTimersByTimeAsync(1000);
		expect(jest.getTimerCount()).toBe(1);
		stop.abort();
		expect(await waiting).toBeUndefined();
		expect(jest.getTimerCount()).toBe(0);
		expect(await limiter.acquire('a', stop.signal)).toBeUndefined();
	});

	test('a run that is stopped gets no permit, although one is due', async () => {
		const limiter = new RateLimiter(fakeClock, 1);
		(await limiter.acquire('a'))?.end('accepted');
		const stop = new AbortController();
		const waiting = [limiter.acquire('a', stop.signal), limiter.acquire('a', stop.signal)];
		// The permit is due, and its timer has not fired yet.
		const now = fakeClock.now();
		jest.spyOn(fakeClock, 'now').mockReturnValue(now + 2 * minute);
		stop.abort();
		expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
		jest.restoreAllMocks();
	});

	test('a 429 without a time does not shorten the pause that an earlier one asked for', async () => {
		const limiter = new RateLimiter(fakeClock, 60);
		const permits = [await limiter.acquire('a'), await limiter.acquire('a')];
		permits[0]?.end('throttled', 5 * minute);
		permits[1]?.end('throttled');
		const granted = jest.fn();
		const waiting = limiter.acquire('a').then(granted);
		await jest.advanceTimersByTimeAsync(5 * minute - 1000);
		expect(granted).not.toHaveBeenCalled();
		await jest.advanceTimersByTimeAsync(2000);
		await waiting;
		expect(granted).toHaveBeenCalled();
	});
});

test('if more is wanted than fits, an announced run leaves a gap every second from its beginning', async () => {
	const limiter = new RateLimiter(fakeClock, 60);
	limiter.announced = 300;
	const long = sender(limiter);
	const all = Promise.all(
		Array.from({ length: 300 }, async () => (limiter.announced--, await long.send())),
	);
	const urgent = sender(limiter);
	for (let second = 0; second < 200; second += 10) {
		const askedAt = fakeClock.now();
		const sending = urgent.send('urgent');
		await jest.advanceTimersByTimeAsync(10_000);
		expect(urgent.sent.at(-1)!.at - askedAt).toBeLessThanOrEqual(5000);
		await sending;
	}
	await jest.advanceTimersByTimeAsync(10 * minute);
	await all;
});

test('a run gets a request each half minute beside more urgent ones than fit', async () => {
	const limiter = new RateLimiter(fakeClock, 60);
	const grants: number[] = [];
	const request = async (execution: string, onGrant = () => {}) => {
		const permit = await limiter.acquire(execution);
		onGrant();
		permit!.end('accepted');
	};
	const sync = async (): Promise<void> =>
		await request('sync', () => grants.push(performance.now())).then(sync);
	const from = performance.now();
	void sync();
	for (let urgent = 0; urgent < 5 * 90; urgent++) {
		void request(`urgent ${urgent}`);
		await jest.advanceTimersByTimeAsync(minute / 90);
	}
	// In the first minute, nothing is known of those to come.
	const later = [from + minute, ...grants.filter((at) => at > from + minute), performance.now()];
	const gaps = later.slice(1).map((at, index) => at - later[index]);
	expect(Math.max(...gaps)).toBeLessThan(35_000);
});

describe('a key that others use, too', () => {
	/** A limiter after a single 429. */
	const throttled = async (retryAfterMs = 0) => {
		const limiter = new RateLimiter(fakeClock, 60);
		(await limiter.acquire('a'))?.end('throttled', retryAfterMs);
		return limiter;
	};

	test('gets a fifth of the requests at first, and all of them again after some minutes', async () => {
		const limiter = await throttled();
		expect(limiter.requestsPerMinute).toBe(12);
		const all = sender(limiter).sendAll(200);
		await jest.advanceTimersByTimeAsync(5 * minute);
		expect(limiter.requestsPerMinute).toBe(60);
		await jest.advanceTimersByTimeAsync(5 * minute);
		await all;
	});

	test('gets less with each further 429, but not within the same minute', async () => {
		const limiter = await throttled();
		const begunAt = fakeClock.now();
		const rates: Array<[boolean, number]> = [];
		for (let request = 0; request < 20; request++) {
			const acquired = limiter.acquire('a').then((permit) => permit?.end('throttled'));
			let isOver = false;
			void acquired.then(() => (isOver = true));
			while (!isOver) await jest.advanceTimersByTimeAsync(1000);
			rates.push([fakeClock.now() - begunAt < minute, limiter.requestsPerMinute]);
		}
		for (const [isSameMinute, rate] of rates) if (isSameMinute) expect(rate).toBe(12);
		expect(rates.map(([, rate]) => rate)).toEqual(
			rates.map(([, rate]) => rate).toSorted((a, b) => b - a),
		);
		expect(rates.at(-1)![1]).toBeLessThan(4);
	});

	test('gets all of them ten minutes after the last 429, even if nothing was sent', async () => {
		const limiter = await throttled();
		await jest.advanceTimersByTimeAsync(10 * minute + 1);
		expect(limiter.requestsPerMinute).toBe(60);
	});
});

describe('the rate limiter of an API key', () => {
	const credential = (changes: Partial<CrmWorkspaceCredential> = {}): CrmWorkspaceCredential => ({
		baseUrl: 'https://crm.example.com/api/v1',
		mode: 'test',
		apiKey: 'sk_test_a',
		authHeader: 'authorization',
		requestsPerMinute: 60,
		...changes,
	});
	const limiterOf = (changes?: Partial<CrmWorkspaceCredential>) =>
		createClient({} as IExecuteFunctions, credential(changes), 1000);

	// Interface: AUTH-6.
	test('is one for all executions and for any spelling of the address', () => {
		const same = [{}, { baseUrl: 'HTTPS://CRM.example.com:443/api/v2/' }];
		for (const changes of same)
			expect(limiterOf(changes).keyIdentity).toBe(limiterOf().keyIdentity);
	});

	test('is another one for another key or service', () => {
		const others = [
			{ apiKey: 'sk_test_b' },
			{ baseUrl: 'http://crm.example.com' },
			{ baseUrl: 'https://crm.example.com:8443' },
			{ baseUrl: 'https://www.crm.example.com' },
		];
		for (const changes of others)
			expect(limiterOf(changes).keyIdentity).not.toBe(limiterOf().keyIdentity);
	});

	// Interface: LIMIT-1.
	test.each([
		[60, 1, 60],
		[60, 7, 8],
		[60, undefined, 60],
		[5, 8, 1],
	])('of %s requests a minute for %s processes allows %d', (requestsPerMinute, processes, own) => {
		const { requestsPerMinute: rate } = limiterOf({ requestsPerMinute, processes }).statistics;
		expect(rate).toBe(own);
	});
});
