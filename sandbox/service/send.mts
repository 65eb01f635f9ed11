import type { Outcome, StoredMessage } from '../data/messages.mts';
import type { Mode } from '../identity.mts';
import type { Variants } from '../variants.mts';
import type { State } from '../state.mts';
import type { AddressOutcome } from '../addresses.mts';
import { compose, type Content } from './compose.mts';
import { refuse, ServiceError } from './errors.mts';
import type { SendRequest } from './schemas.mts';

/** A message, and whether an earlier request sent it. */
export interface SendResult {
	message: StoredMessage;
	replayed: boolean;
}

/**
 * Sends one message to one recipient. Interface: SEND-1, SEND-2, SEND-24.
 * @throws ServiceError when the request is refused or, in one variant, when the send fails
 */
export function send(state: State, mode: Mode, request: SendRequest): SendResult {
	const content = compose(state, mode, request);
	const { idempotencyKey } = request;
	const original =
		idempotencyKey === undefined ? undefined : state.messages.withKey(mode, idempotencyKey);
	if (original) return replay(original, request, content, state);
	const message = plannedMessage(state, mode, request, content);
	state.messages.insert(mode, message);
	if (message.outcome === 'failed' && state.variants.sendFailureAnswer === 'error') {
		throw refuse(state.variants, 'SEND_FAILED', message.error!);
	}
	return { message, replayed: false };
}

/**
 * Responds to a repeated key: with the original message, or a rejection.
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
	const id = state.newId(mode);
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
		...journey(outcome, state.clock.now(), state.variants.service),
	};
	return {
		...message,
		...(outcome === 'failed' && failure),
		...(outcome === 'rejected' && rejection),
	};
}

/** When a message reaches each state, in milliseconds; null for states that it never reaches. */
function journey(outcome: Outcome, now: number, service: Variants['service']) {
	const sentAt = service === 'odd' ? now : now + 1000;
	const arrivesAt = service === 'odd' ? now : now + 3000;
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

const failure = {
	...neverLeft,
	error: 'The mail server did not answer',
	errorReason: 'provider_error',
};
