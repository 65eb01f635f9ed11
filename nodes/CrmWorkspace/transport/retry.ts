import { tooLarge } from './exchange';
import type { Outcome } from './failure';

/** How often a request is made; refusals by the rate limit do not count. */
export const maxAttempts = 5;

/** How long a request may wait for another chance after its first failure, in ms. */
export const waitingBudget = 10 * 60_000;

const firstBackoff = 500;
const longestBackoff = 30_000;

/** Where a request stands after an attempt. */
export interface Standing {
	/** Which attempt it was, from 1; refusals by the rate limit left out. */
	attempt: number;
	/** Whether the service does the work only once however often it is asked. */
	isRepeatable: boolean;
	/** How long the request has waited since its first failure, in ms. */
	waited: number;
}

/** What to do next: to wait `after` ms and ask again, or to give up. */
export type Decision = { again: true; after: number; countsAsAttempt: boolean } | { again: false };

/**
 * Whether a request that failed is made again, and when.
 * @param random a number from 0 to below 1
 */
export function decide(
	failed: Outcome,
	{ attempt, isRepeatable, waited }: Standing,
	random: number,
): Decision {
	if (!mayPass(failed)) return { again: false };
	// Without a key the service would do the work twice, unless it cannot have begun.
	if (!isRepeatable && mayHaveBegun(failed)) return { again: false };
	// A refusal by the rate limit says nothing of the request itself: it costs waiting, no attempt.
	const countsAsAttempt = !isRefusal(failed);
	if (countsAsAttempt && attempt >= maxAttempts) return { again: false };

	const after = Math.max(failed.askedWait ?? 0, backoff(attempt, random));
	if (waited + after > waitingBudget) return { again: false };
	return { again: true, after, countsAsAttempt };
}

/** Whether the service refused the request because of its rate limit. */
export function isRefusal({ statusCode }: Outcome): boolean {
	return statusCode === 429;
}

/** Whether the service may have begun the work, for all that is known. */
export function mayHaveBegun({ statusCode, networkCode }: Outcome): boolean {
	if (networkCode !== undefined) {
		const isUnconnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(networkCode);
		return !isUnconnected && !isUntrusted(networkCode);
	}
	const isTurnedDown = statusCode !== undefined && statusCode >= 300 && statusCode < 500;
	return !isTurnedDown || statusCode === 408;
}

/** Whether the same request may well succeed a little later. */
function mayPass({ statusCode, networkCode, unreadable, isGarbled }: Outcome): boolean {
	// A page comes from something in between; JSON that is merely another will be so next time.
	if (unreadable !== undefined) return isGarbled === true;
	// A certificate, an address or an endless answer does not get better by asking again.
	if (networkCode !== undefined) return !isLasting(networkCode);
	// 408 and 429 speak of the moment, 500 to 504 of a fault; all others of the request itself.
	return [408, 429, 500, 502, 503, 504].includes(statusCode ?? 0);
}

/** Whether a network fault has a cause that waiting does not mend. */
function isLasting(networkCode: string): boolean {
	return isInsecure(networkCode) || isNoHttp(networkCode) || networkCode === tooLarge;
}

/** Whether there was no secure connection. */
export function isInsecure(networkCode: string): boolean {
	return isUntrusted(networkCode) || /SSL|TLS|EPROTO/.test(networkCode);
}

/** Whether the certificate was refused, which comes before anything is sent. */
function isUntrusted(networkCode: string): boolean {
	return /CERT|SIGNATURE/.test(networkCode) && !networkCode.startsWith('ERR_SSL');
}

/** Whether what answered does not speak HTTP. */
export function isNoHttp(networkCode: string): boolean {
	return networkCode.startsWith('HPE_');
}

/** Exponential with full jitter: clients that failed together do not come back together. */
function backoff(attempt: number, random: number): number {
	return random * Math.min(longestBackoff, firstBackoff * 2 ** (attempt - 1));
}
