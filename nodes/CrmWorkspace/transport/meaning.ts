import type { FailureDetails, FailedAttempt } from './failure';
import { isLasting, isUnconnected } from './networkCode';

/**
 * Whether the service refused the request only for now: because of its rate limit, for which the
 * interface names no status, or with a 503 that says when to come back. Interface: OPEN-18.
 */
export function isThrottled({ statusCode, askedWait }: FailedAttempt): boolean {
	return statusCode === 429 || (statusCode === 503 && askedWait !== undefined);
}

/** Whether no answer came from the service, also because nothing was sent. */
export function isUnanswered({ networkCode, raised }: FailedAttempt): boolean {
	return networkCode !== undefined || raised !== undefined;
}

/** Whether the service reports a conflict with what it has stored. */
export function isConflict({ statusCode }: FailedAttempt): boolean {
	return statusCode === 409;
}

/** Whether the service refused the content of the request; it may accept another content. */
export function isRefusedContent({ statusCode }: FailedAttempt): boolean {
	return statusCode === 400 || statusCode === 422;
}

/** Whether the service refused the request for good, and did nothing. */
export function isTurnedDown(failed: FailedAttempt): boolean {
	const { statusCode = 0 } = failed;
	return statusCode >= 400 && statusCode < 500 && !isTransient(failed);
}

/** Whether the service may have begun the work, for all that is known. */
export function mayHaveBegun({
	statusCode,
	networkCode,
	raised,
	isHeldUp,
}: FailedAttempt): boolean {
	if (raised !== undefined || isHeldUp) return false;
	if (networkCode !== undefined) return !isUnconnected(networkCode);
	const isTurnedDown = statusCode !== undefined && statusCode >= 300 && statusCode < 500;
	return !isTurnedDown || statusCode === 408;
}

/** Whether an attempt may have reached the service, and no answer tells what came of it. */
export function isInDoubt(details: FailureDetails): boolean {
	return details.earlier !== undefined || mayHaveBegun(details);
}

/** Whether the same request may well succeed a little later. */
export function isTransient(failed: FailedAttempt): boolean {
	const { statusCode, networkCode, raised, unreadable, isGarbled } = failed;
	if (raised !== undefined) return raised.isTransient;
	// A web page or broken JSON comes from something in between. Other JSON would be the same next
	// time.
	if (unreadable !== undefined) return isGarbled === true;
	// A bad certificate, a wrong address or an endless answer stays what it is.
	if (networkCode !== undefined) return !isLasting(networkCode);
	// 408 and 429 speak of the moment, 500 to 504 of a fault; all others of the request itself.
	return [408, 429, 500, 502, 503, 504].includes(statusCode ?? 0);
}
