import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { listContacts, sendMessage } from '../../nodes/CrmWorkspace/api/endpoints';
import { Cancelled } from '../../nodes/CrmWorkspace/client/failure';
import { connectionTo, ended, type Answer } from '../support/simulated/connections.mts';

/** What a run knows that is stopped while it asks. */

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const message = { to: 'ada@example.com', idempotencyKey: '1' };

/** A service whose answer is `given`; `stop` ends the execution. */
function stoppedBy(answerWith: (stop: () => void) => Answer) {
	const stop = new AbortController();
	return connectionTo(() => answerWith(() => stop.abort()), { cancel: stop.signal });
}

describe('a run that is stopped with the answer in hand knows its result:', () => {
	const body = { data: { id: '1', status: 'sent' } };

	test('just before the answer comes', async () => {
		const { connection, asked } = stoppedBy((stop) => {
			stop();
			return { body };
		});
		expect(await ended(sendMessage(connection, message))).toMatchObject({ message: body.data });
		expect(asked).toHaveLength(1);
		connection.close();
	});

	test('while its body comes, and makes no further request', async () => {
		const { connection, asked } = stoppedBy((stop) => ({ body, halfway: stop }));
		expect(await ended(sendMessage(connection, message))).toMatchObject({ message: body.data });
		const next = ended(listContacts(connection, { page: 1, limit: 1 }));
		await expect(next).rejects.toMatchObject({ name: 'Cancelled', mayHaveBegun: false });
		expect(asked).toHaveLength(1);
		connection.close();
	});
});

test.each<[string, Answer]>([
	['a fault', { status: 503 }],
	['no answer', { fault: 'ECONNRESET' }],
])('a run that is stopped with %s in hand does not ask again', async (_what, answer) => {
	const { connection, asked } = stoppedBy((stop) => {
		stop();
		return answer;
	});
	const error = await ended(sendMessage(connection, message)).catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(Cancelled);
	expect(error).toMatchObject({ mayHaveBegun: true });
	expect(asked).toHaveLength(1);
	connection.close();
});
