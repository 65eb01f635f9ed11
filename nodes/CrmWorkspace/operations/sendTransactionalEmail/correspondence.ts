import { maxLinks } from '../../service/idempotencyKey';
import type { Explanation } from '../../transport/failure';
import type { Place, PlaceState, Remembered } from './memory';

/** A message that an item wants to have sent. */
export interface Letter {
	/**
	 * What tells it from others of its turn and is the same in the next try: the item's number where
	 * items come in the same order again, else a fingerprint of its content.
	 */
	name: string;
	/** Whether it goes to the next place when the one that it had has failed. */
	sendsAgain: boolean;
	/** The place that it had in an earlier try of its turn. */
	own?: number;
	/** Whether it is only likely that it had this place: its content is not the same any more. */
	isGuess: boolean;
	/** Whether it may have had several places, so that there is no telling. */
	isUndecidable: boolean;
	/** How many sends of it have failed. */
	failures: number;
	/** The places at which the service has another message. */
	notAt: Set<number>;
	/** The place that was its own, until the service had another message there. */
	left?: number;
	/** Whether it is sent, or given up for this try. */
	isSettled: boolean;
}

/** What is known of a place when a letter is sent there. */
export interface Known {
	place: number;
	/** Null when nothing is. */
	known: Place | null;
	/** Whether nothing is known of it because no letter was tried there, as far as is remembered. */
	isUntried: boolean;
	/** Whether it is known of this very letter. */
	isIts: boolean;
	/** Whether another letter was sent there before in this try of the turn. */
	isAnothers: boolean;
}

/** Where the messages of a correspondence come from. */
export interface Sender {
	/** See `Lineage`. */
	turn: string;
	tryOfTurn: object;
	isOrdered: boolean;
	isComplete: boolean;
	/** The index of the execution in the memory. */
	execution: number;
}

/** What a correspondence is about: a recipient, or a key of the user's. */
export interface Subject {
	/** The idempotency key of a place; places count from 0. */
	keyAt(place: number): string;
	/** What to say when the service has other content at a place of which this is known. */
	explainOther(known: Place | null): Explanation;
	/** What to say when it is not known whether a letter went out. */
	doubt: string;
	/** How a letter whose sends have failed too often can be sent after all. */
	anew: string;
}

/**
 * All that an execution and those that retry it send to one recipient: one place after another is
 * filled, each under a key of its own. Which letter has which place is what keeps it from being
 * sent twice, and from being taken for another one.
 *
 * A turn that is tried again gives its letters the places that they had. New letters take the first
 * places that are free, when those that had one are done. Where nothing is remembered, as after a
 * crash, the service's answers tell what is where.
 *
 * A key of the user's is a correspondence of one letter, whose further places are only for sends
 * that failed.
 */
export class Correspondence {
	/**
	 * Whether everything that was ever tried is remembered. An execution that n8n did not survive may
	 * have sent more than its retry knows, and a key of the user's may be used anywhere.
	 */
	readonly isComplete: boolean;

	private readonly letters: Letter[] = [];

	/** Those that have a place from an earlier try and are not settled; absent before that is known. */
	private owners?: Set<Letter>;

	/** @param record what is remembered, changed as more becomes known */
	constructor(
		readonly subject: Subject,
		private readonly record: Remembered,
		private readonly sender: Sender,
	) {
		this.isComplete = sender.isComplete;
	}

	/** Adds an item's message. All letters of a run are added before the first one is sent. */
	add(name: string, sendsAgain: boolean): Letter {
		const letter: Letter = {
			name,
			sendsAgain,
			isGuess: false,
			isUndecidable: false,
			failures: 0,
			notAt: new Set(),
			isSettled: false,
		};
		this.letters.push(letter);
		return letter;
	}

	/** Waits until nothing else of this correspondence is under way, in any run of the execution. */
	async alone<Result>(work: () => Promise<Result>): Promise<Result> {
		const before = underWay.get(this.record) ?? Promise.resolve();
		const result = before.then(work);
		underWay.set(
			this.record,
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
		const isIts = known !== null && place === letter.own;
		const isUntried = known === null && !this.record.contested.includes(place);
		const wasRefused = isIts && known.state === 'refused';
		const { tried } = this.thisTry();
		const isAnothers = tried.has(place) && tried.get(place) !== letter;
		tried.set(place, letter);
		if (isUntried || wasRefused) this.note(place, letter, 'unknown');
		else if (!isIts) this.contest(place);
		return { place, known, isIts, isUntried, isAnothers };
	}

	/** Notes that it is not known which of several letters is at a place. */
	private contest(place: number): void {
		this.set(place, null);
		if (!this.record.contested.includes(place)) this.record.contested.push(place);
	}

	/** Notes what became of a letter at a place. */
	note(place: number, letter: Letter, state: PlaceState): void {
		const { turn, execution } = this.sender;
		const earlier = letter.own === place ? this.at(place) : null;
		const noted: Place = { state, turn, name: letter.name, execution };
		if (earlier?.state === 'unknown' && earlier.execution !== execution) {
			Object.assign(noted, { execution: earlier.execution, until: execution });
		}
		this.set(place, earlier?.state === 'sent' && state === 'sent' ? earlier : noted);
		letter.own = state === 'failed' ? undefined : place;
	}

	/** Notes that a letter went out in the place of another one, whose try can never arrive any more. */
	displace({ known, isAnothers }: Known, { name }: Letter): void {
		if (!known || (known.turn === this.sender.turn && known.name === name && !isAnothers)) return;
		this.owe(known);
	}

	/** Notes that a letter was not sent at a place: what was known of that is known still. */
	leave({ place, known, isUntried }: Known, { name }: Letter): void {
		this.set(place, known);
		if (isUntried) this.owe({ turn: this.sender.turn, name });
	}

	private owe({ turn, name }: Pick<Place, 'turn' | 'name'>): void {
		const owed = `${turn} ${name}`;
		if (!this.record.owed.includes(owed)) this.record.owed.push(owed);
	}

	/** Says what is known of a place. */
	set(place: number, known: Place | null): void {
		while (this.record.places.length < place) this.record.places.push(null);
		this.record.places[place] = known;
	}

	/** Keeps a place from being given to a further letter in this try of the turn. */
	take(place: number): void {
		this.thisTry().taken.add(place);
	}

	/**
	 * Lets the other letters try a place at which the service has another message than this one.
	 * @returns whether any of them may be that message
	 */
	leaveToOthers(place: number, letter: Letter): boolean {
		if (letter.own === place) letter.left = place;
		letter.own = undefined;
		this.owners?.delete(letter);
		letter.notAt.add(place);
		return this.letters.some(
			(other) => other !== letter && !other.isSettled && !other.notAt.has(place),
		);
	}

	/** Whether a letter has to wait for others: those with a place of their own go first. */
	hasToWait(letter: Letter): boolean {
		this.owners ??= this.match();
		return letter.own === undefined && this.owners.size > 0;
	}

	/** Notes that a letter is sent, or given up for this try. */
	settle(letter: Letter): void {
		letter.isSettled = true;
		this.owners?.delete(letter);
	}

	/** Notes that a letter is to be tried again in this run. */
	reopen(letter: Letter): void {
		letter.isSettled = false;
	}

	private at(place: number): Place | null {
		return this.record.places[place] ?? null;
	}

	private isClosed(place: number): boolean {
		const state = this.at(place)?.state;
		return state === 'sent' || state === 'rejected' || state === 'failed';
	}

	/**
	 * Gives the letters the places that they had in an earlier try of their turn.
	 * @returns the letters that had one
	 */
	private match(): Set<Letter> {
		const { taken, asked } = this.thisTry();
		const failed = this.placesOfTurn((state) => state === 'failed');
		const open = this.placesOfTurn((state, place) => state !== 'failed' && !taken.has(place));

		for (const letter of this.letters) {
			const lost = failed.get(letter.name) ?? [];
			letter.failures = lost.length;
			// One that is not sent again, or no more, stays where its last send failed.
			const isOver = !letter.sendsAgain || letter.failures >= maxLinks;
			letter.own = open.get(letter.name)?.shift() ?? (isOver ? lost.at(-1) : undefined);
			const isKnown = this.sender.isOrdered || lost.length > 0 || this.isOwed(letter);
			if (letter.own === undefined && !isKnown) {
				this.guess(letter, [...open.values()].flat());
			}
			asked.add(letter.name);
		}
		return new Set(this.letters.filter(({ own }) => own !== undefined));
	}

	/** Whether an earlier call of this turn had a letter of this name that has no place. */
	private isOwed({ name }: Letter): boolean {
		return this.record.owed.includes(`${this.sender.turn} ${name}`);
	}

	/**
	 * Where the order tells nothing, a letter with other content may be any that went out before, or
	 * one that was turned down or rejected, unless this try has asked for that one too.
	 */
	private guess(letter: Letter, left: number[]): void {
		const gone = left.filter((place) => {
			const state = this.at(place)?.state;
			return state !== 'refused' && state !== 'rejected';
		});
		letter.isUndecidable = gone.length > 1;
		letter.isGuess = gone.length === 1;
		const { asked } = this.thisTry();
		letter.own = gone[0] ?? left.find((place) => !asked.has(this.at(place)!.name));
	}

	/** The places of this turn for which something holds, by the names of their letters. */
	private placesOfTurn(holds: (state: PlaceState, place: number) => boolean) {
		const held = [...this.record.places.keys()].filter((place) => {
			const known = this.at(place);
			return known?.turn === this.sender.turn && holds(known.state, place);
		});
		return grouped(held, (place) => this.at(place)!.name);
	}

	private thisTry(): TryOfTurn {
		const { tryOfTurn } = this.sender;
		if (!tries.has(tryOfTurn)) tries.set(tryOfTurn, new WeakMap());
		const ofTry = tries.get(tryOfTurn)!;
		if (!ofTry.has(this.record)) {
			ofTry.set(this.record, { taken: new Set(), asked: new Set(), tried: new Map() });
		}
		return ofTry.get(this.record)!;
	}
}

/** What a try of a turn has come to in a correspondence. */
interface TryOfTurn {
	/** The places of the letters that are done. */
	taken: Set<number>;
	/** The names of the letters that were asked for. */
	asked: Set<string>;
	/** The letter that was sent last at each place. */
	tried: Map<number, Letter>;
}

/** What is under way of each correspondence, by its record. */
const underWay = new WeakMap<object, Promise<unknown>>();

/** What each try of a turn has come to in each correspondence, by its record. */
const tries = new WeakMap<object, WeakMap<object, TryOfTurn>>();

function grouped<Value>(values: Value[], by: (value: Value) => string): Map<string, Value[]> {
	const groups = new Map<string, Value[]>();
	for (const value of values) {
		const group = groups.get(by(value));
		if (group) group.push(value);
		else groups.set(by(value), [value]);
	}
	return groups;
}
