import { sendMessage, type AcceptedMessage } from '../../service/crmWorkspace';
import { keyFinding, originalFailed } from '../../service/explanations';
import { maxKeysPerMessage } from '../../service/idempotencyKey';
import type { Message, SendRequest } from '../../service/records';
import type { Connection } from '../../transport/connection';
import {
	Cancelled,
	isOutcomeUnknown,
	RequestFailure,
	type Explanation,
	type FailureDetails,
} from '../../transport/failure';
import { ItemProblem } from '../itemProblem';
import type { KeySource, MessageIntent, Mailing } from './mailings';
import type { Places } from './memory';
import type { Answer } from './placeAfter';
import type { End } from './plan';
import { rejectionOf } from './rejection';

/** What came of a send. */
export interface Delivery {
	/**
	 * As the service has it; absent if an earlier try is known to have sent it with other content.
	 */
	message?: Message;
	/** Whether it went out before the lineage, as far as that is known, or with other content. */
	wasSentBefore: boolean;
	/** The key that it was sent under; undefined if it was sent without one. */
	idempotencyKey?: string;
	/** How many sends of it have failed at the service before this one. */
	failures: number;
}

/** What a message has come to: a delivery, or the reason why there is none. */
type Outcome = { delivery: Delivery } | { error: Error };

type SendResult = AcceptedMessage | RequestFailure | Cancelled;

/**
 * Sends a message without an idempotency key.
 * @throws RequestFailure when the service did not take it
 */
export async function deliverWithoutKey(
	connection: Connection,
	message: SendRequest,
): Promise<Delivery> {
	const result = await send(connection, message);
	if (!(result instanceof Error)) return { ...result, failures: 0 };
	if (result instanceof Cancelled || !isOutcomeUnknown(result.details)) throw result;
	throw doubtful(result.details, doubtWithoutKey);
}

/**
 * Sends the messages of a mailing, one after another, as its plan says; tells of each as soon as it
 * has ended. Waits until nothing else of its recipient is under way, in any run of the execution.
 */
export async function* deliver(
	connection: Connection,
	mailing: Mailing,
): AsyncGenerator<{ items: number[] } & Outcome, void> {
	const { plan, keys, lineageBegan } = mailing;
	const lastResults = new Map<MessageIntent, SendResult>();
	const release = await waitForOthers(mailing.places);
	try {
		const steps = plan.steps();
		let answer: Answer = 'untouched';
		for (let step = steps.next(answer); !step.done; step = steps.next(answer)) {
			const { intent } = step.value;
			if ('verdict' in step.value) {
				yield { items: intent.items, ...outcomeOf(step.value, lastResults.get(intent), keys) };
				lastResults.delete(intent);
			} else {
				const idempotencyKey = keys.keyAt(step.value.place);
				const result = await send(connection, { ...intent.message, idempotencyKey }, lineageBegan);
				lastResults.set(intent, result);
				answer = answerOf(result, intent);
			}
		}
	} finally {
		release();
	}
}

/** What is under way of each recipient, by its places. */
const underWay = new WeakMap<Places, Promise<void>>();

/** Waits until nothing of a recipient is under way. @returns what lets the next one begin */
async function waitForOthers(places: Places): Promise<() => void> {
	const before = underWay.get(places);
	let release = () => {};
	underWay.set(places, new Promise((resolve) => (release = resolve)));
	await before;
	return release;
}

/** Sends a message; gives what kept it from being sent instead of throwing it. */
async function send(
	connection: Connection,
	message: SendRequest,
	lineageBegan?: number,
): Promise<SendResult> {
	return await sendMessage(connection, message, lineageBegan).catch((error: unknown) => {
		if (error instanceof RequestFailure || error instanceof Cancelled) return error;
		throw error;
	});
}

function answerOf(result: SendResult, { mayBeRejected }: MessageIntent): Answer {
	if (result instanceof Cancelled) return result.mayHaveBegun ? 'lost' : 'untouched';
	if (result instanceof RequestFailure) return keyFinding(result.details);
	const rejection = rejectionOf(result.message);
	if (rejection?.isFinal) return 'rejected';
	// What the user takes as it is will not be led back.
	return rejection && !mayBeRejected ? 'doubtful' : 'sent';
}

function outcomeOf(
	{ intent, verdict, place, known, failures }: End<MessageIntent>,
	result: SendResult | undefined,
	keys: KeySource,
): Outcome {
	const details = result instanceof RequestFailure ? result.details : undefined;
	const idempotencyKey = place === undefined ? undefined : keys.keyAt(place);
	const error = (explanation: Explanation) => ({ error: errorOf(details, explanation) });

	switch (verdict) {
		case 'done':
			return { delivery: { ...(result as AcceptedMessage), idempotencyKey, failures } };
		case 'changed': {
			const isDone = intent.countsAsDone && known?.fate === 'sent';
			if (isDone) return { delivery: { wasSentBefore: true, idempotencyKey, failures } };
			return error(keys.explainOtherContent(known));
		}
		case 'undecided':
			return error(keys.explainOtherContent(known));
		case 'inDoubt':
			return { error: details ? doubtful(details, keys.doubt) : (result as Cancelled) };
		case 'failedNow':
			if (!intent.sendsAgain) return error(originalFailed);
			return { error: errorOf({ ...details!, ...details!.earlier }, failedNow(keys)) };
		case 'notAgain':
			return error(originalFailed);
		case 'usedUp':
			return error(usedUp(keys));
		case 'refused':
			return { error: result as RequestFailure | Cancelled };
	}
}

/** @param details those of the request that told; absent where none was made */
function errorOf(details: FailureDetails | undefined, explanation: Explanation): Error {
	return details ? new RequestFailure({ ...details, explanation }) : new ItemProblem(explanation);
}

function doubtful(details: FailureDetails, unknownOutcome: string): RequestFailure {
	return new RequestFailure({ ...details, unknownOutcome });
}

const doubtWithoutKey =
	'The message may or may not have been sent: without an idempotency key it is not tried again.';

const failedNow = ({ resentBy }: KeySource): Explanation => ({
	message: 'The service failed to send this message',
	advice: `Nothing was delivered under its key: ${resentBy} sends it again.`,
});

const usedUp = ({ sentAnewBy }: KeySource): Explanation => ({
	message: `${maxKeysPerMessage} sends to this recipient have failed`,
	advice: `Nothing was delivered under its keys, and no further try is made. Check the recipient and the content. ${sentAnewBy} sends it again.`,
});
