/**
 * When a request may go. A process that has the key to itself is never refused by the rate limit,
 * however the service counts; several find their shares by what is refused; and no execution waits
 * for another one to be through. All time is that of a `Clock`, so tests bring their own.
 */
import type { Clock } from './clock';
import { Share, windowMs } from './share';

/** What two clocks may differ in, in ms. */
const marginMs = 50;

/**
 * Where there are more slots than this, several come free together, in steps of one ms for so many
 * slots: to take one out of a hundred thousand costs as much as to take out all that are due.
 */
const slotsPerMs = 2000;

/**
 * How many requests may be under way at once before the first answer shows that the key is idle.
 */
const firstFlight = 10;

/**
 * How long after it was given up a request may still arrive, in ms: as long as it had taken until
 * then, and at most this. The slots of all later requests are kept so long, too.
 */
const mostLate = 5_000;

/**
 * Over which part of a minute slots are spread of which none is known to come free. A slot is
 * taken for a little more than a minute, so spreading them over the whole of it would cost more than
 * that once.
 */
const spreadPart = 0.97;

/** For how long there may be no free slot, in ms: what is spread ends sooner by that. */
const mostWithout = 1500;

/** How many of the slots that come free are looked at, to see how far those that are free go. */
const mostLooks = 32;

/**
 * What the rate limit made of a request: let through, whatever else the answer says; throttled; or
 * nobody knows. One that is unsent never reached the service.
 */
export type PermitOutcome = 'letThrough' | 'throttled' | 'unanswered' | 'unsent';

export interface Permit {
	/**
	 * To be called once, when the answer is there or it is clear that none will come.
	 * @param pauseMs how long the service asks to wait, if it throttled the request
	 */
	end(outcome: PermitOutcome, pauseMs?: number): void;
}

interface Applicant {
	execution: string;
	/** Whether it is one of those that were announced: see `announce`. */
	isAnnounced?: boolean;
	cancel?: AbortSignal;
}

/** The slot of a request that was answered, or that no answer will come for. */
interface Ended {
	freeAt: number;
	execution: string;
}

/**
 * Lets requests go at a rate that the service allows for the key. A request takes a slot when it is
 * sent and has it until a minute after its answer, because the service may have counted it at any
 * moment between. No more than `allowance` slots are taken at any time, so a single process is never
 * refused, however the service counts: in a sliding window, and thereby in a fixed window and by a
 * token bucket too. Whoever shares the key with other processes keeps to what refusals teach: see
 * `Share`.
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
 * the last sixty begin after 49 such minutes either way, and then take about a minute instead of no
 * time.
 */
export class Pacer {
	private readonly share = new Share();

	private underWay = 0;

	/** Requests that have ended and still have their slots, the first to come free first. */
	private readonly ended: Ended[] = [];

	private readonly slotsByExecution = new Map<string, number>();

	/** Those who wait for a permit, by execution. */
	private readonly waiting = new Map<string, Set<(permit: Permit) => void>>();

	/** How many requests are certain to come: those that wait, and those that are announced. */
	private wanted = 0;

	/** Until when requests go one by one: a minute after more were wanted than slots were free. */
	private crowdedUntil = -Infinity;

	/** Until when the gap after the last request lasts, for while they go one by one. */
	private gapUntil = -Infinity;

	/** A greater allowance that has been set, and when it takes effect, in ms. */
	private pendingAllowance?: { allowance: number; from: number };

	private letThroughAt = -Infinity;

	private alarm?: { at: number; off: AbortController };

	/** @param allowance requests per minute */
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
		return Math.max(1, Math.floor(Math.min(this.share.perMinute, this.allowance)));
	}

	/** How many requests the minute has room for, besides those that are announced; none while they go one by one. */
	get free(): number {
		const now = this.forget();
		if (this.isOneByOne(now) || this.nextAt(now) > now) return 0;
		return Math.max(0, this.allowance - this.takenSlots - this.wanted);
	}

	/** For how long nothing is let go, in ms, because the service throttled requests. */
	get pause(): number {
		return Math.max(0, this.share.pausedUntil - this.clock.now());
	}

	/** When the service last let a request through, in ms. */
	get lastLetThroughAt(): number {
		return this.letThroughAt;
	}

	/** Whether it can be dropped, because it remembers nothing that still matters. */
	get isIdle(): boolean {
		const now = this.forget();
		const isUsed = this.takenSlots + this.waiting.size > 0;
		return !isUsed && !this.isSharing && this.share.pausedUntil <= now;
	}

	/**
	 * Sets the allowance; what refusals told stays known. A smaller one takes effect at once, a
	 * greater one a minute later: what was sent until now was meant to be all of its minute.
	 */
	setAllowance(requestsPerMinute: number): void {
		const isGreater = requestsPerMinute > this.allowance && this.takenSlots > 0;
		const from = this.pendingAllowance?.from ?? this.clock.now() + windowMs;
		this.pendingAllowance = isGreater ? { allowance: requestsPerMinute, from } : undefined;
		if (!isGreater) this.allowance = requestsPerMinute;
		this.grantPermits();
	}

	/** Announces so many further requests, or takes back so many that were announced. */
	announce(requests: number): void {
		this.wanted += requests;
	}

	/** Waits for a permit to send a request; undefined when `cancel` was aborted first. */
	async admit({ execution, isAnnounced = false, cancel }: Applicant): Promise<Permit | undefined> {
		if (!isAnnounced) this.wanted++;
		if (cancel?.aborted) {
			this.wanted--;
			return undefined;
		}
		return await new Promise((resolve) => {
			const grant = (permit: Permit) => {
				cancel?.removeEventListener('abort', giveUp);
				resolve(permit);
			};
			const giveUp = () => {
				this.stopWaiting(execution, grant);
				this.setAlarm(this.clock.now());
				resolve(undefined);
			};
			cancel?.addEventListener('abort', giveUp, { once: true });
			const others = this.waiting.get(execution) ?? new Set();
			this.waiting.set(execution, others.add(grant));
			this.grantPermits();
		});
	}

	private get takenSlots(): number {
		return this.underWay + this.ended.length;
	}

	/** Whether refusals told that the key is used elsewhere too. */
	private get isSharing(): boolean {
		return this.share.perMinute < this.allowance;
	}

	private isOneByOne(now: number): boolean {
		return this.isSharing || now < this.crowdedUntil;
	}

	/** When the next request may go, in ms; Infinity when an answer has to come first. */
	private nextAt(now: number): number {
		if (this.underWay >= firstFlight + this.ended.length) return Infinity;
		const tooMany = this.takenSlots - this.allowance;
		const slotAt = tooMany < 0 ? -Infinity : (this.ended[tooMany]?.freeAt ?? Infinity);
		const gapUntil = this.isOneByOne(now) ? this.gapUntil : -Infinity;
		return Math.max(this.share.pausedUntil, slotAt, gapUntil);
	}

	private grantPermits(): void {
		const now = this.forget();
		while (this.waiting.size > 0) {
			if (this.wanted > this.allowance - this.takenSlots) this.crowdedUntil = now + windowMs;
			if (this.nextAt(now) > now) break;
			const execution = this.nextExecution();
			const others = this.waiting.get(execution)!;
			const [grant] = others;
			// Its others wait behind all other executions.
			this.waiting.delete(execution);
			this.waiting.set(execution, others);
			this.stopWaiting(execution, grant);
			grant(this.newPermit(execution, now));
		}
		this.setAlarm(now);
	}

	/** Of those that wait the one with the fewest slots, and of several such the one let go longest ago. */
	private nextExecution(): string {
		let next = '';
		let fewest = Infinity;
		for (const execution of this.waiting.keys()) {
			const slots = this.slotsOf(execution);
			if (slots < fewest) [next, fewest] = [execution, slots];
			if (fewest === 0) break;
		}
		return next;
	}

	private newPermit(execution: string, sentAt: number): Permit {
		this.underWay++;
		this.slotsByExecution.set(execution, this.slotsOf(execution) + 1);
		const gap = this.isSharing ? windowMs / this.share.perMinute : this.evenGap(sentAt);
		// One that had to wait for its slot does not delay those after it, up to a gap.
		const delay = this.isSharing ? 0 : Math.min(gap, Math.max(0, sentAt - this.gapUntil));
		this.gapUntil = sentAt - delay + gap;
		return {
			end: (outcome, pauseMs = 0) => {
				const now = this.forget();
				const late = outcome === 'unanswered' ? Math.min(now - sentAt, mostLate) : 0;
				this.underWay--;
				if (outcome === 'unsent') {
					this.giveBackSlot(execution);
					this.gapUntil -= gap;
					// Where nothing has arrived, nothing is crowded.
					if (this.takenSlots === 0) this.crowdedUntil = -Infinity;
				} else this.keepSlot(execution, now + late);
				if (outcome === 'throttled') {
					this.share.throttled(this.allowance, { at: now, sentAt, askedWait: pauseMs });
				} else if (outcome === 'letThrough') {
					this.share.letThrough(this.allowance, now);
					this.letThroughAt = now;
				}
				this.grantPermits();
			},
		};
	}

	/** The gap between requests, in ms, with which the free slots last until others come free. */
	private evenGap(now: number): number {
		const free = this.allowance - this.takenSlots;
		let gap = (spreadPart * windowMs) / Math.max(1, this.allowance - this.underWay + 1);
		const step = Math.ceil(this.ended.length / mostLooks);
		for (let index = 0; index < this.ended.length; index += step) {
			const gaps = free + index + 1;
			const until = this.ended[index].freeAt - mostWithout;
			if (gaps > 0) gap = Math.max(gap, (until - now) / gaps);
		}
		return gap;
	}

	private slotsOf(execution: string): number {
		return this.slotsByExecution.get(execution) ?? 0;
	}

	/** A request keeps its slot for a minute from when the service has counted it at the latest. */
	private keepSlot(execution: string, arrivedBy: number): void {
		const last = this.ended.at(-1)?.freeAt ?? -Infinity;
		const step = 1 + Math.floor(this.ended.length / slotsPerMs);
		const until = Math.ceil((arrivedBy + windowMs + marginMs) / step) * step;
		this.ended.push({ freeAt: Math.max(last, until), execution });
	}

	private giveBackSlot(execution: string): void {
		const slots = this.slotsOf(execution) - 1;
		if (slots > 0) this.slotsByExecution.set(execution, slots);
		else this.slotsByExecution.delete(execution);
	}

	/** Forgets what is over, and returns the present moment in ms. */
	private forget(): number {
		const now = this.clock.now();
		this.share.forget(now);
		if (this.pendingAllowance && now >= this.pendingAllowance.from) {
			this.allowance = this.pendingAllowance.allowance;
			this.pendingAllowance = undefined;
		}
		let over = 0;
		while (this.ended[over]?.freeAt <= now) over++;
		if (over > 0)
			for (const { execution } of this.ended.splice(0, over)) this.giveBackSlot(execution);
		return now;
	}

	private stopWaiting(execution: string, grant: (permit: Permit) => void): void {
		const others = this.waiting.get(execution);
		others?.delete(grant);
		if (others?.size === 0) this.waiting.delete(execution);
		this.wanted--;
	}

	/** One timer at most, and none when nothing waits or an answer has to come first. */
	private setAlarm(now: number): void {
		const at = this.waiting.size > 0 ? this.nextAt(now) : Infinity;
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
