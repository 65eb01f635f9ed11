import type { Limiter } from '../../test/support/limiters.mts';

/** What the document calls the ways in which the service may count. */
export const limiterNames: Record<Limiter, string> = {
	fixedWindow: 'fixed window',
	slidingWindow: 'sliding window',
	tokenBucket: 'token bucket',
};

/** What the about texts of all simulated cases have in common. */
export const howSimulated =
	'Time is simulated: both nodes run in n8n’s own engine, with their own pacing, batching and retries, and the clock jumps to the next wait. Only network and clock are simulated. The service answers within 0 to 100 ms and counts its 60 requests a minute in one of three ways: a fixed window that begins at any moment, a sliding window that counts refused requests too, or a token bucket. A refusal says when to come back. Chance is seeded, so the figures come back.';
