/** Whether a request that arrives at `now` (ms) is let in. */
type IsAllowed = (now: number) => boolean;

/**
 * The ways in which a service may count requests per minute. `startOfClock` (ms) is where its own
 * minutes begin.
 */
export const limiters = {
	fixedWindow(limit: number, startOfClock: number): IsAllowed {
		let window = NaN;
		let count = 0;
		return (now) => {
			const current = Math.floor((now - startOfClock) / 60_000);
			if (current !== window) count = 0;
			window = current;
			return ++count <= limit;
		};
	},

	/** Counts refused requests too: the strictest reading. */
	slidingWindow(limit: number): IsAllowed {
		let recent: number[] = [];
		return (now) => {
			recent = [...recent.filter((at) => at > now - 60_000), now];
			return recent.length <= limit;
		};
	},

	tokenBucket(limit: number): IsAllowed {
		let tokens = limit;
		let last = NaN;
		return (now) => {
			if (!Number.isNaN(last)) tokens = Math.min(limit, tokens + ((now - last) * limit) / 60_000);
			last = now;
			if (tokens < 1) return false;
			tokens--;
			return true;
		};
	},
};

/** The name of a limiter. */
export type Limiter = keyof typeof limiters;
