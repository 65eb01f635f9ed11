import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../service/responses';
import { maxPageSize } from '../service/limits';
import { clockMarginMs, getLastPage } from '../service/lists/pages';
import { readContactPage } from '../service/lists/readContacts';
import { yieldToEventLoop } from '../transport/clock';
import { isOutOfTime } from './budget';
import { digestContact, type SeenContact } from './contactSnapshot';
import type { Order } from './listTraits';
import type { Reader } from './watch';

/** More don't fit into what n8n stores. */
const maxContacts = 50_000;

/** Thrown if the list is too long. */
class TooManyContacts extends Error {
	readonly advice = "The trigger remembers each contact. Use the option 'Search' to watch fewer.";
}

/** Reads the contacts of one poll, as far as there is time. */
export class ContactReader {
	/** Each contact once, as it was last read, in the order of the list. */
	readonly seen = new Map<string, SeenContact>();

	/** Whatever happens after the first request has a later date, in ms since 1970. */
	began = 0;

	/** The last page of the list, as far as it was seen. */
	lastPage = 1;

	private readonly counts = new Set<number | undefined>();

	private pageSize = 0;

	/** @param search text that contacts have to match; empty for all */
	constructor(
		private readonly reader: Reader,
		private readonly search: string,
	) {}

	/** Whether all contacts were seen: every page counted as many as were read. */
	get isWhole(): boolean {
		return this.seen.size > 0 && this.counts.size === 1 && this.counts.has(this.seen.size);
	}

	/**
	 * Reads page after page to the end of the list. A contact that moves to an earlier page during the
	 * reading is met by the next pass.
	 * @returns the page to continue with; 1 after the end
	 * @throws RequestFailure if not even one page could be read; TooManyContacts
	 */
	async readPass(start: number): Promise<number> {
		return (await this.readOn(start, 1, () => false)) ?? 1;
	}

	/**
	 * Reads the end of a sorted list at which new and changed contacts appear, up to a page that ends
	 * with one that is neither.
	 * @param lastPage the last page that the previous poll has seen
	 * @returns whether certainly everything new or changed was read
	 */
	async readNewEnd(
		order: Order,
		lastPage: number,
		mayBeNew: (contact: SeenContact) => boolean,
	): Promise<boolean> {
		const isKnown = (record?: IDataObject) => !record || !mayBeNew(digestContact(record));
		if (order.endsWith('falling')) {
			const next = await this.readOn(1, 1, ({ records }) => isKnown(records.at(-1)));
			return next === undefined && this.seen.size > 0;
		}
		// The list may have grown by some pages, or shrunk.
		const next = await this.readOn(lastPage, 1, () => false);
		const [earliest] = this.seen.values();
		if (!earliest && lastPage > 1) {
			return await this.readNewEnd(order, Math.min(this.lastPage, lastPage - 1), mayBeNew);
		}
		if (next !== undefined || !earliest) return false;
		if (lastPage === 1 || !mayBeNew(earliest)) return true;
		const rest = await this.readOn(lastPage - 1, -1, ({ records }) => isKnown(records[0]));
		return rest === undefined;
	}

	/** @returns the page to continue with; undefined at the end of the list, or if it is enough */
	private async readOn(
		start: number,
		step: 1 | -1,
		isEnough: (page: Page) => boolean,
	): Promise<number | undefined> {
		let page: Page | undefined = await this.fetchPage(start);
		for (let number = start; ; ) {
			const hasOthers = await this.addPage(page);
			const last = this.noteLastPage(number, page);
			// A page without other contacts is the end, too: a service may ignore the page number.
			const isEnd = step === 1 ? number >= last || !hasOthers : number === 1;
			if (isEnd || isEnough(page)) return undefined;
			number += step;
			page = await this.fetchPageInTime(number);
			if (!page) return number;
		}
	}

	private async fetchPage(page: number): Promise<Page> {
		const { reader, search } = this;
		const response = await readContactPage(reader.connection, { page, limit: maxPageSize, search });
		this.began ||= (response.asOf ?? Date.now()) - clockMarginMs;
		this.counts.add(response.totalCount);
		throwIfTooMany(response, page);
		return response;
	}

	/** @returns undefined if there is no more time */
	private async fetchPageInTime(page: number): Promise<Page | undefined> {
		return await this.fetchPage(page).catch((error: unknown) => {
			if (!isOutOfTime(error)) throw error;
			return undefined;
		});
	}

	/** @returns whether a page has a contact that wasn't read before */
	private async addPage({ records }: Page): Promise<boolean> {
		const before = this.seen.size;
		for (const record of records) {
			const contact = digestContact(record);
			// One that has moved stands where it was last read.
			this.seen.delete(contact.identity);
			this.seen.set(contact.identity, contact);
			await yieldToEventLoop();
		}
		return this.seen.size > before;
	}

	/** @returns the last page; Infinity if others may follow */
	private noteLastPage(number: number, page: Page): number {
		this.pageSize = page.limit ?? Math.max(this.pageSize, page.records.length);
		const last = page.totalPages ?? getLastPage(number, page, this.pageSize || maxPageSize);
		this.lastPage = Math.max(1, last < Infinity ? last : number);
		return last;
	}
}

/** @throws TooManyContacts */
function throwIfTooMany({ totalCount, records }: Page, page: number): void {
	const count = totalCount ?? (page - 1) * maxPageSize + records.length;
	if (count <= maxContacts) return;
	throw new TooManyContacts(`There are more than ${maxContacts.toLocaleString('en')} contacts`);
}
