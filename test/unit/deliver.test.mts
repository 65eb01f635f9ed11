import { expect, test } from '@jest/globals';
import { deliver } from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/deliver';
import {
	SendLog,
	type SendState,
} from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/sendLog';
import type { Connection } from '../../nodes/CrmWorkspace/transport/connection';
import { RequestFailure, type FailureDetails } from '../../nodes/CrmWorkspace/transport/failure';
import { answered } from '../support/simulated/attempts.mts';

/** A retry with other content, where the service has the earlier one in this state. */
async function retryChanged(state: SendState) {
	const own = { invocation: '1', item: 0 };
	const log = new SendLog([{ ...own, content: 'before', number: 0, state, succeeded: false }]);
	const identity = { ...own, content: 'after' };
	const texts = { unknownOutcome: '', conflict: { message: 'conflict', advice: '' } };
	const reused = answered(409, { code: 'IDEMPOTENCY_KEY_REUSED', message: '', attempts: 1 });
	const request = async () => {
		throw new RequestFailure(reused as FailureDetails);
	};
	const policy = { sendsAgain: true, acceptsChanged: true, acceptsRejected: false };
	return await deliver(
		{ request } as unknown as Connection,
		{ to: 'ada@example.com' },
		{ log, identity, keyAt: String, ...texts },
		policy,
	);
}

test('a changed message counts as sent only if its earlier send was without an error', async () => {
	expect(await retryChanged('sent')).toMatchObject({ wasSentBefore: true });
	await expect(retryChanged('sentWithError')).rejects.toThrow(RequestFailure);
});
