import { maxLinks } from '../../service/idempotencyKey';
import type { Explanation } from '../../transport/failure';
import type { Place, PlaceState } from './memory';

/** A message that an item wants to have sent. */
export interface Letter {
	/** Fingerprint of its content. */
	content: string;
	/** Whether it goes to the next place when the one that it had has failed. */
	sendsAgain: boolean;
	/** The place that it had in an earlier try of its turn. */
	own?: number;
	/** How many sends of it have failed. */
	failures: number;
	/** The places at which the service has another message. */
	notAt: Set<number>;
	/** Whether it is sent, or given up for this try. */
	isSettled: boolean;
}

/** What is known of a place when a letter is sent there. */
export interface Known {
	place: number;
	/** Null when nothing is. */
	known: Place | null;
	/** Whether it is known of this very letter. */
	isIts: boolean;
}

/** Where the messages of a correspondence come from. */
export interface Sender {
	/** See `Lineage`. */
	turn: string;
	tryOfTurn: object;
	/** The index of the execution in the memory. */
	execution: number;
}

/** What a correspondence consists of: the messages to a recipient, or one under a key of its own. */
export interface Kind {
	/** Whether all of it is one and the same message, so that every letter means the same place. */
	isOneMessage: boolean;
	/** The idempotency key of a place; places count from 0. */
	keyAt(place: number): string;
	/** What to say when the service has other content at a place of which this is known. */
	explainOther(known: Place | null): Explanation;
	/** What to say when it is not known whether a letter went out. */
	doubt: string;
}

/**
 * All that an execution and those that retry it send to one recipient: one place after another is
 * filled, each under a key of its own. Which letter has which place is what keeps it from being
 * sent twice, and from being taken for another one.
 *
 * A turn that is tried again gives its letters the places that they had: those with the same
 * content first, the others in their order. New letters take the first places that are free.
 * Where nothing is remembered, as after a crash, the service's answers tell what is where.
 */
export class Correspondence {
	private readonly letters: Letter[] = [];

	private isMatched = false;

	/** @param places what is remembered, changed as more becomes known */
	constructor(
		readonly kind: Kind,
		private readonly places: Array<Place | null>,
		private readonly sender: Sender,
	) {}

	/** Adds an item's message. All letters of a run are added before the first one is sent. */
	add(content: string, sendsAgain: boolean): Letter {
		const letter = { content, sendsAgain, failures: 0, notAt: new Set<number>(), isSettled: false };
		this.letters.push(letter);
		return letter;
	}

	/** Waits until nothing else of this correspondence is under way, in any run of the execution. */
	async alone<Result>(work: () => Promise<Result>): Promise<Result> {
		const before = underWay.get(this.places) ?? Promise.resolve();
		const result = before.then(work);
		underWay.set(
			this.places,
			result.catch(() => undefined),
		);
		return await result;
	}

	/** The places to try for a letter, one after another as long as none turns out to be its own. */
	*placesFor(letter: Letter): Generator<number, never> {
		if (letter.own !== undefined) yield letter.own;
		for (let place = 0; ; place++) {
			if (!this.isClosed(place)) yield place;
		}
	}

	/**
	 * Notes that a letter is being sent at a place, before it is: a run that is stopped may end before
	 * the answer comes. Where another letter's try may have arrived, either may have then.
	 * @returns what was known before
	 */
	begin(place: number, letter: Letter): Known {
		const known = this.at(place);
		const isIts = known !== null && (this.kind.isOneMessage || place === letter.own);
		if (known === null) this.note(place, letter, 'unknown');
		else if (!isIts) this.set(place, null);
		return { place, known, isIts };
	}

	/** Notes what became of a letter at a place. */
	note(place: number, letter: Letter, state: PlaceState): void {
		const { turn, execution } = this.sender;
		this.set(place, { state, turn, content: letter.content, execution });
		if (state === 'sent') this.take(place);
	}

	/** Says what is known of a place. */
	set(place: number, known: Place | null): void {
		while (this.places.length < place) this.places.push(null);
		this.places[place] = known;
	}

	/** Keeps a place from being given to a further letter in this try of the turn. */
	take(place: number): void {
		this.takenInThisTry().add(place);
	}

	/**
	 * Lets the other letters try a place at which the service has another message than this one.
	 * @returns whether any of them may be that message
	 */
	leaveToOthers(place: number, letter: Letter): boolean {
		letter.own = undefined;
		letter.notAt.add(place);
		return this.letters.some(
			(other) => other !== letter && !other.isSettled && !other.notAt.has(place),
		);
	}

	/** Whether a letter has to wait for others: those with a place of their own go first. */
	hasToWait(letter: Letter): boolean {
		this.match();
		return (
			letter.own === undefined &&
			this.letters.some(({ own, isSettled }) => own !== undefined && !isSettled)
		);
	}

	private at(place: number): Place | null {
		return this.places[place] ?? null;
	}

	private isClosed(place: number): boolean {
		const state = this.at(place)?.state;
		if (this.kind.isOneMessage) return state === 'failed';
		return state === 'sent' || state === 'rejected' || state === 'failed';
	}

	/** Gives the letters the places that they had in an earlier try of their turn. */
	private match(): void {
		if (this.isMatched) return;
		this.isMatched = true;
		for (const letter of this.letters) this.countFailures(letter);

		const free = new Set(this.placesOfTurn());
		const give = (letter: Letter, place: number | undefined) => {
			letter.own ??= place;
			if (!this.kind.isOneMessage && place !== undefined) free.delete(place);
		};
		const without = () => this.letters.filter(({ own }) => own === undefined);
		for (const letter of without()) {
			give(
				letter,
				[...free].find((place) => this.at(place)?.content === letter.content),
			);
		}
		for (const letter of without()) give(letter, [...free][0]);
	}

	/** A letter that is not sent again, or no more, stays where its last send failed. */
	private countFailures(letter: Letter): void {
		const failed = [...this.places.keys()].filter((place) => {
			const known = this.at(place);
			const isIts = this.kind.isOneMessage || known?.content === letter.content;
			return known?.state === 'failed' && isIts && this.isOfTurn(known);
		});
		letter.failures = failed.length;
		if (!letter.sendsAgain || failed.length >= maxLinks) letter.own = failed.at(-1);
	}

	private placesOfTurn(): number[] {
		const taken = this.takenInThisTry();
		return [...this.places.keys()].filter((place) => {
			const known = this.at(place);
			if (known === null || known.state === 'failed') return false;
			return this.isOfTurn(known) && (this.kind.isOneMessage || !taken.has(place));
		});
	}

	private isOfTurn({ turn }: Place): boolean {
		return this.kind.isOneMessage || turn === this.sender.turn;
	}

	/** The places whose messages were asked for in this try of the turn already. */
	private takenInThisTry(): Set<number> {
		const { tryOfTurn } = this.sender;
		if (!taken.has(tryOfTurn)) taken.set(tryOfTurn, new WeakMap());
		const ofTry = taken.get(tryOfTurn)!;
		if (!ofTry.has(this.places)) ofTry.set(this.places, new Set());
		return ofTry.get(this.places)!;
	}
}

/** What is under way of each correspondence, by its places. */
const underWay = new WeakMap<object, Promise<unknown>>();

/** For each try of a turn, and each correspondence by its places, the places that it has taken. */
const taken = new WeakMap<object, WeakMap<object, Set<number>>>();
