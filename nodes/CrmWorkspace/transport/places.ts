import { Fifo } from './fifo';

/** The span over which the service counts requests, in ms (interface, Limits: per minute). */
export const windowMs = 60_000;

/** What two clocks may differ in, in ms. */
const marginMs = 50;

/** A request that was answered, or that no answer will come for. */
interface Ended {
	/** When its place comes free, in ms. */
	freeAt: number;
	execution: string;
	isAccepted: boolean;
}

/**
 * The places of a minute. A request takes one when it is sent and has it until a minute after its
 * answer, because the service may have counted it at any moment between. Whoever keeps to N places
 * makes no more than N requests in any minute, however the service counts: in a sliding window, and
 * thereby in a fixed window and by a token bucket too.
 */
export class Places {
	private underWay = 0;

	private readonly ended = new Fifo<Ended>();

	private readonly heldBy = new Map<string, number>();

	private accepted = 0;

	/** How many places are taken. */
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

	/** How many places an execution has. */
	of(execution: string): number {
		return this.heldBy.get(execution) ?? 0;
	}

	/** Takes a place for a request that is sent. */
	take(execution: string): void {
		this.underWay++;
		this.heldBy.set(execution, this.of(execution) + 1);
	}

	/** A request has ended: its place comes free a minute from now. */
	end(execution: string, isAccepted: boolean, now: number): void {
		this.underWay--;
		if (isAccepted) this.accepted++;
		this.ended.push({ freeAt: now + windowMs + marginMs, execution, isAccepted });
	}

	/** Gives back the places whose minute is over. */
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
	 * When fewer than `limit` places are taken, in ms; undefined when that depends on answers that
	 * are not there yet.
	 */
	whenBelow(limit: number): number | undefined {
		const tooMany = this.taken - limit;
		return tooMany < 0 ? -Infinity : this.ended.at(tooMany)?.freeAt;
	}
}
