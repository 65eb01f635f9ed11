import type { IDataObject } from 'n8n-workflow';
import type { Page } from './answers';
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

	/** Those that were there at the moment of the origin and were seen then or later. */
	private readonly there = new RecordSet();

	/**
	 * @param origin the page whose count is to be reached: the first page of the pass, or one before
	 * @param earlier what was seen before the origin was asked for
	 */
	constructor(
		private readonly origin: Page,
		private readonly earlier: RecordSet,
		private readonly arrivalDates: ArrivalDates,
	) {
		this.there.add(origin.records);
	}

	/** Takes a page that was asked for after the origin was answered, or the origin itself. */
	take({ records }: Page): void {
		this.seen.add(records);
		this.there.add(records.filter((record) => this.wasThere(record)));
	}

	/** Whether it has shown all records, or the first `limit`, that were there at its origin. */
	isComplete(limit: number): boolean {
		const { totalCount } = this.origin;
		return totalCount !== undefined && this.there.size >= Math.min(totalCount, limit);
	}

	/** All that the pass knows. */
	records(): IDataObject[] {
		this.seen.addMissing(this.there);
		return this.seen.records();
	}

	private wasThere(record: IDataObject): boolean {
		const { asOf } = this.origin;
		const isOlder = (name: string) => asOf !== undefined && Date.parse(String(record[name])) < asOf;
		return this.earlier.sharesOneOf([record]) || this.arrivalDates.every(isOlder);
	}
}
