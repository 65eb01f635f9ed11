import type { Page } from '../answers';
import { maxPageSize } from '../limits';

/** What one request for a list asks for: `page` counts from 1. Interface: LIST-8, LIST-9. */
export interface PageRequest {
	page: number;
	/** Records on a page. The page begins after the `(page - 1) * limit` records before it. */
	limit: number;
}

/** A service may have a page size of its own, and need not tell it: its first page shows it. */
export function pageSizeOf({ records, totalCount, totalPages, limit }: Page): number {
	const { length } = records;
	const isCut = totalCount !== undefined || totalPages !== undefined;
	return (isCut ? length : Math.max(length, limit ?? 0)) || maxPageSize;
}

/**
 * How many records the list had when a page was looked up: what the page tells, or else where the
 * last page ends. Undefined where neither is known.
 */
export function totalAt(request: PageRequest, page: Page): number | undefined {
	const isEnd = page.totalCount === undefined && isLast(request, page);
	return isEnd ? (request.page - 1) * request.limit + page.records.length : page.totalCount;
}

/** The last page of the list, as a page tells or is; undefined if it only shows that others follow. */
export function lastPageAt(request: PageRequest, page: Page): number | undefined {
	const { totalCount } = page;
	if (totalCount !== undefined) return Math.max(1, Math.ceil(totalCount / request.limit));
	return isLast(request, page) ? request.page : undefined;
}

/** Whether nothing comes after a page that tells no count of the records. */
function isLast({ page, limit }: PageRequest, { records, ...told }: Page): boolean {
	const { length } = records;
	if (length === 0) return true;
	if (told.totalPages !== undefined) return page >= told.totalPages;
	// A service that sends more than was asked for does not page at all. One that sends less may have
	// a page size of its own, which the second page shows.
	return length > limit || length < (told.limit ?? (page > 1 ? limit : 0));
}
