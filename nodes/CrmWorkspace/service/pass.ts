import type { IDataObject } from 'n8n-workflow';
import type { Page } from './answers';
import { momentIn } from './moment';
import { RecordSet } from './recordSet';

/** The dates that can tell that a record was not in a list before. */
export type ArrivalDates = ReadonlyArray<'createdAt' | 'updatedAt'>;

/**
 * One pass over a list, and what it proves by counting. A page tells how many records the list had
 * at its moment. Once as many different records have been seen that were there at that moment,
 * these are all of them, whatever order they stand in and whatever has happened since.
 */
export class Pass {
	/** Everything that the pages of the pass have shown. */
	readonly seen = new RecordSet();

	/** Records that were in the list at the origin's moment, and have been seen since. */
	private readonly there = new RecordSet();

	/** The origin shows the list at this moment or later, by the service's clock. */
	private readonly began: number;

	/**
	 * @param origin the page whose count is to be reached: the first page of the pass, or one before
	 * @param earlier what was seen before the origin was asked for
	 * @param isKnown whether a record is known to have been there before
	 */
	constructor(
		private readonly origin: Page,
		private readonly earlier: RecordSet,
		private readonly arrivalDates: ArrivalDates,
		private readonly isKnown: (record: IDataObject) => boolean = () => false,
	) {
		this.there.add(origin.records);
		this.began = momentOf(origin);
	}

	/** Takes a page that was asked for after the origin was answered, or the origin itself. */
	take({ records }: Page): void {
		this.seen.add(records);
		this.there.add(records.filter((record) => this.wasThere(record)));
	}

	/** Whether it has shown all records, or the first `limit`, that were there at its origin. */
	isComplete(limit: number): boolean {
		const { totalCount = Infinity } = this.origin;
		return this.there.size >= Math.min(totalCount, limit);
	}

	/** All that the pass knows. */
	async records(): Promise<IDataObject[]> {
		await this.seen.addMissing(this.there);
		return this.seen.records();
	}

	private wasThere(record: IDataObject): boolean {
		const isOlder = (name: string) => momentIn(record[name]) < this.began;
		if (this.earlier.sharesOneOf([record]) || this.arrivalDates.every(isOlder)) return true;
		return this.isKnown(record);
	}
}

/**
 * A moment by the service's clock, in ms since 1970: what came into the list or changed after a
 * page was read is dated then or later. Where the service does not tell the time, what the page
 * shows is older than whatever comes later.
 */
export function momentOf({ asOf, records }: Page): number {
	const dates = records.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt]);
	const moments = dates.map(momentIn).filter((one) => !Number.isNaN(one));
	return asOf ?? Math.max(-Infinity, ...moments);
}

/** Tells of a record whether its date of change is of the time after a page was read. */
export function hasChangedSince(page: Page): (record: IDataObject) => boolean {
	const moment = momentOf(page);
	return page.asOf === undefined
		? ({ updatedAt }) => momentIn(updatedAt) > moment
		: ({ updatedAt }) => momentIn(updatedAt) >= moment;
}
