import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
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

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const pages = (count: number, from = 1) =>
	Array.from({ length: count }, (_, index) => from + index);

const list = async (connection: Client, page: number) =>
	await listContacts(connection, { page, limit: 1 });

const atOnce = async (connection: Client, which: number[]) =>
	await endingsOf(which.map(async (page) => await list(connection, page)));

describe.each<[string, Answer]>([
	['503', { status: 503 }],
	['ECONNRESET', { fault: 'ECONNRESET' }],
])('20 requests at once, three a minute, each answered with %s', (_how, failed) => {
	/** A service that fails each page so often. */
	function failing(times: number) {
		const tried = new Map<number, number>();
		const answer: Answering = (_index, page) => {
			tried.set(page, (tried.get(page) ?? 0) + 1);
			return tried.get(page)! <= times ? failed : {};
		};
		return { ...connectionTo(answer, { requestsPerMinute: 3 }), tried };
	}

	test('four times, get through: waiting for permits is no part of what a retry may wait', async () => {
		const { connection, tried } = failing(4);
		const endings = await ended(atOnce(connection, pages(20)));
		expect(endings.filter(({ error }) => error)).toHaveLength(0);
		expect([...tried.values()]).toEqual(pages(20).map(() => 5));
		connection.close();
	});
});

describe('patience is one deadline, by the clock of the connection, from when it was opened:', () => {
	const patience = minute;

	/** What keeps requests from coming through for as long as anyone waits. */
	const obstacles: Array<[string, Answering, number]> = [
		['a rate limit (429)', () => ({ status: 429 }), 60],
		['429 and 7 s', () => ({ status: 429, headers: { 'retry-after': '7' } }), 60],
		['503 and 7 s', () => ({ status: 503, headers: { 'retry-after': '7' } }), 60],
		['429 and more than it', () => ({ status: 429, headers: { 'retry-after': '90' } }), 60],
		['faults (503), once a minute', () => ({ status: 503 }), 1],
		['the pace, with one request a minute', () => ({}), 1],
		['slow faults (503)', () => ({ status: 503, after: 2000 }), 3],
	];

	test.each(obstacles)('%s', async (_what, answer, requestsPerMinute) => {
		const { connection } = connectionTo(answer, { requestsPerMinute, patience });
		const opened = performance.now();
		const early = atOnce(connection, pages(5));
		await jest.advanceTimersByTimeAsync(minute / 2);
		const late = atOnce(connection, pages(3, 6));
		const endings = await ended(Promise.all([early, late]), 3 * minute).finally(() =>
			connection.close(),
		);
		const failures = endings.flat().filter(({ error }) => error);
		expect(failures.length).toBeGreaterThanOrEqual(7);
		for (const { error } of failures) expect(error).toBeInstanceOf(RequestFailure);
		const last = Math.max(...endings.flat().map(({ at }) => at - opened));
		expect(last).toBeLessThanOrEqual(patience + 10);
	});

	test.each(obstacles)('a request after it fails at once: %s', async (_what, answer, perMinute) => {
		const settings = { requestsPerMinute: perMinute, patience };
		const { connection, asked } = connectionTo(answer, settings);
		const first = atOnce(connection, [1, 2]);
		await jest.advanceTimersByTimeAsync(patience);
		const before = asked.length;
		const second = atOnce(connection, [3]);
		await jest.advanceTimersByTimeAsync(1);
		const state = await Promise.race([second, Promise.resolve('still waiting')]);
		connection.close();
		expect(state).not.toBe('still waiting');
		expect(state).toMatchObject([{ error: expect.any(RequestFailure) }]);
		expect(asked).toHaveLength(before);
		await ended(first);
	});

	test('a request that is throttled when the time is up had no room', async () => {
		const throttled = { status: 429, headers: { 'retry-after': '50' } };
		const { connection } = connectionTo(() => throttled, { patience });
		const [{ error }] = await ended(atOnce(connection, [1]), 3 * minute);
		expect(error.details).toMatchObject({ kind: 'noRoom', retryAfterMs: expect.any(Number) });
		connection.close();
	});

	test('without it a request waits for its permit as long as that takes', async () => {
		const { connection, asked } = connectionTo(() => ({}), { requestsPerMinute: 1 });
		const endings = await ended(atOnce(connection, pages(30)));
		expect(endings.filter(({ error }) => error)).toHaveLength(0);
		expect(asked.at(-1)!.at - asked[0].at).toBeGreaterThan(28 * minute);
		connection.close();
	});

	test('an unknown outcome is reported at the end', async () => {
		const reset = (index: number): Answer => (index === 0 ? { fault: 'ECONNRESET' } : {});
		const { connection } = connectionTo(reset, { requestsPerMinute: 1, patience });
		const sent = sendMessage(connection, { to: 'ada@example.com', idempotencyKey: '1' });
		await expect(ended(sent, 3 * minute)).rejects.toMatchObject({
			details: { earlier: { networkCode: 'ECONNRESET' } },
		});
		connection.close();
	});
});
