import { maxPageSize } from '../../service/limits';
import type { Page } from '../../service/answers';
import { lastPageAt, pageSizeOf } from '../../service/lists/pages';
import { readContactPage, readContacts } from '../../service/lists/readContacts';
import { yieldToEventLoop } from '../../transport/clock';
import { Cancelled, RequestFailure } from '../../transport/failure';
import type { AnyRecord } from '../digest';
import type { ServiceAccess } from '../session';
import { timeLeft } from '../time';
import { summaryOf } from './contactSummary';

/** More would not fit into what n8n stores. */
const maxContacts = 50_000;

/** How many requests may be under way at the same time where a list is read in one go. */
const concurrency = 5;

/** A list is read in one go if that takes at most this part of the time left, at the present rate. */
const safePart = 0.6;

/** What two clocks of the service may differ in: of what answers, and of what dates contacts, in ms. */
const clockMargin = 60_000;

/** After so many steps in one direction, the order of a date is taken to be no coincidence. */
const convincingSteps = 12;

/** Thrown for a list that is too long. Its message is for the user. */
export class TooManyContacts extends Error {}

/** What a poll has read of the list, page after page. */
export interface ListRead {
	/** Each once, as it was updated last. */
	contacts: AnyRecord[];
	/** What came or changed since is dated later, in ms since 1970. */
	began: number;
	/** The page to go on with; 1 after the end of the list. */
	page: number;
	/** The last page of the list, if it was told or seen. */
	lastPage?: number;
	hasEnded: boolean;
	/** Whether it is certain to have missed no contact that was there all the time. */
	isProven: boolean;
	orders: Orders;
}

/** What a poll has read at the edge of a list. */
export interface EdgeRead extends Pick<ListRead, 'contacts' | 'began' | 'lastPage'> {
	/** Whether nothing can be new or changed that it has not read. */
	missesNothing: boolean;
}

/** The directions in which the two dates of a list go, as far as they are known. */
export interface Orders {
	createdAt?: Direction;
	updatedAt?: Direction;
}

type Direction = 'rising' | 'falling' | 'none';

/** The end of a sorted list at which new or changed contacts appear. */
type Edge = 'first page' | 'last page';

/**
 * The edge of a list at which everything appears that is looked for. If no contact was ever updated,
 * a list is in the order of both dates: then only new contacts are certain to be there.
 * @param looksForUpdates whether changed contacts are looked for, too
 */
export function edgeOf(
	{ createdAt, updatedAt }: Orders,
	looksForUpdates: boolean,
): Edge | undefined {
	const byUpdate = edges[updatedAt ?? 'none'];
	if (looksForUpdates) return createdAt === updatedAt ? undefined : byUpdate;
	return edges[createdAt ?? 'none'] ?? byUpdate;
}

const edges: Record<Direction, Edge | undefined> = {
	falling: 'first page',
	rising: 'last page',
	none: undefined,
};

/** What has shown first and then: a list that was ever unsorted is. */
export function mergedOrders(one: Orders, other: Orders): Orders {
	const both = (a?: Direction, b?: Direction) => (a && b && a !== b ? 'none' : (a ?? b));
	return {
		createdAt: both(one.createdAt, other.createdAt),
		updatedAt: both(one.updatedAt, other.updatedAt),
	};
}

/**
 * Reads pages from the edge inwards, until one ends with a contact that is no news.
 * @param lastPage as far as the last poll has seen
 * @throws RequestFailure when not even one page could be had
 */
export async function readEdge(
	access: ServiceAccess,
	{ edge, lastPage }: { edge: Edge; lastPage: number },
	isNews: (contact: AnyRecord) => boolean,
): Promise<EdgeRead> {
	const isFront = edge === 'first page';
	const first = await pageOf(access, isFront ? 1 : lastPage);
	const last = lastPageOf(isFront ? 1 : lastPage, first);
	const found = new FoundContacts();
	const read = (missesNothing: boolean): EdgeRead => ({
		contacts: found.contacts(),
		began: momentOf(first),
		lastPage: last ?? lastPage,
		missesNothing,
	});
	// Past the end of a list there is nothing to be seen.
	if (first.records.length === 0) return read(isFront || first.totalCount === 0);
	if (!isFront && last === undefined) return read(false);

	// A list that has grown or shrunk ends on another page than the last time.
	let page: Page | undefined = isFront || last === lastPage ? first : undefined;
	for (let number = isFront ? 1 : last!; ; number += isFront ? 1 : -1) {
		page ??= await pageInTime(access, number);
		// If contacts come or go meanwhile, one may move to a page that has been read already.
		if (!page || page.totalCount !== first.totalCount) return read(false);
		await found.add(page);
		const innermost = page.records.at(isFront ? -1 : 0);
		const isAll = number === (isFront ? lastPageOf(number, page) : 1);
		if (isAll || !innermost || !isNews(innermost)) return read(true);
		page = undefined;
	}
}

/**
 * Reads page after page, up to the end of the list or until the time is over. A contact that moves
 * meanwhile to a page that has been read already is met the next time.
 * @param first the first of these pages, if it was read already
 * @throws RequestFailure when not even one page could be had; TooManyContacts
 */
export async function readPageByPage(
	access: ServiceAccess,
	start: number,
	first?: Page,
): Promise<ListRead> {
	const found = new FoundContacts();
	let answer = first ?? (await pageOf(access, start));
	const began = momentOf(answer);
	for (let page = start; ; page++) {
		const isRepeated = !(await found.add(answer));
		refuseTooMany(answer, page);
		const lastPage = lastPageOf(page, answer) ?? (isRepeated ? page : undefined);
		const hasEnded = lastPage !== undefined && page >= lastPage;
		const next = hasEnded ? undefined : await pageInTime(access, page + 1);
		if (!next) {
			const { orders } = found;
			const contacts = found.contacts();
			const nextPage = hasEnded ? 1 : page + 1;
			return { contacts, began, page: nextPage, lastPage, hasEnded, isProven: false, orders };
		}
		answer = next;
	}
}

/**
 * Reads the whole list, so that none is missing although others change it (see `readPages`), if there
 * is the time for it; otherwise its first pages.
 * @throws RequestFailure when not even one page could be had; TooManyContacts
 */
export async function readAllInTime(access: ServiceAccess): Promise<ListRead> {
	const { connection, search, budget } = access;
	const first = await pageOf(access, 1);
	refuseTooMany(first, 1);
	const lastPage = lastPageOf(1, first);
	const isTimeEnough = connection.computeWait((lastPage ?? 1) - 1) <= safePart * timeLeft(budget);
	const wanted = { limit: maxContacts + 1, search, concurrency, first };
	const read = isTimeEnough ? await inTime(readContacts(connection, wanted)) : undefined;
	if (!read) return await readPageByPage(access, 1, first);
	refuseMoreThan(maxContacts, read.records.length);
	const found = new FoundContacts();
	await found.add({ records: read.records });
	// What changed meanwhile may still stand where it was before.
	const orders = read.hasChanged ? {} : found.orders;
	return {
		contacts: found.contacts(),
		began: momentOf(first),
		page: 1,
		lastPage,
		hasEnded: true,
		isProven: read.isSettled,
		orders,
	};
}

/** One page of the contacts, as large as the service allows. */
export async function pageOf({ connection, search }: ServiceAccess, page: number): Promise<Page> {
	return await readContactPage(connection, { page, limit: maxPageSize, search });
}

/** The last page of the list, as one of its pages shows it; undefined if that only shows that others follow. */
export function lastPageOf(page: number, answer: Page): number | undefined {
	const { totalPages, limit = pageSizeOf(answer) } = answer;
	return totalPages ?? lastPageAt({ page, limit }, answer);
}

/** Whether a request was given up because the poll has no more time. */
export function isOverTime(error: unknown): boolean {
	const hasNoRoom = error instanceof RequestFailure && error.details.kind === 'noRoom';
	return error instanceof Cancelled || hasNoRoom;
}

async function pageInTime(access: ServiceAccess, page: number): Promise<Page | undefined> {
	return timeLeft(access.budget) === 0 ? undefined : await inTime(pageOf(access, page));
}

/** A result; undefined if a request for it was given up because the time is over. */
export async function inTime<Result>(result: Promise<Result>): Promise<Result | undefined> {
	return await result.catch((error: unknown) => {
		if (!isOverTime(error)) throw error;
		return undefined;
	});
}

/** @throws TooManyContacts */
function refuseTooMany({ totalCount, records, limit = maxPageSize }: Page, page: number): void {
	refuseMoreThan(maxContacts, totalCount ?? (page - 1) * limit + records.length);
}

function refuseMoreThan(most: number, count: number): void {
	if (count <= most) return;
	throw new TooManyContacts(`There are more than ${most.toLocaleString('en')} contacts`);
}

/** What came into the list or changed after a page was read is dated then or later, by all clocks. */
function momentOf({ asOf = Date.now() }: Page): number {
	return asOf - clockMargin;
}

/** The contacts of pages that were read one after the other. */
class FoundContacts {
	private readonly found = new Map<string, AnyRecord>();

	private before = '';

	private readonly created = new DateOrder();

	private readonly updated = new DateOrder();

	/** @returns whether it differs from the page before: a service may ignore which one it is asked for */
	async add({ records }: Page): Promise<boolean> {
		for (const contact of records) {
			this.take(contact);
			await yieldToEventLoop();
		}
		const identities = records.map((contact) => summaryOf(contact).identity).join();
		const isAnother = identities !== this.before || records.length === 0;
		this.before = identities;
		return isAnother;
	}

	contacts(): AnyRecord[] {
		return [...this.found.values()];
	}

	get orders(): Orders {
		return { createdAt: this.created.direction, updatedAt: this.updated.direction };
	}

	private take(contact: AnyRecord): void {
		const { identity, createdAt, updatedAt } = summaryOf(contact);
		const known = this.found.get(identity);
		// One that was met before has moved, or others before it have.
		if (!known) {
			this.created.observe(createdAt);
			this.updated.observe(updatedAt);
		}
		const isStale = known && updatedAt < summaryOf(known).updatedAt;
		if (!isStale) this.found.set(identity, contact);
	}
}

class DateOrder {
	private steps = 0;

	private last?: number;

	private rises = true;

	private falls = true;

	/** Takes the date of the next contact, in ms since 1970; NaN if it has none. */
	observe(date: number): void {
		if (this.last !== undefined && date !== this.last) {
			this.steps++;
			this.rises &&= date > this.last;
			this.falls &&= date < this.last;
		}
		this.last = date;
	}

	get direction(): Direction | undefined {
		if (!this.rises && !this.falls) return 'none';
		if (this.steps < convincingSteps) return undefined;
		return this.rises ? 'rising' : 'falling';
	}
}
