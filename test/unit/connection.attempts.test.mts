import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { listContacts, sendMessage } from '../../nodes/CrmWorkspace/api/endpoints';
import type { Client } from '../../nodes/CrmWorkspace/client/request';
import { RequestFailure } from '../../nodes/CrmWorkspace/client/failure';
import {
	connectionTo,
	ended,
	endingsOf,
	type Answer,
	type Answering,
} from '../support/simulated/connections.mts';

/** How often a request is made, and for how long. */

const minute = 60_000;
const patience = minute;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const pages = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const listAll = async (connection: Client, which: number[]) =>
	await endingsOf(which.map(async (page) => await listContacts(connection, { page, limit: 1 })));

test('the wait for a permit costs a request none of its five attempts', async () => {
	const tried = new Map<number, number>();
	const failFourTimes: Answering = (_index, page) => {
		tried.set(page, (tried.get(page) ?? 0) + 1);
		return tried.get(page)! <= 4 ? { status: 503 } : {};
	};
	const { connection } = connectionTo(failFourTimes, { requestsPerMinute: 3 });
	const endings = await ended(listAll(connection, pages(20)));
	expect(endings.filter(({ error }) => error)).toEqual([]);
	expect([...tried.values()]).toEqual(pages(20).map(() => 5));
	connection.close();
});

test.each<[string, Answer, number]>([
	['a rate limit (429)', { status: 429 }, 60],
	['429 and 7 s', { status: 429, headers: { 'retry-after': '7' } }, 60],
	['503 and 7 s', { status: 503, headers: { 'retry-after': '7' } }, 60],
	['429 and more than it', { status: 429, headers: { 'retry-after': '90' } }, 60],
	['faults (503), once a minute', { status: 503 }, 1],
	['the pace, with one request a minute', {}, 1],
	['slow faults (503)', { status: 503, after: 2000 }, 3],
])('no request of a minute takes longer than it: %s', async (_what, answer, requestsPerMinute) => {
	const { connection, asked } = connectionTo(() => answer, { requestsPerMinute, patience });
	const opened = performance.now();
	const early = listAll(connection, pages(5));
	await jest.advanceTimersByTimeAsync(minute / 2);
	const late = listAll(connection, pages(3));
	const endings = (await ended(Promise.all([early, late]), 3 * minute)).flat();
	const failures = endings.filter(({ error }) => error);
	expect(failures.length).toBeGreaterThanOrEqual(7);
	for (const { error } of failures) expect(error).toBeInstanceOf(RequestFailure);
	expect(Math.max(...endings.map(({ at }) => at))).toBeLessThanOrEqual(opened + patience + 10);

	// One that comes after it fails at once.
	await jest.advanceTimersByTimeAsync(minute);
	const [before, askedAt] = [asked.length, performance.now()];
	const [{ at, error }] = await ended(listAll(connection, [1]));
	expect(error).toBeInstanceOf(RequestFailure);
	expect(at).toBe(askedAt);
	expect(asked).toHaveLength(before);
	connection.close();
});

test('a request that is throttled when the minute is over had no room', async () => {
	const throttled = { status: 429, headers: { 'retry-after': '50' } };
	const { connection } = connectionTo(() => throttled, { patience });
	const [{ error }] = await ended(listAll(connection, [1]), 3 * minute);
	expect(error.details).toMatchObject({ kind: 'noRoom', retryAfterMs: expect.any(Number) });
	connection.close();
});

test('an unknown outcome is reported when the minute is over', async () => {
	const reset = (index: number): Answer => (index === 0 ? { fault: 'ECONNRESET' } : {});
	const { connection } = connectionTo(reset, { requestsPerMinute: 1, patience });
	const sent = sendMessage(connection, { to: 'ada@example.com', idempotencyKey: '1' });
	await expect(ended(sent, 3 * minute)).rejects.toMatchObject({
		details: { earlier: { networkCode: 'ECONNRESET' } },
	});
	connection.close();
});
