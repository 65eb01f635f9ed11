/**
 * Reads a paginated list that others change during the reading. If a record is deleted, the later
 * ones move forward, some of them to pages that were read already. So a pass over all pages is
 * complete only if as many records were met that certainly were in the list when it began as the
 * service counted then; later passes may supply missing ones. After four passes, the result says that
 * records may be missing.
 */
import type { Client } from '../client/request';
import { yieldToEventLoop } from '../common/tasks';
import { listContacts, maxPageSize, type Page } from './endpoints';
import { parseTime, wideMarginMs } from './formats';
import type { Contact } from './records';

interface ReadOptions {
	/** Text that the contacts have to match; empty for all. */
	search?: string;
	/** The most records wanted; Infinity for all. The last page may bring some more. */
	limit: number;
	/** Number of requests that may be under way at the same time. */
	concurrency: number;
	/** The first page, of up to 100 records, if it was read already. */
	first?: Page;
}

export interface PagesRead {
	/** Each once, in the order in which they were met first. */
	records: Contact[];
	/** Number of records over all pages, by the first page. */
	totalCount: number;
	/** Whether as many as were wanted came, or certainly every record that was there all the time. */
	isSettled: boolean;
}

/** Passes until a list counts as never complete. */
const maxPasses = 4;

/** The list as it was when a pass began. */
interface Start {
	first: Page;
	/** IDs of the records that earlier passes have met. */
	wereMet: Set<string>;
	/** IDs of the records that certainly were there, and that this pass or a later one has met. */
	wereThere: Set<string>;
}

/**
 * All contacts that match, or as many of them as are wanted, in as many passes as it takes until
 * certainly none is missing that was there all the time, or four. Interface: LIST-12, LIST-13, LIST-14.
 * @throws RequestFailure
 */
export async function readContacts(client: Client, options: ReadOptions): Promise<PagesRead> {
	const { search, limit } = options;
	const firstPage = { page: 1, limit: Math.min(limit, maxPageSize), search };
	// An update can make a contact match a search that it didn't match before.
	const date = search ? 'updatedAt' : 'createdAt';
	const met = new Map<string, Contact>();
	const starts: Start[] = [];
	let first = options.first ?? (await listContacts(client, firstPage));
	for (;;) {
		const wereThere = new Set(first.records.map(({ id }) => id));
		starts.push({ first, wereMet: new Set(met.keys()), wereThere });
		for (const record of await readPass(client, options, first)) {
			met.set(record.id, record);
			for (const start of starts) if (wasThere(record, start, date)) start.wereThere.add(record.id);
			await yieldToEventLoop();
		}
		// A later pass can prove that an earlier one was complete.
		const isComplete = starts.some((start) => start.wereThere.size === start.first.totalCount);
		const isSettled = isComplete || met.size >= limit;
		if (isSettled || starts.length === maxPasses) {
			return { records: [...met.values()], totalCount: starts[0].first.totalCount, isSettled };
		}
		first = await listContacts(client, firstPage);
	}
}

/**
 * Whether a record that was met certainly was in the list when a pass began.
 * @param date the name of the one that shows since when it can have been there
 */
function wasThere(record: Contact, { first, wereMet }: Start, date: string): boolean {
	return wereMet.has(record.id) || parseTime(record[date]) < (first.asOf ?? NaN) - wideMarginMs;
}

/**
 * The records of all pages, or of as many as are wanted, in the order of the pages. Once a request
 * has failed, no further one begins.
 */
async function readPass(
	client: Client,
	{ search, limit, concurrency }: ReadOptions,
	first: Page,
): Promise<Contact[]> {
	const pageSize = Math.min(limit, maxPageSize);
	const pages = [first];
	// The list may grow or shrink during the pass.
	const lastWanted = ({ totalPages }: Page) =>
		Math.min(totalPages, Math.ceil(limit / first.records.length));
	let last = lastWanted(first);
	let next = 2;
	let hasFailed = false;
	const readOn = async () => {
		while (next <= last && !hasFailed) {
			const page = next++;
			pages[page - 1] = await listContacts(client, { page, limit: pageSize, search });
			last = lastWanted(pages[page - 1]);
		}
	};
	if (last > 1) client.announce(last - 1);
	await Promise.all(Array.from({ length: concurrency }, readOn)).catch((error: unknown) => {
		hasFailed = true;
		throw error;
	});
	return pages.flatMap(({ records }) => records);
}
