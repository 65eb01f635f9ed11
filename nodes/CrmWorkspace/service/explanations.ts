import {
	isContentRejected,
	isOutcomeUnknown,
	type Explanation,
	type FailedAttempt,
	type FailureDetails,
} from '../transport/failure';
import type { SendRequest } from './records';

/** The codes that the interface names. Interface: KEY-3, KEY-6, ERROR-3. */
const errorCodes = {
	/** The original send with this key failed; nothing was delivered. */
	originalFailed: 'IDEMPOTENT_REPLAY',
	/** The key was used for another recipient, subject or body. */
	keyReused: 'IDEMPOTENCY_KEY_REUSED',
} as const;

/** Which of these codes a conflict has, wherever the service says it. */
function findConflictCode(failed: FailedAttempt): string | undefined {
	const { statusCode, code, message = '' } = failed;
	const named = Object.values(errorCodes).filter((one) => code === one || message.includes(one));
	return statusCode === 409 && named.length === 1 ? named[0] : undefined;
}

/** Interface: KEY-3, KEY-5. */
export const originalFailed: Explanation = {
	message: 'An earlier attempt to send this message failed in the service',
	advice:
		"Nothing was delivered under its idempotency key. To send it again, set the option 'If Earlier Attempt Failed' to Send Again.",
};

/**
 * What a failed send shows about its idempotency key:
 * - failed: the original send under it failed in the service
 * - failedNow: it failed in one of the attempts of this send
 * - otherContent: it was used for other content
 * - lost: the message may have been sent under it
 * - untouched: nothing has changed. A conflict without one of the interface's codes proves nothing, as
 *   it may come from a proxy
 */
export type KeyFinding = 'failed' | 'failedNow' | 'otherContent' | 'lost' | 'untouched';

/** What a failed send shows about its key. Interface: KEY-3, KEY-6. */
export function classifyKey(details: FailureDetails): KeyFinding {
	const code = findConflictCode(details);
	if (code === errorCodes.originalFailed) return details.earlier ? 'failedNow' : 'failed';
	if (code === errorCodes.keyReused) return 'otherContent';
	return isOutcomeUnknown(details) ? 'lost' : 'untouched';
}

/**
 * What a failed send means. The operation explains a reused key: it knows where the key came from.
 * Interface: KEY-3, KEY-5, SEND-12, ERROR-1, OPEN-14, OPEN-17.
 */
export function explainSend(
	details: FailureDetails,
	{ to, templateSlug, channelId, contactId }: SendRequest,
): Explanation | undefined {
	if (findConflictCode(details) === errorCodes.originalFailed) return originalFailed;
	if (!isContentRejected(details)) return undefined;
	const nothingSent = isOutcomeUnknown(details) ? '' : 'Nothing was sent this time. ';
	const given = [
		templateSlug && "'Template Slug' and the variables that its tokens need",
		channelId && "'Channel ID'",
		contactId && "'Contact ID'",
		details.statusCode === 404 && "'Base URL' in the credential",
	];
	const checks = given.filter(Boolean).join(', ');
	return {
		message: `The service rejected the message to ${to}`,
		advice: `${nothingSent}${checks && `Check ${checks}: live and test keys address separate data.`}`,
	};
}

/** What a failed update means. Interface: UPDATE-5, ERROR-2, OPEN-15, OPEN-17. */
export function explainUpdate(
	details: FailureDetails,
	id: string,
	isNewEmail: boolean,
): Explanation | undefined {
	const nothingChanged = isOutcomeUnknown(details) ? '' : 'Nothing was changed. ';
	if (details.statusCode === 404 || details.statusCode === 410) {
		return {
			message: `The service doesn't know the contact ${id}`,
			advice: `${nothingChanged}It may be deleted, or belong to the data of the other mode. If all contacts are unknown, check 'Base URL' in the credential.`,
		};
	}
	if (!isContentRejected(details)) return undefined;
	const emailAdvice = isNewEmail
		? 'Another contact may have this email address. Change that contact first; to swap two addresses, give one contact a temporary address.'
		: '';
	const message = `The service rejected the update of the contact ${id}`;
	return { message, advice: `${nothingChanged}${emailAdvice}` };
}
