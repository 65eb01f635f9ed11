import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { listContacts, sendMessage } from '../../nodes/CrmWorkspace/api/endpoints';
import { readContacts } from '../../nodes/CrmWorkspace/api/readContacts';
import type { HttpClient } from '../../nodes/CrmWorkspace/client/client';
import type { Client } from '../../nodes/CrmWorkspace/client/request';
import { describeWaits } from '../../nodes/CrmWorkspace/n8n/texts';
import { RequestFailure } from '../../nodes/CrmWorkspace/client/failure';
import { fakeClock } from '../support/simulated/fakeClock.mts';
import { connectionTo, ended } from '../support/simulated/connections.mts';

const minute = 60_000;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const list = async (to: Client, page = 1) => await listContacts(to, { page, limit: 1 });

// Interface: AUTH-6, OPEN-18.
test('after a 429 that asks for 30 s, no execution sends a request with the key earlier', async () => {
	const throttled = { status: 429, headers: { 'retry-after': '30' } };
	const { connection, another, asked } = connectionTo((index) => (index === 0 ? throttled : {}));
	const other = connectionTo(() => ({}));
	const next = another();
	const first = list(connection);
	await jest.advanceTimersByTimeAsync(1000);
	const later = [list(connection), list(next), list(next)];
	await ended(list(other.connection), 1000);
	expect(other.asked).toHaveLength(1);
	await ended(Promise.all([first, ...later]));
	const waited = asked.slice(1).map(({ at }) => at - asked[0].at);
	expect(waited).toHaveLength(4);
	expect(Math.min(...waited)).toBeGreaterThanOrEqual(30_000);
	for (const one of [connection, next, other.connection]) one.close();
});

test('a 503 of one path that asks for 30 s holds up no other', async () => {
	const maintenance = { status: 503, headers: { 'retry-after': '30' } };
	const { connection, another, asked } = connectionTo((_index, page) =>
		page === 1 ? maintenance : {},
	);
	const next = another();
	const waiting = list(connection);
	await jest.advanceTimersByTimeAsync(1000);
	await ended(list(next, 2), 1000);
	expect(asked.map(({ page }) => page)).toEqual([1, 2]);
	await expect(ended(waiting)).rejects.toThrow(RequestFailure);
	for (const one of [connection, next]) one.close();
});

test('a rate limit that lets nothing through is waited for once in a run, not for each item', async () => {
	const { connection, asked } = connectionTo(() => ({ status: 429 }));
	const begunAt = fakeClock.now();
	await expect(ended(list(connection))).rejects.toThrow(RequestFailure);
	const [first, tookMs] = [asked.length, fakeClock.now() - begunAt];
	expect(first).toBeGreaterThan(25);
	expect(tookMs).toBeGreaterThan(9.5 * minute);
	expect(tookMs).toBeLessThan(90 * minute);
	await expect(ended(list(connection))).rejects.toThrow(RequestFailure);
	expect(asked).toHaveLength(first);
	connection.close();
});

test('a list spreads its pages over the minute as soon as it shows that there are many', async () => {
	const pages = 150;
	const { connection, asked } = connectionTo((_index, page) => ({
		body: {
			data: Array.from({ length: 100 }, (_, index) => ({ id: `${page}-${index}` })),
			meta: { pagination: { page, limit: 100, totalCount: pages * 100, totalPages: pages } },
		},
	}));
	const read = readContacts(connection, { limit: Infinity, concurrency: 5 }).catch(() => undefined);
	await jest.advanceTimersByTimeAsync(10_000);
	expect(asked.length).toBeGreaterThan(8);
	expect(asked.length).toBeLessThan(14);
	connection.close();
	await ended(read);
});

test('what a list does not ask for after all is not waited for once its run has ended', async () => {
	const meta = { pagination: { page: 1, limit: 100, totalCount: 20_000, totalPages: 200 } };
	const data = Array.from({ length: 100 }, (_, index) => ({ id: `${index}` }));
	const { connection, asked, another } = connectionTo((_index, page) =>
		page === 2 ? { status: 403 } : { body: { data, meta } },
	);
	await expect(
		ended(readContacts(connection, { limit: Infinity, concurrency: 5 })),
	).rejects.toThrow();
	connection.close();
	await jest.advanceTimersByTimeAsync(2 * minute);
	const before = asked.length;
	const next = another();
	const listed = Promise.all(Array.from({ length: 20 }, async () => await list(next)));
	await jest.advanceTimersByTimeAsync(1000);
	expect(asked).toHaveLength(before + 20);
	await listed;
	next.close();
});

test('requests that are announced when no further one begins keep no room', async () => {
	const { connection, asked, another } = connectionTo(() => ({}));
	connection.close();
	connection.announce(1000);
	const next = another();
	const listed = Promise.all(Array.from({ length: 60 }, async () => await list(next)));
	await jest.advanceTimersByTimeAsync(1000);
	expect(asked).toHaveLength(60);
	await listed;
	next.close();
});

// Interface: KEY-2.
test('a message of which an answer was lost was sent by this request, however long it took', async () => {
	const begunAt = Date.now();
	const message = { id: '1', createdAt: new Date(begunAt).toISOString() };
	const taken = () => ({
		headers: { date: new Date().toUTCString() },
		body: { data: message },
	});
	const lost = { status: 503, headers: { 'retry-after': '60' } };
	const { connection, asked } = connectionTo((index) => (index === 0 ? lost : taken()));
	const send = async () =>
		await ended(sendMessage(connection, { to: 'ada@example.com', idempotencyKey: 'k' }));
	expect(await send()).toEqual({ message, wasSentBefore: false });
	expect(Date.now() - begunAt).toBeGreaterThanOrEqual(minute);
	expect(await send()).toEqual({ message, wasSentBefore: true });
	expect(asked).toHaveLength(3);
	connection.close();
});

describe('a hint', () => {
	const said = ({ statistics }: HttpClient) => describeWaits(statistics);
	const listTimes = async (count: number, to: HttpClient) =>
		await ended(Promise.all(Array.from({ length: count }, async () => await list(to))));

	test('says how long the run waited for the limit in the credential', async () => {
		const { connection } = connectionTo(() => ({}), { requestsPerMinute: 5 });
		await listTimes(8, connection);
		expect(said(connection)).toBe(
			'The run waited 60 s for the rate limit of 5 requests per minute with this API key',
		);
		connection.close();
	});

	test('says what to correct if the service throttled requests, also in the next run', async () => {
		const { connection, another } = connectionTo((index) => (index < 8 ? { status: 429 } : {}));
		await listTimes(1, connection);
		expect(said(connection)).toMatch(
			/^The run waited \d+ s for the rate limit\. The service throttled requests \(8\): check /,
		);
		connection.close();
		const next = another();
		await listTimes(2, next);
		expect(said(next)).toMatch(/^The run waited .* of \d requests/);
		next.close();
	});

	test('says nothing of retries', async () => {
		const { connection } = connectionTo((index) => (index < 2 ? { status: 503 } : {}));
		await listTimes(1, connection);
		expect(said(connection)).toBeUndefined();
		connection.close();
	});
});
