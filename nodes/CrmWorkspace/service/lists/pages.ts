import type { Page } from '../responses';
import { maxPageSize } from '../limits';

/** How far two clocks of the service may differ: that of responses, and that of dates. */
export const clockMarginMs = 60_000;

/**
 * The last page of a list, as far as one of its pages shows it; Infinity if others may follow.
 * Interface: LIST-6, LIST-7.
 * @param pageSize number of records on every page but the last
 */
export function getLastPage(page: number, response: Page, pageSize: number): number {
	const { records, totalCount, totalPages, limit } = response;
	if (totalCount !== undefined) return Math.max(1, Math.ceil(totalCount / pageSize));
	if (records.length === 0) return page;
	if (totalPages !== undefined) return Math.max(1, totalPages);
	// A short first page may be a full one of a service with smaller pages.
	const isLast = records.length < (limit ?? (page > 1 ? pageSize : 0));
	// A service that sends more than a page may hold has no pages at all.
	return isLast || records.length > maxPageSize ? page : Infinity;
}

/** The page size by the first page: a service may have smaller pages than it is asked for. */
export function getPageSize({ records }: Page): number {
	return records.length || maxPageSize;
}
