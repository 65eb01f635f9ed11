import { sendMessage, type AcceptedMessage } from '../../service/crmWorkspace';
import { classifyKey, originalFailed } from '../../service/explanations';
import { maxKeysPerMessage } from '../../service/idempotencyKey';
import {
	messageFieldNames,
	pickFields,
	type Message,
	type SendRequest,
} from '../../service/records';
import type { Connection } from '../../transport/connection';
import { describeFailure } from '../../transport/nodeError';
import {
	ExplainedError,
	Cancelled,
	isOutcomeUnknown,
	mayHaveBegun,
	RequestFailure,
	type Explanation,
	type FailureDetails,
} from '../../transport/failure';
import { inTurn } from '../inTurn';
import type { Idempotency } from './idempotency';
import { findRejection, throwIfRejected } from './rejection';
import {
	beginSend,
	countFailures,
	findSend,
	hasTwin,
	mayBe,
	settleSend,
	type LoggedSend,
	type SendFinding,
} from './sendLog';
import * as texts from './texts';

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

type Response = AcceptedMessage | RequestFailure | Cancelled;

/**
 * Sends a message: without an idempotency key if there is no `idempotency`; else under the key of its
 * number in the log, or under the next one if its send under that has failed at the service. What the
 * log shows to be sent isn't requested again: the service may have forgotten its key.
 * @throws RequestFailure, ExplainedError or Cancelled unless the service has the message
 */
export async function deliver(
	connection: Connection,
	message: SendRequest,
	idempotency: Idempotency | undefined,
	policy: SendPolicy,
): Promise<Delivery> {
	if (!idempotency) return await sendWithoutKey(connection, message, policy);
	// An agent's calls run at the same time, and a log has one request at a time.
	return await inTurn(idempotency.log.sends, '', async () => {
		let delivery: Delivery | undefined;
		while (!delivery) delivery = await sendOnce(connection, message, idempotency, policy);
		return delivery;
	});
}

async function sendWithoutKey(
	connection: Connection,
	message: SendRequest,
	policy: SendPolicy,
): Promise<Delivery> {
	const response = await sendMessage(connection, message).catch(toFailure);
	if (!(response instanceof Error)) {
		throwIfRejected(connection, message.to, response.message, policy.acceptsRejected);
		return response;
	}
	if (response instanceof Cancelled || !isOutcomeUnknown(response.details)) throw response;
	throw createUnknown(response.details, message.to, texts.retryingWithoutKey);
}

/** @returns undefined if the next number is due: this one has failed, or is another item's */
async function sendOnce(
	connection: Connection,
	message: SendRequest,
	idempotency: Idempotency,
	policy: SendPolicy,
): Promise<Delivery | undefined> {
	const { log, logged, invocation, keyAt } = idempotency;
	const known = findSend(log, logged);
	if (known === 'ambiguous') throw new ExplainedError(texts.tooEarly(message.to));
	if (known?.message) return takeKnown(connection, message.to, known, idempotency, policy);
	if (!known) throwIfFailed(idempotency, policy);

	const send = beginSend(log, logged, known);
	const idempotencyKey = keyAt(send.number);
	const keyed = { ...message, idempotencyKey };
	const response = await sendMessage(connection, keyed, invocation.sends.beganAt).catch(toFailure);
	const isOther = hasTwin(send, logged) && !isOf(message, response);
	const finding = isOther ? 'otherContent' : classifyResponse(response, policy);
	settleSend(log, send, logged, finding);
	if (finding === 'failed' && policy.sendsAgain) return undefined;
	// An earlier item has its number for certain, so it isn't that message.
	if (finding === 'otherContent' && findSend(log, logged) !== send) return undefined;
	if (response instanceof Error)
		throw explain(response, finding, message.to, mayBe(send, logged), idempotency, policy);
	if (finding === 'otherContent') throw new ExplainedError(idempotency.conflict);
	throwIfRejected(connection, message.to, response.message, policy.acceptsRejected);
	const kept = pickFields(response.message, messageFieldNames);
	// If the service repeats the API key, it isn't stored, and a retry requests the message again.
	const text = JSON.stringify(kept);
	if (connection.redact(text) === text) send.message = kept;
	if (!response.wasSentBefore) send.sentBy = invocation.id;
	return { ...response, idempotencyKey };
}

/** Outputs a message that the log shows to be sent, without a request. */
function takeKnown(
	connection: Connection,
	to: string,
	send: LoggedSend,
	{ log, logged, invocation, keyAt }: Idempotency,
	policy: SendPolicy,
): Delivery {
	const idempotencyKey = keyAt(send.number);
	const isRepeated = log.calls?.has(send);
	log.calls?.add(send);
	if (send.candidates[0].content !== logged.content) {
		if (!policy.acceptsChanged) throw new ExplainedError(texts.alreadySent);
		return { wasSentBefore: true, idempotencyKey };
	}
	throwIfRejected(connection, to, send.message ?? {}, policy.acceptsRejected);
	// An earlier attempt of its invocation has output nothing, so it is new to the nodes that follow.
	const isNew = send.sentBy === invocation.id && !isRepeated;
	return { message: send.message, wasSentBefore: !isNew, idempotencyKey };
}

/** A failed request as a response that shows something, too. */
function toFailure(error: unknown): RequestFailure | Cancelled {
	if (error instanceof RequestFailure || error instanceof Cancelled) return error;
	throw error;
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

/** @throws ExplainedError if a message whose earlier sends have failed must not get the next number */
function throwIfFailed({ log, logged }: Idempotency, { sendsAgain }: SendPolicy): void {
	const failures = countFailures(log, logged);
	if (failures > 0 && !sendsAgain) throw new ExplainedError(originalFailed);
	if (failures >= maxKeysPerMessage) throw new ExplainedError(texts.tooManyFailures);
}

/** The error of a send that has failed, in the words of what is known about its key. */
function explain(
	failure: RequestFailure | Cancelled,
	finding: SendFinding,
	to: string,
	mayBeThere: boolean,
	{ retrying, conflict }: Idempotency,
	{ sendsAgain }: SendPolicy,
): Error {
	if (failure instanceof Cancelled) return failure;
	const { details } = failure;
	if (finding === 'lost') return createUnknown(details, to, retrying);
	if (finding === 'otherContent') return withExplanation(details, conflict);
	if (finding === 'untouched') {
		// The service's explanation is about the last attempt only.
		const unexplained = { ...details, explanation: undefined };
		return mayBeThere ? createUnknown(unexplained, to, retrying) : failure;
	}
	const isNew = finding === 'failedNow' && sendsAgain;
	const shown = { ...details, ...details.earlier };
	return withExplanation(shown, isNew ? texts.failedNow : originalFailed);
}

function createUnknown(details: FailureDetails, to: string, retrying: string): RequestFailure {
	const { message, advice } = details.explanation ?? describeFailure(details);
	// `retrying` says how it can be tried again.
	const isTransient = details.kind === 'status' && mayHaveBegun(details);
	return withExplanation(details, {
		message: texts.outcomeUnknown(to, message),
		advice: [retrying, isTransient ? '' : advice].filter(Boolean).join(' '),
	});
}

function withExplanation(details: FailureDetails, explanation: Explanation): RequestFailure {
	return new RequestFailure({ ...details, explanation });
}
