import type { FailureDetails, Outcome } from './failure';
import { isLasting, isUnconnected } from './networkCode';

/**
 * Whether the service refused the request for now and not for what it is: because of its rate limit,
 * which the interface gives no status, or because it is told when it will be there again.
 */
export function isRefusal({ statusCode, askedWait }: Outcome): boolean {
	return statusCode === 429 || (statusCode === 503 && askedWait !== undefined);
}

/** Whether nothing came back from the service, be it that nothing was sent. */
export function isUnanswered({ networkCode, raised }: Outcome): boolean {
	return networkCode !== undefined || raised !== undefined;
}

/** Whether the service reports that the request does not go with what it has. */
export function isConflict({ statusCode }: Outcome): boolean {
	return statusCode === 409;
}

/** Whether the service refused the content of the request, so that another may be taken. */
export function isRefusedContent({ statusCode }: Outcome): boolean {
	return statusCode === 400 || statusCode === 422;
}

/** Whether the service refused the request for what it is, and did nothing. */
export function isTurnedDown(outcome: Outcome): boolean {
	const { statusCode = 0 } = outcome;
	return statusCode >= 400 && statusCode < 500 && !mayPass(outcome);
}

/** Whether the service may have begun the work, for all that is known. */
export function mayHaveBegun({ statusCode, networkCode, raised, isHeldUp }: Outcome): boolean {
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
export function mayPass(outcome: Outcome): boolean {
	const { statusCode, networkCode, raised, unreadable, isGarbled } = outcome;
	if (raised !== undefined) return raised.mayPass;
	// A page comes from something in between; JSON that is merely another will be so next time.
	if (unreadable !== undefined) return isGarbled === true;
	// A certificate, an address or an endless answer does not get better by asking again.
	if (networkCode !== undefined) return !isLasting(networkCode);
	// 408 and 429 speak of the moment, 500 to 504 of a fault; all others of the request itself.
	return [408, 429, 500, 502, 503, 504].includes(statusCode ?? 0);
}
