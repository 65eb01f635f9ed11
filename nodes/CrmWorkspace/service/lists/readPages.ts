/**
 * Reads a paginated list that others change during the reading. If a record is deleted, the later
 * ones move forward, some of them to pages that were read already. So a pass over all pages is
 * complete only if as many records were met that certainly were in the list when it began as the
 * service counted by then; later passes may supply missing ones. After four passes, the result says
 * that records may be missing.
 */
import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../responses';
import { maxPageSize } from '../limits';
import { isDatedBefore } from '../serviceTime';
import { clockMarginMs, getLastPage, getPageSize } from './pages';

export interface ReadOptions {
	/** Requests a page of at most `limit` records. One past the end is empty. */
	fetchPage: (request: { page: number; limit: number }) => Promise<Page>;
	/** The most records wanted; Infinity for all. The last page may bring some more. */
	limit: number;
	/** Number of requests that may be under way at the same time. */
	concurrency: number;
	/** The dates that show since when a record can have been in the list. */
	dates: ReadonlyArray<'createdAt' | 'updatedAt'>;
	/** The first page, of up to 100 records, if it was read already. */
	first?: Page;
	/** Called with the number of pages that a pass will read, as soon as it is known. */
	expect?: (pages: number) => void;
}

export interface PagesRead {
	/** Each once, in the order in which they were met first. */
	records: IDataObject[];
	/** Number of records over all pages, by the first page. */
	totalCount?: number;
	/** Whether as many as were wanted came, or certainly every record that was there all the time. */
	isSettled: boolean;
}

/** Thrown if a list is too long to be read. Its message is for the user. */
export class TooManyRecords extends Error {}

/** More don't fit into the memory of an n8n instance, and a service that counts more may never end. */
const maxRecords = 1_000_000;

/** Passes until a list counts as never complete. */
const maxPasses = 4;

/** What a pass over all pages shows of the list as it was when the pass began. */
interface Pass {
	first: Page;
	/** Whether the first page is the whole list. */
	isOnePage: boolean;
	/** Whether a page had only records of earlier pages: a service may ignore the page number. */
	hasRepeatedPage: boolean;
}

/** A record, with the indexes of the first and the last pass that met it. */
interface MetRecord {
	record: IDataObject;
	firstPass: number;
	lastPass: number;
}

type MetRecords = Map<string, MetRecord>;

/**
 * Reads a list, in as many passes as it takes until certainly no record is missing that was there
 * all the time, or four. Interface: LIST-13, LIST-14.
 * @throws TooManyRecords
 */
export async function readPages(options: ReadOptions): Promise<PagesRead> {
	const { fetchPage, limit, dates } = options;
	const fetchFirst = async () => await fetchPage({ page: 1, limit: Math.min(limit, maxPageSize) });
	const met: MetRecords = new Map();
	const passes: Pass[] = [];
	let first = options.first ?? (await fetchFirst());
	const { totalCount } = first;
	for (;;) {
		passes.push(await readPass(options, first, met, passes.length));
		// A later pass can prove that an earlier one was complete.
		const isProven = passes.some((pass, index) => isComplete(pass, index, met, dates));
		const isSettled = met.size >= limit || isProven;
		if (isSettled || passes.length === maxPasses) {
			const records = Array.from(met.values(), ({ record }) => record);
			return { records, totalCount, isSettled };
		}
		first = await fetchFirst();
	}
}

/**
 * Reads all pages, or as many as are wanted, and adds their records to those that were met, in the
 * order of the pages. Once a request has failed, no further one begins.
 */
async function readPass(
	{ fetchPage, limit, concurrency, expect }: ReadOptions,
	first: Page,
	met: MetRecords,
	index: number,
): Promise<Pass> {
	const pageSize = getPageSize(first);
	let last = getLastPage(1, first, pageSize);
	const pass = { first, isOnePage: last === 1, hasRepeatedPage: false };
	addPage(met, first, index);
	const responses: Page[] = [];
	let [added, next] = [1, 2];

	// If the service doesn't say which page is the last, only one page at a time may not exist.
	const lastWanted = () => {
		const forLimit = Math.max(limit / pageSize, added + (limit - met.size) / pageSize);
		return Math.min(last === Infinity ? added + 1 : last, Math.ceil(forLimit));
	};
	const addInOrder = () => {
		for (let page = responses[added + 1]; page; page = responses[added + 1]) {
			added++;
			const hasOthers = addPage(met, page, index);
			pass.hasRepeatedPage ||= !hasOthers && page.records.length > 0;
			last = hasOthers ? getLastPage(added, page, pageSize) : added;
		}
	};
	const work = async () => {
		while (next <= lastWanted()) {
			throwIfTooMany(Math.min(limit, Math.max(first.totalCount ?? 0, met.size)));
			const page = next++;
			responses[page] = await fetchPage({ page, limit: pageSize });
			addInOrder();
		}
	};
	if (first.totalCount !== undefined && lastWanted() > 1) expect?.(lastWanted() - 1);
	await Promise.all(Array.from({ length: concurrency }, work)).finally(() => (next = Infinity));
	return pass;
}

/** @returns whether a page has a record that its pass has not met before */
function addPage(met: MetRecords, { records }: Page, pass: number): boolean {
	let hasOthers = false;
	for (const record of records) {
		const identity = getIdentity(record);
		const { firstPass, lastPass } = met.get(identity) ?? { firstPass: pass };
		hasOthers ||= lastPass !== pass;
		met.set(identity, { record, firstPass, lastPass: pass });
	}
	return hasOthers;
}

/**
 * Whether certainly every record was met that the list had when a pass began.
 * - If the service counts records: it counted as many as were met since and certainly were there,
 *   because they are on the first page, dated before, or known from an earlier pass.
 * - If it doesn't count: the first page is the whole list, or two passes met the same records.
 */
function isComplete(
	{ first, isOnePage, hasRepeatedPage }: Pass,
	index: number,
	met: MetRecords,
	dates: ReadOptions['dates'],
): boolean {
	const isKnownBefore = ({ firstPass, lastPass }: MetRecord) =>
		firstPass < index && lastPass >= index;
	if (first.totalCount === undefined) {
		return isOnePage || (!hasRepeatedPage && [...met.values()].every(isKnownBefore));
	}
	const onFirstPage = new Set(first.records.map(getIdentity));
	const began = first.asOf === undefined ? undefined : first.asOf - clockMarginMs;
	let count = 0;
	for (const [identity, one] of met) {
		const isDated = () => dates.every((name) => isDatedBefore(one.record[name], began));
		const wasThere = onFirstPage.has(identity) || isKnownBefore(one) || isDated();
		if (wasThere && one.lastPass >= index) count++;
	}
	return count === first.totalCount;
}

/** Identifies a record, by its content if it has no ID. */
function getIdentity(record: IDataObject): string {
	const { id } = record;
	return typeof id === 'string' || typeof id === 'number' ? String(id) : JSON.stringify(record);
}

/** @throws TooManyRecords */
function throwIfTooMany(count: number): void {
	if (count <= maxRecords) return;
	throw new TooManyRecords(
		`The service has more than ${maxRecords.toLocaleString('en')} records in this list. Narrow it down with Search, or set a Limit.`,
	);
}
