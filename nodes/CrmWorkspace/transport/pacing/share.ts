/** The span over which the service counts requests, in ms. Interface: LIMIT-1. */
export const windowMs = 60_000;

/** What part of the allowance a process keeps after the first refusal. */
const firstPart = 1 / 5;

/**
 * The smallest share, in requests per minute: enough for some tries before a request is given up.
 */
const leastPerMinute = 1 / 2;

/**
 * By what part of the geometric mean of allowance and share a share grows in a minute. It begins
 * with the coarsest, and each refusal halves it.
 */
const coarsest = 0.15;
const finest = 1 / 128;

/** By how much faster it grows with each minute without a refusal. */
const acceleration = 1.5;

/** By what part a refusal decreases a share at least, and by how much more while the steps are coarse. */
const decrease = 0.14;
const decreasePerStep = 2;

/**
 * How long to pause after a refusal, in gaps between requests: for each refusal in a row, and at
 * most.
 */
const gapsLeftOut = 1 / 3;
const mostGapsLeftOut = 1;

/** How long a refusal is remembered at most, in ms. */
const memoryMs = 10 * windowMs;

interface Refusal {
	at: number;
	/** When its request was sent, in ms. */
	sentAt: number;
	/** In ms; 0 when the service does not say. */
	askedWait: number;
}

/**
 * What refusals (429) tell of others who use the same key: how many requests a minute are left for
 * this process, its share.
 *
 * The first refusal sets the share to a fifth of the allowance: whoever else is busy does the same.
 * The service may count for a minute what was asked before, so what it refuses meanwhile says
 * nothing of the share. From then on the share grows as long as nothing is refused, the faster the
 * longer that lasts, and each refusal takes a part of it. Such an increase, which is less than in
 * proportion, and a multiplicative decrease make shares equal: those that are larger grow a little
 * faster, but are refused more often and lose more. The steps are coarse at first, so that it is
 * known soon where the balance is, and then finer, so that few are refused once it is found.
 *
 * With 60 requests a minute: after a refusal that stays the only one, a share of 12 grows by 5 in
 * the first minute and by 10 in the next, and is whole again in less than four. In the long run a
 * share of 15 grows by 0.3, 0.4, 0.7, 1.0 … a minute and loses 14 %, so it is refused about once in
 * two minutes, and a process that is the only one has the whole allowance after ten.
 */
export class Share {
	private learned = Infinity;

	private refusedAt = -Infinity;

	private grownAt = -Infinity;

	/** Until when refusals are due to what was asked before the first one, in ms. */
	private settlesAt = -Infinity;

	private inARow = 0;

	private step = coarsest;

	private restsUntil = -Infinity;

	/** Requests per minute; Infinity while nothing tells that the key is used elsewhere too. */
	get perMinute(): number {
		return this.learned;
	}

	/** Until when nothing is to be asked, in ms. */
	get pausedUntil(): number {
		return this.restsUntil;
	}

	/** @param allowance requests per minute that the service allows the key */
	throttled(allowance: number, { at, sentAt, askedWait }: Refusal): void {
		this.rest(at + askedWait);
		// Requests that were under way when the last refusal came tell nothing new.
		if (sentAt <= this.refusedAt) return;
		this.refusedAt = at;
		this.grownAt = at;
		this.inARow++;
		if (this.learned === Infinity) {
			this.learned = Math.max(leastPerMinute, firstPart * allowance);
			this.step = coarsest;
			this.settlesAt = at + windowMs;
		} else if (at >= this.settlesAt) {
			const part = 1 - Math.max(decrease, decreasePerStep * this.step);
			this.learned = Math.max(leastPerMinute, part * this.learned);
			this.step = Math.max(finest, this.step / 2);
		}
		// A service that counts refused requests too has room again then.
		const leftOut = Math.min(mostGapsLeftOut, gapsLeftOut * this.inARow);
		this.rest(at + (1 + leftOut) * (windowMs / this.learned));
	}

	letThrough(allowance: number, at: number): void {
		this.inARow = 0;
		if (this.learned === Infinity) return;
		const speed = this.step * acceleration ** ((at - this.refusedAt) / windowMs);
		// While nothing was asked, nothing was learned either.
		const minutes = Math.min(1, (at - this.grownAt) / windowMs);
		this.learned += speed * minutes * Math.sqrt(allowance * this.learned);
		this.grownAt = at;
		if (this.learned >= allowance) this.learned = Infinity;
	}

	/** Forgets what is too long ago to be true still. */
	forget(now: number): void {
		if (now - this.refusedAt >= memoryMs) this.learned = Infinity;
	}

	private rest(until: number): void {
		this.restsUntil = Math.max(this.restsUntil, until);
	}
}
