import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { listContacts, sendMessage } from '../../nodes/CrmWorkspace/api/endpoints';
import { readContacts } from '../../nodes/CrmWorkspace/api/readContacts';
import type { HttpClient } from '../../nodes/CrmWorkspace/client/client';
import type { JsonObject } from '../../nodes/CrmWorkspace/client/request';
import { describeWaits } from '../../nodes/CrmWorkspace/n8n/texts';
import { RequestFailure } from '../../nodes/CrmWorkspace/client/failure';
import { fakeClock } from '../support/simulated/fakeClock.mts';
import { connectionTo, ended } from '../support/simulated/connections.mts';

const minute = 60_000;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

test.each([
	['when to come back', { 'retry-after': '2' }],
	[
		'a date to come back',
		{ date: 'Thu, 15 Jan 2026 12:00:00 GMT', 'retry-after': 'Thu, 15 Jan 2026 12:00:02 GMT' },
	],
])('a rate limit that is answered with 429 and %s costs waiting only', async (_how, headers) => {
	const { connection, asked } = connectionTo((index) =>
		index < 8 ? { status: 429, headers } : {},
	);
	await ended(listContacts(connection, { page: 1, limit: 1 }));
	expect(asked).toHaveLength(9);
	expect(asked[1].at - asked[0].at).toBeGreaterThanOrEqual(2000);
	expect(describeWaits(connection.statistics)).toMatch(/The service throttled requests \(8\)/);
	connection.close();
});

test('a rate limit that lets nothing through is waited for once in a run, not for each item', async () => {
	const { connection, asked } = connectionTo(() => ({ status: 429 }));
	const begunAt = fakeClock.now();
	for (let request = 0; request < 20; request++) {
		const listed = ended(listContacts(connection, { page: 1, limit: 1 }));
		await expect(listed).rejects.toThrow(RequestFailure);
	}
	expect(asked.length).toBeGreaterThan(25);
	expect(fakeClock.now() - begunAt).toBeGreaterThan(9.5 * minute);
	expect(fakeClock.now() - begunAt).toBeLessThan(90 * minute);
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
	const listed = Promise.all(
		Array.from({ length: 20 }, async () => await listContacts(next, { page: 1, limit: 1 })),
	);
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
	const listed = Promise.all(
		Array.from({ length: 60 }, async () => await listContacts(next, { page: 1, limit: 1 })),
	);
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

test('a request that JSON cannot carry fails, and keeps no permit', async () => {
	const { connection } = connectionTo(() => ({}), { requestsPerMinute: 1 });
	const body: JsonObject = {};
	body.itself = body;
	const purpose = { undone: 'Not updated', unknown: 'Perhaps updated' };
	const request = { method: 'PUT', path: '/x', body, purpose } as const;
	const unfit = { ...request, isIdempotent: true, read: () => 1 };
	await expect(ended(connection.request(unfit))).rejects.toMatchObject({
		details: { kind: 'notSent', attempts: 1, outcome: purpose.undone },
	});
	await ended(listContacts(connection, { page: 1, limit: 1 }), 2 * minute);
	connection.close();
});

describe('the hints', () => {
	const said = ({ statistics }: HttpClient) => describeWaits(statistics);
	const list = async (to: HttpClient) => await listContacts(to, { page: 1, limit: 1 });
	const listTimes = async (count: number, to: HttpClient) =>
		await ended(
			Promise.all(Array.from({ length: count }, async () => await list(to))),
			30 * minute,
		);

	test('say how long the run waited for the limit in the credential', async () => {
		const { connection } = connectionTo(() => ({}), { requestsPerMinute: 5 });
		await listTimes(8, connection);
		expect(said(connection)).toBe(
			'The run waited 60 s for the rate limit of 5 requests per minute with this API key',
		);
		connection.close();
	});

	test('say what to correct if the service throttled requests, also in the next run', async () => {
		const { connection, another } = connectionTo((index) => (index === 0 ? { status: 429 } : {}));
		await listTimes(1, connection);
		expect(said(connection)).toMatch(
			/^The run waited \d+ s for the rate limit\. The service throttled requests \(1\): .*'Requests per Minute' in the credential.*'Number of n8n Processes'/,
		);
		connection.close();
		const next = another();
		await listTimes(2, next);
		expect(said(next)).toMatch(/^The run waited .* of 1\d requests/);
		next.close();
	});

	test('say nothing of retries, and of a run that had no trouble', async () => {
		const { connection } = connectionTo((index) => (index < 2 ? { status: 503 } : {}));
		await listTimes(1, connection);
		expect(said(connection)).toBeUndefined();
		connection.close();
		const quiet = connectionTo(() => ({})).connection;
		await listTimes(1, quiet);
		expect(said(quiet)).toBeUndefined();
		quiet.close();
	});
});
