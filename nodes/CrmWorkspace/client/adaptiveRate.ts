const minuteMs = 60_000;

/** The least rate that is tried, in requests per minute: some attempts before a request gives up. */
const minRate = 1;

/** What is left of the limit after the first 429, and of the rate after each further one. */
const firstDecrease = 1 / 5;
const decrease = 0.7;

/**
 * By what part of the geometric mean of limit and rate the rate grows in a minute: coarsely at
 * first, so that the balance is found soon, and half as much after each decrease.
 */
const maxStep = 0.15;
const minStep = 0.015;

/** By how much faster the rate grows with each minute without a 429. */
const acceleration = 1.5;

/** How long nothing is sent after a 429, in gaps between requests. */
const gapsAfterThrottling = 2;

/** How long a 429 is remembered. */
const memoryMs = 10 * minuteMs;

/**
 * The rate that other users of an API key leave to this process, learned from 429s by additive
 * increase and multiplicative decrease (AIMD). The increase is less than proportional to the rate,
 * so processes that know nothing of one another converge to equal rates. Moments are in ms.
 */
export class AdaptiveRate {
	/** Until when nothing is to be sent. */
	pausedUntil = -Infinity;

	private rate = Infinity;

	private step = maxStep;

	private throttledAt = -Infinity;

	private decreasedAt = -Infinity;

	private increasedAt = -Infinity;

	/** Requests per minute; Infinity while no 429 is remembered. */
	perMinute(now: number): number {
		if (now - this.throttledAt > memoryMs) this.rate = Infinity;
		return this.rate;
	}

	/** @param limit requests per minute that this process may make */
	throttled(limit: number, now: number, sentAt: number, retryAfterMs: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
		// A request that was under way at the last 429 shows nothing new.
		if (sentAt <= this.throttledAt) return;
		const isFirst = this.perMinute(now) === Infinity;
		// The service may count for a minute what was sent before the last decrease.
		if (isFirst || now - this.decreasedAt >= minuteMs) {
			const rate = isFirst ? firstDecrease * limit : decrease * this.rate;
			this.rate = Math.max(minRate, rate);
			this.step = isFirst ? maxStep : Math.max(minStep, this.step / 2);
			this.decreasedAt = now;
		}
		this.throttledAt = this.increasedAt = now;
		const gapsUntil = now + (gapsAfterThrottling * minuteMs) / this.rate;
		this.pausedUntil = Math.max(this.pausedUntil, gapsUntil);
	}

	accepted(limit: number, now: number): void {
		if (this.perMinute(now) === Infinity) return;
		const step = this.step * acceleration ** ((now - this.throttledAt) / minuteMs);
		// While nothing was sent, nothing was learned either.
		const minutes = Math.min(1, (now - this.increasedAt) / minuteMs);
		this.rate += step * minutes * Math.sqrt(limit * this.rate);
		this.increasedAt = now;
		if (this.rate >= limit) this.rate = Infinity;
	}
}
