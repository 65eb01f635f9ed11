import { Fifo } from './fifo';

/** The span over which the service counts requests, in ms. Interface: LIMIT-1. */
export const windowMs = 60_000;

/** What two clocks may differ in, in ms. */
const marginMs = 50;

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

/** A request that was answered, or that no answer will come for. */
interface Ended {
	/** When its slot comes free, in ms. */
	freeAt: number;
	execution: string;
	isAccepted: boolean;
}

/**
 * The slots of a minute. A request takes one when it is sent and has it until a minute after its
 * answer, because the service may have counted it at any moment between. Whoever keeps to N slots
 * makes no more than N requests in any minute, however the service counts: in a sliding window, and
 * thereby in a fixed window and by a token bucket too.
 */
export class Slots {
	private underWay = 0;

	private readonly ended = new Fifo<Ended>();

	private readonly heldBy = new Map<string, number>();

	private accepted = 0;

	/** How many slots are taken. */
	get taken(): number {
		return this.underWay + this.ended.length;
	}

	/** How many requests have no answer yet. */
	get inFlight(): number {
		return this.underWay;
	}

	/** How many requests of the last minute were let through. */
	get gotThrough(): number {
		return this.accepted;
	}

	/** How many slots an execution has. */
	of(execution: string): number {
		return this.heldBy.get(execution) ?? 0;
	}

	/** Takes a slot for a request that is sent. */
	take(execution: string): void {
		this.underWay++;
		this.heldBy.set(execution, this.of(execution) + 1);
	}

	/**
	 * A request has ended: its slot comes free a minute from now.
	 * @param arrivedBy when the service has counted it at the latest, in ms: a request that was given
	 * up may arrive after that
	 */
	end(execution: string, isAccepted: boolean, arrivedBy: number): void {
		this.underWay--;
		if (isAccepted) this.accepted++;
		const last = this.ended.at(this.ended.length - 1)?.freeAt ?? -Infinity;
		const freeAt = Math.max(last, arrivedBy + windowMs + marginMs);
		this.ended.push({ freeAt, execution, isAccepted });
	}

	/**
	 * The gap between requests, in ms, with which the slots that are free last until others come
	 * free, so that there is one for each turn.
	 * @param limit how many slots there are
	 */
	evenGap(limit: number, now: number): number {
		const free = limit - this.taken;
		let gap = (spreadPart * windowMs) / Math.max(1, limit - this.underWay + 1);
		const step = Math.ceil(this.ended.length / mostLooks);
		for (let index = 0; index < this.ended.length; index += step) {
			const turns = free + index + 1;
			const until = this.ended.at(index)!.freeAt - mostWithout;
			if (turns > 0) gap = Math.max(gap, (until - now) / turns);
		}
		return gap;
	}

	/** Gives back the slots whose minute is over. */
	giveBack(now: number): void {
		while ((this.ended.at(0)?.freeAt ?? Infinity) <= now) {
			const { execution, isAccepted } = this.ended.shift()!;
			if (isAccepted) this.accepted--;
			const held = this.of(execution) - 1;
			if (held > 0) this.heldBy.set(execution, held);
			else this.heldBy.delete(execution);
		}
	}

	/**
	 * When fewer than `limit` slots are taken, in ms; undefined when that depends on answers that
	 * are not there yet.
	 */
	whenBelow(limit: number): number | undefined {
		const tooMany = this.taken - limit;
		return tooMany < 0 ? -Infinity : this.ended.at(tooMany)?.freeAt;
	}
}
