import type { Limiter } from '../../test/models/harness/limiters.mts';

/** How tables call the ways in which the service may count. */
export const limiterNames: Record<Limiter, string> = {
	fixedWindow: 'fixed window',
	slidingWindow: 'sliding window',
	tokenBucket: 'token bucket',
};
