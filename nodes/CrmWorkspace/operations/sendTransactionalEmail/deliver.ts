import { conflictCode } from '../../service/conflictCode';
import { sendMessage, type Taken } from '../../service/crmWorkspace';
import type { Message, SendRequest } from '../../service/records';
import { keyFinding, originalFailed } from '../../service/explanations';
import { maxLinks } from '../../service/idempotencyKey';
import type { Connection } from '../../transport/connection';
import {
	Cancelled,
	RequestFailure,
	type Explanation,
	type FailureDetails,
} from '../../transport/errors/failure';
import { isInDoubt } from '../../transport/errors/failure';
import { ItemProblem } from '../itemProblem';
import { notYet } from '../pool';
import type { PlaceState } from './memory';
import type { MessageSequence, PlaceBefore, SendIntent, SequenceOwner } from './messageSequence';
import { rejectionOf, type Rejection } from './rejection';

/** What came of a send. */
export interface Delivery {
	/**
	 * As the service has it; absent if an earlier try is known to have sent it with other content.
	 */
	message?: Message;
	/** Whether it went out before the lineage, as far as that is known, or with other content. */
	isSentBefore: boolean;
	/** The key that it was sent under; undefined if it was sent without one. */
	idempotencyKey?: string;
	/** How many sends of it have failed at the service before. */
	failures: number;
}

/** Everything about one send: the request, its intent and sequence, and the user's options. */
export interface Dispatch {
	message: SendRequest;
	intent: SendIntent;
	sequence: MessageSequence;
	/** When the lineage began to send, in ms since 1970: what was there before is sent before. */
	began?: number;
	/** Whether the item counts as done if an earlier try has sent it with other content. */
	countsAsDone: boolean;
	/** Whether the item counts as done if the service takes the message and does not deliver it. */
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
	if (!(sent instanceof Error)) return { ...sent, failures: 0 };
	if (sent instanceof Cancelled || !isInDoubt(sent.details)) throw sent;
	throw doubtful(sent.details, doubtWithoutKey);
}

/**
 * Sends an intent at its place in the sequence. If the send of that place has failed at the
 * service, nothing was delivered under its key, and the intent goes on to the next place. But if it
 * failed in this very call, the item fails: each call sends at most once.
 * @returns `notYet` when other intents of the sequence have to go first
 * @throws RequestFailure when the service did not take the message, or has other content there
 * @throws ItemProblem when there is no telling which place is its own
 */
export async function deliver(
	connection: Connection,
	dispatch: Dispatch,
): Promise<Delivery | typeof notYet> {
	const { sequence, intent } = dispatch;
	return await sequence.alone(async () => {
		if (sequence.hasToWait(intent)) return notYet;
		sequence.settle(intent);
		const delivery = await deliverAtItsPlace(connection, dispatch);
		if (delivery === notYet) sequence.reopen(intent);
		return delivery;
	});
}

async function deliverAtItsPlace(
	connection: Connection,
	dispatch: Dispatch,
): Promise<Delivery | typeof notYet> {
	const { message, intent, sequence, began, mayBeRejected } = dispatch;
	if (intent.isUndecidable) throw new ItemProblem(sequence.owner.explainOther(null));
	const places = sequence.placesFor(intent);
	for (;;) {
		const place = places.next().value;
		const before = sequence.begin(place, intent);
		const key = sequence.owner.keyAt(place);
		const sent = await attempt(connection, { ...message, idempotencyKey: key }, began);
		if (sent instanceof Cancelled) {
			if (!sent.mayHaveBegun) sequence.leave(before, intent);
			throw sent;
		}
		if (!(sent instanceof RequestFailure)) {
			const rejection = rejectionOf(sent.message);
			sequence.displace(before, intent);
			sequence.note(place, intent, stateAfter(rejection));
			if (!rejection || mayBeRejected) sequence.take(place);
			return { ...sent, idempotencyKey: key, failures: intent.failures };
		}
		const next = learn(sent, before, dispatch);
		if (next === 'done') {
			return { isSentBefore: true, idempotencyKey: key, failures: intent.failures };
		}
		if (next === 'later' || sequence.hasToWait(intent)) return notYet;
	}
}

/** What a message that the service took is known as. */
function stateAfter(rejection: Rejection | undefined): PlaceState {
	if (!rejection) return 'sent';
	return rejection.isFinal ? 'rejected' : 'doubtful';
}

/**
 * Notes what a failed send tells of a place, and returns how to go on: try the next place, try
 * again later in this run, or count as done.
 * @throws RequestFailure when there is no way on in this call
 */
function learn(
	failure: RequestFailure,
	before: PlaceBefore,
	dispatch: Dispatch,
): 'next' | 'later' | 'done' {
	const { sequence, intent } = dispatch;
	const { place, isUntried } = before;
	const finding = keyFinding(failure.details);
	switch (finding) {
		case 'failed':
			return learnOfFailure(failure, before, dispatch);
		case 'other':
		case 'unclear':
			return learnOfOther(failure, before, dispatch);
		case 'unknown':
			throw doubtful(failure.details, sequence.owner.doubt);
		default:
			if (finding === 'refused' && isUntried) sequence.note(place, intent, 'refused');
			else sequence.leave(before, intent);
			throw failure;
	}
}

/**
 * The send that the key was used for has failed: nothing was delivered under it, and never will.
 */
function learnOfFailure(failure: RequestFailure, before: PlaceBefore, dispatch: Dispatch): 'next' {
	const { sequence, intent } = dispatch;
	const { place, known, isIts } = before;
	const { details } = failure;
	if (known && !isIts && !details.earlier) {
		sequence.set(place, { ...known, state: 'failed' });
		return 'next';
	}
	if (intent.sendsAgain && details.earlier && known?.state !== 'failed') {
		sequence.note(place, intent, 'failed');
		throw explained({ ...details, ...details.earlier }, failedNow(sequence.owner));
	}
	return leaveFailed(failure, before, dispatch);
}

/**
 * Leaves the intent's own place, where nothing was delivered and nothing can be any more.
 * @throws RequestFailure when it is not sent again, or was too often
 */
function leaveFailed(
	{ details }: RequestFailure,
	{ place, known }: PlaceBefore,
	{ sequence, intent }: Dispatch,
): 'next' {
	sequence.note(place, intent, 'failed');
	if (!intent.sendsAgain) throw explained(details, originalFailed);
	if (known?.state !== 'failed') intent.failures++;
	if (intent.failures >= maxLinks) throw explained(details, usedUp(sequence.owner));
	return 'next';
}

/** The key was used for other content: this intent's own from before, or another intent. */
function learnOfOther(
	failure: RequestFailure,
	before: PlaceBefore,
	dispatch: Dispatch,
): 'next' | 'later' | 'done' {
	const { sequence, intent, countsAsDone } = dispatch;
	const { place, known, isIts } = before;
	const code = conflictCode(failure.details);
	const isNoGuess = known && !intent.isGuess;
	const other = sequence.owner.explainOther(isNoGuess ? known : null);
	const told = code === undefined ? failure : explained(failure.details, other);

	const isUndelivered =
		known?.state === 'failed' ||
		known?.state === 'rejected' ||
		(known?.state === 'refused' && code !== undefined && sequence.isComplete);
	if (isIts && isUndelivered) return leaveFailed(failure, before, dispatch);
	if (isIts && (known?.state === 'sent' || known?.state === 'doubtful')) {
		const isSent = known.state === 'sent' && !intent.isGuess && code !== undefined;
		if (!isSent || !countsAsDone) throw told;
		sequence.take(place);
		return 'done';
	}
	sequence.set(place, known);
	const isAnothers = known !== null && !isIts && intent.left !== place;
	if (isAnothers && sequence.isComplete) {
		intent.notAt.add(place);
		return 'next';
	}
	if (!sequence.leaveToOthers(place, intent)) throw told;
	return 'later';
}

/** Sends a message; gives what kept it from being sent instead of throwing it. */
async function attempt(
	connection: Connection,
	message: SendRequest,
	began?: number,
): Promise<Taken | RequestFailure | Cancelled> {
	return await sendMessage(connection, message, began).catch((error: unknown) => {
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

const failedNow = ({ again }: SequenceOwner): Explanation => ({
	message: 'The service failed to send this message',
	advice: `Nothing was delivered under its key: ${again} sends it again.`,
});

const usedUp = ({ anew }: SequenceOwner): Explanation => ({
	message: `${maxLinks} sends to this recipient have failed`,
	advice: `Nothing was delivered under its keys, and no further try is made. Check the recipient and the content. ${anew} sends it again.`,
});
