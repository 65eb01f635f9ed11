import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../answers';
import { momentIn } from '../moment';
import { isDatedBefore } from '../serviceTime';

/** The dates by which a record shows since when it can have been in a list. */
export type ArrivalDates = ReadonlyArray<'createdAt' | 'updatedAt'>;

/**
 * What the clock that dates records may differ in from the one that the service tells the time by,
 * in ms, and how long a record may take from its date until a list shows it.
 */
const marginMs = 60_000;

/** How the list was when the page was looked up that a round of reading began with. */
interface Moment {
	/** How many records there were; Infinity where nothing tells. */
	size: number;
	/** The service's time then or before, in ms since 1970; undefined where it is not told. */
	asOf?: number;
	/** How many different records that were there then have been seen then or since. */
	counted: number;
}

/** A record that was seen. */
interface Entry {
	/** As it is by its latest date. */
	record: IDataObject;
	/** The round in which it was first seen as one that arrived when it did. */
	round: number;
	/** One bit for each moment that it counts for. */
	counted: number;
}

/**
 * A census of a list that may change while it is read, page by page, in several rounds: everything
 * that was seen, each record once, and the proof that nothing is missing.
 *
 * The page that a round begins with shows a moment of the list, and its size. Once as many different
 * records have been seen since as the list had at that moment, all of them having been there then,
 * these are all that it had: so nothing is missing that was there all the time, whatever order the
 * list has and whatever else has happened. Any one moment is enough. What comes or changes after a
 * moment cannot undo it; what is deleted before it was seen can, and then a later one may do.
 *
 * A record that is seen was there at a moment before, if it is on that moment's own page, if it was
 * seen in an earlier round, too, if it is dated before it, or if it is known from elsewhere.
 */
export class Census {
	private readonly entries = new Map<string, Entry>();

	private readonly moments: Moment[] = [];

	private readonly totals = new Set<number>();

	private hasNewcomers = false;

	/**
	 * @param arrivalDates all of which have to be dated before a moment
	 * @param isKnown whether a record is known to have been in the list before the first round
	 */
	constructor(
		private readonly arrivalDates: ArrivalDates,
		private readonly isKnown: (record: IDataObject) => boolean = () => false,
	) {}

	/** Begins a round with a page that was asked for when all pages before had been answered. */
	beginRound(page: Page, size = Infinity): void {
		this.moments.push({ size, asOf: page.asOf, counted: 0 });
		this.add(page, this.round);
	}

	/** Takes a page that was asked for after the round had begun. */
	add({ records, totalCount }: Page, ownMoment?: number): void {
		const before = this.size;
		for (const record of records) this.count(record, this.entryOf(record), ownMoment);
		if (totalCount !== undefined) this.totals.add(totalCount);
		this.hasNewcomers ||= this.round > 0 && this.size > before;
	}

	/** How many different records were seen. */
	get size(): number {
		return this.entries.size;
	}

	/** Whether as many were seen as are wanted, or nothing is missing. */
	isComplete(wanted: number): boolean {
		return this.size >= wanted || this.moments.some(({ size, counted }) => counted >= size);
	}

	/** Whether the list was seen to change: its size, or what another round showed of it. */
	get hasChanged(): boolean {
		return this.totals.size > 1 || this.hasNewcomers;
	}

	/** Everything that was seen, in the order in which it was. */
	records(): IDataObject[] {
		return Array.from(this.entries.values(), ({ record }) => record);
	}

	private get round(): number {
		return this.moments.length - 1;
	}

	private entryOf(record: IDataObject): Entry {
		const identity = identityOf(record);
		const entry = this.entries.get(identity);
		if (!entry) {
			const added = { record, round: this.round, counted: 0 };
			this.entries.set(identity, added);
			return added;
		}
		if (this.arrivalDates.some((name) => record[name] !== entry.record[name])) {
			entry.round = this.round;
		}
		// Of pages read side by side, one that is looked at later may have been read earlier.
		if (!isDatedLater(entry.record, record)) entry.record = record;
		return entry;
	}

	private count(record: IDataObject, entry: Entry, ownMoment?: number): void {
		for (const [round, moment] of this.moments.entries()) {
			if ((entry.counted & (1 << round)) !== 0) continue;
			const wasThere =
				round === ownMoment ||
				entry.round < round ||
				this.isDatedBefore(moment, record) ||
				this.isKnown(record);
			if (!wasThere) continue;
			entry.counted |= 1 << round;
			moment.counted++;
		}
	}

	private isDatedBefore({ asOf }: Moment, record: IDataObject): boolean {
		const latest = asOf === undefined ? undefined : asOf - marginMs;
		return this.arrivalDates.every((name) => isDatedBefore(record[name], latest));
	}
}

/** What tells a record from all others. One without an id can only be told by its content. */
function identityOf(record: IDataObject): string {
	const { id } = record;
	return typeof id === 'string' || typeof id === 'number' ? String(id) : JSON.stringify(record);
}

function isDatedLater(one: IDataObject, other: IDataObject): boolean {
	return one.updatedAt !== other.updatedAt && momentIn(one.updatedAt) > momentIn(other.updatedAt);
}
