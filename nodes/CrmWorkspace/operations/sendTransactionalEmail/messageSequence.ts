import { maxLinks } from '../../service/idempotencyKey';
import type { Explanation } from '../../transport/errors/failure';
import type { Place, PlaceState, Remembered } from './memory';

/** A message that an item asks to send, and what is known of it. */
export interface SendIntent {
	/**
	 * Names it among the intents of its turn, and is the same in the next try: the item's index if
	 * the items come in the same order again, else a fingerprint of the message.
	 */
	name: string;
	/** Whether it is sent again, at the next place, after its send has failed at the service. */
	sendsAgain: boolean;
	/** The place that it had in an earlier try of its turn. */
	own?: number;
	/** Whether `own` is only a guess, because the content has changed and there is no order. */
	isGuess: boolean;
	/** Whether several places may be its own, so that nothing can be sent safely. */
	isUndecidable: boolean;
	/** How many sends of it have failed. */
	failures: number;
	/** The places at which the service has another message. */
	notAt: Set<number>;
	/** The place that seemed its own until the service said that another message is there. */
	left?: number;
	/** Whether it is sent, or given up for this try. */
	isSettled: boolean;
}

/** What is known of a place when an intent is sent there. */
export interface PlaceBefore {
	place: number;
	/** Null when nothing is known. */
	known: Place | null;
	/** Whether nothing is known of it because no intent was tried there, as far as is remembered. */
	isUntried: boolean;
	/** Whether what is known is about this very intent. */
	isIts: boolean;
	/** Whether another intent was sent there before in this try of the turn. */
	isAnothers: boolean;
}

/** The turn and execution that send now. */
export interface Sender {
	/** See `Lineage`. */
	turn: string;
	tryOfTurn: object;
	isOrdered: boolean;
	isComplete: boolean;
	/** The index of the execution in the memory. */
	execution: number;
}

/** What a sequence belongs to: a recipient, or an idempotency key that the user has entered. */
export interface SequenceOwner {
	/** The idempotency key of a place; places count from 0. */
	keyAt(place: number): string;
	/** What to tell the user when the service has other content under the key of a place. */
	explainOther(known: Place | null): Explanation;
	/** What sends a message again under its key, e.g. `a retry of the execution`. */
	again: string;
	/** What to tell the user when it is not known whether a message went out. */
	doubt: string;
	/** What sends a message that was given up, e.g. `A new execution`; begins a sentence. */
	anew: string;
}

/**
 * All messages that an execution and its retries send to one recipient, in numbered places. Each
 * place has an idempotency key of its own, and they are filled one after another. An intent that
 * gets the same place in every try is sent once, and is never taken for another one.
 *
 * In a turn that is tried again, the intents get the places that they had. New intents wait until
 * those are done, and then take the first free places. Where nothing is remembered, as after a
 * crash, the service's answers tell which message is at which place.
 *
 * An idempotency key of the user is a sequence of one intent: its further places are used only
 * after a send has failed at the service.
 */
export class MessageSequence {
	/**
	 * Whether everything that was ever tried is remembered. An execution that n8n did not survive may
	 * have sent more than its retry knows, and a key of the user's may be used anywhere.
	 */
	readonly isComplete: boolean;

	private readonly intents: SendIntent[] = [];

	/**
	 * Intents that have a place from an earlier try and are not settled; absent until they were
	 * matched.
	 */
	private placed?: Set<SendIntent>;

	/** @param remembered what is remembered, changed as more becomes known */
	constructor(
		readonly owner: SequenceOwner,
		private readonly remembered: Remembered,
		private readonly sender: Sender,
	) {
		this.isComplete = sender.isComplete;
	}

	/** Adds an item's message. All intents of a run are added before the first one is sent. */
	add(name: string, sendsAgain: boolean): SendIntent {
		const intent: SendIntent = {
			name,
			sendsAgain,
			isGuess: false,
			isUndecidable: false,
			failures: 0,
			notAt: new Set(),
			isSettled: false,
		};
		this.intents.push(intent);
		return intent;
	}

	/** Waits until nothing else of this sequence is under way, in any run of the execution. */
	async alone<Result>(work: () => Promise<Result>): Promise<Result> {
		const before = underWay.get(this.remembered) ?? Promise.resolve();
		const result = before.then(work);
		underWay.set(
			this.remembered,
			result.catch(() => undefined),
		);
		return await result;
	}

	/**
	 * The places to try for an intent: its own, then all that are not closed, from the first one on.
	 */
	*placesFor(intent: SendIntent): Generator<number, never> {
		if (intent.own !== undefined) yield intent.own;
		for (let place = 0; ; place++) {
			if (!this.isClosed(place)) yield place;
		}
	}

	/**
	 * Notes that an intent is being sent at a place, before it is: a run that is stopped may end
	 * before the answer comes. Where another intent's try may have arrived, either may have then.
	 * @returns what was known before
	 */
	begin(place: number, intent: SendIntent): PlaceBefore {
		const known = this.at(place);
		const isIts = known !== null && place === intent.own;
		const isUntried = known === null && !this.remembered.contested.includes(place);
		const wasRefused = isIts && known.state === 'refused';
		const { tried } = this.thisTry();
		const isAnothers = tried.has(place) && tried.get(place) !== intent;
		tried.set(place, intent);
		if (isUntried || wasRefused) this.note(place, intent, 'unknown');
		else if (!isIts) this.contest(place);
		return { place, known, isIts, isUntried, isAnothers };
	}

	/** Notes that it is not known which of several intents is at a place. */
	private contest(place: number): void {
		this.set(place, null);
		if (!this.remembered.contested.includes(place)) this.remembered.contested.push(place);
	}

	/** Notes what became of an intent at a place. */
	note(place: number, intent: SendIntent, state: PlaceState): void {
		const { turn, execution } = this.sender;
		const earlier = intent.own === place ? this.at(place) : null;
		const noted: Place = { state, turn, name: intent.name, execution };
		if (earlier?.state === 'unknown' && earlier.execution !== execution) {
			Object.assign(noted, { execution: earlier.execution, until: execution });
		}
		this.set(place, earlier?.state === 'sent' && state === 'sent' ? earlier : noted);
		intent.own = state === 'failed' ? undefined : place;
	}

	/**
	 * Notes that an intent was sent at the place of another one, whose try can no longer arrive: that
	 * one is still to be sent.
	 */
	displace({ known, isAnothers }: PlaceBefore, { name }: SendIntent): void {
		if (!known || (known.turn === this.sender.turn && known.name === name && !isAnothers)) return;
		this.owe(known);
	}

	/** Notes that an intent was not sent at a place: what was known of that is known still. */
	leave({ place, known, isUntried }: PlaceBefore, { name }: SendIntent): void {
		this.set(place, known);
		if (isUntried) this.owe({ turn: this.sender.turn, name });
	}

	private owe({ turn, name }: Pick<Place, 'turn' | 'name'>): void {
		const owed = `${turn} ${name}`;
		if (!this.remembered.owed.includes(owed)) this.remembered.owed.push(owed);
	}

	/** Says what is known of a place. */
	set(place: number, known: Place | null): void {
		while (this.remembered.places.length < place) this.remembered.places.push(null);
		this.remembered.places[place] = known;
	}

	/** Keeps a place from being given to a further intent in this try of the turn. */
	take(place: number): void {
		this.thisTry().taken.add(place);
	}

	/**
	 * Lets the other intents try a place at which the service has another message than this one.
	 * @returns whether any of them may be that message
	 */
	leaveToOthers(place: number, intent: SendIntent): boolean {
		if (intent.own === place) intent.left = place;
		intent.own = undefined;
		this.placed?.delete(intent);
		intent.notAt.add(place);
		return this.intents.some(
			(other) => other !== intent && !other.isSettled && !other.notAt.has(place),
		);
	}

	/** Whether an intent has to wait for others: those with a place of their own go first. */
	hasToWait(intent: SendIntent): boolean {
		this.placed ??= this.match();
		return intent.own === undefined && this.placed.size > 0;
	}

	/** Notes that an intent is sent, or given up for this try. */
	settle(intent: SendIntent): void {
		intent.isSettled = true;
		this.placed?.delete(intent);
	}

	/** Notes that an intent is to be tried again in this run. */
	reopen(intent: SendIntent): void {
		intent.isSettled = false;
	}

	private at(place: number): Place | null {
		return this.remembered.places[place] ?? null;
	}

	private isClosed(place: number): boolean {
		const known = this.at(place);
		if (!known || known.state === 'refused' || known.state === 'unknown') return false;
		// An item that is led back to the node is of a new turn, and its message may be delivered yet.
		return known.state !== 'doubtful' || known.turn === this.sender.turn;
	}

	/**
	 * Gives the intents the places that they had in an earlier try of their turn.
	 * @returns the intents that had one
	 */
	private match(): Set<SendIntent> {
		const { taken, asked } = this.thisTry();
		const failed = this.placesOfTurn((state) => state === 'failed');
		const open = this.placesOfTurn((state, place) => state !== 'failed' && !taken.has(place));

		for (const intent of this.intents) {
			const lost = failed.get(intent.name) ?? [];
			intent.failures = lost.length;
			// One that is not sent again, or no more, stays where its last send failed.
			const isOver = !intent.sendsAgain || intent.failures >= maxLinks;
			intent.own = open.get(intent.name)?.shift() ?? (isOver ? lost.at(-1) : undefined);
			const isKnown = this.sender.isOrdered || lost.length > 0 || this.isOwed(intent);
			if (intent.own === undefined && !isKnown) {
				this.guess(intent, [...open.values()].flat());
			}
			asked.add(intent.name);
		}
		return new Set(this.intents.filter(({ own }) => own !== undefined));
	}

	/** Whether an earlier call of this turn had an intent of this name that has no place. */
	private isOwed({ name }: SendIntent): boolean {
		return this.remembered.owed.includes(`${this.sender.turn} ${name}`);
	}

	/**
	 * Where the order tells nothing, an intent with other content may be any that went out before, or
	 * one that was turned down or rejected, unless this try has asked for that one too.
	 */
	private guess(intent: SendIntent, left: number[]): void {
		const gone = left.filter((place) => {
			const state = this.at(place)?.state;
			return state !== 'refused' && state !== 'rejected';
		});
		intent.isUndecidable = gone.length > 1;
		intent.isGuess = gone.length === 1;
		const { asked } = this.thisTry();
		intent.own = gone[0] ?? left.find((place) => !asked.has(this.at(place)!.name));
	}

	/** The places of this turn for which something holds, by the names of their intents. */
	private placesOfTurn(holds: (state: PlaceState, place: number) => boolean) {
		const held = [...this.remembered.places.keys()].filter((place) => {
			const known = this.at(place);
			return known?.turn === this.sender.turn && holds(known.state, place);
		});
		return grouped(held, (place) => this.at(place)!.name);
	}

	private thisTry(): TryOfTurn {
		const { tryOfTurn } = this.sender;
		if (!tries.has(tryOfTurn)) tries.set(tryOfTurn, new WeakMap());
		const ofTry = tries.get(tryOfTurn)!;
		if (!ofTry.has(this.remembered)) {
			ofTry.set(this.remembered, { taken: new Set(), asked: new Set(), tried: new Map() });
		}
		return ofTry.get(this.remembered)!;
	}
}

/** What a try of a turn has come to in a sequence. */
interface TryOfTurn {
	/** The places of the intents that are done. */
	taken: Set<number>;
	/** The names of the intents that were asked for. */
	asked: Set<string>;
	/** The intent that was sent last at each place. */
	tried: Map<number, SendIntent>;
}

/** What is under way of each sequence, by what is remembered of it. */
const underWay = new WeakMap<object, Promise<unknown>>();

/** What each try of a turn has come to in each sequence, by what is remembered of it. */
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
