import { listed, maxNameLength, shortened } from '../text/plainText';
import {
	isConflict,
	isInDoubt,
	isRefusedContent,
	isTurnedDown,
	type Explanation,
	type FailureDetails,
} from '../transport/errors/failure';
import { conflictCode, errorCodes } from './conflictCode';
import {
	namesReference,
	namesWithoutValue,
	saysEmailTaken,
	saysNoContact,
	saysOnlyNotFound,
	type Reference,
} from './errorWords';
import type { ContactFields, SendRequest } from './records';

/** What it means that the original send failed. Interface: KEY-3, KEY-5. */
export const originalFailed: Explanation = {
	message: 'An earlier try to send this message failed at the service',
	advice:
		'Nothing was delivered under its idempotency key. To send it again, set If Original Send Failed in the options to Send Again.',
};

/**
 * What a failed send tells of its idempotency key:
 * - failed: the original send under it has failed at the service
 * - failedNow: it has failed in one of the attempts of this very send
 * - otherContent: it was used for other content
 * - turnedDown: the service does not take the message
 * - lost: the message may have been sent under it
 * - untouched: nothing has changed; a conflict without one of the interface's codes is no proof of
 *   anything, as it may be that of a proxy
 */
export type KeyFinding =
	| 'failed'
	| 'failedNow'
	| 'otherContent'
	| 'turnedDown'
	| 'lost'
	| 'untouched';

/** Reads from a failed send what it tells of its key. Interface: KEY-3, KEY-6. */
export function keyFinding(details: FailureDetails): KeyFinding {
	// Only a conflict means what the interface says of the codes: others may just mention them.
	const code = isConflict(details) ? conflictCode(details) : undefined;
	if (code === errorCodes.originalFailed) return details.earlier ? 'failedNow' : 'failed';
	if (code === errorCodes.keyReused) return 'otherContent';
	if (isInDoubt(details)) return 'lost';
	const wasMade = details.attempts > 0 && !isConflict(details);
	return wasMade && isTurnedDown(details) ? 'turnedDown' : 'untouched';
}

/**
 * What a failed send means, where the interface gives its error a meaning, or the service says more
 * than that it refuses. A reused key is explained by the operation, which knows where the key came
 * from. Interface: KEY-3, KEY-5, SEND-12, ERROR-1, OPEN-14, OPEN-17.
 */
export function explainSend(
	details: FailureDetails,
	message: SendRequest,
): Explanation | undefined {
	const code = conflictCode(details);
	if (isConflict(details)) {
		if (code === errorCodes.originalFailed) return originalFailed;
		return code === undefined && message.idempotencyKey !== undefined
			? unclearConflict(details)
			: undefined;
	}
	const nothingSent = isInDoubt(details) ? '' : 'Nothing was sent for this item. ';
	const tokens = isTurnedDown(details) ? namesWithoutValue(details) : [];
	if (tokens.length > 0 && !tokens.some((name) => Object.hasOwn(message.variables ?? {}, name))) {
		return {
			message: 'The message has tokens without a value',
			advice: `${nothingSent}Add a variable for ${tokens.length > 1 ? 'each' : 'it'}: ${listed(tokens)}.`,
		};
	}
	return details.statusCode === 404 ? explainNotFound(details, message, nothingSent) : undefined;
}

function unclearConflict({ message }: FailureDetails): Explanation {
	return {
		message: `The service reports a conflict for this message${message ? '' : ', and does not say which'}`,
		advice:
			'Perhaps it knows the idempotency key from before: from a send that failed, or from another message. The log of messages at the service tells.',
	};
}

/** The parameters whose values name a record of the service. */
const references = {
	template: { displayName: 'Template Slug', field: 'templateSlug' },
	channel: { displayName: 'Channel ID', field: 'channelId' },
	contact: { displayName: 'Contact ID', field: 'contactId' },
} as const satisfies Record<Reference, { displayName: string; field: keyof SendRequest }>;

/**
 * A send was answered with “not found”: of the records that the message names, the service names
 * the one that it does not know, or it is perhaps another service that answered.
 */
function explainNotFound(
	details: FailureDetails,
	message: SendRequest,
	nothingSent: string,
): Explanation {
	const given = (Object.keys(references) as Reference[]).filter(
		(reference) => message[references[reference].field] !== undefined,
	);
	const named = given.filter((reference) => namesReference(reference, details));
	const toCheck = (some: Reference[]) =>
		`${some.map((one) => references[one].displayName).join(' and ')}: test and live data are separate.`;
	if (named.length > 0) {
		const unknown = named.map(
			(one) => `${one} “${shortened(message[references[one].field] ?? '', maxNameLength)}”`,
		);
		return {
			message: `The service does not know the ${unknown.join(' or the ')}`,
			advice: `${nothingSent}Check ${toCheck(named)}`,
		};
	}
	const otherwise = given.length > 0 ? ` If it does, check ${toCheck(given)}` : '';
	return {
		message: `The service answered ${details.request} with “not found”`,
		advice: `${nothingSent}Check that Base URL in the credential includes the version segment, e.g. /api/v1.${otherwise}`,
	};
}

/**
 * What a failed update means, where that can be told from the answer. The interface shows neither
 * the status nor the code of an unknown contact and of an email address that is taken.
 * Interface: UPDATE-5, ERROR-2, OPEN-15, OPEN-17.
 */
export function explainUpdate(
	details: FailureDetails,
	id: string,
	{ email }: ContactFields,
): Explanation | undefined {
	const { statusCode = 0, code, message, request } = details;
	if (!isTurnedDown(details)) return undefined;
	const isMissing = statusCode === 404 || statusCode === 410;
	if (saysNoContact(details) || (isMissing && saysOnlyNotFound(details))) {
		return {
			message: `The service knows no contact with the ID ${id}`,
			advice:
				'It may be deleted, or belong to the data of the other mode: test and live data are separate. If all contacts are unknown, check Base URL in the credential.',
		};
	}
	if (email && saysEmailTaken(details)) {
		return {
			message: `The email address ${email} is already used by another contact`,
			advice: `${isInDoubt(details) ? 'An earlier attempt may have changed this contact.' : 'Nothing was changed.'} Each email address belongs to one contact of the workspace: take it from the other one first, or leave Email out.`,
		};
	}
	if (statusCode === 404) {
		return {
			message: `The service answered ${request} with “not found”`,
			advice:
				'Check the ID of the contact, and that Base URL in the credential includes the version segment, e.g. /api/v1.',
		};
	}
	const saysNothing = code === undefined && message === undefined;
	if (!email || !saysNothing || !(isConflict(details) || isRefusedContent(details))) {
		return undefined;
	}
	return {
		message: `The service ${isConflict(details) ? 'reports a conflict for' : 'rejected'} ${request}`,
		advice: `Perhaps another contact has the email address ${email}${isConflict(details) ? '' : ', or there is no such contact'}.`,
	};
}
