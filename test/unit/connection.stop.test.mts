import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { listContacts, sendMessage } from '../../nodes/CrmWorkspace/api/endpoints';
import { connectionTo, ended, endingsOf, type Answer } from '../support/simulated/connections.mts';

/** What comes of requests when the execution is stopped. */

const minute = 60_000;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const asksToWait = { 'retry-after': '300' };

test.each<[string, Answer, number]>([
	['for the rate limit', {}, 1],
	['that a 429 asks for', { status: 429, headers: asksToWait }, 60],
	['that a 503 asks for', { status: 503, headers: asksToWait }, 60],
])('a wait %s ends at once, and nothing is sent after it', async (_what, answer, perMinute) => {
	const stop = new AbortController();
	const settings = { requestsPerMinute: perMinute, cancel: stop.signal };
	const { connection, asked } = connectionTo(() => answer, settings);
	const list = async () => await listContacts(connection, { page: 1, limit: 1 });
	const endings = endingsOf([list(), list()]);
	await jest.advanceTimersByTimeAsync(10_000);
	const [stoppedAt, before] = [performance.now(), asked.length];
	stop.abort();
	await jest.advanceTimersByTimeAsync(10 * minute);
	expect((await endings).at(-1)).toMatchObject({ at: stoppedAt, error: { name: 'Cancelled' } });
	expect(asked).toHaveLength(before);
	connection.close();
});

/** A service whose answer is `given`; `stop` ends the execution. */
function stoppedBy(given: (stop: () => void) => Answer) {
	const stop = new AbortController();
	return connectionTo(() => given(() => stop.abort()), { cancel: stop.signal });
}

test('a message is known as sent if the execution is stopped while the response comes', async () => {
	const body = { data: { id: '1', status: 'sent' } };
	const { connection, asked } = stoppedBy((stop) => ({ body, halfway: stop }));
	const sent = sendMessage(connection, { to: 'ada@example.com', idempotencyKey: 'k' });
	expect(await ended(sent)).toMatchObject({ message: body.data });
	const next = ended(listContacts(connection, { page: 1, limit: 1 }));
	await expect(next).rejects.toMatchObject({ name: 'Cancelled', mayHaveBegun: false });
	expect(asked).toHaveLength(1);
	connection.close();
});

test.each<[string, Answer, string | undefined]>([
	['a fault', { status: 503 }, 'k'],
	['no answer', { fault: 'ECONNRESET' }, 'k'],
	['no answer to a send without a key', { fault: 'ECONNRESET' }, undefined],
])(
	'a message may have been sent if the execution is stopped with %s',
	async (_what, answer, key) => {
		const { connection, asked } = stoppedBy((stop) => {
			stop();
			return answer;
		});
		const sent = sendMessage(connection, { to: 'ada@example.com', idempotencyKey: key });
		await expect(ended(sent)).rejects.toMatchObject({ name: 'Cancelled', mayHaveBegun: true });
		expect(asked).toHaveLength(1);
		connection.close();
	},
);
