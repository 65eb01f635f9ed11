import type { Outcome } from './failure';
import { isRefusal, mayHaveBegun, mayPass } from './meaning';

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
	/** How long it may wait, in ms. */
	patience: number;
}

/** What to do next: to wait `after` ms and ask again, or to give up. */
export type Decision = { again: true; after: number; countsAsAttempt: boolean } | { again: false };

/**
 * Whether a request that failed is made again, and when.
 * @param random a number from 0 to below 1
 */
export function decide(
	failed: Outcome,
	{ attempt, isRepeatable, waited, patience }: Standing,
	random: number,
): Decision {
	if (!mayPass(failed)) return { again: false };
	// Without a key the service would do the work twice, unless it cannot have begun.
	if (!isRepeatable && mayHaveBegun(failed)) return { again: false };
	// A refusal by the rate limit says nothing of the request itself: it costs waiting, no attempt.
	const countsAsAttempt = !isRefusal(failed);
	if (countsAsAttempt && attempt >= maxAttempts) return { again: false };

	const after = Math.max(failed.askedWait ?? 0, backoff(attempt, random));
	if (waited + after > patience) return { again: false };
	return { again: true, after, countsAsAttempt };
}

/** Exponential with full jitter: clients that failed together do not come back together. */
function backoff(attempt: number, random: number): number {
	return random * Math.min(longestBackoff, firstBackoff * 2 ** (attempt - 1));
}
