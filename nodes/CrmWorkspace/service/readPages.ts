import type { Page } from './answers';
import { maxPageSize } from './limits';
import { beginOf, endOf, overlappingPages, pagesToFetch, type PageRequest } from './pages';
import { readAhead } from './readAhead';
import { RecordSet } from './recordSet';

/** How a paginated list is read. */
export interface PageReading {
	/** Asks for one page; one past the end may be empty. */
	fetchPage: (request: PageRequest) => Promise<Page>;
	/** The most records wanted; Infinity for all. The last page may bring some more. */
	limit: number;
	/** How many requests may be under way at the same time. */
	concurrency: number;
	/** When the reading began, in ms since 1970, to tell records that were created since. */
	startedAt: number;
	/** The first page, where it was read already. */
	first?: Page;
}

/** What came of reading a paginated list. */
export interface PagesRead extends Page {
	/** Whether every record that existed from the first request to the last is certainly there. */
	isSettled: boolean;
	/** Whether the list was seen to change while it was read. */
	hasChanged: boolean;
}

/** Thrown when a service's pages make no sense. Its message is for the user. */
export class SenselessPages extends Error {}

/** More would not fit into the memory of an n8n, and a service that claims more may never end. */
const maxRecords = 1_000_000;

/** How often a page may fail to join the one before it. */
const maxBreaks = 10;

/**
 * Records that neighbouring pages have in common in a reading that proves itself. More than can
 * shift between two requests begun one after the other, with 20 under way and one change in five.
 */
const usualOverlap = 10;

/**
 * Reads a paginated list (interface, "List conventions") although records come and go meanwhile.
 *
 * First the pages are read side by side, which takes ceil(total / 100) requests. When they show no
 * change, that is all: as many different records as the total says on every page, none of them
 * created since the beginning, can only be those that were there at the beginning. A deletion and
 * a creation that cancel each other out within one request would escape this only if the records
 * had no `createdAt` or the service's clock were behind n8n's.
 *
 * At the first sign of a change the list is read again with pages that overlap: a page that shares
 * a record with the one before it leaves no gap, whatever happened between the two. Records that
 * an update moved to the beginning of a list ordered by it are read last. What proves itself in
 * this way is settled; it rests on an order in which records otherwise keep their places.
 *
 * @throws SenselessPages when the service sends the same page for ever or claims too many records
 */
export async function readPages(reading: PageReading): Promise<PagesRead> {
	const { fetchPage, limit } = reading;
	const asked = { page: 1, limit: Math.min(limit, maxPageSize) };
	const first = reading.first ?? (await fetchPage(asked));
	const { records, totalCount } = first;
	const wanted = Math.min(totalCount ?? Infinity, limit);
	const isCut = records.length > 0 && records.length < wanted;
	if (!isCut || (totalCount === undefined && records.length !== asked.limit)) {
		const isSettled = totalCount === undefined || records.length >= wanted;
		return { records, totalCount, isSettled, hasChanged: false };
	}

	const read = new RecordSet();
	read.add(records);
	// A service may have a page size of its own.
	const pageSize = records.length;
	if (totalCount !== undefined && (await readSideBySide(reading, totalCount, pageSize, read))) {
		return { records: read.records(), totalCount, isSettled: true, hasChanged: false };
	}
	const { whole, isSettled } = await readOverlapping(reading, Math.min(pageSize, maxPageSize));
	if (!isSettled) whole.addMissing(read);
	return {
		records: whole.records(),
		totalCount,
		isSettled,
		hasChanged: totalCount !== undefined,
	};
}

/**
 * Reads the pages after the first until one of them shows that the list has changed.
 * @param read the first page's records, to which the others are added
 * @returns whether nothing has changed
 */
async function readSideBySide(
	{ fetchPage, limit, concurrency, startedAt }: PageReading,
	total: number,
	pageSize: number,
	read: RecordSet,
): Promise<boolean> {
	refuseTooMany(Math.min(total, limit));
	const requests = Array.from({ length: pagesToFetch(total, limit, pageSize) - 1 }, (_, index) => ({
		page: index + 2,
		limit: pageSize,
	}));
	for await (const { task, result } of readAhead(requests, concurrency, fetchPage)) {
		const { records, totalCount } = result;
		if (totalCount !== total) return false;
		if (!isLast(task, result, limit)) refuseRepetition(task, result, read);
		const isExpected =
			records.length === Math.min(pageSize, total - beginOf(task)) &&
			!records.some((record) => read.has(record) || isCreatedSince(record.createdAt, startedAt));
		if (!isExpected) return false;
		read.add(records);
	}
	return true;
}

/**
 * Reads all pages so that each shares a record with those before it, and then the beginning of
 * the list again until it meets what is known.
 * @returns the records, and whether all pages joined
 */
async function readOverlapping(
	reading: PageReading,
	pageSize: number,
): Promise<{ whole: RecordSet; isSettled: boolean }> {
	let whole = new RecordSet();
	let { isJoined } = await readChain(reading, pageSize, whole, () => false);
	for (let round = 0; isJoined && round < maxBreaks; round++) {
		const front = new RecordSet();
		const oneByOne = { ...reading, concurrency: 1 };
		const again = await readChain(oneByOne, pageSize, front, ({ records }) =>
			whole.sharesOneOf(records),
		);
		front.addMissing(whole);
		whole = front;
		isJoined = again.isJoined;
		// While a beginning of several pages was read, records may have moved there once more.
		if (again.pages === 1) return { whole, isSettled: isJoined };
	}
	return { whole, isSettled: false };
}

/**
 * Reads from the beginning of the list, each page joined to those before it, until one of them is
 * the last or is enough. A page that does not join is given up for one that begins further back.
 * @param chain empty; the records are added
 * @returns whether all pages joined, and how many there were
 */
async function readChain(
	{ fetchPage, limit, concurrency }: PageReading,
	pageSize: number,
	chain: RecordSet,
	isEnough: (page: Page) => boolean,
): Promise<{ isJoined: boolean; pages: number }> {
	const overlap = Math.min(usualOverlap, Math.ceil(pageSize / 5));
	let reached = 0;
	let total: number | undefined;
	let breaks = 0;
	let pages = 0;
	for (;;) {
		const to = Math.max(reached + 1, Math.min(total ?? 0, limit));
		const requests = overlappingPages({ from: reached, to }, { pageSize, overlap });
		// The last page is asked for when all others are there: records may have moved to the end.
		const batch = requests.slice(0, Math.max(1, requests.length - 1));
		for await (const { task, result } of readAhead(batch, concurrency, fetchPage)) {
			const { records, totalCount } = result;
			const isJoined = task.page === 1 || chain.sharesOneOf(records);
			const isEnd = isLast(task, result, limit);
			const isShort = isEnd && isShortOf(task, result, limit);
			if (!isJoined && !isShort && ++breaks <= maxBreaks) {
				const back = overlap * 2 ** breaks;
				reached = Math.max(0, Math.min(reached, totalCount ?? reached) - back);
				break;
			}
			if (!isEnd && breaks === 0 && totalCount === total) refuseRepetition(task, result, chain);
			chain.add(records);
			pages++;
			total = totalCount ?? total;
			reached = endOf(task);
			refuseTooMany(Math.min(Math.max(reached, total ?? 0), limit));
			if (isEnd || isEnough(result)) {
				return { isJoined: breaks <= maxBreaks && !isShort, pages };
			}
		}
	}
}

function isLast(request: PageRequest, { records, totalCount }: Page, limit: number): boolean {
	if (endOf(request) >= limit) return true;
	if (totalCount === undefined) return records.length < request.limit;
	return records.length === 0 || endOf(request) >= totalCount;
}

/** Whether a last page holds fewer records than its own total says. */
function isShortOf(
	request: PageRequest,
	{ records, totalCount = 0 }: Page,
	limit: number,
): boolean {
	return beginOf(request) + records.length < Math.min(totalCount, limit);
}

function isCreatedSince(createdAt: unknown, moment: number): boolean {
	return Date.parse(String(createdAt)) >= moment;
}

/** @throws SenselessPages when a full page holds only records of pages before it */
function refuseRepetition({ page, limit }: PageRequest, { records }: Page, read: RecordSet): void {
	if (records.length < limit || records.some((record) => !read.has(record))) return;
	throw new SenselessPages(
		`The service sent only records of earlier pages as page ${page}, so the list would never end. It seems to ignore the page that it is asked for.`,
	);
}

/** @throws SenselessPages when there are more records than fit into memory */
function refuseTooMany(count: number): void {
	if (count <= maxRecords) return;
	throw new SenselessPages(
		`The service has more than ${maxRecords.toLocaleString('en')} records in this list. Narrow it down with Search, or set a Limit.`,
	);
}
