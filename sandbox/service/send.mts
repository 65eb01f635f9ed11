import type { Outcome, StoredMessage } from '../data/messages.mts';
import { nextNumber } from '../data/database.mts';
import { uuidFrom, type Mode } from '../identity.mts';
import type { Variants } from '../variants.mts';
import type { State } from '../state.mts';
import type { AddressOutcome } from '../addresses.mts';
import { compose, type Content } from './compose.mts';
import { ServiceError } from './errors.mts';
import type { SendRequest } from './schemas.mts';

/** A message, and whether it is the original of an earlier request. */
export interface SendResult {
	message: StoredMessage;
	replayed: boolean;
}

/**
 * Sends one message to one recipient. Interface: SEND-1, SEND-2, SEND-24.
 * @throws ServiceError when the request is refused or, in one variant, when the send fails
 */
export async function send(state: State, mode: Mode, request: SendRequest): Promise<SendResult> {
	const content = compose(state, mode, request);
	const { idempotencyKey } = request;
	if (idempotencyKey === undefined) return sendNew(state, mode, request, content);

	// Two requests with one key at the same time: the second has to find the first one's message.
	const turn = `${mode}/${idempotencyKey}`;
	const previous = state.sending.get(turn);
	const result = (async () => {
		await previous?.catch(() => undefined);
		const original = state.messages.withKey(mode, idempotencyKey);
		if (original) return replay(original, request, content, state);
		return sendNew(state, mode, request, content);
	})();
	state.sending.set(turn, result);
	try {
		return await result;
	} finally {
		if (state.sending.get(turn) === result) state.sending.delete(turn);
	}
}

/**
 * What comes of a key that was sent before: the original, or a refusal.
 * Interface: KEY-2, KEY-3, KEY-4, KEY-6, ERROR-3.
 */
function replay(
	original: StoredMessage,
	request: SendRequest,
	content: Content,
	{ variants, clock }: State,
): SendResult {
	const key = original.idempotencyKey;
	const reused = new ServiceError(
		409,
		'IDEMPOTENCY_KEY_REUSED',
		`The idempotency key '${key}' was used before for a message with other content`,
	);
	const failedBefore = new ServiceError(
		409,
		'IDEMPOTENT_REPLAY',
		`The original send with the idempotency key '${key}' failed. Use a new key to send again`,
	);
	const failed = countsAsFailed(original, clock.now(), variants.originalsThatFailed);
	const different = !samePayload(original, request, content);
	if (failed && different) {
		throw variants.failedAndDifferent === 'IDEMPOTENT_REPLAY' ? failedBefore : reused;
	}
	if (failed) throw failedBefore;
	if (different) throw reused;
	return { message: original, replayed: true };
}

/** Whether two sends are of the same payload. Interface: KEY-7. */
function samePayload(original: StoredMessage, { to }: SendRequest, { subject, html }: Content) {
	return original.to === to && original.subject === subject && original.html === html;
}

function countsAsFailed(
	{ outcome, bouncedAt }: StoredMessage,
	now: number,
	variant: Variants['originalsThatFailed'],
): boolean {
	if (outcome === 'failed') return true;
	if (outcome === 'rejected') return variant !== 'failed';
	return variant === 'failedRejectedOrBounced' && bouncedAt !== null && bouncedAt <= now;
}

async function sendNew(
	state: State,
	mode: Mode,
	request: SendRequest,
	content: Content,
): Promise<SendResult> {
	const planned = plannedMessage(state, mode, request, content);
	const message = await delivered(state, mode, planned);
	state.messages.insert(mode, message);
	if (message.outcome === 'failed' && state.variants.sendFailureAnswer === 'error') {
		throw new ServiceError(state.variants.sendFailureStatus, 'SEND_FAILED', message.error!);
	}
	return { message, replayed: false };
}

/** Delivers a message if it is to be delivered, and says what became of it. */
async function delivered(state: State, mode: Mode, message: StoredMessage): Promise<StoredMessage> {
	if (message.outcome !== 'delivered' && message.outcome !== 'complained') return message;
	try {
		state.messages.deliver(mode, message.id, await state.deliver(message));
		return message;
	} catch (error) {
		return { ...message, ...failure(`Delivery failed: ${(error as Error).message}`) };
	}
}

const outcomes: Record<AddressOutcome, Outcome> = {
	deliver: 'delivered',
	bounce: 'bounced',
	complain: 'complained',
	reject: 'rejected',
	fail: 'failed',
};

function plannedMessage(
	state: State,
	mode: Mode,
	request: SendRequest,
	{ channel, subject, html, text }: Content,
): StoredMessage {
	const id = uuidFrom(state.seed, mode, 'message', nextNumber(state.database, 'message'));
	const outcome = outcomes[state.addresses.outcomeOf(request.to)];
	const message: StoredMessage = {
		id,
		outcome,
		to: request.to,
		subject,
		html,
		text,
		templateSlug: request.templateSlug ?? null,
		from: channel.fromEmail,
		fromName: request.fromName ?? channel.fromName,
		replyTo: request.replyTo ?? null,
		messageId: `<${id}@${channel.fromEmail.split('@')[1]}>`,
		idempotencyKey: request.idempotencyKey ?? null,
		contactId: request.contactId ?? null,
		channelId: channel.id,
		error: null,
		errorReason: null,
		...journey(outcome, state.clock.now(), state.variants.messageStatusAtSend),
	};
	if (outcome === 'failed') return { ...message, ...failure('The mail server did not answer') };
	return outcome === 'rejected' ? { ...message, ...rejection } : message;
}

/** When a message reaches which state, in milliseconds; null for those it never reaches. */
function journey(outcome: Outcome, now: number, alreadyReached: Variants['messageStatusAtSend']) {
	const sentAt = alreadyReached === 'queued' ? now + 1000 : now;
	const arrivesAt = alreadyReached === 'delivered' ? now : now + 3000;
	const arrives = outcome === 'delivered' || outcome === 'complained';
	return {
		createdAt: now,
		sentAt,
		deliveredAt: arrives ? arrivesAt : null,
		bouncedAt: outcome === 'bounced' ? now + 5000 : null,
		complainedAt: outcome === 'complained' ? now + 60_000 : null,
	};
}

const neverLeft = { messageId: null, sentAt: null, deliveredAt: null, complainedAt: null };

const rejection = {
	...neverLeft,
	error: 'The recipient was rejected',
	errorReason: 'The address is on the list of addresses that do not exist',
};

function failure(error: string) {
	return { ...neverLeft, outcome: 'failed' as const, error, errorReason: 'provider_error' };
}
