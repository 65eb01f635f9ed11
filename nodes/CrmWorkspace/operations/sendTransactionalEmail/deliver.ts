import { sendMessage, type AcceptedMessage } from '../../service/crmWorkspace';
import { keyFinding, originalFailed } from '../../service/explanations';
import { maxKeysPerMessage } from '../../service/idempotencyKey';
import type { Message, SendRequest } from '../../service/records';
import type { Connection } from '../../transport/connection';
import {
	Cancelled,
	isInDoubt,
	RequestFailure,
	type Explanation,
	type FailureDetails,
} from '../../transport/errors/failure';
import { ItemProblem } from '../itemProblem';
import type { KeySource, Letter, Mailing } from './mailings';
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
	/** How many sends of it have failed at the service before. */
	failures: number;
}

/** What a message has come to: a delivery, or the reason why there is none. */
type Outcome = { delivery: Delivery } | { error: Error };

/** What is heard when a message is sent. */
type Heard = AcceptedMessage | RequestFailure | Cancelled;

/**
 * Sends a message without an idempotency key.
 * @throws RequestFailure when the service did not take it
 */
export async function deliverWithoutKey(
	connection: Connection,
	message: SendRequest,
): Promise<Delivery> {
	const heard = await send(connection, message);
	if (!(heard instanceof Error)) return { ...heard, failures: 0 };
	if (heard instanceof Cancelled || !isInDoubt(heard.details)) throw heard;
	throw doubtful(heard.details, doubtWithoutKey);
}

/**
 * Sends the messages of a mailing, one after another, as its plan says; tells of each as soon as it
 * has ended. Waits until nothing else of its recipient is under way, in any run of the execution.
 */
export async function* deliver(
	connection: Connection,
	mailing: Mailing,
): AsyncGenerator<{ items: number[] } & Outcome, void> {
	const { plan, keys, began } = mailing;
	const heard = new Map<Letter, Heard>();
	const release = await acquire(mailing.places);
	try {
		const steps = plan.steps();
		let answer: Answer = 'untouched';
		for (let step = steps.next(answer); !step.done; step = steps.next(answer)) {
			const { intent } = step.value;
			if ('verdict' in step.value) {
				yield { items: intent.items, ...outcomeOf(step.value, heard.get(intent), keys) };
				heard.delete(intent);
			} else {
				const idempotencyKey = keys.keyAt(step.value.place);
				const last = await send(connection, { ...intent.message, idempotencyKey }, began);
				heard.set(intent, last);
				answer = answerOf(last, intent);
			}
		}
	} finally {
		release();
	}
}

/** What is under way of each recipient, by its places. */
const underWay = new WeakMap<Places, Promise<void>>();

/** Waits until nothing of a recipient is under way; gives what lets the next one have its turn. */
async function acquire(places: Places): Promise<() => void> {
	const before = underWay.get(places);
	let release = () => {};
	underWay.set(places, new Promise((resolve) => (release = resolve)));
	await before;
	return release;
}

/** Sends a message; gives what kept it from being sent instead of throwing it. */
async function send(connection: Connection, message: SendRequest, began?: number): Promise<Heard> {
	return await sendMessage(connection, message, began).catch((error: unknown) => {
		if (error instanceof RequestFailure || error instanceof Cancelled) return error;
		throw error;
	});
}

function answerOf(heard: Heard, { mayBeRejected }: Letter): Answer {
	if (heard instanceof Cancelled) return heard.mayHaveBegun ? 'lost' : 'untouched';
	if (heard instanceof RequestFailure) return keyFinding(heard.details);
	const rejection = rejectionOf(heard.message);
	if (rejection?.isFinal) return 'rejected';
	// What the user takes as it is will not be led back.
	return rejection && !mayBeRejected ? 'doubtful' : 'sent';
}

function outcomeOf(
	{ intent, verdict, place, known, failures }: End<Letter>,
	heard: Heard | undefined,
	keys: KeySource,
): Outcome {
	const details = heard instanceof RequestFailure ? heard.details : undefined;
	const idempotencyKey = place === undefined ? undefined : keys.keyAt(place);
	const error = (explanation: Explanation) => ({ error: explained(details, explanation) });

	switch (verdict) {
		case 'done':
			return { delivery: { ...(heard as AcceptedMessage), idempotencyKey, failures } };
		case 'changed': {
			const isDone = intent.countsAsDone && known?.fate === 'sent';
			if (isDone) return { delivery: { wasSentBefore: true, idempotencyKey, failures } };
			return error(keys.explainOther(known));
		}
		case 'undecided':
			return error(keys.explainOther(known));
		case 'inDoubt':
			return { error: details ? doubtful(details, keys.doubt) : (heard as Cancelled) };
		case 'failedNow':
			if (!intent.sendsAgain) return error(originalFailed);
			return { error: explained({ ...details!, ...details!.earlier }, failedNow(keys)) };
		case 'notAgain':
			return error(originalFailed);
		case 'usedUp':
			return error(usedUp(keys));
		case 'refused':
			return { error: heard as RequestFailure | Cancelled };
	}
}

/** @param details those of the request that told; absent where none was made */
function explained(details: FailureDetails | undefined, explanation: Explanation): Error {
	return details ? new RequestFailure({ ...details, explanation }) : new ItemProblem(explanation);
}

function doubtful(details: FailureDetails, doubt: string): RequestFailure {
	return new RequestFailure({ ...details, doubt });
}

const doubtWithoutKey =
	'The message may or may not have been sent: without an idempotency key it is not tried again.';

const failedNow = ({ again }: KeySource): Explanation => ({
	message: 'The service failed to send this message',
	advice: `Nothing was delivered under its key: ${again} sends it again.`,
});

const usedUp = ({ anew }: KeySource): Explanation => ({
	message: `${maxKeysPerMessage} sends to this recipient have failed`,
	advice: `Nothing was delivered under its keys, and no further try is made. Check the recipient and the content. ${anew} sends it again.`,
});
