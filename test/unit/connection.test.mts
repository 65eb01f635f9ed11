import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { IExecuteFunctions } from 'n8n-workflow';
import { listContacts, sendMessage } from '../../nodes/CrmWorkspace/service/crmWorkspace';
import { Connection } from '../../nodes/CrmWorkspace/transport/connection';
import type { CrmWorkspaceCredential } from '../../nodes/CrmWorkspace/transport/credential';
import { RequestFailure } from '../../nodes/CrmWorkspace/transport/failure';
import { fakeClock } from '../support/fakeClock.mts';

interface Answer {
	status: number;
	headers?: Record<string, string>;
}

let keys = 0;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

/** A connection to a service that gives these answers, and then what was asked for. */
function connectionTo(answers: Answer[]) {
	const askedAt: number[] = [];
	const ask = async () => {
		const { status, headers = {} } = answers[askedAt.length] ?? { status: 200 };
		askedAt.push(performance.now());
		const body = Readable.from([Buffer.from(status === 200 ? '{"data":[]}' : '')]);
		return { statusCode: status, headers, body };
	};
	const context = { helpers: { httpRequestWithAuthentication: ask } };
	const credential: CrmWorkspaceCredential = {
		baseUrl: 'https://crm.example.com/api/v1',
		mode: 'test',
		// Each connection has a pacer of its own.
		apiKey: `sk_test_${++keys}`,
		authHeader: 'authorization',
		requestsPerMinute: 60,
	};
	const connection = new Connection(context as unknown as IExecuteFunctions, credential, 60_000, {
		clock: fakeClock,
	});
	return { connection, askedAt };
}

/** What comes of something that waits, as time goes by. */
async function ended<Result>(promise: Promise<Result>): Promise<Result> {
	let isOver = false;
	const over = () => void (isOver = true);
	promise.then(over, over);
	while (!isOver) await jest.advanceTimersByTimeAsync(1000);
	return await promise;
}

test.each([
	['429 and when to come back', 429, { 'retry-after': '2' }],
	['503 and when to come back', 503, { 'retry-after': '2' }],
	['503 and a moment of reset', 503, { 'ratelimit-reset': '2' }],
])('a rate limit that is answered with %s costs waiting only', async (_how, status, headers) => {
	const { connection, askedAt } = connectionTo(Array(8).fill({ status, headers }));
	await ended(listContacts(connection, { page: 1, limit: 1 }));
	expect(askedAt).toHaveLength(9);
	expect(askedAt[1] - askedAt[0]).toBeGreaterThanOrEqual(2000);
	expect(
		connection
			.hints()
			.map(({ message }) => message)
			.join(),
	).toMatch(/The service (turned away|put off) 8 requests/);
	connection.close();
});

test('503 alone costs attempts', async () => {
	const { connection, askedAt } = connectionTo(Array(8).fill({ status: 503 }));
	await expect(ended(listContacts(connection, { page: 1, limit: 1 }))).rejects.toThrow(
		RequestFailure,
	);
	expect(askedAt).toHaveLength(5);
	connection.close();
});

test('a send without a key is not repeated after 503: it may have begun', async () => {
	const { connection, askedAt } = connectionTo([{ status: 503, headers: { 'retry-after': '2' } }]);
	const sent = sendMessage(connection, { to: 'ada@example.com' });
	await expect(ended(sent)).rejects.toThrow(RequestFailure);
	expect(askedAt).toHaveLength(1);
	connection.close();
});
