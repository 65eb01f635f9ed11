import type { Message } from '../../service/records';

/** What says that a message which the service took was not delivered. */
export interface Rejection {
	/** Why it was not, in words. */
	reason: string;
	/**
	 * Whether it is not delivered later either. An error alone may be that of the first of several
	 * attempts at the delivery.
	 */
	isFinal: boolean;
}

/**
 * What a message that the service took says against its delivery; undefined when nothing does, or
 * when it was delivered after all. `rejected` and `Permanent` are the only values that the
 * interface names; a status that can mean nothing else in English is believed as well, because
 * success must not be.
 * Interface: MESSAGE-2, MESSAGE-12, MESSAGE-15, MESSAGE-16, MESSAGE-22, OPEN-2, OPEN-3.
 */
export function rejectionOf(message: Message): Rejection | undefined {
	const { status, error, errorReason, bounceType, deliveredAt } = message;
	const words = [errorReason, error].map(inWords).filter((reason) => reason !== '');
	const [reason, more] = new Set(words);
	const isBounced = isText(bounceType) && bounceType.toLowerCase() === 'permanent';
	const isDelivered =
		isText(deliveredAt) || (isText(status) && wordsOf(status).join() === 'delivered');
	const isSaid = isBounced || isUndelivered(status);
	if (!isSaid && (isDelivered || reason === undefined)) return undefined;
	const unexplained = isBounced ? 'permanent bounce' : `status “${String(status)}”`;
	const both = more === undefined ? reason : `${reason} (${more})`;
	return { reason: both ?? unexplained, isFinal: isSaid && !isDelivered };
}

function isUndelivered(status: unknown): boolean {
	const words = isText(status) ? wordsOf(status) : [];
	if (undelivered.has(words.join(''))) return true;
	return words.some((word) => undelivered.has(word)) && !words.some((word) => notFinal.has(word));
}

/** `NOT_SENT`, `not sent` and `notSent` are the same words. */
function wordsOf(status: string): string[] {
	const apart = status.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
	return apart.split(/[^a-z]+/).filter((word) => word !== '');
}

/** Words that show that a status is not final, or that negate it. */
const notFinal = new Set(['soft', 'temporary', 'transient', 'retry', 'retrying', 'not', 'no']);

const undelivered = new Set([
	'rejected',
	'failed',
	'failure',
	'error',
	'undelivered',
	'undeliverable',
	'notsent',
	'unsent',
	'dropped',
	'blocked',
	'suppressed',
	'cancelled',
	'canceled',
	'discarded',
	'denied',
	'refused',
	'declined',
	'aborted',
	'expired',
	'invalid',
	'optedout',
	'unsubscribed',
	'hardbounce',
	'hardbounced',
]);

/** An error that is an object tells something, too. */
function inWords(reason: unknown): string {
	if (isText(reason)) return reason.trim();
	const isTelling = typeof reason === 'object' && Object.keys(reason ?? {}).length > 0;
	return isTelling ? JSON.stringify(reason) : '';
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
