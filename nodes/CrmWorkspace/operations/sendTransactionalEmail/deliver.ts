import { sendMessage, type AcceptedMessage } from '../../service/crmWorkspace';
import { classifyKey, originalFailed } from '../../service/explanations';
import { maxKeysPerMessage } from '../../service/idempotencyKey';
import type { Message, SendRequest } from '../../service/records';
import { shorten } from '../../text/plainText';
import type { Connection } from '../../transport/connection';
import {
	Cancelled,
	isOutcomeUnknown,
	RequestFailure,
	type Explanation,
} from '../../transport/failure';
import { inTurn } from '../inTurn';
import { ItemError } from '../itemError';
import { unknownWithoutKey, type Idempotency } from './idempotency';
import { findRejection, type Rejection } from './rejection';
import type { LoggedSend, SendFinding, SendResult } from './sendLog';

/** What the user wants if something went wrong earlier or goes wrong at the service. */
export interface SendPolicy {
	/** Send a message again, under the next key, if its earlier send has failed at the service. */
	sendsAgain: boolean;
	/** Treat a message as sent that was sent earlier with different content. */
	acceptsChanged: boolean;
	/** Treat a message as sent that the service accepts and doesn't deliver. */
	acceptsRejected: boolean;
}

/** A message that the service has. */
export interface Delivery {
	/** As the service has it; absent if it was sent earlier with different content. */
	message?: Message;
	/** Whether it was sent before this execution, or with different content. */
	wasSentBefore: boolean;
	/** Absent if it was sent without one. */
	idempotencyKey?: string;
}

/**
 * Sends a message: without an idempotency key if there is no `idempotency`; else under the key of its
 * number in the log, or under the next one if its send under that has failed at the service.
 * @throws RequestFailure, ItemError or Cancelled unless the service has the message
 */
export async function deliver(
	connection: Connection,
	message: SendRequest,
	idempotency: Idempotency | undefined,
	policy: SendPolicy,
): Promise<Delivery> {
	if (!idempotency) return await sendWithoutKey(connection, message, policy);
	// The calls of an agent are runs side by side, and a log has one message under way.
	return await inTurn(idempotency.log, '', async () => {
		await confirmLast(connection, idempotency);
		let delivery: Delivery | undefined;
		while (!delivery) delivery = await sendOnce(connection, message, idempotency, policy);
		return delivery;
	});
}

async function sendWithoutKey(
	connection: Connection,
	message: SendRequest,
	{ acceptsRejected }: SendPolicy,
): Promise<Delivery> {
	const response = await request(connection, message);
	if (!(response instanceof Error)) {
		const rejection = findRejection(response.message);
		if (rejection && !acceptsRejected) throw rejectionError(connection, message.to, rejection);
		return response;
	}
	if (response instanceof Cancelled || !isOutcomeUnknown(response.details)) throw response;
	throw new RequestFailure({ ...response.details, unknownOutcome: unknownWithoutKey });
}

/** Sends the last message of the log again if it is unconfirmed, because no other can be sent before. */
async function confirmLast(connection: Connection, idempotency: Idempotency): Promise<void> {
	const { log, identity } = idempotency;
	const { last, lastMessage } = log;
	if (last?.state !== 'unconfirmed' || !lastMessage) return;
	const { message, content } = lastMessage;
	const known = log.find(identity);
	if (known === last && content === identity.content) return;
	const earlier = { ...idempotency, identity: { ...identity, content } };
	const { response } = await sendUnder(connection, message, earlier, last);
	// A message that has a number is tried even then, so that its send is noted as not done.
	if (response instanceof Cancelled && !known) throw response;
}

/** @returns undefined if its send under this number has failed earlier, so that the next one is due */
async function sendOnce(
	connection: Connection,
	message: SendRequest,
	idempotency: Idempotency,
	policy: SendPolicy,
): Promise<Delivery | undefined> {
	const { log, identity, keyAt } = idempotency;
	const known = log.find(identity);
	if (!known) refuseNextNumber(message.to, idempotency, policy);

	const send = log.begin(message, identity, known);
	const { result, response, rejection } = await sendUnder(connection, message, idempotency, send);
	if (result === 'refused' && !known) log.withdraw();
	if (result === 'nextNumber' && policy.sendsAgain) return undefined;

	const isSent = !(response instanceof Error);
	if (isSent && rejection && !policy.acceptsRejected)
		throw rejectionError(connection, message.to, rejection);
	const isAccepted =
		isSent || (result === 'changed' && send.state === 'sent' && policy.acceptsChanged);
	// An earlier attempt may have sent it, whatever this one shows.
	const isOpen = known !== undefined && send.state === 'unconfirmed';
	if (!isAccepted) throw explain(response, result, isOpen, idempotency, policy);
	send.succeeded = true;
	identity.finishedCalls?.add(send);
	const idempotencyKey = keyAt(send.number);
	return isSent ? { ...response, idempotencyKey } : { wasSentBefore: true, idempotencyKey };
}

/** Sends a message under a number, and notes what the service has there by its response. */
async function sendUnder(
	connection: Connection,
	message: SendRequest,
	{ log, identity, keyAt, beganAt }: Idempotency,
	send: LoggedSend,
) {
	const keyed = { ...message, idempotencyKey: keyAt(send.number) };
	const response = await request(connection, keyed, beganAt);
	const rejection = response instanceof Error ? undefined : findRejection(response.message);
	const result = log.settle(send, identity.content, classifyResponse(response, rejection));
	return { response, rejection, result };
}

/** Makes a request; returns the error with which it failed instead of throwing it. */
async function request(
	connection: Connection,
	message: SendRequest,
	beganAt?: number,
): Promise<AcceptedMessage | RequestFailure | Cancelled> {
	return await sendMessage(connection, message, beganAt).catch((error: unknown) => {
		if (error instanceof RequestFailure || error instanceof Cancelled) return error;
		throw error;
	});
}

function classifyResponse(
	response: AcceptedMessage | RequestFailure | Cancelled,
	rejection?: Rejection,
): SendFinding {
	if (response instanceof RequestFailure) return classifyKey(response.details);
	if (response instanceof Cancelled) return response.mayHaveBegun ? 'lost' : 'untouched';
	if (!rejection) return 'sent';
	return rejection.isFinal ? 'rejected' : 'sentWithError';
}

/** @throws ItemError if a message that has no number must not get the next one */
function refuseNextNumber(
	to: string,
	{ log, identity, conflict }: Idempotency,
	{ sendsAgain }: SendPolicy,
): void {
	const failures = log.countFailures(identity);
	if (failures > 0 && !sendsAgain) throw new ItemError(originalFailed);
	if (failures >= maxKeysPerMessage) throw new ItemError(tooManyFailures);
	const state = log.last?.state;
	if (state === 'conflict') throw new ItemError(conflict);
	if (state === 'unconfirmed' || log.mayRewordEarlierCall(identity))
		throw new ItemError(tooEarly(to));
}

/** The error of a send that has failed, in the words of what is known about its key. */
function explain(
	failure: RequestFailure | Cancelled,
	result: SendResult,
	isOpen: boolean,
	{ unknownOutcome, conflict }: Idempotency,
	{ sendsAgain }: SendPolicy,
): Error {
	if (failure instanceof Cancelled) return failure;
	const { details } = failure;
	if (result === 'unconfirmed') return new RequestFailure({ ...details, unknownOutcome });
	// Its explanation speaks of this attempt alone.
	if (isOpen) return new RequestFailure({ ...details, unknownOutcome, explanation: undefined });
	const explanations: Partial<Record<SendResult, Explanation>> = {
		changed: alreadySent,
		conflict,
		nextNumber: originalFailed,
		failedNow: sendsAgain ? failedNow : originalFailed,
	};
	const explanation = explanations[result] ?? details.explanation;
	const shown = result === 'failedNow' ? { ...details, ...details.earlier } : details;
	return new RequestFailure({ ...shown, explanation });
}

const failedNow: Explanation = {
	message: 'The service failed to send this message',
	advice: 'Nothing was delivered under its idempotency key: a retry sends it under the next one.',
};

const tooManyFailures: Explanation = {
	message: `${maxKeysPerMessage} sends to this recipient have failed`,
	advice:
		'Nothing was delivered, and retries of this execution send nothing more. Check the recipient and the content, and start a new execution; with a custom key, change the key.',
};

const alreadySent: Explanation = {
	message: 'This message was already sent with different content',
	advice:
		"The new content wasn't sent. To treat such items as sent, set the option 'If Already Sent With Different Content' to Treat as Sent. To send the new content as well, run only this item in a new execution, or with another custom key.",
};

const tooEarly = (to: string): Explanation => ({
	message: `An earlier message to ${to} has to be retried first`,
	advice:
		"Nothing was sent for this item, because the earlier message may already have been sent, and may even be this one. Retry its item with the same content first. If that's impossible, check whether the recipient got it, then run this item alone in a new execution.",
});

function rejectionError(
	connection: Connection,
	to: string,
	{ reason, isFinal }: Rejection,
): ItemError {
	const why = shorten(connection.redact(reason));
	const check = isFinal
		? 'Check the address.'
		: 'It may still be delivered: look it up in the service first.';
	return new ItemError({
		message: `The message to ${to} ${isFinal ? 'was not' : 'may not have been'} delivered: ${why}`,
		advice: `${check} To send only this message again, run its item in a new execution, or with another custom key. To continue despite rejected messages, set the option 'If Message Is Rejected' to Output Message.`,
	});
}
