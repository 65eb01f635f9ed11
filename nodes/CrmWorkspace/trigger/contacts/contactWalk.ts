import { maxPageSize } from '../../service/limits';
import type { Page } from '../../service/answers';
import { momentIn } from '../../service/moment';
import { readContactPage, readContacts } from '../../service/lists/readContacts';
import { yieldToEventLoop } from '../../transport/eventLoop';
import { Cancelled, RequestFailure } from '../../transport/errors/failure';
import { DateOrder, type StoredOrder } from './dateOrder';
import { digest, identityBytes, identityParts, type AnyRecord } from '../digest';
import type { ServiceAccess } from '../session';
import { timeLeft } from '../time';

/** How many requests may be under way at the same time in a walk that fits into one poll. */
const concurrency = 5;

/**
 * A walk is made in one poll if, at the present rate, it takes at most this part of the time left.
 */
const safePart = 0.6;

/** The most pages of a walk: a service with more of them probably ignores the page number. */
const mostPages = 10_000;

/** A walk over all contacts that is under way, as n8n stores it. */
export interface StoredWalk {
	/** The page to go on with. */
	page: number;
	/** How many contacts the first page had. */
	pageSize: number;
	/** Digest of the page before. */
	before: string;
	/** When it began, by the service's clock, in ms since 1970; null if unknown. */
	began: number | null;
	/** The number of contacts, as long as each page has told the same; otherwise null. */
	total: number | null;
	created: StoredOrder;
	updated: StoredOrder;
}

/** The result of a walk, or of the part of it that one poll has made. */
export interface Walked {
	contacts: AnyRecord[];
	/** When the walk began, by the service's clock, in ms since 1970; not finite if unknown. */
	began: number;
	/** Where the next poll goes on; absent if the walk has ended. */
	rest?: StoredWalk;
	/** Whether it is certain that it has missed no contact that was there all the time. */
	isProven?: boolean;
	/** The number of contacts, if each page has told the same. */
	total?: number;
	/** Whether it was tried in one poll and did not fit. */
	isTooLong?: boolean;
	/** The number of pages, if known. */
	pages?: number;
	/** The order of the list, if it could be seen. */
	order?: Orders;
}

/** The order of a list by each of a contact's two dates. */
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
 * Reads all contacts, or goes on where the last poll has stopped, as far as the time allows. It
 * takes one request for each page. A walk that fits into the poll is proven to be complete (see
 * `readPages`). In one that is spread over several polls, a contact that moves between pages may be
 * missed until the next walk.
 * @throws RequestFailure when not even one page could be had
 */
export async function walkContacts(
	access: ServiceAccess,
	{ rest, isLong, isKnown }: { rest?: StoredWalk } & WalkBegun,
): Promise<Walked> {
	if (rest) return await goOn(access, rest, []);
	const first = await pageOf(access, 1);
	const pages = pagesOf(first);
	const isTooLong = !isLong && fits(access, (pages ?? 1) - 1);
	const walked = isTooLong ? await walkAtOnce(access, first, isKnown) : undefined;
	if (walked) return { ...walked, pages };
	const walk: StoredWalk = {
		page: 2,
		pageSize: first.records.length,
		before: pageDigest(first),
		began: finite(momentOf(first)),
		total: first.totalCount ?? null,
		...(await observed(first.records, new DateOrder(), new DateOrder())),
	};
	const isAll = isLast(first, walk);
	const contacts = [...first.records];
	const read = isAll ? ended(walk, contacts) : await goOn(access, walk, contacts);
	return { ...read, pages, isTooLong };
}

/** Makes a walk in one poll; undefined if it did not fit after all. */
async function walkAtOnce(
	{ connection, search }: ServiceAccess,
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

async function goOn(
	access: ServiceAccess,
	begun: StoredWalk,
	contacts: AnyRecord[],
): Promise<Walked> {
	const walk = { ...begun };
	for (let isFirst = contacts.length === 0; ; isFirst = false) {
		const page = await pageInTime(access, walk.page, isFirst);
		if (!page) return { contacts, began: walk.began ?? NaN, rest: walk };
		const isRepeated = page.records.length > 0 && pageDigest(page) === walk.before;
		if (isRepeated || walk.page >= mostPages) return ended(walk, contacts);
		for (const contact of page.records) contacts.push(contact);
		Object.assign(
			walk,
			{ page: walk.page + 1, before: pageDigest(page) },
			page.totalCount !== walk.total && { total: null },
			await observed(page.records, new DateOrder(walk.created), new DateOrder(walk.updated)),
		);
		if (isLast(page, walk)) return ended(walk, contacts);
	}
}

/** Whether a request was given up because the poll has no more time. */
export function isOverTime(error: unknown): boolean {
	const isHeldUp = error instanceof RequestFailure && error.details.kind === 'heldUp';
	return error instanceof Cancelled || isHeldUp;
}

/** One page; undefined if the time is over and the page is not needed. */
export async function pageInTime(
	access: ServiceAccess,
	page: number,
	isNeeded: boolean,
): Promise<Page | undefined> {
	if (!isNeeded && timeLeft(access.budget) === 0) return undefined;
	return await pageOf(access, page).catch((error: unknown) => {
		if (isNeeded || !isOverTime(error)) throw error;
		return undefined;
	});
}

/** One page of the contacts, as large as the service allows. */
export async function pageOf({ connection, search }: ServiceAccess, page: number): Promise<Page> {
	return await readContactPage(connection, { page, limit: maxPageSize, search });
}

/** How many pages there are; undefined if the page does not tell. */
export function pagesOf({ records, totalCount, totalPages }: Page): number | undefined {
	if (totalPages !== undefined) return totalPages;
	if (totalCount === undefined || records.length === 0) return undefined;
	return Math.ceil(totalCount / records.length);
}

/** Whether so many pages can be read in the time that is left, at the present rate. */
export function fits({ connection, budget }: ServiceAccess, pages: number): boolean {
	return connection.waitFor(pages) <= safePart * timeLeft(budget);
}

/** Whether a page is the last one; the walk's `page` is already the next one. */
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

function pageDigest({ records }: Page): string {
	return digest(records.map(identityParts), identityBytes);
}

/**
 * A moment by the service's clock, in ms since 1970: what came into the list or changed after a
 * page was read is dated then or later. Where the service does not tell the time, what the page
 * shows is older than whatever comes later.
 */
export function momentOf({ asOf, records }: Page): number {
	const dates = records.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt]);
	const moments = dates.map(momentIn).filter((one) => !Number.isNaN(one));
	return asOf ?? Math.max(-Infinity, ...moments);
}

function finite(moment: number): number | null {
	return Number.isFinite(moment) ? moment : null;
}
