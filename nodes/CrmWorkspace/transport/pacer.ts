import type { Clock } from './clock';
import { Fifo } from './fifo';

/** The span over which the service counts requests, in ms (interface, Limits: per minute). */
const windowMs = 60_000;

/** What two clocks may differ in, in ms. */
const marginMs = 100;

/**
 * Over how long at least a minute's allowance is spread from the second minute on, in ms: with no
 * gap at all, someone else who uses the key would never find a place.
 */
const spreadMs = 800;

/** For how long after a refusal another one means that the key is used elsewhere too, in ms. */
const cautionMs = 2 * windowMs;

/** How much of what got through is tried next after further refusals. */
const decrease = 0.95;

/**
 * Part of the allowance that is tried in addition after two minutes without a refusal; each
 * further minute doubles the step, so that a key that is free again is soon used in full.
 */
const firstIncrease = 1 / 8;

/** How long it takes to be back at the whole allowance at the latest, in ms: see `speedUp`. */
const recovery = 10 * windowMs;

/** Leave to send one request. */
export interface Pass {
	/** To be called once, when the answer is there or it is clear that none will come. */
	end(outcome: 'accepted' | 'refused', pauseMs?: number): void;
}

interface Waiter {
	admit: (pass: Pass) => void;
}

/**
 * Lets requests go so that the service, however it counts, sees no more than `requestsPerMinute`
 * in any minute: a request may have been counted at any moment until its answer arrived, so it
 * holds its place until a minute after that. This satisfies a sliding window, and thereby a fixed
 * window and a token bucket too. An idle pacer lets a whole minute's allowance go at once.
 *
 * Waiting executions take turns, each in the order of its own requests.
 *
 * After a refusal (429) the pacer sends one request at a time for two minutes, so that the next
 * refusal is one and not a burst. If there is another, someone else uses the same key. It then
 * keeps to half the allowance, after further refusals to a little less than what got through, and
 * tries more again minute by minute, one request at a time until it is back at the whole allowance.
 * Ten minutes after the last refusal it has forgotten all of it.
 */
export class Pacer {
	/** How many requests per minute the service was seen to let through, while others use the key. */
	private learned = Infinity;

	private inFlight = 0;

	private readonly ended = new Fifo<{ at: number; refused: boolean }>();

	private readonly queues = new Map<string, Fifo<Waiter>>();

	private pausedUntil = -Infinity;

	private limitChangedAt = -Infinity;

	private step = 0;

	private refusedAt = -Infinity;

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
		return Math.floor(this.limit);
	}

	/** For how long nothing is let go, in ms, because refusals asked for it. */
	get pause(): number {
		return Math.max(0, this.pausedUntil - this.clock.now());
	}

	/** Sets the allowance. A changed one takes effect at once; what refusals told stays known. */
	setAllowance(requestsPerMinute: number): void {
		if (requestsPerMinute === this.allowance) return;
		this.allowance = requestsPerMinute;
		this.letGo();
	}

	/** Whether refusals told that the key is used elsewhere too. */
	get isSharing(): boolean {
		return this.limit < this.allowance;
	}

	private get limit(): number {
		return Math.min(this.learned, this.allowance);
	}

	private get isCautious(): boolean {
		const resumedAt = Math.max(this.refusedAt, this.pausedUntil);
		return this.isSharing || this.clock.now() - resumedAt < cautionMs;
	}

	/** Whether it remembers nothing that matters any more. */
	get isIdle(): boolean {
		this.forget();
		return (
			this.inFlight + this.ended.length + this.queues.size === 0 &&
			!this.isCautious &&
			this.pausedUntil <= this.clock.now()
		);
	}

	/**
	 * Waits for leave to send a request; undefined when `cancel` was aborted first.
	 * @param execution whose request it is: executions take turns
	 */
	async admit(execution: string, cancel?: AbortSignal): Promise<Pass | undefined> {
		if (cancel?.aborted) return undefined;
		return await new Promise((resolve) => {
			const waiter: Waiter = {
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
			const queue = this.queues.get(execution) ?? new Fifo<Waiter>();
			queue.push(waiter);
			this.queues.set(execution, queue);
			this.letGo();
		});
	}

	private letGo(): void {
		this.forget();
		while (this.queues.size > 0 && this.hasRoom()) this.nextInTurn().admit(this.newPass());
		this.setAlarm();
	}

	private hasRoom(): boolean {
		return (
			this.inFlight + this.ended.length < this.requestsPerMinute &&
			!(this.isCautious && this.inFlight > 0) &&
			this.pausedUntil <= this.clock.now()
		);
	}

	private nextInTurn(): Waiter {
		const [execution, queue] = this.queues.entries().next().value!;
		const waiter = queue.shift()!;
		this.queues.delete(execution);
		if (queue.length > 0) this.queues.set(execution, queue);
		return waiter;
	}

	private newPass(): Pass {
		const sentAt = this.clock.now();
		this.inFlight++;
		return {
			end: (outcome, pauseMs = 0) => {
				this.inFlight--;
				this.ended.push({ at: this.nextPlaceAt, refused: outcome === 'refused' });
				if (outcome === 'refused') this.slowDown(sentAt, pauseMs);
				else this.speedUp();
				this.letGo();
			},
		};
	}

	/** From when on a request that has just ended holds its place. */
	private get nextPlaceAt(): number {
		const last = this.ended.at(this.ended.length - 1)?.at ?? -Infinity;
		return Math.max(this.clock.now(), last + spreadMs / this.allowance);
	}

	private slowDown(sentAt: number, pauseMs: number): void {
		const now = this.clock.now();
		const wasCautious = this.isCautious;
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		// Requests that were under way when the last refusal came tell nothing new.
		if (sentAt <= this.refusedAt) return;
		this.refusedAt = now;
		if (!wasCautious) return;

		// Whatever the others do meanwhile: not before a place of its own is free again.
		this.pausedUntil = Math.max(this.pausedUntil, this.ended.at(0)!.at + windowMs + marginMs);
		this.learned = Math.max(1, Math.floor(this.isSharing ? this.lessThanNow : this.allowance / 2));
		this.step = firstIncrease * this.allowance;
		this.limitChangedAt = now;
	}

	private get lessThanNow(): number {
		const accepted = this.ended.toArray().filter(({ refused }) => !refused);
		const gotThrough = accepted.length + this.inFlight;
		// Little may get through because others were earlier: half at most is given up at once.
		return Math.max(this.limit / 2, decrease * Math.min(this.limit, gotThrough));
	}

	private speedUp(): void {
		const quietSince = Math.max(this.limitChangedAt, this.refusedAt + windowMs);
		if (!this.isSharing || this.clock.now() - quietSince < windowMs) return;
		this.learned = this.limit + this.step;
		this.step *= 2;
		this.limitChangedAt = this.clock.now();
	}

	private forget(): void {
		const before = this.clock.now() - windowMs - marginMs;
		while ((this.ended.at(0)?.at ?? Infinity) <= before) this.ended.shift();
		if (this.clock.now() - this.refusedAt >= recovery) this.learned = Infinity;
	}

	private remove(execution: string, waiter: Waiter): void {
		const queue = this.queues.get(execution);
		queue?.remove(waiter);
		if (queue?.length === 0) this.queues.delete(execution);
		this.setAlarm();
	}

	/** One timer at most, and none when nothing waits or an answer has to come first. */
	private setAlarm(): void {
		const at = this.queues.size > 0 ? this.nextRoomAt() : undefined;
		if (at === this.alarm?.at) return;
		this.alarm?.off.abort();
		this.alarm = undefined;
		if (at === undefined) return;

		const alarm = { at, off: new AbortController() };
		this.alarm = alarm;
		void this.clock.wait(at - this.clock.now(), alarm.off.signal).then(() => {
			if (this.alarm !== alarm) return;
			this.alarm = undefined;
			this.letGo();
		});
	}

	/** When the next request may go, as far as that is known without further answers. */
	private nextRoomAt(): number | undefined {
		if (this.isCautious && this.inFlight > 0) return undefined;
		const tooMany = this.inFlight + this.ended.length - this.requestsPerMinute;
		if (tooMany < 0) return this.pausedUntil;
		const freed = this.ended.at(tooMany);
		return freed && Math.max(this.pausedUntil, freed.at + windowMs + marginMs);
	}
}
