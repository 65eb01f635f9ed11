import { maxLinks } from '../../service/idempotencyKey';
import type { Claim, Place, Remembered } from './memory';
import { isSame, placeAfter, type Answer, type Verdict } from './placeAfter';

/** A message that items ask to send. */
export interface Intent {
	/**
	 * Names it among the intents of its turn, and is the same in the next try: the item's index if
	 * the items come in the same order again, else a fingerprint of the message.
	 */
	readonly name: string;
	/** Whether it is sent again, at the next place, after its send has failed at the service. */
	readonly sendsAgain: boolean;
	/** Whether it is done when the service takes it and does not deliver it. */
	readonly mayBeRejected: boolean;
}

/** The turn and execution that send now. */
export interface Sender {
	/** See `Lineage`. */
	turn: string;
	isOrdered: boolean;
	isComplete: boolean;
	/** The index of the execution in the memory. */
	execution: number;
	/** The places whose messages were asked for and are done in this try of the turn. */
	done: Set<number>;
}

/** An intent is to be sent under the key of a place; the answer is wanted. */
interface Ask<I extends Intent> {
	intent: I;
	place: number;
}

/** How an intent ends in this run. */
export interface End<I extends Intent> {
	intent: I;
	/**
	 * A verdict, or why it is not sent:
	 * - other: another message is where this one may be, and may be this one in other words
	 * - notAgain: its send has failed, and it is not to be sent again
	 * - usedUp: its sends have failed too often
	 */
	end: Exclude<Verdict, 'told' | 'next'> | 'other' | 'notAgain' | 'usedUp';
	/** The last place where it was tried, and what was known of that before. */
	place?: number;
	known: Place | null;
	/** How many of its sends have failed. */
	failures: number;
}

/**
 * All messages that a run sends to one recipient, and the places that they take. In a turn that is
 * tried again, those that may have a place already are tried there and nowhere else; the others take
 * the first ones that are free. Where nothing is remembered, as after a crash, the answers of the
 * service tell which message is at which place.
 *
 * An idempotency key of the user's is a plan of one intent: its further places are used only after a
 * send has failed at the service.
 */
export class Plan<I extends Intent> {
	/** Those that have not ended yet. */
	private readonly left = new Set<I>();

	/** Those that were told of another message at a place of their own, until it is known whose it is. */
	private readonly bound = new Map<I, number>();

	/** Calls of an agent that may be other words for a message that its turn has sent. */
	private readonly rewords = new Set<I>();

	private failures = new Map<string, number>();

	/** @param remembered what is remembered, changed as more becomes known */
	constructor(
		private readonly remembered: Remembered,
		private readonly sender: Sender,
	) {}

	/** All intents of a run are added before its first step. */
	add(intent: I): void {
		this.left.add(intent);
	}

	/**
	 * What to ask of the service, one after another, and how each intent ends. Nothing else of the
	 * recipient may be under way meanwhile.
	 */
	*steps(): Generator<Ask<I> | End<I>, void, Answer> {
		this.failures = this.countFailures();
		for (const [intent, places] of this.ownPlaces()) {
			const own = places.filter((place) => this.isOwn(intent, place));
			if (own.length > 1) yield this.ended(intent, 'other');
			if (own.length !== 1) continue;
			if ((yield* this.ask(intent, own[0])) === 'told') this.bound.set(intent, own[0]);
		}
		for (let place = 0; this.left.size > 0; place++) {
			for (const intent of this.left) {
				if (!this.isFree(place)) break;
				if (!this.bound.has(intent)) yield* this.askUnlessOver(intent, place);
			}
			yield* this.decide(place);
		}
	}

	/**
	 * When all have been told that another message is at a place: those that may be that one in other
	 * words end there, the others go on.
	 */
	private *decide(place: number): Generator<End<I>, void, Answer> {
		const isFree = this.isFree(place);
		for (const intent of isFree ? this.left : this.bound.keys()) {
			const at = this.bound.get(intent) ?? place;
			if (at !== place) continue;
			const known = this.rewords.has(intent) ? null : this.at(place);
			if (this.mayBe(intent, place)) yield this.ended(intent, 'other', place, known);
			else this.bound.delete(intent);
		}
	}

	private *askUnlessOver(intent: I, place: number): Generator<Ask<I> | End<I>, void, Answer> {
		const failures = this.failures.get(intent.name) ?? 0;
		if (failures > 0 && !intent.sendsAgain) yield this.ended(intent, 'notAgain');
		else if (failures >= maxLinks) yield this.ended(intent, 'usedUp');
		else yield* this.ask(intent, place);
	}

	private *ask(intent: I, place: number): Generator<Ask<I> | End<I>, Verdict, Answer> {
		const before = this.at(place);
		const claim = this.claimOf(intent, before);
		// Noted before it is sent: a run that is stopped may end before the answer comes.
		this.set(place, placeAfter(before, 'lost', claim).place);
		const answer = yield { intent, place };
		const { place: after, verdict } = placeAfter(before, answer, claim);
		this.set(place, after);
		if (after?.fate === 'failed') this.failures = this.countFailures();
		if (!this.sender.isOrdered) this.noteUnsent(before, claim, verdict);
		if (answer === 'sent' || (verdict === 'done' && intent.mayBeRejected)) {
			this.sender.done.add(place);
		}
		if (verdict !== 'told' && verdict !== 'next') yield this.ended(intent, verdict, place, before);
		return verdict;
	}

	private ended(intent: I, end: End<I>['end'], place?: number, known: Place | null = null): End<I> {
		this.left.delete(intent);
		this.bound.delete(intent);
		return { intent, end, place, known, failures: this.failures.get(intent.name) ?? 0 };
	}

	/**
	 * The places that intents may have had in an earlier try of their turn. An agent's calls have no
	 * order: one that the turn does not know may be other words for any of its messages, unless this
	 * try has asked for those, too.
	 */
	private ownPlaces(): Map<I, number[]> {
		const { isOrdered, done } = this.sender;
		const known = this.placesByName(({ fate }, place) => fate !== 'failed' && !done.has(place));
		const own = new Map<I, number[]>();
		for (const intent of this.left) {
			const place = known.get(intent.name)?.shift();
			if (place !== undefined) own.set(intent, [place]);
		}
		if (isOrdered) return own;
		const others = [...new Set([...known.values()].flat())];
		for (const intent of this.left) {
			if (own.has(intent) || this.failures.has(intent.name) || this.isUnsent(intent)) continue;
			this.rewords.add(intent);
			own.set(
				intent,
				others.filter((place) => this.at(place)?.fate !== 'rejected'),
			);
		}
		return own;
	}

	/** The places of this turn for which something holds, by the names of their messages. */
	private placesByName(holds: (known: Place, place: number) => boolean): Map<string, number[]> {
		const byName = new Map<string, number[]>();
		for (const [place, known] of this.remembered.places.entries()) {
			if (!known || !holds(known, place)) continue;
			for (const { turn, name } of known.claims) {
				if (turn !== this.sender.turn) continue;
				byName.set(name, [...(byName.get(name) ?? []), place]);
			}
		}
		return byName;
	}

	private countFailures(): Map<string, number> {
		const failed = this.placesByName(({ fate }) => fate === 'failed');
		return new Map([...failed].map(([name, places]) => [name, places.length]));
	}

	/** Whether an intent, or one of which it may be other words, may be at a place. */
	private isOwn(intent: I, place: number): boolean {
		const rewords = this.rewords.has(intent);
		const { turn } = this.sender;
		const claims = this.at(place)?.claims ?? [];
		return claims.some((claim) => claim.turn === turn && (rewords || claim.name === intent.name));
	}

	/** Whether the other message that is at a place may be this one in other words. */
	private mayBe(intent: I, place: number): boolean {
		const known = this.at(place);
		if (known === null || (known.fate === 'open' && !this.sender.isComplete)) return true;
		return this.isOwn(intent, place);
	}

	/** Whether a message without a place may be tried at this one. */
	private isFree(place: number): boolean {
		const known = this.at(place);
		if (known === null || known.fate === 'open') return true;
		// An item that is led back to the node is of a new turn, and its message may be delivered yet.
		return known.fate === 'doubtful' && !known.claims.some(({ turn }) => turn === this.sender.turn);
	}

	private claimOf({ name }: Intent, before: Place | null): Claim {
		const { turn, execution } = this.sender;
		const claim = { turn, name, execution };
		const known = before?.claims.find((one) => isSame(one, claim));
		if (known && before?.fate === 'open' && known.execution !== execution) {
			return { ...known, until: execution };
		}
		return known ?? claim;
	}

	/** Notes which messages of an agent were tried at a place and are at none. */
	private noteUnsent(before: Place | null, claim: Claim, verdict: Verdict): void {
		if (verdict === 'refused' && before === null) this.remembered.unsent.push(nameOf(claim));
		if (verdict !== 'done') return;
		const others = before?.fate === 'open' ? before.claims : [];
		const displaced = others.filter(({ turn }) => turn === claim.turn).map(nameOf);
		const unsent = new Set([...this.remembered.unsent, ...displaced]);
		unsent.delete(nameOf(claim));
		this.remembered.unsent = [...unsent];
	}

	private isUnsent({ name }: Intent): boolean {
		return this.remembered.unsent.includes(nameOf({ turn: this.sender.turn, name }));
	}

	private at(place: number): Place | null {
		return this.remembered.places[place] ?? null;
	}

	private set(place: number, known: Place | null): void {
		const { places } = this.remembered;
		while (places.length < place) places.push(null);
		places[place] = known;
	}
}

function nameOf({ turn, name }: Pick<Claim, 'turn' | 'name'>): string {
	return `${turn} ${name}`;
}
