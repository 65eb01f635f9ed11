/**
 * Reads paginated lists that others change meanwhile. No record that was there all the time is
 * missing or comes twice, or the list says that this isn't proven (`census.ts`).
 */
import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../answers';
import { maxPageSize } from '../limits';
import { Census, type ArrivalDates } from './census';
import { lastPageAt, pageSizeOf, totalAt, type PageRequest } from './pages';

export interface ListReadOptions {
	/** Asks for one page; one past the end may be empty. */
	fetchPage: (request: PageRequest) => Promise<Page>;
	/** The most records wanted; Infinity for all. The last page may bring some more. */
	limit: number;
	/** How many requests may be under way at the same time. */
	concurrency: number;
	/** The dates of a record that can tell that it was not in the list before. */
	arrivalDates: ArrivalDates;
	/** Whether a record is known to have been in the list since before `first` was asked for. */
	isKnown?: (record: IDataObject) => boolean;
	/** The first page, of up to 100 records, where it was read already. */
	first?: Page;
	/** Called with the number of further pages of a round, as soon as its first page shows it. */
	expect?: (requests: number) => void;
}

export interface PagesRead {
	records: IDataObject[];
	/** Number of records over all pages, as the first page told it. */
	totalCount?: number;
	/** Whether as many came as were wanted, or certainly every record that was there all the time. */
	isSettled: boolean;
	/** Whether the list was seen to change and was read again. */
	hasChanged: boolean;
}

/** Thrown when a list is too long to be read. Its message is for the user. */
export class TooManyRecords extends Error {}

/** More would not fit into the memory of an n8n, and a service that says it has more may never end. */
const maxRecords = 1_000_000;

/** For a list of which it is never proven that none is missing. */
const maxRounds = 4;

/**
 * Reads a paginated list although others change it meanwhile, in rounds: each asks for all pages
 * once, until the census proves that none is missing, or as many came as are wanted. One round is
 * enough for a list that does not change and tells how many records it has. Interface: LIST-13,
 * LIST-14.
 * @throws TooManyRecords when the service has more than fit into memory, or says so
 */
export async function readPages(options: ListReadOptions): Promise<PagesRead> {
	const { fetchPage, limit, arrivalDates, isKnown } = options;
	const census = new Census(arrivalDates, isKnown);
	let request: PageRequest = { page: 1, limit: Math.min(limit, maxPageSize) };
	let answer = options.first ?? (await fetchPage(request));
	const { totalCount } = answer;
	const pageSize = pageSizeOf(answer);
	let lastPage = 1;
	for (let round = 1; ; round++) {
		census.beginRound(answer, totalAt(request, answer));
		const isAllThereIs = round === 1 && isEnough(census, limit);
		const begun = { page: request.page, answer, pageSize };
		if (!isAllThereIs) lastPage = await readRest(options, census, begun);
		const isSettled = isEnough(census, limit);
		if (isSettled || round === maxRounds) {
			const hasChanged = census.hasChanged && round > 1;
			return { records: census.records(), totalCount, isSettled, hasChanged };
		}
		// Where no page tells how many records there are, the last one shows it, if it is read alone.
		request = { page: totalCount === undefined ? lastPage : 1, limit: pageSize };
		answer = await fetchPage(request);
	}
}

/**
 * Reads the pages that a round has not begun with, until as many came as are wanted, or to the end of
 * the list. Only the end shows whether a headcount is met exactly: records that come with old dates,
 * as in an import, could fill it while others are still to be met.
 * @param begun the page that the round has begun with, and how large pages are
 * @returns the last page of the list, as far as it was seen
 */
async function readRest(
	{ fetchPage, limit, concurrency, expect }: ListReadOptions,
	census: Census,
	begun: { page: number; answer: Page; pageSize: number },
): Promise<number> {
	const { pageSize } = begun;
	let needed = 1;
	const note = (page: number, answer: Page) => {
		const told = lastPageAt({ page, limit: pageSize }, answer) ?? Math.max(needed, page + 1);
		refuseTooMany(Math.min(told * pageSize, limit));
		needed = Math.min(told, Math.max(Math.ceil(limit / pageSize), page + 1));
	};
	note(begun.page, begun.answer);
	if (begun.answer.totalCount !== undefined && needed > 1) expect?.(needed - 1);

	let page = 0;
	const nextRequests = () => {
		const requests: PageRequest[] = [];
		while (requests.length < concurrency) {
			const next = page + 1 === begun.page ? page + 2 : page + 1;
			if (next > Math.min(needed, maxPages(census.size, pageSize))) break;
			requests.push({ page: next, limit: pageSize });
			page = next;
		}
		return requests;
	};
	for (let requests = nextRequests(); requests.length > 0; requests = nextRequests()) {
		const answers = await Promise.all(requests.map(fetchPage));
		for (const [index, request] of requests.entries()) {
			census.add(answers[index]);
			if (census.size >= limit) return needed;
			note(request.page, answers[index]);
		}
	}
	return needed;
}

/** How many pages to ask for: a service that ignores which page it is asked for never ends. */
function maxPages(seen: number, pageSize: number): number {
	return 2 * Math.ceil(seen / pageSize) + 20;
}

function isEnough(census: Census, wanted: number): boolean {
	return census.size >= wanted || census.isProven;
}

/** @throws TooManyRecords */
function refuseTooMany(count: number): void {
	if (count <= maxRecords) return;
	throw new TooManyRecords(
		`The service has more than ${maxRecords.toLocaleString('en')} records in this list. Narrow it down with Search, or set a Limit.`,
	);
}
