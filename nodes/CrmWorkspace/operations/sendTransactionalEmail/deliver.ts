import { sendMessage, type SendRequest } from '../../service/crmWorkspace';
import { errorCodes } from '../../service/explanations';
import { maxLinks, nextKey } from '../../service/idempotencyKey';
import type { Message } from '../../service/records';
import type { Connection } from '../../transport/connection';
import { RequestFailure, type Explanation, type FailureDetails } from '../../transport/failure';
import { mayHaveBegun } from '../../transport/retry';

/** The keys that a message may be sent under. */
export interface KeyFamily {
	/** The first of them. */
	first: string;
	/** What it means when the service knows it for another message. */
	ifReused: Explanation;
}

/** A message that the service took. */
export interface Delivery {
	message: Message;
	/** The key that it was taken under; undefined without one. */
	key?: string;
	/** Which link of the chain of keys that is, from 1. */
	link: number;
}

/**
 * Sends a message under the first key of its family that no failed send has used up. When the
 * service answers that the original with a key failed, nothing was delivered, so the next key is
 * tried, unless that original was a send of this very call: each call sends at most once.
 * @param family undefined sends without a key
 * @param onOriginalFailed whether to go on to the next key at all
 * @throws RequestFailure when the service did not take the message
 */
export async function deliver(
	connection: Connection,
	message: SendRequest,
	family: KeyFamily | undefined,
	onOriginalFailed: 'sendAgain' | 'fail' = 'sendAgain',
): Promise<Delivery> {
	if (!family) return { message: await sendMessage(connection, message), link: 1 };

	for (let link = 1; ; link++) {
		const key = nextKey(family.first, link);
		const sent = await sendMessage(connection, { ...message, idempotencyKey: key }).catch(failure);
		if (!(sent instanceof RequestFailure)) return { message: sent, key, link };

		const { details } = sent;
		if (details.code === errorCodes.keyReused) throw explained(details, family.ifReused);
		if (details.code !== errorCodes.originalFailed || onOriginalFailed === 'fail') throw sent;
		if (isOwnFailure(details)) throw explained({ ...details, ...details.earlier }, failedNow);
		if (link === maxLinks) throw explained(details, usedUp);
	}
}

function failure(error: unknown): RequestFailure {
	if (error instanceof RequestFailure) return error;
	throw error;
}

/** Whether an earlier attempt of the same request was the send that failed. */
function isOwnFailure({ earlier }: FailureDetails): boolean {
	return earlier !== undefined && mayHaveBegun(earlier);
}

function explained(details: FailureDetails, explanation: Explanation): RequestFailure {
	return new RequestFailure({ ...details, explanation });
}

const failedNow: Explanation = {
	message: 'The service failed to send this message',
	advice: 'Nothing was delivered. Retry the execution to send it again: nothing is sent twice.',
};

const usedUp: Explanation = {
	message: `The service failed to send this message ${maxLinks} times`,
	advice:
		'Nothing was delivered, and no further try is made. Check the recipient and the content, then send it in a new execution or under another key.',
};
