import type { IDataObject } from 'n8n-workflow';
import type { Page } from './answers';
import { ListOrder } from './listOrder';
import type { PageRequest } from './pages';
import { hasChangedSince, Pass, type ArrivalDates } from './pass';
import { identityOf, RecordSet } from './recordSet';

/** How a paginated list is read. */
export interface ListReadOptions {
	/** Asks for one page; one past the end may be empty. */
	fetchPage: (request: PageRequest) => Promise<Page>;
	/** The most records wanted; Infinity for all. The last page may bring some more. */
	limit: number;
	/** How many requests may be under way at the same time. */
	concurrency: number;
	/** The dates of a record that can tell that it was not in the list before. */
	arrivalDates: ArrivalDates;
	/** Whether a record is known to have been in the list before this reading; by default none is. */
	isKnown?: (record: IDataObject) => boolean;
	/** The first page, of up to 100 records, where it was read already. */
	first?: Page;
	/** Called with the number of further pages, as soon as the first page shows it. */
	expect?: (requests: number) => void;
}

/** Thrown when a service's pages make no sense. Its message is for the user. */
export class SenselessPages extends Error {}

/** More would not fit into the memory of an n8n, and a service that claims more may never end. */
const maxRecords = 1_000_000;

/** State of reading one list, shared by the ways to read it: `readSideBySide` and `readJoined`. */
export class PageReader {
	/** The first page of the pass. */
	first: Page;

	/** The pass over the list that is being made. */
	pass: Pass;

	/** Whether the list was seen to change. */
	hasChanged = false;

	/** Whether the list changes so fast that it cannot even be read once. */
	isRestless = false;

	/** The most records that the service puts on a page, as far as is known. */
	readonly pageSize: number;

	readonly order = new ListOrder();

	/** Whether a record may have changed since the first page of all was read. */
	private readonly hasChangedSince: (record: IDataObject) => boolean;

	private readonly earlier = new RecordSet();

	/**
	 * What tells the pass how many records there were: its first page, or the end of the one before.
	 */
	counted: Page;

	/** How many records there were at the beginning. */
	private readonly totalCount?: number;

	/** The end of the list, where the pass read it last and alone. */
	private end?: Page;

	/** Whether the service has been seen to answer two pages differently. */
	private heedsPages = false;

	/** @param first the first page, with which the first pass begins; not empty */
	constructor(
		readonly options: ListReadOptions,
		first: Page,
	) {
		this.first = first;
		this.counted = first;
		this.totalCount = first.totalCount;
		this.pageSize = pageSizeOf(first);
		this.hasChangedSince = hasChangedSince(first);
		this.pass = new Pass(first, this.earlier, options.arrivalDates, options.isKnown);
		this.take(first);
	}

	/** Begins another pass. */
	async beginAgain(): Promise<void> {
		const { fetchPage, arrivalDates, isKnown } = this.options;
		await this.earlier.addMissing(this.pass.seen);
		this.first = await fetchPage({ page: 1, limit: this.pageSize });
		this.counted = this.first.totalCount === undefined ? (this.end ?? this.first) : this.first;
		// The end is used for one pass only: by the next one it is too old.
		this.end = undefined;
		this.pass = new Pass(this.counted, this.earlier, arrivalDates, isKnown);
		this.take(this.first);
	}

	/** Reads the first page. */
	async readFirst(): Promise<Page> {
		const page = await this.options.fetchPage({ page: 1, limit: this.pageSize });
		this.take(page);
		return page;
	}

	/** Takes note of a page. */
	take(page: Page): void {
		this.hasChanged ||= page.totalCount !== undefined && page.totalCount !== this.totalCount;
		this.pass.take(page);
		// A service may order a page before a record changes, and show it as it is after that.
		this.order.observe(page.records.filter((record) => !this.hasChangedSince(record)));
	}

	/**
	 * Takes note of how many records there were, if it is known, when the pass read its last page.
	 */
	noteEnd(totalCount: number | undefined): void {
		if (totalCount !== undefined) this.end = { records: [], totalCount };
	}

	/** Everything that any pass has shown. */
	async everything(): Promise<RecordSet> {
		await this.pass.seen.addMissing(this.earlier);
		return this.pass.seen;
	}

	/**
	 * Asks a service that sent only records of earlier pages whether that is a coincidence, as when
	 * a whole page of records was created meanwhile: only a service that ignores which page it is
	 * asked for then sends the same for two pages, the earlier one asked for first.
	 * @throws SenselessPages when it does
	 */
	async refuseRepetition({ page, limit }: PageRequest, answer: Page): Promise<void> {
		const { records } = answer;
		const isFull = page > 1 && records.length >= Math.max(1, limit);
		if (this.heedsPages || !isFull || !records.every((one) => this.pass.seen.has(one))) return;
		// Twice, because one coincidence is possible while somebody changes whole pages of records.
		for (const same of [page - 1, page, page - 1, page]) {
			const again = await this.options.fetchPage({ page: same, limit });
			this.heedsPages ||= !isSamePage(again, answer);
			if (this.heedsPages) return;
		}
		throw new SenselessPages(
			`The service sent only records of earlier pages as page ${page}, so the list would never end. It seems to ignore the page that it is asked for.`,
		);
	}
}

/** A service may have a page size of its own, and need not tell it. */
function pageSizeOf({ records, totalCount, totalPages, limit }: Page): number {
	const isCut = totalCount !== undefined || totalPages !== undefined;
	return isCut ? records.length : Math.max(records.length, limit ?? 0);
}

/** @throws SenselessPages when there are more records than fit into memory */
export function refuseTooMany(count: number): void {
	if (count <= maxRecords) return;
	throw new SenselessPages(
		`The service has more than ${maxRecords.toLocaleString('en')} records in this list. Narrow it down with Search, or set a Limit.`,
	);
}

function isSamePage(one: Page, other: Page): boolean {
	const [ids, otherIds] = [one, other].map(({ records }) => records.map(identityOf).join('\n'));
	return one.totalCount === other.totalCount && ids === otherIds;
}
