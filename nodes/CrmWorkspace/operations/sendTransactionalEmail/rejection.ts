import type { Message } from '../../service/records';
import type { Connection } from '../../transport/connection';
import { ItemError } from '../itemError';
import * as texts from './texts';

/** Why a message that the service accepted is not delivered. */
export interface Rejection {
	reason: string;
	/** Whether it isn't delivered later either. An error alone may be that of a first attempt. */
	isFinal: boolean;
}

/**
 * What an accepted message shows against its delivery; undefined if nothing does, or only an error
 * although it was delivered. Of the words for a status, the interface names only `rejected`.
 * Interface: MESSAGE-2, MESSAGE-12, MESSAGE-15, MESSAGE-16, MESSAGE-22, OPEN-2, OPEN-3.
 */
export function findRejection(message: Message): Rejection | undefined {
	const { status, error, errorReason, bounceType, deliveredAt } = message;
	const said = [errorReason, error].map(toWords).filter((words) => words !== '');
	const word = toWords(status).toLowerCase();
	const isBounced = toWords(bounceType).toLowerCase() === 'permanent';
	const isDelivered = toWords(deliveredAt) !== '' || word === 'delivered';
	const isFinal = isBounced || undelivered.includes(word);
	if (!isFinal && (isDelivered || said.length === 0)) return undefined;
	const unexplained = isBounced ? 'permanent bounce' : `status “${String(status)}”`;
	const reason = [...new Set(said)].join(': ') || unexplained;
	return { reason, isFinal: isFinal && !isDelivered };
}

/** @throws ItemError for a message that the service has and doesn't deliver, unless that is accepted */
export function throwIfRejected(
	connection: Connection,
	to: string,
	message: Message,
	isAccepted: boolean,
): void {
	const rejection = findRejection(message);
	if (!rejection || isAccepted) return;
	const reason = connection.redact(rejection.reason);
	throw new ItemError(texts.rejected(to, reason, rejection.isFinal));
}

/** What services call a message that they don't deliver. */
const undelivered = [
	...['rejected', 'failed', 'undelivered', 'undeliverable', 'dropped', 'blocked'],
	...['suppressed', 'canceled', 'cancelled'],
];

/** The text of a value; an error that is an object, as JSON. */
function toWords(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	const hasContent = typeof value === 'object' && Object.keys(value ?? {}).length > 0;
	return hasContent ? JSON.stringify(value) : '';
}
