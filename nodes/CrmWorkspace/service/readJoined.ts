import type { IDataObject } from 'n8n-workflow';
import type { Page } from './answers';
import { maxPageSize } from './limits';
import { momentIn } from './moment';
import { beginOf, endOf, overlappingPages, pagesToFetch, type PageRequest } from './pages';
import { refuseTooMany, type PageReader } from './pageReader';
import { momentOf } from './pass';
import { readAhead } from './readAhead';
import { setOf, type RecordSet } from './recordSet';

/** How often a page may fail to join before this way of reading is given up. */
const maxBreaks = 10;

/** After so many failures the pages are read one after the other, no longer side by side. */
const calmBreaks = 2;

/** A first page of fewer records is all there is, if no page tells more. */
const smallestPage = 3;

/** How often the beginning of the list is read once more. */
const maxRounds = 2;

/** Records that neighbouring pages have in common, so that they join although some come or go. */
const usualOverlap = 10;

/**
 * Reads pages that overlap from the beginning of the list to its end. A page that shares a record
 * with those before it leaves no gap, whatever happened between the two, as long as the records
 * keep their places. An update moves a record only in a list that is ordered by what it changes:
 * one ordered by `updatedAt` is read once more where such records gather, and of one ordered by
 * anything else that can change, nothing but the count of a pass proves something.
 * @returns whether it is certain that nothing was missed
 */
export async function readJoined(reader: PageReader): Promise<boolean> {
	const { pass, order, first } = reader;
	const { limit, concurrency } = reader.options;
	const chain = chainFrom(first);
	// Counts records, not positions: new records in front move the first ones on.
	const isEnough = () => chain.seen.size >= limit;
	const isJoined = await extend(reader, chain, concurrency, isEnough);
	reader.hasChanged ||= chain.breaks > 0;
	if (pass.isComplete(limit)) return true;
	if (reader.isRestless) return false;

	const hasFront = isJoined && (!order.mayMoveToFront || (await readFront(reader)));
	// Read last and alone, the end also tells how many records there are, where no page says so.
	const needsEnd = order.mayMoveToEnd || first.totalCount === undefined;
	const hasEnd = !needsEnd || !chain.isAtEnd || (await readEnd(reader, chain));
	return (hasFront && hasEnd && !order.mayMoveAnywhere) || pass.isComplete(limit);
}

/** Pages that share records with one another. */
interface Chain {
	seen: RecordSet;
	/** How many records of the list lie before its end. */
	reached: number;
	/** How many records the list has, as far as is known. */
	total?: number;
	/** The same, where its last page told. */
	count?: number;
	/** How often a page did not join. */
	breaks: number;
	/** Whether its last page was the last of the list. */
	isAtEnd?: boolean;
}

function chainFrom({ records, totalCount, totalPages }: Page): Chain {
	const total = totalCount ?? (totalPages && totalPages * records.length);
	return { seen: setOf(records), reached: records.length, total, breaks: 0 };
}

/**
 * Reads on where a chain ends, each page joined to it, until one of them is the last or enough. One
 * that does not join is given up for one that begins further back.
 * @returns whether all pages joined, and held what they had to
 */
async function extend(
	reader: PageReader,
	chain: Chain,
	concurrency: number,
	isEnough: (page: Page) => boolean = () => false,
): Promise<boolean> {
	const { fetchPage, limit } = reader.options;
	const pageSize = Math.max(smallestPage, reader.pageSize);
	const overlap = Math.min(usualOverlap, Math.ceil(pageSize / 5));
	const { total = Infinity } = chain;
	// A list may grow as fast as it is read, and a chain may begin anew at its beginning.
	const mostPages = 3 * (maxBreaks + pagesToFetch(total, limit, pageSize));
	let pages = 0;
	let isWhole = true;
	for (;;) {
		const to = Math.max(chain.reached + 1, Math.min(chain.total ?? 0, limit));
		const requests = overlappingPages({ from: chain.reached, to }, { pageSize, overlap });
		// With fewer requests under way, less can change between two pages.
		const width = chain.breaks < calmBreaks ? concurrency : 1;
		for await (const { request, answer } of readAhead(requests, width, fetchPage)) {
			const isEnd = isLast(request, answer);
			if (!isEnd) await reader.refuseRepetition(request, answer);
			reader.take(answer);
			const isJoined = beginOf(request) === 0 || chain.seen.sharesOneOf(answer.records);
			const keepsBack = isShort(request, answer);
			chain.count = totalAt(request, answer);
			chain.total = chain.count ?? chain.total;
			// Pages of a few records cannot overlap everywhere.
			const overlaps = beginOf(request) < chain.reached;
			if (!isJoined && overlaps && !keepsBack && chain.breaks < maxBreaks) {
				const end = Math.min(chain.reached, chain.total ?? Infinity);
				chain.reached = Math.max(0, end - overlap * 2 ** ++chain.breaks);
				break;
			}
			isWhole &&= isJoined && !keepsBack;
			reader.isRestless ||= keepsBack || (!isJoined && overlaps);
			chain.seen.add(answer.records);
			chain.reached = endOf(request);
			refuseTooMany(Math.min(Math.max(chain.reached, chain.total ?? 0), limit));
			chain.isAtEnd = isEnd;
			if (isEnd || isEnough(answer)) return isWhole;
			reader.isRestless ||= ++pages > mostPages;
			if (pages > mostPages) return false;
		}
	}
}

/**
 * Reads the end of the list from before what was moved there, one page after the other: what is
 * moved there meanwhile is met.
 * @returns whether it joined
 */
async function readEnd(reader: PageReader, chain: Chain): Promise<boolean> {
	const isUnmoved = reader.order.mayMoveToEnd ? unchangedSince(momentOf(reader.first)) : () => true;
	const unmoved = await chain.seen.filter(isUnmoved);
	const reachesBack = unmoved.size > 0;
	const { total, reached } = chain;
	const seen = reachesBack ? unmoved : await chain.seen.filter(() => true);
	const end: Chain = { seen, reached: total ?? reached, total, breaks: 0 };
	const isJoined = await extend(reader, end, 1);
	reader.noteEnd(end.count);
	return isJoined && reachesBack;
}

/**
 * Reads the beginning of the list until it meets what was there before anything was moved. When
 * that takes several pages, records may have been moved before them meanwhile, so it is read once
 * more.
 * @returns whether it joined
 */
async function readFront(reader: PageReader): Promise<boolean> {
	let { first } = reader;
	for (let round = 0; round < maxRounds; round++) {
		const isUnchanged = unchangedSince(momentOf(first));
		if (!reader.pass.seen.records().some(isUnchanged)) return false;
		const reachesBack = ({ records }: Page) => records.some(isUnchanged);
		first = await reader.readFirst();
		if (reachesBack(first)) return true;
		const front = chainFrom(first);
		const isJoined = await extend(reader, front, 1, reachesBack);
		if (!isJoined || front.isAtEnd) return false;
	}
	return false;
}

/** Whether a record cannot have been moved by an update since a moment, by the service's clock. */
function unchangedSince(moment: number): (record: IDataObject) => boolean {
	return ({ updatedAt }) => momentIn(updatedAt) < moment;
}

function isLast(request: PageRequest, page: Page): boolean {
	const { records, totalCount, totalPages } = page;
	if (totalCount !== undefined) {
		return endOf(request) >= totalCount || (records.length === 0 && isShort(request, page));
	}
	if (totalPages !== undefined) return request.page >= totalPages;
	return records.length < request.limit || isUnpaged(request, page);
}

/** Whether a service sends all it has, although fewer were asked for, and could be on one page. */
function isUnpaged({ limit }: PageRequest, { records }: Page): boolean {
	return records.length > limit && records.length < maxPageSize;
}

/** Whether a page holds fewer records than it has to by its own count. */
function isShort(request: PageRequest, { records, totalCount = 0 }: Page): boolean {
	return beginOf(request) + records.length < Math.min(totalCount, endOf(request));
}

/**
 * How many records the list had at most when a page was read; undefined if the page does not tell.
 */
function totalAt(request: PageRequest, page: Page): number | undefined {
	const { records, totalCount } = page;
	const isEnd = totalCount === undefined && isLast(request, page);
	if (!isEnd) return totalCount;
	return isUnpaged(request, page) ? records.length : beginOf(request) + records.length;
}
