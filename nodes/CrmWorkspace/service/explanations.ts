import type { Explanation, FailureDetails } from '../transport/failure';
import type { ContactFields } from './records';

/** Interface, Errors: the codes that it names. */
export const errorCodes = {
	/** The original send with this key failed; nothing was delivered. */
	originalFailed: 'IDEMPOTENT_REPLAY',
	/** The key was used for another recipient, subject or body. */
	keyReused: 'IDEMPOTENCY_KEY_REUSED',
} as const;

/** What a failed send means, where the interface gives its error a meaning. */
export function explainSend({ code }: FailureDetails): Explanation | undefined {
	switch (code) {
		case errorCodes.originalFailed:
			return {
				message: 'An earlier try to send this message failed at the service',
				advice: 'Nothing was delivered. A new idempotency key is needed to send it again.',
			};
		case errorCodes.keyReused:
			return {
				message: 'This idempotency key was used before for a message with other content',
				advice: 'Nothing was sent now. Use another key if this is another message.',
			};
		default:
			return undefined;
	}
}

/** What a failed update means, where that can be told from the answer. */
export function explainUpdate(
	{ statusCode, code, message }: FailureDetails,
	id: string,
	{ email }: ContactFields,
): Explanation | undefined {
	if (statusCode === 404) {
		return {
			message: `The service knows no contact with the ID ${id}`,
			advice:
				'It may be deleted, or belong to the data of the other mode: test and live data are separate.',
		};
	}
	// Which status and code a taken email address has is not shown.
	const mayBeTaken = [400, 409, 422].includes(statusCode ?? 0) && email !== undefined;
	const saysSo = /taken|exist|uniq|duplicate|already|in.use|conflict/i.test(`${code} ${message}`);
	if (!mayBeTaken || !(saysSo || statusCode === 409)) return undefined;
	return {
		message: `The email address ${email} is already used by another contact`,
		advice: 'Each email address belongs to one contact of the workspace. Nothing was changed.',
	};
}
