import type { Limiter } from '../../test/models/harness/limiters.mts';

/** What the document calls the ways in which the service may count. */
export const limiterNames: Record<Limiter, string> = {
	fixedWindow: 'fixed window',
	slidingWindow: 'sliding window',
	tokenBucket: 'token bucket',
};

/** What the about texts of all simulated cases have in common. */
export const howSimulated = 'Time is [simulated](#simulated-time).';
