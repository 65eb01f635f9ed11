/** Idempotency keys: how they are made, and what a failed send shows about its key. */
import { createHash } from 'crypto';
import type { FailedAttempt, FailureDetails } from '../client/failure';

/** The first one included. */
export const maxKeysPerMessage = 5;

/** In characters. */
export const maxKeyLength = 255;

/**
 * The idempotency key of a send: the same origin and number give the same key, and others another
 * one. Always 36 characters, however long the parts are. Interface: KEY-1, KEY-2, KEY-5.
 * @param origin what makes the messages of one log unlike all others
 * @param number the sequence number in the log, from 0
 */
export function computeKey(origin: string[], number: number): string {
	return digest([...origin, number]);
}

/**
 * The key that follows a key of the user's after `nth - 1` sends have failed at the service. All of
 * them follow from the first one only, so a later try has the same.
 * @param first the user's key
 * @param nth from 1 to `maxKeysPerMessage`
 */
export function computeNextKey(first: string, nth: number): string {
	if (nth === 1) return first;
	const key = `${first}:retry-${nth}`;
	return key.length <= maxKeyLength ? key : digest([first, nth]);
}

/** Distinguishes values without showing them: 16 characters. */
export function computeFingerprint(value: unknown): string {
	return hash([value]).slice(0, 16);
}

function digest(parts: unknown[]): string {
	return `n8n-${hash(parts).slice(0, 32)}`;
}

function hash(parts: unknown[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

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

/** Interface: KEY-3, KEY-6. */
export function classifyKey(details: FailureDetails): KeyFinding {
	const code = findConflictCode(details);
	if (code === errorCodes.originalFailed) return details.earlier ? 'failedNow' : 'failed';
	if (code === errorCodes.keyReused) return 'otherContent';
	return details.isOutcomeUnknown ? 'lost' : 'untouched';
}
