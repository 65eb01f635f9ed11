import type { Clock } from './clock';
import { Slots, windowMs } from './slots';
import { Queues } from './queues';
import { Share } from './share';

/**
 * How many requests may be under way at once before the first answer shows that the key is idle.
 */
const firstFlight = 10;

/**
 * How long after it was given up a request may still arrive, in ms: as long as it had taken until
 * then, and at most this. The slots of all later requests are kept so long, too.
 */
const mostLate = 5_000;

/** Permission to send one request. */
export interface Permit {
	/** To be called once, when the answer is there or it is clear that none will come. */
	end(outcome: 'accepted' | 'refused' | 'unanswered', pauseMs?: number): void;
}

/** A request that asks for a permit. */
export interface Applicant {
	/** The execution whose request it is. */
	execution: string;
	/** Whether it is one of those that were announced: see `expect`. */
	isExpected?: boolean;
	/** Ends the wait. */
	cancel?: AbortSignal;
}

interface Waiter {
	isExpected: boolean;
	admit: (permit: Permit) => void;
}

/**
 * Lets requests go at a rate that the service allows for the key. No more than `allowance` slots
 * are taken at any time: see `Slots`. So a lone process is never refused.
 *
 * What fits goes at once. As soon as more is wanted than there are slots free, requests go one by
 * one, so far apart that the free slots last until others come free, and the execution that has the
 * fewest slots goes first. With 60 a minute on an idle key that is a slot every second: an
 * execution that asks for its first one has it by then, however much others have to do. Where 30
 * slots were taken at once just before, the other 30 have to last for the minute, so it is one
 * every 2 s.
 *
 * What that costs a run is once, and less than a minute. Each slot is used again 60.05 s and the
 * time of an answer after it was used, whether the slots are spread or not. So of 3,000 requests
 * the last sixty begin after 49 such rounds either way, and then take about a minute instead of no
 * time.
 *
 * Whoever shares the key with other processes keeps to what refusals teach: see `Share`.
 */
export class Pacer {
	private readonly slots = new Slots();

	private readonly share = new Share();

	private readonly queues = new Queues<Waiter>();

	/** A greater allowance that has been set, and when it takes effect, in ms. */
	private greater?: { allowance: number; from: number };

	/** How many requests are certain to come, those that wait included. */
	private expected = 0;

	/** Until when requests go one by one: a minute after more were wanted than slots were free. */
	private crowdedUntil = -Infinity;

	/** When the next request may go while they go one by one. */
	private nextAt = -Infinity;

	private acceptedAt = -Infinity;

	private alarm?: { at: number; off: AbortController };

	constructor(
		private readonly clock: Clock,
		private allowance: number,
	) {}

	/** Requests per minute that are let go at most. */
	get allowed(): number {
		return this.allowance;
	}

	/** Requests per minute that are let go at present. */
	get requestsPerMinute(): number {
		return Math.max(1, Math.floor(this.limit));
	}

	/** How many requests would be let go at once. */
	get free(): number {
		const now = this.forget();
		const isOneByOne = this.isSharing || now < this.crowdedUntil || this.pause > 0;
		const wanted = Math.max(this.queues.length, this.expected);
		return isOneByOne ? 0 : Math.max(0, this.allowance - this.slots.taken - wanted);
	}

	/** For how long nothing is let go, in ms, because refusals asked for it. */
	get pause(): number {
		return Math.max(0, this.share.pausedUntil - this.clock.now());
	}

	/** When the service last let a request through, in ms. */
	get lastAcceptedAt(): number {
		return this.acceptedAt;
	}

	/**
	 * Sets the allowance; what refusals told stays known. A smaller one takes effect at once, a
	 * greater one a minute later: what was sent until now was meant to be all of its minute.
	 */
	setAllowance(requestsPerMinute: number): void {
		const isGreater = requestsPerMinute > this.allowance && this.slots.taken > 0;
		if (isGreater) this.greater ??= { allowance: 0, from: this.clock.now() + windowMs };
		else this.greater = undefined;
		if (this.greater) this.greater.allowance = requestsPerMinute;
		else this.allowance = requestsPerMinute;
		this.letGo();
	}

	/** Whether refusals told that the key is used elsewhere too. */
	get isSharing(): boolean {
		return this.share.perMinute < this.allowance;
	}

	private get limit(): number {
		return Math.min(this.share.perMinute, this.allowance);
	}

	/** Whether it can be dropped, because it remembers nothing that still matters. */
	get isIdle(): boolean {
		const now = this.forget();
		return (
			this.slots.taken + this.queues.length === 0 &&
			!this.isSharing &&
			this.share.pausedUntil <= now
		);
	}

	/** Announces so many further requests, or takes back so many that were announced. */
	expect(requests: number): void {
		this.expected += requests;
	}

	/** Waits for a permit to send a request; undefined when `cancel` was aborted first. */
	async admit({ execution, isExpected = false, cancel }: Applicant): Promise<Permit | undefined> {
		if (cancel?.aborted) return undefined;
		return await new Promise((resolve) => {
			const waiter: Waiter = {
				isExpected,
				admit: (permit) => {
					cancel?.removeEventListener('abort', giveUp);
					resolve(permit);
				},
			};
			const giveUp = () => {
				this.remove(execution, waiter);
				resolve(undefined);
			};
			cancel?.addEventListener('abort', giveUp, { once: true });
			this.queues.push(execution, waiter);
			this.letGo();
		});
	}

	private letGo(): void {
		const now = this.forget();
		while (this.queues.length > 0) {
			const wanted = Math.max(this.queues.length, this.expected);
			if (wanted > this.allowance - this.slots.taken) this.crowdedUntil = now + windowMs;
			if (this.nextFreeAt(now) > now) break;
			this.letNextGo(now);
		}
		this.setAlarm(now);
	}

	/** When the next request may go, in ms; Infinity when an answer has to come first. */
	private nextFreeAt(now: number): number {
		const { inFlight, gotThrough } = this.slots;
		if (inFlight >= firstFlight + gotThrough) return Infinity;
		const isOneByOne = this.isSharing || now < this.crowdedUntil;
		return Math.max(
			this.share.pausedUntil,
			this.slots.whenBelow(this.allowance) ?? Infinity,
			isOneByOne ? this.nextAt : -Infinity,
		);
	}

	private letNextGo(now: number): void {
		const { execution, waiter } = this.queues.next((one) => this.slots.of(one));
		if (waiter.isExpected) this.expected--;
		waiter.admit(this.newPermit(execution, now));
	}

	private newPermit(execution: string, sentAt: number): Permit {
		this.slots.take(execution);
		this.nextAt = this.turnAfter(sentAt);
		return {
			end: (outcome, pauseMs = 0) => {
				const now = this.forget();
				const late = outcome === 'unanswered' ? Math.min(now - sentAt, mostLate) : 0;
				this.slots.end(execution, outcome === 'accepted', now + late);
				if (outcome === 'refused') {
					this.share.refused(this.allowance, { at: now, sentAt, asked: pauseMs });
				} else if (outcome === 'accepted') {
					this.share.accepted(this.allowance, now);
					this.acceptedAt = now;
				}
				this.letGo();
			},
		};
	}

	/** When the next request may go after one was sent, in ms, while they go one by one. */
	private turnAfter(sentAt: number): number {
		const { nextAt } = this;
		if (this.isSharing) return Math.max(nextAt, sentAt) + windowMs / this.share.perMinute;
		const gap = this.slots.evenGap(this.allowance, sentAt);
		// One that had to wait for its slot does not delay those after it, up to a turn.
		return Math.max(Math.min(nextAt, sentAt), sentAt - gap) + gap;
	}

	/** Forgets what is over, and returns the present moment in ms. */
	private forget(): number {
		const now = this.clock.now();
		this.slots.giveBack(now);
		this.share.forget(now);
		if (this.greater && now >= this.greater.from) {
			this.allowance = this.greater.allowance;
			this.greater = undefined;
		}
		return now;
	}

	private remove(execution: string, waiter: Waiter): void {
		this.queues.remove(execution, waiter);
		if (waiter.isExpected) this.expected--;
		this.setAlarm(this.clock.now());
	}

	/** One timer at most, and none when nothing waits or an answer has to come first. */
	private setAlarm(now: number): void {
		const at = this.queues.length > 0 ? this.nextFreeAt(now) : Infinity;
		if (at === this.alarm?.at) return;
		this.alarm?.off.abort();
		this.alarm = undefined;
		if (at === Infinity) return;

		const alarm = { at, off: new AbortController() };
		this.alarm = alarm;
		void this.clock.wait(at - now, alarm.off.signal).then(() => {
			if (this.alarm !== alarm) return;
			this.alarm = undefined;
			this.letGo();
		});
	}
}
