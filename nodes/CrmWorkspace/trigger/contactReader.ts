/** Reads the contacts of one poll, page by page, as far as there is time. */
import { listContacts, maxPageSize, type Page } from '../api/endpoints';
import { wideMarginMs } from '../api/formats';
import { Cancelled, RequestFailure } from '../client/failure';
import type { Client } from '../client/request';
import { yieldToEventLoop } from '../common/tasks';
import { ExplainedError } from '../common/text';
import { digestContact, type SeenContact } from './contactSnapshot';
import { texts } from './texts';

/** More don't fit into what n8n stores. */
const maxContacts = 50_000;

export class ContactReader {
	/** Each contact once, as it was last read, in the order in which they were read. */
	readonly seen = new Map<string, SeenContact>();

	/** Whatever happens after the first request has a later date, in ms since 1970. */
	began = 0;

	/** The contacts of the page that was read last. */
	page: SeenContact[] = [];

	/** How many pages there are, by the page that was read last. */
	pageCount = 1;

	/** How many contacts each page counted. */
	readonly counts: number[] = [];

	/** @param search text that contacts have to match; empty for all */
	constructor(
		private readonly client: Client,
		private readonly search: string,
	) {}

	/** Whether all contacts were seen: every page counted as many as were read. */
	get isWhole(): boolean {
		return this.seen.size > 0 && this.counts.every((count) => count === this.seen.size);
	}

	/** @throws RequestFailure; ExplainedError if there are too many contacts */
	private async readPage(number: number): Promise<void> {
		const page = await this.fetchPage(number);
		if (page.totalCount > maxContacts) throw new ExplainedError(texts.tooManyContacts(maxContacts));
		this.began ||= (page.asOf ?? Date.now()) - wideMarginMs;
		this.counts.push(page.totalCount);
		this.pageCount = page.totalPages;
		this.page = [];
		for (const record of page.records) {
			const contact = digestContact(record);
			this.page.push(contact);
			// One that has moved stands where it was last read.
			this.seen.delete(contact.identity);
			this.seen.set(contact.identity, contact);
			await yieldToEventLoop();
		}
	}

	/** A service may reject a page past the end of a list that has shrunk: it is an empty one. */
	private async fetchPage(page: number): Promise<Page> {
		const { client, search } = this;
		const query = { page, limit: maxPageSize, search };
		return await listContacts(client, query).catch((error: unknown) => {
			const status = error instanceof RequestFailure ? error.details.statusCode : undefined;
			if (page === 1 || ![400, 404, 410, 416, 422].includes(status!)) throw error;
			// It says nothing of how many there are.
			return { records: [], totalCount: this.counts.at(-1) ?? NaN, totalPages: 0 };
		});
	}

	/**
	 * Reads page after page to the end of the list, or until it is enough.
	 * @returns the page to continue with: 1 after the end, or a later one if there is no more time;
	 *   undefined if it was enough
	 * @throws RequestFailure if there is no time for a single page
	 */
	async readOn(start: number, isEnough = () => false): Promise<number | undefined> {
		await this.readPage(start);
		for (let number = start + 1; number <= this.pageCount; number++) {
			if (isEnough()) return undefined;
			const reading = this.readPage(number).then(() => true);
			if (!(await readInTime(reading, false))) return number;
		}
		return 1;
	}
}

/** What was read, or something else if the poll had no time for it. @throws what else went wrong */
export async function readInTime<Read>(reading: Promise<Read>, otherwise: Read): Promise<Read> {
	return await reading.catch((error: unknown) => {
		const hasNoRoom = error instanceof RequestFailure && error.details.kind === 'noRoom';
		if (!hasNoRoom && !(error instanceof Cancelled)) throw error;
		return otherwise;
	});
}

/** A date by which a list is sorted, and at which end what is new appears. */
export interface Order {
	date: 'createdAt' | 'updatedAt';
	isNewestFirst: boolean;
}

/** So many steps in one direction are no coincidence. */
const convincingSteps = 12;

/** The orders by date that contacts are in; none if they are too few to tell. */
export function detectOrders(contacts: SeenContact[]): Order[] {
	return (['createdAt', 'updatedAt'] as const).flatMap((date) => {
		const steps = contacts.slice(1).map((contact, index) => contact[date] - contacts[index][date]);
		const rising = steps.filter((step) => step > 0).length;
		const falling = steps.filter((step) => step < 0).length;
		const isSorted =
			Math.max(rising, falling) >= convincingSteps && Math.min(rising, falling) === 0;
		return isSorted ? [{ date, isNewestFirst: falling > 0 }] : [];
	});
}
