import { sendMessage, type SendRequest } from '../../service/crmWorkspace';
import { keyFinding, originalFailed } from '../../service/explanations';
import { maxLinks } from '../../service/idempotencyKey';
import type { Message } from '../../service/records';
import type { Connection } from '../../transport/connection';
import {
	Cancelled,
	RequestFailure,
	type Explanation,
	type FailureDetails,
} from '../../transport/failure';
import { isInDoubt } from '../../transport/meaning';
import { ItemProblem } from '../itemProblem';
import { notYet } from '../pool';
import type { Correspondence, Known, Letter, Subject } from './correspondence';
import { rejectionReason } from './rejection';

/** What came of a message. */
export interface Delivery {
	/** As the service took it; absent when it is known to have gone out before, with other content. */
	message?: Message;
	/** The key that it has; undefined without one. */
	key?: string;
	/** How many sends of it have failed at the service before. */
	failures: number;
}

/** A message on its way: what is asked of the service, and which letter of which correspondence. */
export interface Dispatch {
	message: SendRequest;
	letter: Letter;
	correspondence: Correspondence;
	/** Whether it is done when it is known to have gone out before, with other content. */
	countsAsDone: boolean;
	/** Whether it is done when the service takes it and does not deliver it. */
	mayBeRejected: boolean;
}

/**
 * Sends a message without an idempotency key.
 * @throws RequestFailure when the service did not take it
 */
export async function deliverWithoutKey(
	connection: Connection,
	message: SendRequest,
): Promise<Delivery> {
	const sent = await attempt(connection, message);
	if (!(sent instanceof Error)) return { message: sent, failures: 0 };
	if (sent instanceof Cancelled || !isInDoubt(sent.details)) throw sent;
	throw doubtful(sent.details, doubtWithoutKey);
}

/**
 * Sends a letter at its place among the correspondence's. A place whose send failed at the service
 * is left for the next one, because nothing was delivered, unless that send was one of this very
 * call: each call sends at most once.
 * @returns `notYet` when other letters of the correspondence have to go first
 * @throws RequestFailure when the service did not take the message, or has other content there
 * @throws ItemProblem when there is no telling which place is its own
 */
export async function deliver(
	connection: Connection,
	dispatch: Dispatch,
): Promise<Delivery | typeof notYet> {
	const { correspondence, letter } = dispatch;
	return await correspondence.alone(async () => {
		if (correspondence.hasToWait(letter)) return notYet;
		correspondence.settle(letter);
		const delivery = await deliverAtItsPlace(connection, dispatch);
		if (delivery === notYet) correspondence.reopen(letter);
		return delivery;
	});
}

async function deliverAtItsPlace(
	connection: Connection,
	dispatch: Dispatch,
): Promise<Delivery | typeof notYet> {
	const { message, letter, correspondence, mayBeRejected } = dispatch;
	if (letter.isUndecidable) throw new ItemProblem(correspondence.subject.explainOther(null));
	const places = correspondence.placesFor(letter);
	for (;;) {
		const place = places.next().value;
		const before = correspondence.begin(place, letter);
		const key = correspondence.subject.keyAt(place);
		const sent = await attempt(connection, { ...message, idempotencyKey: key });
		if (sent instanceof Cancelled) {
			if (!sent.mayHaveBegun) correspondence.leave(before, letter);
			throw sent;
		}
		if (!(sent instanceof RequestFailure)) {
			const isRejected = rejectionReason(sent) !== undefined;
			correspondence.displace(before, letter);
			correspondence.note(place, letter, isRejected ? 'rejected' : 'sent');
			if (!isRejected || mayBeRejected) correspondence.take(place);
			return { message: sent, key, failures: letter.failures };
		}
		const next = learn(sent, before, dispatch);
		if (next === 'done') return { key, failures: letter.failures };
		if (next === 'later' || correspondence.hasToWait(letter)) return notYet;
	}
}

/**
 * Notes what a failed send tells of a place, and says how to go on with the letter.
 * @throws RequestFailure when there is no way on in this call
 */
function learn(
	failure: RequestFailure,
	before: Known,
	dispatch: Dispatch,
): 'next' | 'later' | 'done' {
	const { correspondence, letter } = dispatch;
	const { place, isUntried } = before;
	const finding = keyFinding(failure.details);
	switch (finding) {
		case 'failed':
			return learnOfFailure(failure, before, dispatch);
		case 'other':
		case 'unclear':
			return learnOfOther(failure, before, dispatch);
		case 'unknown':
			throw doubtful(failure.details, correspondence.subject.doubt);
		default:
			if (finding === 'refused' && isUntried) correspondence.note(place, letter, 'refused');
			else correspondence.leave(before, letter);
			throw failure;
	}
}

/** The send that the key was used for has failed: nothing was delivered under it, and never will. */
function learnOfFailure(failure: RequestFailure, before: Known, dispatch: Dispatch): 'next' {
	const { correspondence, letter } = dispatch;
	const { place, known, isIts } = before;
	const { details } = failure;
	if (known && !isIts && !details.earlier) {
		correspondence.set(place, { ...known, state: 'failed' });
		return 'next';
	}
	if (letter.sendsAgain && details.earlier && known?.state !== 'failed') {
		correspondence.note(place, letter, 'failed');
		throw explained({ ...details, ...details.earlier }, failedNow);
	}
	return leaveFailed(failure, before, dispatch);
}

/**
 * Leaves the letter's own place, where nothing was delivered and nothing can be any more.
 * @throws RequestFailure when it is not sent again, or was too often
 */
function leaveFailed(
	{ details }: RequestFailure,
	{ place, known }: Known,
	{ correspondence, letter }: Dispatch,
): 'next' {
	correspondence.note(place, letter, 'failed');
	if (!letter.sendsAgain) throw explained(details, originalFailed);
	if (known?.state !== 'failed') letter.failures++;
	if (letter.failures >= maxLinks) throw explained(details, usedUp(correspondence.subject));
	return 'next';
}

/** The key was used for other content: this letter's own from before, or another letter. */
function learnOfOther(
	failure: RequestFailure,
	before: Known,
	dispatch: Dispatch,
): 'next' | 'later' | 'done' {
	const { correspondence, letter, countsAsDone } = dispatch;
	const { place, known, isIts } = before;
	const { code } = failure.details;
	const isNoGuess = known && !letter.isGuess;
	const other = correspondence.subject.explainOther(isNoGuess ? known : null);
	const told = code === undefined ? failure : explained(failure.details, other);

	const isUndelivered =
		known?.state === 'failed' ||
		known?.state === 'rejected' ||
		(known?.state === 'refused' && correspondence.isComplete);
	if (isIts && isUndelivered) return leaveFailed(failure, before, dispatch);
	if (isIts && known?.state === 'sent') {
		if (!countsAsDone || letter.isGuess || code === undefined) throw told;
		correspondence.take(place);
		return 'done';
	}
	correspondence.set(place, known);
	const isAnothers = known !== null && !isIts && letter.left !== place;
	if (isAnothers && correspondence.isComplete) {
		letter.notAt.add(place);
		return 'next';
	}
	if (!correspondence.leaveToOthers(place, letter)) throw told;
	return 'later';
}

/** Sends a message; gives what kept it from being sent instead of throwing it. */
async function attempt(
	connection: Connection,
	message: SendRequest,
): Promise<Message | RequestFailure | Cancelled> {
	return await sendMessage(connection, message).catch((error: unknown) => {
		if (error instanceof RequestFailure || error instanceof Cancelled) return error;
		throw error;
	});
}

function explained(details: FailureDetails, explanation: Explanation): RequestFailure {
	return new RequestFailure({ ...details, explanation });
}

function doubtful(details: FailureDetails, doubt: string): RequestFailure {
	return new RequestFailure({ ...details, doubt });
}

const doubtWithoutKey =
	'The message may or may not have been sent: without an idempotency key it is not tried again.';

const failedNow: Explanation = {
	message: 'The service failed to send this message',
	advice: 'Nothing was delivered under its key. Retry the execution to send it again.',
};

const usedUp = ({ anew }: Subject): Explanation => ({
	message: `${maxLinks} sends to this recipient have failed`,
	advice: `Nothing was delivered under its keys, and no further try is made. Check the recipient and the content, then send it ${anew}.`,
});
