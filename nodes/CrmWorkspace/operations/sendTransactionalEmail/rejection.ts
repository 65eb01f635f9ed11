import type { Message } from '../../service/records';
import { shortened } from '../../transport/foreignText';

/**
 * Why a message that the service took will not be delivered, in words; undefined when nothing
 * says so. `rejected` and `Permanent` are the only values that the interface names; a status that
 * can mean nothing else in English is believed as well, because success must not be.
 * Interface: MESSAGE-2, MESSAGE-15, MESSAGE-16, OPEN-2, OPEN-3.
 */
export function rejectionReason(message: Message): string | undefined {
	const { status, error, errorReason, bounceType } = message;
	const reasons = [errorReason, error].map(inWords).filter((reason) => reason !== '');
	const isBounced = isText(bounceType) && bounceType.toLowerCase() === 'permanent';
	if (reasons.length > 0) return [...new Set(reasons)].join(': ');
	if (isBounced) return 'permanent bounce';
	return isUndelivered(status) ? 'no reason given' : undefined;
}

function isUndelivered(status: unknown): boolean {
	const words = isText(status) ? wordsOf(status) : [];
	if (undelivered.has(words.join(''))) return true;
	return words.some((word) => undelivered.has(word)) && !words.some((word) => passing.has(word));
}

/** `NOT_SENT`, `not sent` and `notSent` are the same words. */
function wordsOf(status: string): string[] {
	const apart = status.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
	return apart.split(/[^a-z]+/).filter((word) => word !== '');
}

/** Words that show that a status is not final, or that turn its meaning round. */
const passing = new Set(['soft', 'temporary', 'transient', 'retry', 'retrying', 'not', 'no']);

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
	if (isText(reason)) return shortened(reason.trim());
	const isTelling = typeof reason === 'object' && Object.keys(reason ?? {}).length > 0;
	return isTelling ? shortened(JSON.stringify(reason)) : '';
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
