import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { listContacts, sendMessage } from '../../nodes/CrmWorkspace/api/endpoints';
import type { Client } from '../../nodes/CrmWorkspace/client/request';
import { RequestFailure } from '../../nodes/CrmWorkspace/client/failure';
import { connectionTo, ended, endingsOf, type Answer } from '../support/simulated/connections.mts';

/** What one request of a run has learned, those after it know. */

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const minute = 60_000;

const list = async (connection: Client) => await listContacts(connection, { page: 1, limit: 1 });

const atOnce = async (connection: Client, count: number) =>
	await endingsOf(Array.from({ length: count }, async () => await list(connection)));

/** Makes so many requests, five at a time, whatever comes of them. */
async function inTurns(connection: Client, count: number): Promise<any[]> {
	const errors: any[] = [];
	let begun = 0;
	const worker = async () => {
		while (begun++ < count) await list(connection).catch((error) => errors.push(error));
	};
	await Promise.all(Array.from({ length: 5 }, worker));
	return errors;
}

test('once the service has rejected the key, all waiting requests end', async () => {
	const { connection, asked } = connectionTo(() => ({ status: 401, after: 300 }));
	const begunAt = performance.now();
	const endings = await ended(atOnce(connection, 200), 10 * minute);
	for (const { error } of endings) expect(error.details.statusCode).toBe(401);
	// Only those that were under way when the first response came.
	expect(asked.filter(({ at }) => at >= begunAt + 300)).toEqual([]);
	expect(Math.max(...endings.map(({ at }) => at - begunAt))).toBeLessThan(1000);
	connection.close();
});

test.each([403, 404, 422])('after a %i the other requests are made', async (status) => {
	const { connection, asked } = connectionTo(() => ({ status }), { requestsPerMinute: 100_000 });
	await ended(inTurns(connection, 100));
	expect(asked).toHaveLength(100);
	connection.close();
});

test('another run asks again: the key may have been mended at the service', async () => {
	let isRefused = true;
	const { connection, another } = connectionTo(() => (isRefused ? { status: 401 } : {}));
	await expect(ended(list(connection))).rejects.toThrow(RequestFailure);
	connection.close();
	isRefused = false;
	const next = another();
	await expect(ended(list(next))).resolves.toMatchObject({ records: [] });
	next.close();
});

test('an unknown outcome stays unknown when the key is refused', async () => {
	const answer = (_index: number, _page: number, to?: string): Answer =>
		to === 'ada@example.com' ? { fault: 'ECONNRESET' } : { status: 401, after: 800 };
	const { connection, asked } = connectionTo(answer, { requestsPerMinute: 2 });
	const begunAt = performance.now();
	const send = async (to: string) => await sendMessage(connection, { to, idempotencyKey: to });
	const sent = endingsOf([send('ada@example.com'), send('grace@example.com')]);
	const [ada, grace] = await ended(sent, 10 * minute).finally(() => connection.close());
	expect(grace.error.details).toMatchObject({
		statusCode: 401,
		outcome: "The message to grace@example.com wasn't sent",
	});
	expect(grace.error.details.earlier).toBeUndefined();
	expect(ada.error.details).toMatchObject({
		statusCode: 401,
		outcome: 'The message to ada@example.com may already have been sent',
		earlier: { networkCode: 'ECONNRESET' },
	});
	expect(ada.at - begunAt).toBeLessThan(2000);
	expect(asked).toHaveLength(2);
});

test('an unknown outcome stays unknown when the service can no longer be reached', async () => {
	const { connection, asked } = connectionTo((index) => ({
		fault: index === 0 ? 'ECONNRESET' : 'ECONNREFUSED',
	}));
	const sent = sendMessage(connection, { to: 'ada@example.com', idempotencyKey: 'k' });
	await expect(ended(sent)).rejects.toMatchObject({
		details: { outcome: 'The message to ada@example.com may already have been sent' },
	});
	expect(asked).toHaveLength(5);
	connection.close();
});

describe('an outage', () => {
	test.each<[string, Answer]>([
		['refused connections', { fault: 'ECONNREFUSED' }],
		['501', { status: 501 }],
	])('ends a run of 10,000 items after five minutes: %s', async (_what, outage) => {
		const { connection, asked } = connectionTo(() => outage);
		const begunAt = performance.now();
		const errors = await ended(inTurns(connection, 10_000), 60 * minute).finally(() =>
			connection.close(),
		);
		expect(errors).toHaveLength(10_000);
		// Of those that were never made, nothing is unknown.
		const neverMade = errors.filter(({ details }) => details.attempts === 0);
		expect(neverMade.length).toBeGreaterThan(9000);
		expect(neverMade.some(({ details }) => details.isOutcomeUnknown)).toBe(false);
		expect(performance.now() - begunAt).toBeLessThan(6 * minute);
		expect(asked.length).toBeLessThan(400);
	});

	test('of two minutes costs its own items, and none after it', async () => {
		const chance = jest.spyOn(Math, 'random').mockReturnValue(0.5);
		const [from, until] = [10 * minute, 12 * minute];
		const begunAt = performance.now();
		const at = () => performance.now() - begunAt;
		const { connection, asked } = connectionTo(() =>
			at() > from && at() < until ? { fault: 'ECONNREFUSED' } : { after: 100 },
		);
		const errors = await ended(inTurns(connection, 2000), 90 * minute).finally(() =>
			connection.close(),
		);
		chance.mockRestore();
		expect(errors.length).toBeLessThan(40);
		expect(asked.length).toBeLessThan(2150);
	});
});

test('a run in which every request is throttled ends, although other runs get through', async () => {
	const { connection, another } = connectionTo((_index, page) =>
		page === 1 ? { status: 429 } : {},
	);
	const other = another();
	let isOver = false;
	const sending = (async () => {
		while (!isOver) {
			await listContacts(other, { page: 2, limit: 1 });
			await jest.advanceTimersByTimeAsync(0);
		}
	})();
	const listed = list(connection).finally(() => (isOver = true));
	await expect(ended(listed, 60 * minute)).rejects.toMatchObject({ details: { statusCode: 429 } });
	await ended(sending, 60 * minute);
	connection.close();
	other.close();
});

test('a run goes on if not every response is a 429', async () => {
	const begunAt = performance.now();
	let faults = 0;
	const { connection } = connectionTo(() => {
		const minutes = (performance.now() - begunAt) / minute;
		if (minutes > 30 && faults++ === 0) return { status: 503 };
		return minutes > 60 ? {} : { status: 429 };
	});
	await expect(ended(list(connection), 90 * minute)).resolves.toMatchObject({ records: [] });
	connection.close();
});

test('an announced request is taken back once, however often it is retried', async () => {
	const { connection } = connectionTo((index) => (index < 3 ? { status: 503 } : {}));
	connection.announce(10);
	await ended(list(connection));
	expect(connection.keyIdentity).toMatchObject({ announced: 9 });
	connection.close();
});
