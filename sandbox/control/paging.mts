import type { Page } from '../data/order.mts';

/** Which page of a list a query asks for: numbers as text, checked by the route's schema. */
export interface PageQuery {
	page?: string;
	limit?: string;
}

/** One page of a list. */
export interface PageOf<Entry> {
	data: Entry[];
	page: number;
	/** At least 1, also without any entries. */
	pages: number;
	totalCount: number;
}

const usual = 50;
const most = 200;

/**
 * Answers a query for one page. What lies behind the last page is the last page, so that anyone who
 * looks at a list that grows shorter still sees something.
 * @param take gives a part of the list and says how long the whole list is
 */
export function pageOf<Entry>(
	query: PageQuery,
	take: (part: Page) => { entries: Entry[]; totalCount: number },
): PageOf<Entry> {
	const limit = Math.min(Number(query.limit ?? usual), most);
	const read = (page: number): PageOf<Entry> => {
		const { entries, totalCount } = take({ offset: (page - 1) * limit, limit });
		const pages = Math.max(1, Math.ceil(totalCount / limit));
		return page > pages ? read(pages) : { data: entries, page, pages, totalCount };
	};
	return read(Number(query.page ?? 1));
}
