/** Sends a message once, whatever became of it before, and says what became of it now. */
import { describeSend, sendMessage, type AcceptedMessage } from '../../api/endpoints';
import { classifyKey, maxKeysPerMessage } from '../../api/idempotencyKeys';
import { messageFieldNames, pickFields, type Message, type SendRequest } from '../../api/records';
import { Cancelled, mayHaveBegun, RequestFailure } from '../../client/failure';
import type { Client } from '../../client/request';
import { runExclusive } from '../../common/tasks';
import { ExplainedError } from '../../common/text';
import { describeFailure, explainUnknown } from '../../n8n/texts';
import type { Idempotency } from './idempotency';
import {
	commitSend,
	countFailures,
	findSend,
	hasTwin,
	mayBe,
	reserveSend,
	type LoggedSend,
	type SendFinding,
} from './sendLog';
import { explainRejection, notSent, retryingWithoutKey, texts } from './texts';

/** What the user wants if something went wrong earlier or goes wrong at the service. */
export interface SendPolicy {
	/** Send a message again, under the next key, if its earlier send has failed at the service. */
	sendsAgain: boolean;
	/** Treat a message as sent that was sent earlier with different content. */
	acceptsChanged: boolean;
	/** Output a message that the service accepts and doesn't deliver. */
	acceptsRejected: boolean;
}

/** A message that the service has. */
export interface Delivery {
	/** As the service has it; absent if it was sent earlier with different content. */
	message?: Message;
	/** Whether it was sent before this execution, by another item, or with different content. */
	wasSentBefore: boolean;
	/** Absent if it was sent without one. */
	idempotencyKey?: string;
}

/** A message to send, and how; without `idempotency`, it has no key. */
interface Sending {
	client: Client;
	message: SendRequest;
	policy: SendPolicy;
	idempotency?: Idempotency;
}

type KeyedSending = Sending & { idempotency: Idempotency };

type Response = AcceptedMessage | RequestFailure | Cancelled;

/**
 * Sends a message: without an idempotency key if there is no `idempotency`; else under the key of its
 * number in the log, or under the next one if its send under that has failed at the service. What the
 * log shows to be sent isn't requested again: the service may have forgotten its key.
 * @throws RequestFailure, ExplainedError or Cancelled unless the service has the message
 */
export async function deliver(sending: Sending): Promise<Delivery> {
	const { idempotency } = sending;
	if (!idempotency) return await sendWithoutKey(sending);
	// An agent's calls run at the same time, and a log has one request at a time.
	return await runExclusive(idempotency.log.sends, '', async () => {
		let delivery: Delivery | undefined;
		while (!delivery) delivery = await sendOnce({ ...sending, idempotency });
		return delivery;
	});
}

async function sendWithoutKey(sending: Sending): Promise<Delivery> {
	const { client, message } = sending;
	const response = await trySending(client, message);
	if (!(response instanceof Error)) {
		throwIfRejected(sending, response.message);
		return response;
	}
	if (response instanceof Cancelled || !response.details.isOutcomeUnknown) throw response;
	throw toUnknown(response, message.to, retryingWithoutKey);
}

/** @returns undefined if the next number is due: this one has failed, or is another item's */
async function sendOnce(sending: KeyedSending): Promise<Delivery | undefined> {
	const { client, message, policy, idempotency } = sending;
	const { log, logged, invocation, keyAt } = idempotency;
	const known = findSend(log, logged);
	if (known === 'ambiguous') throw new ExplainedError(notSent(message.to, texts.tooEarly));
	if (known?.message) return takeKnown(sending, known);
	if (!known) throwIfFailed(sending);

	const send = reserveSend(log, logged, known);
	const idempotencyKey = keyAt(send.number);
	const keyed = { ...message, idempotencyKey };
	const response = await trySending(client, keyed, invocation.sends.beganAt);
	const isOther = hasTwin(send, logged) && !isOf(message, response);
	const finding = isOther ? 'otherContent' : classifyResponse(response, policy);
	commitSend(log, send, logged, finding);
	if (finding === 'failed' && policy.sendsAgain) return undefined;
	// An earlier item has its number for certain, so it isn't that message.
	if (finding === 'otherContent' && findSend(log, logged) !== send) return undefined;
	if (response instanceof Error) throw explain(response, finding, sending, mayBe(send, logged));
	if (finding === 'otherContent')
		throw new ExplainedError(notSent(message.to, idempotency.conflict));
	throwIfRejected(sending, response.message);
	const kept = pickFields(response.message, messageFieldNames);
	// If the service repeats the API key, it isn't stored, and a retry requests the message again.
	const text = JSON.stringify(kept);
	if (client.redact(text) === text) send.message = kept;
	if (!response.wasSentBefore) send.sentBy = invocation.id;
	return { ...response, idempotencyKey };
}

/** Outputs a message that the log shows to be sent, without a request. */
function takeKnown(sending: KeyedSending, send: LoggedSend): Delivery {
	const { log, logged, invocation, keyAt } = sending.idempotency;
	const idempotencyKey = keyAt(send.number);
	const isRepeated = log.calls?.has(send);
	log.calls?.add(send);
	if (send.candidates[0].content !== logged.content) {
		const { policy, message } = sending;
		if (!policy.acceptsChanged) throw new ExplainedError(texts.alreadySent(message.to));
		return { wasSentBefore: true, idempotencyKey };
	}
	throwIfRejected(sending, send.message ?? {});
	// An earlier attempt of its invocation has output nothing, so it is new to the nodes that follow.
	const isNew = send.sentBy === invocation.id && !isRepeated;
	return { message: send.message, wasSentBefore: !isNew, idempotencyKey };
}

/** A failed request is a response that shows something, too. */
async function trySending(client: Client, message: SendRequest, began?: number): Promise<Response> {
	return await sendMessage(client, message, began).catch((error: unknown) => {
		if (error instanceof Cancelled) return error;
		if (!(error instanceof RequestFailure)) throw error;
		return error.with({ explanation: explainRejection(error.details, message) });
	});
}

/** Whether a response shows the message of a request, and not its twin. Interface: KEY-2, KEY-7. */
function isOf({ fromName, replyTo }: SendRequest, response: Response): boolean {
	if (response instanceof Error) return true;
	const { fromName: shownName, replyTo: shownAddress } = response.message;
	return (fromName ?? shownName) === shownName && (replyTo ?? shownAddress) === shownAddress;
}

function classifyResponse(response: Response, { acceptsRejected }: SendPolicy): SendFinding {
	if (response instanceof RequestFailure) return classifyKey(response.details);
	if (response instanceof Cancelled) return response.mayHaveBegun ? 'lost' : 'untouched';
	const rejection = findRejection(response.message);
	if (rejection?.isFinal) return 'rejected';
	return rejection && !acceptsRejected ? 'open' : 'sent';
}

/** @throws ExplainedError if a message whose sends have failed must not get the next number */
function throwIfFailed({ message, policy, idempotency: { log, logged } }: KeyedSending): void {
	const failures = countFailures(log, logged);
	const isFinal = failures > 0 && !policy.sendsAgain;
	if (!isFinal && failures < maxKeysPerMessage) return;
	const reason = isFinal ? texts.originalFailed : texts.tooManyFailures;
	throw new ExplainedError(notSent(message.to, reason));
}

/** The error of a send that has failed, in the words of what is known about its key. */
function explain(
	failure: RequestFailure | Cancelled,
	finding: SendFinding,
	{ message: { to }, policy, idempotency: { retrying, conflict } }: KeyedSending,
	mayBeThere: boolean,
): Error {
	if (failure instanceof Cancelled) return failure;
	if (finding === 'lost') return toUnknown(failure, to, retrying);
	if (finding === 'untouched') {
		// The service's explanation is about the last attempt only.
		return mayBeThere ? toUnknown(failure.with({ explanation: undefined }), to, retrying) : failure;
	}
	const undone = { outcome: describeSend(to).undone, isOutcomeUnknown: false };
	if (finding === 'otherContent') return failure.with({ ...undone, explanation: conflict });
	const isNew = finding === 'failedNow' && policy.sendsAgain;
	const explanation = isNew ? texts.failedNow : texts.originalFailed;
	// The words of the attempt that failed in the service say more than those of the last one.
	const said = failure.details.earlier && { ...failure.details.earlier, attempts: 1 };
	return failure.with({ ...said, ...undone, explanation });
}

/** @param retrying how it can be tried again */
function toUnknown(failure: RequestFailure, to: string, retrying: string): RequestFailure {
	const { details } = failure;
	const [reason, advice] = details.explanation ?? describeFailure(details);
	const isTransient = details.kind === 'status' && mayHaveBegun(details);
	const whatNext = isTransient || !advice ? retrying : `${retrying} ${advice}`;
	return failure.with({
		outcome: describeSend(to).unknown,
		isOutcomeUnknown: true,
		explanation: [explainUnknown(reason, details), whatNext],
	});
}

/** Why a message that the service accepted is not delivered. */
interface Rejection {
	reason: string;
	/** Whether it isn't delivered later either. An error alone may be that of a first attempt. */
	isFinal: boolean;
}

/**
 * What an accepted message shows against its delivery; undefined if nothing does, or only an error
 * although it was delivered. Interface: MESSAGE-2, MESSAGE-12, MESSAGE-15, MESSAGE-16, MESSAGE-22,
 * OPEN-2, OPEN-3.
 */
export function findRejection(message: Message): Rejection | undefined {
	const { status = '', error, errorReason, bounceType, deliveredAt } = message;
	const said = [...new Set([errorReason, error])].filter(Boolean).join(': ');
	const isBounced = bounceType === 'Permanent';
	const isFinal = isBounced || undelivered.test(status);
	if (!isFinal && (deliveredAt || said === '')) return undefined;
	const unexplained = isBounced ? texts.bounced : texts.hasStatus(status);
	return { reason: said || unexplained, isFinal: isFinal && !deliveredAt };
}

/**
 * What services call a message that they don't deliver. The interface names only `rejected`, but
 * nothing else may show that such a message is lost.
 */
const undelivered =
	/^(rejected|failed|undelivered|undeliverable|dropped|blocked|suppressed|cancell?ed)$/i;

/** @throws ExplainedError for a message that isn't delivered, unless that is accepted */
function throwIfRejected({ client, message: { to }, policy }: Sending, message: Message): void {
	const rejection = findRejection(message);
	if (!rejection || policy.acceptsRejected) return;
	const reason = client.redact(rejection.reason);
	throw new ExplainedError(texts.rejected(to, reason, rejection.isFinal));
}
