import type { FailedAttempt } from './failure';
import { isThrottled, mayHaveBegun, isTransient } from './meaning';

/**
 * How often a request is made; refusals by the rate limit and faults of n8n itself do not count.
 */
export const maxAttempts = 5;

/** How long a request may wait for another chance after its first failure, in ms. */
export const waitingBudget = 10 * 60_000;

/** How long a fault of n8n itself may last, in ms: its database is restarted in half of it. */
export const n8nBudget = 60_000;

const firstBackoff = 500;
const longestBackoff = 30_000;

/** The same for faults of n8n itself: shorter, so that runs go on soon after n8n does. */
const longestN8nBackoff = 5_000;

/** What has happened to a request so far. */
export interface Standing {
	/** Which attempt it was, from 1; refusals by the rate limit left out. */
	attempt: number;
	/** Whether the service does the work only once however often it is asked. */
	isRepeatable: boolean;
	/**
	 * How long the request has waited since its first failure, in ms; after a refusal, only since the
	 * service last let anything of this process through.
	 */
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
export function decide(failed: FailedAttempt, standing: Standing, random: number): Decision {
	const { attempt, isRepeatable, waited, patience } = standing;
	if (!isTransient(failed)) return { again: false };
	if (failed.raised !== undefined) return waitForN8n(standing, random);
	// Without a key the service would do the work twice, unless it cannot have begun.
	if (!isRepeatable && mayHaveBegun(failed)) return { again: false };
	// A refusal by the rate limit says nothing of the request itself: it costs waiting, no attempt.
	const countsAsAttempt = !isThrottled(failed);
	if (countsAsAttempt && attempt >= maxAttempts) return { again: false };

	const after = Math.max(failed.askedWait ?? 0, backoff(attempt, random, longestBackoff));
	if (waited + after > patience) return { again: false };
	return { again: true, after, countsAsAttempt };
}

/** Nothing was asked of the service, so time is limited here and not the number of attempts. */
function waitForN8n({ attempt, waited, patience }: Standing, random: number): Decision {
	const after = backoff(attempt, random, longestN8nBackoff);
	if (waited + after > Math.min(patience, n8nBudget)) return { again: false };
	return { again: true, after, countsAsAttempt: true };
}

/** Exponential with full jitter: clients that failed together do not come back together. */
function backoff(attempt: number, random: number, longest: number): number {
	return random * Math.min(longest, firstBackoff * 2 ** (attempt - 1));
}
