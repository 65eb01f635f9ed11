import type { IDataObject } from 'n8n-workflow';
import type { Page } from './answers';
import { maxPageSize } from './limits';
import { PageReader, type ListReadOptions } from './pageReader';
import { pagesToFetch } from './pages';
import { readJoined } from './readJoined';
import { readSideBySide } from './readSideBySide';

/** What came of reading a paginated list. */
export interface PagesRead {
	records: IDataObject[];
	/** Number of records over all pages, as the first page told it. */
	totalCount?: number;
	/** Whether every record that existed from the first request to the last is certainly there. */
	isSettled: boolean;
	/** Whether the list was seen to change and was read again. */
	hasChanged: boolean;
}

/**
 * Reads a paginated list although others change it meanwhile. Interface: LIST-13, LIST-14.
 *
 * The pages are read side by side, which takes ceil(total / 100) requests, and counted: see `Pass`.
 * If nothing changed but some records may be too young to count, the same is done once more: then
 * they are known. If the list changed, it is read with pages that overlap: see `readJoined`. So is
 * one whose pages do not tell how many records there are. Only what is proven is called settled.
 *
 * @throws SenselessPages when the service sends the same page for ever or claims too many records
 */
export async function readPages(options: ListReadOptions): Promise<PagesRead> {
	const { fetchPage, limit } = options;
	const asked = { page: 1, limit: Math.min(limit, maxPageSize) };
	const first = options.first ?? (await fetchPage(asked));
	const { records, totalCount } = first;
	if (isAllThereIs(first, options.limit, asked.limit)) {
		const isSettled = totalCount === undefined || records.length >= Math.min(totalCount, limit);
		return { records, totalCount, isSettled, hasChanged: false };
	}

	const reader = new PageReader(options, first);
	const isCounted = totalCount !== undefined;
	if (isCounted) options.expect?.(pagesToFetch(totalCount, limit, reader.pageSize) - 1);
	const ways = isCounted
		? [readSideBySide, readSideBySide, readJoined, readJoined]
		: [readJoined, readSideBySide, readJoined];
	for (const [index, readAll] of ways.entries()) {
		if (readAll === readSideBySide && reader.hasChanged) continue;
		if (reader.isRestless) break;
		if (index > 0) await reader.beginAgain();
		if (await readAll(reader)) {
			const hasChanged = reader.hasChanged && index > 0;
			const records = await reader.pass.records();
			return { records, totalCount, isSettled: true, hasChanged };
		}
	}
	const everything = await reader.everything();
	return {
		records: everything.records(),
		totalCount,
		isSettled: false,
		hasChanged: isCounted,
	};
}

/** Whether nothing comes after a first page. */
function isAllThereIs(
	{ records, totalCount, totalPages, limit: pageSize }: Page,
	limit: number,
	asked: number,
): boolean {
	const { length } = records;
	if (length === 0 || length >= limit) return true;
	if (totalCount !== undefined) return length >= totalCount;
	if (totalPages !== undefined) return totalPages <= 1;
	// A service that sends more than was asked for does not page at all.
	return length > asked || (pageSize !== undefined && length < pageSize);
}
