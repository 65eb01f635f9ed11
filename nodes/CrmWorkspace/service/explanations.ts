import type { Explanation, FailureDetails } from '../transport/failure';
import type { ContactFields } from './records';

/** Interface, Errors: the codes that it names. */
export const errorCodes = {
	/** The original send with this key failed; nothing was delivered. */
	originalFailed: 'IDEMPOTENT_REPLAY',
	/** The key was used for another recipient, subject or body. */
	keyReused: 'IDEMPOTENCY_KEY_REUSED',
} as const;

/** What it means that the original send failed. */
export const originalFailed: Explanation = {
	message: 'An earlier try to send this message failed at the service',
	advice: 'Nothing was delivered under its idempotency key. A new one is needed to send it again.',
};

/**
 * What a failed send means, where the interface gives its error a meaning. Where a key that was
 * reused came from, only the operation knows.
 * @param hasKey whether it had an idempotency key
 */
export function explainSend(
	{ code, statusCode }: FailureDetails,
	hasKey: boolean,
): Explanation | undefined {
	if (code === errorCodes.originalFailed) return originalFailed;
	if (statusCode === 409 && code === undefined && hasKey) {
		return {
			message: 'The service reports a conflict for this message, and does not say which',
			advice:
				'Perhaps it knows the idempotency key from before: from a send that failed, or from another message. Its log of messages tells.',
		};
	}
	if (statusCode !== 404) return undefined;
	return {
		message: 'The service does not know the template, channel or contact of this message',
		advice:
			'Nothing was sent. Check Template Slug, Channel ID and Contact ID: test and live data are separate. If they are right, check that Base URL in the credential includes the version segment.',
	};
}

/**
 * What a failed update means, where that can be told from the answer. The interface shows neither
 * the status nor the code of an unknown contact and of an email address that is taken.
 */
export function explainUpdate(
	{ statusCode = 0, code = '', message = '' }: FailureDetails,
	id: string,
	{ email }: ContactFields,
): Explanation | undefined {
	const words = `${code} ${message}`.trim();
	if (isUnknownContact(statusCode, words)) {
		return {
			message: `The service knows no contact with the ID ${id}`,
			advice:
				'It may be deleted, or belong to the data of the other mode: test and live data are separate. If all contacts are unknown, check Base URL in the credential.',
		};
	}
	if (email && isTakenEmail(statusCode, words)) {
		return {
			message: `The email address ${email} is already used by another contact`,
			advice: 'Each email address belongs to one contact of the workspace. Nothing was changed.',
		};
	}
	if (!email || words !== '' || ![400, 422].includes(statusCode)) return undefined;
	return {
		message: `The service rejected the update of contact ${id}`,
		advice: `Perhaps another contact has the email address ${email}, or there is no such contact.`,
	};
}

function isUnknownContact(statusCode: number, words: string): boolean {
	if (statusCode === 404 || statusCode === 410) return true;
	const saysSo = /not.?found|(no|unknown) (such )?contact|not.exist/i.test(words);
	return saysSo && statusCode >= 400 && statusCode < 500;
}

function isTakenEmail(statusCode: number, words: string): boolean {
	const saysSo = /taken|already|uniq|duplicate|in.use|conflict/i.test(words);
	return statusCode === 409 || (saysSo && [400, 422].includes(statusCode));
}
