import { windowMs } from './places';

/**
 * By what part of the geometric mean of allowance and share a share grows after a minute without a
 * refusal: each further minute doubles it, and each refusal halves what it begins with.
 */
const coarsest = 1 / 4;
const finest = 1 / 64;

/** What part of a share a refusal takes at least, and how much more while the steps are coarse. */
const loss = 0.15;
const lossPerStep = 2;

/** The part of the allowance that is asked for after a first refusal at least, and in any case. */
const firstPart = 1 / 4;
const leastPart = 1 / 30;

/** How long a refusal is remembered at most, in ms. */
const memoryMs = 10 * windowMs;

/** A refusal by the rate limit. */
export interface Refusal {
	/** When it came, in ms. */
	at: number;
	/** When its request was sent, in ms. */
	sentAt: number;
	/** How many requests the service let through in the minute before. */
	gotThrough: number;
	/** How long the service asks to wait, in ms; 0 when it does not say. */
	asked: number;
}

/**
 * What refusals (429) tell of others who use the same key: how many requests a minute are left for
 * this process, its share.
 *
 * The first refusal sets the share to what the service let through in the minute before, but to a
 * quarter of the allowance at least: if all who share the key do so, and all are busy, they fill the
 * allowance and not much more. From then on it grows with each minute
 * without a refusal, and a refusal takes a part of it. Such an increase, which is less than in
 * proportion, and a multiplicative decrease make shares equal: those that are larger grow a little
 * faster, but are refused more often and lose more. The steps are coarse at first, so that it is known soon where the balance is, and
 * then finer, so that few are refused once it is found.
 *
 * With 60 requests a minute: after a refusal that stays the only one, a share of 15 grows by 7.5 and
 * 18, and is whole again in three minutes. In the long run it grows by 0.5, 1, 2, 4 … a minute and
 * loses 15 %, so it is refused about once in two minutes, and a process that is left alone has the
 * whole allowance after seven.
 */
export class Share {
	private learned = Infinity;

	private refusedAt = -Infinity;

	private grownAt = -Infinity;

	/** By what part it grows in the first minute without a refusal, and in the next. */
	private step = coarsest;

	private growth = coarsest;

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
	refused(allowance: number, { at, sentAt, gotThrough, asked }: Refusal): void {
		this.rest(at + asked);
		// Requests that were under way when the last refusal came tell nothing new.
		if (sentAt <= this.refusedAt) return;
		this.refusedAt = at;
		this.grownAt = at;
		if (this.learned === Infinity) {
			// It may stay the only one, and this process may have asked for little.
			this.learned = Math.max(firstPart * allowance, gotThrough);
			this.step = coarsest;
		} else {
			// What got through is the better measure where far more was asked for.
			const real = Math.max(this.learned / 2, Math.min(this.learned, gotThrough + 1));
			const part = 1 - Math.max(loss, lossPerStep * this.step);
			this.learned = Math.max(1, leastPart * allowance, part * real);
			this.step = Math.max(finest, this.step / 2);
			// One turn is left out: a service that counts refused requests too has room again then.
			this.rest(at + (2 * windowMs) / this.learned);
		}
		this.growth = this.step;
	}

	/** The service let a request through. */
	accepted(allowance: number, at: number): void {
		if (this.learned === Infinity || at - this.grownAt < windowMs) return;
		this.learned += this.growth * Math.sqrt(allowance * this.learned);
		this.growth *= 2;
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
