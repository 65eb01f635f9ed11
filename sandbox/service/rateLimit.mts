import { modes, type Mode } from '../identity.mts';
import type { Variants } from '../variants.mts';

const minute = 60_000;

/** Counts the requests of a key. Times are in milliseconds. */
interface Limiter {
	/** The wait before the next request; 0 if there is none. */
	wait(now: number): number;
	/** Counts an accepted request. */
	count(now: number): void;
	/** How many more are accepted now. */
	remaining(now: number): number;
}

/** The ways to count a minute. Interface: LIMIT-1. */
export const limiters: Record<Variants['limiter'], (limit: number) => Limiter> = {
	fixedWindow(limit) {
		let start = -Infinity;
		let counted = 0;
		const open = (now: number) => {
			if (now < start + minute) return;
			start = now;
			counted = 0;
		};
		return {
			wait: (now) => (now >= start + minute || counted < limit ? 0 : start + minute - now),
			count: (now) => {
				open(now);
				counted += 1;
			},
			remaining: (now) => (now >= start + minute ? limit : limit - counted),
		};
	},

	slidingWindow(limit) {
		let times: number[] = [];
		const forget = (now: number) => {
			times = times.filter((time) => time > now - minute);
		};
		return {
			wait: (now) => {
				forget(now);
				return times.length < limit ? 0 : times[times.length - limit] + minute - now;
			},
			count: (now) => void times.push(now),
			remaining: (now) => {
				forget(now);
				return limit - times.length;
			},
		};
	},

	tokenBucket(limit) {
		let tokens = limit;
		let filledAt = -Infinity;
		const fill = (now: number) => {
			tokens = Math.min(limit, tokens + ((now - filledAt) * limit) / minute);
			filledAt = now;
		};
		return {
			wait: (now) => {
				fill(now);
				return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * minute) / limit);
			},
			count: (now) => {
				fill(now);
				tokens -= 1;
			},
			remaining: (now) => {
				fill(now);
				return Math.floor(tokens);
			},
		};
	},
};

/** The counts of a key. */
interface Counter {
	limiter: Limiter;
	admitted: number;
	refused: number;
}

/** Counts requests per key. Interface: AUTH-6, LIMIT-1, LIMIT-2. */
export class RateLimits {
	readonly requestsPerMinute: number;
	#counters: Record<Mode, Counter>;

	/** @param requestsPerMinute 0 for no limit */
	constructor(requestsPerMinute: number, kind: Variants['limiter']) {
		this.requestsPerMinute = requestsPerMinute;
		const counter = (): Counter => ({
			limiter: limiters[kind](requestsPerMinute || Infinity),
			admitted: 0,
			refused: 0,
		});
		this.#counters = { test: counter(), live: counter() };
	}

	/** Milliseconds before the next request of this key is accepted; 0 if there is no wait. */
	wait(mode: Mode, now: number): number {
		return this.requestsPerMinute ? this.#counters[mode].limiter.wait(now) : 0;
	}

	/** Counts an accepted request. */
	admit(mode: Mode, now: number): void {
		const counter = this.#counters[mode];
		counter.admitted += 1;
		if (this.requestsPerMinute) counter.limiter.count(now);
	}

	/** Counts a throttled request. */
	refuse(mode: Mode): void {
		this.#counters[mode].refused += 1;
	}

	/** How many more requests of a key are accepted now; null without a limit. */
	remaining(mode: Mode, now: number): number | null {
		if (!this.requestsPerMinute) return null;
		return Math.max(0, this.#counters[mode].limiter.remaining(now));
	}

	/** The counts of both keys. */
	report(now: number) {
		return Object.fromEntries(
			modes.map((mode) => {
				const { admitted, refused } = this.#counters[mode];
				return [mode, { admitted, refused, remaining: this.remaining(mode, now) }];
			}),
		);
	}
}

/**
 * The headers with the wait of a throttled request, in the form of the variant. They use
 * real time, because clients wait in real time.
 * @param wait milliseconds
 */
export function retryHeaders(
	answer: Variants['rateLimitAnswer'],
	wait: number,
): Record<string, string> {
	const seconds = Math.ceil(wait / 1000);
	const at = Date.now() + seconds * 1000;
	switch (answer) {
		case 'retryAfterSeconds':
			return { 'retry-after': String(seconds) };
		case 'retryAfterDate':
			return { 'retry-after': new Date(at + 999).toUTCString() };
		case 'bare':
			return {};
	}
}
