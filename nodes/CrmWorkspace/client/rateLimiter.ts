/** Which requests may be sent when, over all executions of the process. */
import type { Clock } from '../common/tasks';

/** The span over which the service counts requests. Interface: LIMIT-1. */
const windowMs = 60_000;

/** How much two clocks may differ. */
const marginMs = 50;

/** After this time without a permit, an execution that is under way takes turns with new ones. */
const patienceMs = 30_000;

/** What the rate limit made of a request; `accepted` whatever else the response says. */
type PermitOutcome = 'accepted' | 'throttled' | 'noResponse';

export interface Permit {
	/** To be called once, with the response or when none will come. */
	end(outcome: PermitOutcome, retryAfterMs?: number): void;
}

interface Waiter {
	execution: string;
	grant(permit: Permit): void;
}

/**
 * A sliding window log: at most `allowance` requests in any minute, each counted from its sending
 * until a minute after its response, as the service may count it at any moment between. After a 429
 * the limiter keeps to the `AdaptiveRate`.
 *
 * Requests that fit into the minute go at once. If more are wanted, they are spaced over the minute,
 * and the execution with the fewest requests in it goes first. A run that has got no permit for half
 * a minute takes turns with new ones. Moments are in ms.
 */
export class RateLimiter {
	/** Requests that are certain to come; their client takes them back. */
	announced = 0;

	private readonly adaptiveRate = new AdaptiveRate();

	private pending = 0;

	/** Requests with a response that still count, the first to leave the window first. */
	private readonly log: Array<{ leavesAt: number; execution: string }> = [];

	/** Counted requests of each execution. */
	private readonly counts = new Map<string, number>();

	private readonly waiters = new Set<Waiter>();

	/** When the executions under way last got a permit. */
	private readonly grantedAt = new Map<string, number>();

	/** Whether the last permit went to an execution that had waited for too long. */
	private wasOverdue = false;

	private spacedUntil = -Infinity;

	private gapUntil = -Infinity;

	private alarm?: { at: number; off: AbortController };

	/** @param allowance requests per minute that this process may make */
	constructor(
		private readonly clock: Clock,
		public allowance: number,
	) {}

	/** The present rate. */
	get requestsPerMinute(): number {
		const rate = Math.min(this.allowance, this.adaptiveRate.perMinute(this.clock.now()));
		return Math.max(1, Math.floor(rate));
	}

	/** For how long nothing is sent because of a 429. */
	get pausedMs(): number {
		return Math.max(0, this.adaptiveRate.pausedUntil - this.clock.now());
	}

	/** Waits for a permit to send a request; undefined if `cancel` is aborted first. */
	async acquire(execution: string, cancel?: AbortSignal): Promise<Permit | undefined> {
		if (cancel?.aborted) return undefined;
		return await new Promise((resolve) => {
			const giveUp = () => {
				this.waiters.delete(waiter);
				this.setAlarm(this.clock.now());
				resolve(undefined);
			};
			const grant = (permit: Permit) => {
				cancel?.removeEventListener('abort', giveUp);
				resolve(permit);
			};
			const waiter = { execution, grant };
			cancel?.addEventListener('abort', giveUp, { once: true });
			this.waiters.add(waiter);
			this.grantPermits();
		});
	}

	private get room(): number {
		return this.allowance - this.pending - this.log.length;
	}

	/** Whether requests go one by one: more are wanted than fit, or others use the key. */
	private isSpaced(now: number): boolean {
		return now < this.spacedUntil || this.adaptiveRate.perMinute(now) < this.allowance;
	}

	/** When there is room for a request; Infinity if a response has to come first. */
	private roomAt(now: number): number {
		if (this.room > 0) return now;
		// If the allowance was lowered, some more have to leave the window first.
		const surplus = -this.room;
		return this.log[surplus]?.leavesAt ?? Infinity;
	}

	/** When the next request may go; Infinity if a response has to come first. */
	private nextAt(now: number): number {
		const gapAt = this.isSpaced(now) ? this.gapUntil : now;
		return Math.max(this.adaptiveRate.pausedUntil, this.roomAt(now), gapAt);
	}

	private grantPermits(): void {
		const now = this.forgetPast();
		while (this.waiters.size > 0) {
			if (this.waiters.size + this.announced > this.room) this.spacedUntil = now + windowMs;
			if (this.nextAt(now) > now) break;
			const next = this.nextWaiter(now);
			this.waiters.delete(next);
			next.grant(this.createPermit(next.execution, now));
		}
		this.setAlarm(now);
	}

	/** The first waiter of the execution with the fewest requests in the window, or an overdue one. */
	private nextWaiter(now: number): Waiter {
		const [first, ...others] = this.waiters;
		const waitOf = ({ execution }: Waiter) => now - (this.grantedAt.get(execution) ?? now);
		const overdue = [first, ...others].find((waiter) => waitOf(waiter) >= patienceMs);
		this.wasOverdue = !this.wasOverdue && overdue !== undefined;
		if (this.wasOverdue) return overdue!;
		const count = ({ execution }: Waiter) => this.counts.get(execution) ?? 0;
		return others.reduce((least, one) => (count(one) < count(least) ? one : least), first);
	}

	private createPermit(execution: string, sentAt: number): Permit {
		this.pending++;
		this.count(execution, 1);
		this.grantedAt.set(execution, sentAt);
		const gap = Math.max(1 / this.allowance, 1 / this.adaptiveRate.perMinute(sentAt));
		this.gapUntil = sentAt + gap * windowMs;
		return {
			end: (outcome, retryAfterMs = 0) => {
				const now = this.clock.now();
				this.pending--;
				this.log.push({ leavesAt: now + windowMs + marginMs, execution });
				if (outcome === 'throttled') {
					this.adaptiveRate.throttled(this.allowance, now, sentAt, retryAfterMs);
				}
				if (outcome === 'accepted') this.adaptiveRate.accepted(this.allowance, now);
				this.grantPermits();
			},
		};
	}

	private count(execution: string, change: number): void {
		const count = (this.counts.get(execution) ?? 0) + change;
		if (count > 0) return void this.counts.set(execution, count);
		this.counts.delete(execution);
		const isWaiting = [...this.waiters].some((waiter) => waiter.execution === execution);
		if (!isWaiting) this.grantedAt.delete(execution);
	}

	/** Forgets requests that left the window. @returns the present moment */
	private forgetPast(): number {
		const now = this.clock.now();
		while (this.log[0]?.leavesAt <= now) this.count(this.log.shift()!.execution, -1);
		return now;
	}

	/** One timer at most, and none if nothing waits or a response has to come first. */
	private setAlarm(now: number): void {
		const at = this.waiters.size > 0 ? this.nextAt(now) : Infinity;
		if (at === this.alarm?.at) return;
		this.alarm?.off.abort();
		this.alarm = undefined;
		if (at === Infinity) return;
		const alarm = { at, off: new AbortController() };
		this.alarm = alarm;
		void this.clock.wait(at - now, alarm.off.signal).then(() => {
			if (this.alarm !== alarm) return;
			this.alarm = undefined;
			this.grantPermits();
		});
	}
}

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
const memoryMs = 10 * windowMs;

/**
 * The rate that other users of an API key leave to this process, learned from 429s by additive
 * increase and multiplicative decrease (AIMD). The increase is less than proportional to the rate,
 * so processes that know nothing of one another converge to equal rates. Moments are in ms.
 */
class AdaptiveRate {
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
		if (isFirst || now - this.decreasedAt >= windowMs) {
			const rate = isFirst ? firstDecrease * limit : decrease * this.rate;
			this.rate = Math.max(minRate, rate);
			this.step = isFirst ? maxStep : Math.max(minStep, this.step / 2);
			this.decreasedAt = now;
		}
		this.throttledAt = this.increasedAt = now;
		const gapsUntil = now + (gapsAfterThrottling * windowMs) / this.rate;
		this.pausedUntil = Math.max(this.pausedUntil, gapsUntil);
	}

	accepted(limit: number, now: number): void {
		if (this.perMinute(now) === Infinity) return;
		const step = this.step * acceleration ** ((now - this.throttledAt) / windowMs);
		// While nothing was sent, nothing was learned either.
		const minutes = Math.min(1, (now - this.increasedAt) / windowMs);
		this.rate += step * minutes * Math.sqrt(limit * this.rate);
		this.increasedAt = now;
		if (this.rate >= limit) this.rate = Infinity;
	}
}

const rateLimiters = new Map<string, RateLimiter>();

/**
 * The rate limiter of an API key: one for all executions of the process. Interface: AUTH-6, LIMIT-2.
 * @param account distinguishes the key from all others
 * @param allowance requests per minute of this process
 */
export function getRateLimiter(account: string, allowance: number, clock: Clock): RateLimiter {
	const limiter = rateLimiters.get(account) ?? new RateLimiter(clock, allowance);
	limiter.allowance = allowance;
	rateLimiters.set(account, limiter);
	return limiter;
}
