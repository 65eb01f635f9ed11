import { maxPageSize } from '../../service/limits';
import type { Page } from '../../service/answers';
import { momentIn } from '../../service/moment';
import { pagesToFetch } from '../../service/pages';
import { momentOf } from '../../service/pass';
import { readContactPage, readContacts } from '../../service/walk';
import { yieldToEventLoop } from '../../transport/eventLoop';
import { Cancelled, RequestFailure } from '../../transport/failure';
import { DateOrder, type StoredOrder } from './dateOrder';
import { digest, identityBytes, whatTells, type AnyRecord } from '../digest';
import type { Source } from '../session';
import { timeLeft } from '../time';

/** How many requests a walk that fits into a poll has under way at a time. */
const concurrency = 5;

/** A walk is begun as a whole if it takes this part of the time that is left, by the pace of now. */
const safePart = 0.6;

/** No walk takes more pages: a service that has more of them may ignore which one is asked for. */
const mostPages = 10_000;

/** A walk over all contacts that is under way, as n8n stores it. */
export interface StoredWalk {
	/** The page to go on with. */
	page: number;
	/** How many contacts the first page had. */
	pageSize: number;
	/** What stands for the page before. */
	before: string;
	/** When it began, by the service's clock, in ms since 1970; null if unknown. */
	began: number | null;
	/** How many contacts there were all the time; null if that has changed or was not told. */
	total: number | null;
	created: StoredOrder;
	updated: StoredOrder;
}

/** What a part of a walk, or all of it, has brought. */
export interface Walked {
	contacts: AnyRecord[];
	/** When the walk began, by the service's clock, in ms since 1970; not finite if unknown. */
	began: number;
	/** Where it goes on, unless it has come to its end. */
	rest?: StoredWalk;
	/** Whether it is proven that it has missed none that was there all the time. */
	isProven?: boolean;
	/** How many contacts there were all the time, if that is known. */
	total?: number;
	/** Whether it was begun as a whole, and did not fit into the poll. */
	isTooLong?: boolean;
	/** Of how many pages, as far as is known. */
	pages?: number;
	/** The order of the list, if it has shown it. */
	order?: Orders;
}

/** The orders by the two dates of a contact. */
export interface Orders {
	created?: 'rising' | 'falling';
	updated?: 'rising' | 'falling';
}

/** What is known before a walk. */
interface WalkBegun {
	/** Whether the last one did not fit into a poll. */
	isLong: boolean;
	/** Whether a contact was there at an earlier poll. */
	isKnown: (contact: AnyRecord) => boolean;
}

/**
 * Reads all contacts, or goes on with it, as far as the time allows: in as many requests as there
 * are pages. What fits is read at once, and proven to be complete (see `readPages`). Of a list that
 * is read page by page, what changes places meanwhile may be missed, until the next walk.
 * @throws RequestFailure when not even one page could be had
 */
export async function walkContacts(
	source: Source,
	{ rest, isLong, isKnown }: { rest?: StoredWalk } & WalkBegun,
): Promise<Walked> {
	if (rest) return await goOn(source, rest, []);
	const first = await pageOf(source, 1);
	const pages = pagesOf(first);
	const isTooLong = !isLong && fits(source, (pages ?? 1) - 1);
	const walked = isTooLong ? await walkAtOnce(source, first, isKnown) : undefined;
	if (walked) return { ...walked, pages };
	const walk: StoredWalk = {
		page: 2,
		pageSize: first.records.length,
		before: standsFor(first),
		began: finite(momentOf(first)),
		total: first.totalCount ?? null,
		...(await observed(first.records, new DateOrder(), new DateOrder())),
	};
	const isAll = isLast(first, walk);
	const contacts = [...first.records];
	const read = isAll ? ended(walk, contacts) : await goOn(source, walk, contacts);
	return { ...read, pages, isTooLong };
}

/** Undefined when it did not fit after all. */
async function walkAtOnce(
	{ connection, search }: Source,
	first: Page,
	isKnown: WalkBegun['isKnown'],
): Promise<Walked | undefined> {
	const wanted = { limit: Infinity, search, concurrency, first, isKnown };
	const read = await readContacts(connection, wanted).catch((error: unknown) => {
		if (!isOverTime(error)) throw error;
	});
	if (!read) return undefined;
	const { records, isSettled, hasChanged } = read;
	const began = momentOf(first);
	const walked = { contacts: records, began, isProven: isSettled };
	if (!isSettled || hasChanged) return walked;
	const { created, updated } = await observed(records, new DateOrder(), new DateOrder());
	return { ...walked, order: ordersOf(created, updated) };
}

async function goOn(source: Source, begun: StoredWalk, contacts: AnyRecord[]): Promise<Walked> {
	const walk = { ...begun };
	for (let isFirst = contacts.length === 0; ; isFirst = false) {
		const page = await pageInTime(source, walk.page, isFirst);
		if (!page) return { contacts, began: walk.began ?? NaN, rest: walk };
		const isRepeated = page.records.length > 0 && standsFor(page) === walk.before;
		if (isRepeated || walk.page >= mostPages) return ended(walk, contacts);
		for (const contact of page.records) contacts.push(contact);
		Object.assign(
			walk,
			{ page: walk.page + 1, before: standsFor(page) },
			page.totalCount !== walk.total && { total: null },
			await observed(page.records, new DateOrder(walk.created), new DateOrder(walk.updated)),
		);
		if (isLast(page, walk)) return ended(walk, contacts);
	}
}

/** Whether a request was given up because the poll has no more time. */
export function isOverTime(error: unknown): boolean {
	return (
		error instanceof Cancelled || (error instanceof RequestFailure && !!error.details.isHeldUp)
	);
}

/** One page; undefined where it is not needed and the time is over first. */
export async function pageInTime(
	source: Source,
	page: number,
	isNeeded: boolean,
): Promise<Page | undefined> {
	if (!isNeeded && timeLeft(source.budget) === 0) return undefined;
	return await pageOf(source, page).catch((error: unknown) => {
		if (isNeeded || !isOverTime(error)) throw error;
		return undefined;
	});
}

/** One page of the contacts, of as many as the service gives. */
export async function pageOf({ connection, search }: Source, page: number): Promise<Page> {
	return await readContactPage(connection, { page, limit: maxPageSize, search });
}

/** How many pages there are; undefined where none tells. */
export function pagesOf({ records, totalCount, totalPages }: Page): number | undefined {
	if (totalPages !== undefined) return totalPages;
	if (totalCount === undefined || records.length === 0) return undefined;
	return pagesToFetch(totalCount, Infinity, records.length);
}

/** Whether so many pages can be read in the time that is left, by the pace of now. */
export function fits({ connection, budget }: Source, pages: number): boolean {
	return connection.waitFor(pages) <= safePart * timeLeft(budget);
}

/** Whether nothing comes after a page, the walk being already at the next one. */
function isLast(
	{ records, totalCount, totalPages }: Page,
	{ page, pageSize }: StoredWalk,
): boolean {
	if (records.length === 0) return true;
	if (totalPages !== undefined) return page > totalPages;
	if (totalCount !== undefined) return (page - 1) * pageSize >= totalCount;
	return records.length < pageSize;
}

function ended({ began, total, created, updated }: StoredWalk, contacts: AnyRecord[]): Walked {
	const order = ordersOf(created, updated);
	return { contacts, began: began ?? NaN, total: total ?? undefined, order };
}

async function observed(contacts: AnyRecord[], created: DateOrder, updated: DateOrder) {
	for (const contact of contacts) {
		created.observe(momentIn(contact.createdAt));
		updated.observe(momentIn(contact.updatedAt));
		await yieldToEventLoop();
	}
	return { created: created.stored(), updated: updated.stored() };
}

function ordersOf(created: StoredOrder, updated: StoredOrder): Orders {
	return {
		created: new DateOrder(created).direction,
		updated: new DateOrder(updated).direction,
	};
}

function standsFor({ records }: Page): string {
	return digest(records.map(whatTells), identityBytes);
}

function finite(moment: number): number | null {
	return Number.isFinite(moment) ? moment : null;
}
