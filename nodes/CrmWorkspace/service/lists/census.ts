import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../answers';
import { isDatedBefore, momentIn } from '../serviceTime';

/** The dates by which a record shows since when it can have been in a list. */
export type ArrivalDates = ReadonlyArray<'createdAt' | 'updatedAt'>;

/**
 * How long before a headcount a record has to be dated to have been there certainly, in ms: another
 * clock may date it than the one that the service tells the time by, and it may be dated some time
 * before a list shows it.
 */
const marginMs = 60_000;

/** The list as it was when the page was looked up that a round began with. */
interface Headcount {
	/** How many records there were; Infinity where nothing tells. */
	expected: number;
	/** How many of them have been met on that page or since. */
	met: number;
	/** The service's time then or before, in ms since 1970; undefined where it is not told. */
	asOf?: number;
}

interface Entry {
	/** As it is by its latest date. */
	record: IDataObject;
	/** The first round that has met it with the arrival dates that it has. */
	firstRound: number;
	/** A bit for each headcount that it is one of. */
	headcountBits: number;
}

/**
 * A census of a list that may change while it is read, page by page, in several rounds: every record
 * that was met, each once, and the proof that none is missing.
 *
 * The page that a round begins with tells how many records the list has at that moment: a headcount.
 * A record that is met, there or later, is one of these if it was in the list by then. Once as many
 * have been met as were counted, they are all that the list had, wherever they stand and whatever
 * else has happened since. So none is missing that was there all the time.
 *
 * One headcount is enough. What comes or changes after it does not count. What is deleted before it
 * is met leaves it short; then a later headcount may prove the same.
 *
 * That a record was in the list by then is certain if that page shows it, if an earlier round has
 * met it as well, if it is dated before, or if it is known from elsewhere. That takes a service
 * which counts and shows what it has at one moment, and dates what it adds when it adds it.
 */
export class Census {
	private readonly entries = new Map<string, Entry>();

	private readonly headcounts: Headcount[] = [];

	private readonly totals = new Set<number>();

	private hasNewcomers = false;

	/**
	 * @param arrivalDates all of which have to be dated before a headcount
	 * @param isKnown whether a record is known to have been in the list since before the first page of all
	 */
	constructor(
		private readonly arrivalDates: ArrivalDates,
		private readonly isKnown: (record: IDataObject) => boolean = () => false,
	) {}

	/**
	 * Begins a round with a page that was asked for when all pages before had been answered.
	 * @param expected how many records the list has
	 */
	beginRound(page: Page, expected = Infinity): void {
		this.headcounts.push({ expected, met: 0, asOf: page.asOf });
		this.take(page, true);
	}

	/** Takes a page that was asked for after the one that the round has begun with was answered. */
	add(page: Page): void {
		this.take(page, false);
	}

	/**
	 * Whether it is certain that none is missing. More than were counted prove nothing: then the
	 * service does not count what it shows.
	 */
	get isProven(): boolean {
		return this.headcounts.some(({ expected, met }) => met === expected);
	}

	get size(): number {
		return this.entries.size;
	}

	/** Whether the list was seen to change: how many there are, or what another round has met. */
	get hasChanged(): boolean {
		return this.totals.size > 1 || this.hasNewcomers;
	}

	/** Every record that was met, in the order in which they were. */
	records(): IDataObject[] {
		return Array.from(this.entries.values(), ({ record }) => record);
	}

	private get round(): number {
		return this.headcounts.length - 1;
	}

	private take({ records, totalCount }: Page, isHeadcount: boolean): void {
		const before = this.size;
		for (const record of records) this.meet(record, isHeadcount);
		if (totalCount !== undefined) this.totals.add(totalCount);
		this.hasNewcomers ||= this.round > 0 && this.size > before;
	}

	private meet(record: IDataObject, isHeadcount: boolean): void {
		const entry = this.entryOf(record);
		for (const [round, headcount] of this.headcounts.entries()) {
			if ((entry.headcountBits & (1 << round)) !== 0) continue;
			const wasThere =
				(isHeadcount && round === this.round) ||
				entry.firstRound < round ||
				this.isDatedBefore(headcount, record) ||
				this.isKnown(record);
			if (!wasThere) continue;
			entry.headcountBits |= 1 << round;
			headcount.met++;
		}
	}

	private entryOf(record: IDataObject): Entry {
		const identity = identityOf(record);
		const entry = this.entries.get(identity);
		if (!entry) {
			const added = { record, firstRound: this.round, headcountBits: 0 };
			this.entries.set(identity, added);
			return added;
		}
		if (this.arrivalDates.some((name) => record[name] !== entry.record[name])) {
			entry.firstRound = this.round;
		}
		// Of pages read side by side, one that is looked at later may have been read earlier.
		const isStale = momentIn(record.updatedAt) < momentIn(entry.record.updatedAt);
		if (!isStale) entry.record = record;
		return entry;
	}

	private isDatedBefore({ asOf }: Headcount, record: IDataObject): boolean {
		const latest = asOf === undefined ? undefined : asOf - marginMs;
		return this.arrivalDates.every((name) => isDatedBefore(record[name], latest));
	}
}

/** What tells a record from all others. One without an id can only be told by its content. */
function identityOf(record: IDataObject): string {
	const { id } = record;
	return typeof id === 'string' || typeof id === 'number' ? String(id) : JSON.stringify(record);
}
