import { minute } from './clock.mts';

/** A way in which a service may count the requests of a key. Moments and spans in ms. */
export interface RateLimiter {
	/** Whether a request that arrives at `now` is let in. */
	isAllowed(now: number): boolean;
	/** How long one that was refused just now has to stay away to be let in, if no one else asks. */
	wait(now: number): number;
}

/**
 * The ways in which a service may count requests per minute. `startOfClock` (ms) is where its own
 * minutes begin.
 */
export const limiters = {
	fixedWindow(limit: number, startOfClock: number): RateLimiter {
		let window = NaN;
		let count = 0;
		return {
			isAllowed(now) {
				const current = Math.floor((now - startOfClock) / minute);
				if (current !== window) count = 0;
				window = current;
				return ++count <= limit;
			},
			wait: (now) => startOfClock + (window + 1) * minute - now,
		};
	},

	/** Counts refused requests too: the strictest variant. */
	slidingWindow(limit: number): RateLimiter {
		let recent: number[] = [];
		return {
			isAllowed(now) {
				recent = [...recent.filter((at) => at > now - minute), now];
				return recent.length <= limit;
			},
			wait: (now) => recent[recent.length - limit] + minute - now,
		};
	},

	tokenBucket(limit: number): RateLimiter {
		let tokens = limit;
		let last = NaN;
		return {
			isAllowed(now) {
				if (!Number.isNaN(last)) tokens = Math.min(limit, tokens + ((now - last) * limit) / minute);
				last = now;
				if (tokens < 1) return false;
				tokens--;
				return true;
			},
			wait: () => ((1 - tokens) * minute) / limit,
		};
	},
};

/** The name of a limiter. */
export type Limiter = keyof typeof limiters;
