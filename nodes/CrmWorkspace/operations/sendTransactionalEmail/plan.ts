import { maxKeysPerMessage } from '../../service/idempotencyKey';
import type { Claim, Place } from './memory';
import { areOfOneMessage, placeAfter, type Answer, type Verdict } from './placeAfter';

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
	/** Whether all that was ever tried is remembered. */
	remembersAll: boolean;
	/** The index of the execution in the memory. */
	execution: number;
	/** The places whose messages were asked for and are done in this try of the turn. */
	donePlaces: WeakSet<Place>;
}

/** An intent is to be sent under the key of a place; the answer is wanted. */
interface Ask<I extends Intent> {
	intent: I;
	place: number;
}

export interface End<I extends Intent> {
	intent: I;
	/**
	 * The verdict of its last answer, or why it is not sent:
	 * - undecided: another message is where this one may be, and may be this one in other words
	 * - notAgain: its send has failed, and it is not to be sent again
	 * - usedUp: its sends have failed too often
	 */
	verdict: Exclude<Verdict, 'occupied' | 'next'> | 'undecided' | 'notAgain' | 'usedUp';
	/** The last place where it was tried, and what was known of that before. */
	place?: number;
	known: Place | null;
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
 *
 * docs/what-a-message-is-known-by.md has the rules in words.
 */
export class Plan<I extends Intent> {
	/** Those that have not ended yet. */
	private readonly pending = new Set<I>();

	/** The place that each has claimed of those that wait until it is known which message is there. */
	private readonly waiting = new Map<I, number>();

	/** Calls of an agent that may be other words for a message that its turn has sent. */
	private readonly rewordings = new Set<I>();

	private readonly failures = new Map<string, number>();

	/** @param places what is remembered of them, changed as more becomes known; null for nothing */
	constructor(
		private readonly places: Array<Place | null>,
		private readonly sender: Sender,
	) {}

	/** All intents of a run are added before its first step. */
	add(intent: I): void {
		this.pending.add(intent);
	}

	/**
	 * What to ask of the service, one after another, and how each intent ends. Nothing else of the
	 * recipient may be under way meanwhile.
	 */
	*steps(): Generator<Ask<I> | End<I>, void, Answer> {
		for (const known of this.places) this.countFailures(known);
		for (const [intent, place] of this.claimedPlaces()) {
			// A message that was tried before may have settled it.
			if (!this.hasClaim(intent, place)) continue;
			const verdict = yield* this.ask(intent, place);
			if (verdict === 'occupied') this.waiting.set(intent, place);
		}
		for (let place = 0; this.pending.size > 0; place++) {
			for (const intent of this.pending) {
				if (!this.isFree(place)) break;
				if (!this.waiting.has(intent)) yield* this.askUnlessFailed(intent, place);
			}
			yield* this.decide(place);
		}
	}

	/**
	 * When all have been told that another message is at a place: those that may be that one in other
	 * words end there, the others go on.
	 */
	private *decide(place: number): Generator<End<I>, void, Answer> {
		const triedHere = this.isFree(place) ? this.pending : this.waiting.keys();
		for (const intent of triedHere) {
			if ((this.waiting.get(intent) ?? place) !== place) continue;
			// What is known of it is about another message, as far as that is known.
			const known = this.rewordings.has(intent) ? null : this.at(place);
			if (this.mayBeAt(intent, place)) yield this.ended(intent, 'undecided', place, known);
			else this.waiting.delete(intent);
		}
	}

	private *askUnlessFailed(intent: I, place: number): Generator<Ask<I> | End<I>, void, Answer> {
		const failures = this.failures.get(intent.name) ?? 0;
		if (failures > 0 && !intent.sendsAgain) yield this.ended(intent, 'notAgain');
		else if (failures >= maxKeysPerMessage) yield this.ended(intent, 'usedUp');
		else yield* this.ask(intent, place);
	}

	private *ask(intent: I, place: number): Generator<Ask<I> | End<I>, Verdict, Answer> {
		const { remembersAll, donePlaces } = this.sender;
		const before = this.at(place);
		const claim = this.claimOf(intent, before);
		const answer = yield { intent, place };
		const { place: after, verdict } = placeAfter(before, answer, claim, remembersAll);
		this.set(place, after);
		this.countFailures(after);
		if (after && (answer === 'sent' || (verdict === 'done' && intent.mayBeRejected))) {
			donePlaces.add(after);
		}
		if (verdict !== 'occupied' && verdict !== 'next') {
			yield this.ended(intent, verdict, place, before);
		}
		return verdict;
	}

	private ended(
		intent: I,
		verdict: End<I>['verdict'],
		place?: number,
		known: Place | null = null,
	): End<I> {
		this.pending.delete(intent);
		this.waiting.delete(intent);
		return { intent, verdict, place, known, failures: this.failures.get(intent.name) ?? 0 };
	}

	/**
	 * The place that each intent may have had in an earlier try of its turn. An agent's calls have no
	 * order: one that has no place may be other words for any message of its turn, unless this try has
	 * asked for that one, too.
	 */
	private claimedPlaces(): Map<I, number> {
		const byName = this.placesByName();
		const claimed = new Map<I, number>();
		for (const intent of this.pending) {
			const place = byName.get(intent.name)?.shift();
			if (place !== undefined) claimed.set(intent, place);
		}
		if (this.sender.isOrdered) return claimed;
		const mayBeReworded = [...byName.values()]
			.flat()
			.find((place) => this.at(place)?.fate !== 'rejected');
		for (const intent of this.pending) {
			if (claimed.has(intent)) continue;
			this.rewordings.add(intent);
			if (mayBeReworded !== undefined) claimed.set(intent, mayBeReworded);
		}
		return claimed;
	}

	/** The places of this turn, but those of failed sends and of what is done in this try. */
	private placesByName(): Map<string, number[]> {
		const byName = new Map<string, number[]>();
		for (const [place, known] of this.places.entries()) {
			if (!known || known.fate === 'failed' || this.sender.donePlaces.has(known)) continue;
			for (const { name } of this.claimsOfTurn(known)) {
				byName.set(name, [...(byName.get(name) ?? []), place]);
			}
		}
		return byName;
	}

	private countFailures(known: Place | null): void {
		if (known?.fate !== 'failed') return;
		for (const { name } of this.claimsOfTurn(known)) {
			this.failures.set(name, (this.failures.get(name) ?? 0) + 1);
		}
	}

	/** Whether an intent, or one of which it may be other words, claims a place. */
	private hasClaim(intent: I, place: number): boolean {
		const known = this.at(place);
		const isRewording = this.rewordings.has(intent);
		const claims = known ? this.claimsOfTurn(known) : [];
		return claims.some(({ name }) => isRewording || name === intent.name);
	}

	/** Whether the other message that is at a place may be this one in other words. */
	private mayBeAt(intent: I, place: number): boolean {
		const known = this.at(place);
		return known === null || known.fate === 'open' || this.hasClaim(intent, place);
	}

	/** Whether a message without a place may be tried at this one. */
	private isFree(place: number): boolean {
		const known = this.at(place);
		if (known === null || known.fate === 'open') return true;
		// Items are led back to the node in a new turn.
		const mayComeBack = known.fate === 'doubtful' || known.mayComeBack === true;
		return mayComeBack && this.claimsOfTurn(known).length === 0;
	}

	private claimOf({ name }: I, before: Place | null): Claim {
		const { turn, execution } = this.sender;
		const claim = { turn, name, execution };
		const known = before?.claims.find((one) => areOfOneMessage(one, claim));
		if (known && before?.fate === 'open' && known.execution !== execution) {
			return { ...known, until: execution };
		}
		return known ?? claim;
	}

	private claimsOfTurn({ claims }: Place): Claim[] {
		return claims.filter(({ turn }) => turn === this.sender.turn);
	}

	private at(place: number): Place | null {
		return this.places[place] ?? null;
	}

	private set(place: number, known: Place | null): void {
		while (this.places.length < place) this.places.push(null);
		this.places[place] = known;
	}
}
