import type { Clock } from './clock';
import { Places, windowMs } from './places';
import { Queues } from './queues';
import { Share } from './share';

/** How many requests are under way at once before the first answer shows that the key is free. */
const firstFlight = 10;

/**
 * How long after it was given up a request may arrive at most, in ms: it may take as long again as
 * it did. The places of all that come after it are kept so long too.
 */
const mostLate = 5_000;

/** Leave to send one request. */
export interface Pass {
	/** To be called once, when the answer is there or it is clear that none will come. */
	end(outcome: 'accepted' | 'refused' | 'unanswered', pauseMs?: number): void;
}

/** A request that asks for leave. */
export interface Applicant {
	/** The execution whose request it is. */
	execution: string;
	/** Whether it is one of those that were said to come: see `expect`. */
	isExpected?: boolean;
	/** Ends the wait. */
	cancel?: AbortSignal;
}

interface Waiter {
	isExpected: boolean;
	admit: (pass: Pass) => void;
}

/**
 * Lets requests go at the pace of a key. No more than `allowance` places are taken at any time: see
 * `Places`. So a lone process is never refused.
 *
 * What fits goes at once. As soon as more is wanted than there are places free, requests go one by
 * one, so far apart that the free places last until others come free, and the execution that has the
 * fewest places goes first. With 60 a minute on an idle key that is a place every second: an
 * execution that asks for its first one has it by then, however much others have to do. Where 30
 * places were taken at once just before, the other 30 have to last for the minute, so it is one every
 * 2 s.
 *
 * What that costs a run is once, and less than a minute. Each place is used again 60.05 s and the
 * time of an answer after it was used, whether the places are spread or not. So of 3,000 requests the
 * last sixty begin after 49 such rounds either way, and then take about a minute instead of no time.
 *
 * Whoever shares the key with other processes keeps to what refusals teach: see `Share`.
 */
export class Pacer {
	private readonly places = new Places();

	private readonly share = new Share();

	private readonly queues = new Queues<Waiter>();

	/** A greater allowance that is to take effect, and from when on, in ms. */
	private greater?: { allowance: number; from: number };

	/** How many requests are certain to come, those that wait included. */
	private expected = 0;

	/** Until when requests go one by one: a minute after more was wanted than there was room for. */
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
		return isOneByOne ? 0 : Math.max(0, this.allowance - this.places.taken - wanted);
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
	 * Sets the allowance; what refusals told stays known. A smaller one takes effect at once, a greater
	 * one a minute later: what was sent until now was meant to be all of its minute.
	 */
	setAllowance(requestsPerMinute: number): void {
		const isGreater = requestsPerMinute > this.allowance && this.places.taken > 0;
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

	/** Whether it remembers nothing that matters any more. */
	get isIdle(): boolean {
		const now = this.forget();
		return (
			this.places.taken + this.queues.length === 0 &&
			!this.isSharing &&
			this.share.pausedUntil <= now
		);
	}

	/** So many requests more are certain to come, or so many fewer. */
	expect(requests: number): void {
		this.expected += requests;
	}

	/** Waits for leave to send a request; gives undefined when `cancel` was aborted first. */
	async admit({ execution, isExpected = false, cancel }: Applicant): Promise<Pass | undefined> {
		if (cancel?.aborted) return undefined;
		return await new Promise((resolve) => {
			const waiter: Waiter = {
				isExpected,
				admit: (pass) => {
					cancel?.removeEventListener('abort', giveUp);
					resolve(pass);
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
			if (wanted > this.allowance - this.places.taken) this.crowdedUntil = now + windowMs;
			if (this.nextRoomAt(now) > now) break;
			this.letNextGo(now);
		}
		this.setAlarm(now);
	}

	/** When the next request may go, in ms; Infinity when an answer has to come first. */
	private nextRoomAt(now: number): number {
		const { inFlight, gotThrough } = this.places;
		if (inFlight >= firstFlight + gotThrough) return Infinity;
		const isOneByOne = this.isSharing || now < this.crowdedUntil;
		return Math.max(
			this.share.pausedUntil,
			this.places.whenBelow(this.allowance) ?? Infinity,
			isOneByOne ? this.nextAt : -Infinity,
		);
	}

	private letNextGo(now: number): void {
		const { execution, waiter } = this.queues.next((one) => this.places.of(one));
		if (waiter.isExpected) this.expected--;
		waiter.admit(this.newPass(execution, now));
	}

	private newPass(execution: string, sentAt: number): Pass {
		this.places.take(execution);
		this.nextAt = this.turnAfter(sentAt);
		return {
			end: (outcome, pauseMs = 0) => {
				const now = this.forget();
				const late = outcome === 'unanswered' ? Math.min(now - sentAt, mostLate) : 0;
				this.places.end(execution, outcome === 'accepted', now + late);
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
		const gap = this.places.evenGap(this.allowance, sentAt);
		// One that had to wait for its place does not delay those after it, up to a turn.
		return Math.max(Math.min(nextAt, sentAt), sentAt - gap) + gap;
	}

	/** Forgets what is over. Gives the present moment, in ms. */
	private forget(): number {
		const now = this.clock.now();
		this.places.giveBack(now);
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
		const at = this.queues.length > 0 ? this.nextRoomAt(now) : Infinity;
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
