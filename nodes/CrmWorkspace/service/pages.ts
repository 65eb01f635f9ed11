import { maxPageSize } from './limits';

/** What one request for a list asks for: `page` counts from 1. Interface: LIST-8, LIST-9. */
export interface PageRequest {
	page: number;
	/** Records on a page. The page begins after the `(page - 1) * limit` records before it. */
	limit: number;
}

/** How many pages hold the first `limit` of `total` records. */
export function pagesToFetch(total: number, limit: number, pageSize = maxPageSize): number {
	return Math.ceil(Math.min(total, limit) / pageSize);
}

/** How many records lie before a page's end. */
export function endOf({ page, limit }: PageRequest): number {
	return page * limit;
}

/** How many records lie before a page's beginning. */
export function beginOf({ page, limit }: PageRequest): number {
	return (page - 1) * limit;
}

/**
 * Pages that cover the records from `from` to `to`, each beginning at least `overlap` records
 * before the end of the one before it, or as many as can be; the first begins that much before
 * `from`.
 * @param pageSize the most records that the service puts on a page
 */
export function overlappingPages(
	{ from, to }: { from: number; to: number },
	{ pageSize, overlap }: { pageSize: number; overlap: number },
): PageRequest[] {
	const pages: PageRequest[] = [];
	for (let reached = from; reached < to; reached = endOf(pages[pages.length - 1])) {
		pages.push(pageBeyond(reached, pageSize, overlap));
	}
	return pages;
}

function pageBeyond(reached: number, pageSize: number, overlap: number): PageRequest {
	const page = furthestPage(Math.max(0, reached - overlap), pageSize);
	const isBeyond = endOf(page) > reached;
	return isBeyond ? page : pageBeyond(reached, pageSize, Math.floor(overlap / 2));
}

/**
 * The page that reaches furthest of those that begin at `begin` or before. A page can begin only
 * at a multiple of its size, so a smaller one may reach further than one of the full size.
 */
function furthestPage(begin: number, pageSize: number): PageRequest {
	const pages = Array.from({ length: pageSize }, (_, less) => {
		const limit = pageSize - less;
		return { page: Math.floor(begin / limit) + 1, limit };
	});
	return pages.reduce((best, page) => (endOf(page) > endOf(best) ? page : best));
}
