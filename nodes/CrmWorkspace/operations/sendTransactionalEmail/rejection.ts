import { ExplainedError } from '../../transport/failure';
import type { Message } from '../../service/records';
import type { Connection } from '../../transport/connection';
import * as texts from './texts';

/** Why a message that the service accepted is not delivered. */
export interface Rejection {
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
	const unexplained = isBounced ? 'permanent bounce' : `status “${status}”`;
	return { reason: said || unexplained, isFinal: isFinal && !deliveredAt };
}

/** @throws ExplainedError for a message that the service has and doesn't deliver, unless that is accepted */
export function throwIfRejected(
	connection: Connection,
	to: string,
	message: Message,
	isAccepted: boolean,
): void {
	const rejection = findRejection(message);
	if (!rejection || isAccepted) return;
	const reason = connection.redact(rejection.reason);
	throw new ExplainedError(texts.rejected(to, reason, rejection.isFinal));
}

/**
 * What services call a message that they don't deliver. The interface names only `rejected`, but
 * nothing else may show that such a message is lost.
 */
const undelivered =
	/^(rejected|failed|undelivered|undeliverable|dropped|blocked|suppressed|cancell?ed)$/i;
