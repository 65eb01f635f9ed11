import { listContacts, maxPageSize } from '../service/crmWorkspace';
import { wideMarginMs } from '../service/serviceTime';
import { yieldToEventLoop } from '../transport/clock';
import type { Connection } from '../transport/connection';
import { ExplainedError } from '../transport/failure';
import { isOutOfTime } from './budget';
import { digestContact, type SeenContact } from './contactSnapshot';

/** More don't fit into what n8n stores. */
const maxContacts = 50_000;

const watchFewer = "The trigger remembers each contact. Use the option 'Search' to watch fewer.";

/** Reads the contacts of one poll, as far as there is time. */
export class ContactReader {
	/** Each contact once, as it was last read, in the order in which they were read. */
	readonly seen = new Map<string, SeenContact>();

	/** Whatever happens after the first request has a later date, in ms since 1970. */
	began = 0;

	/** The contacts of the page that was read last. */
	page: SeenContact[] = [];

	/** How many pages there are, by the page that was read last. */
	pageCount = 1;

	private readonly counts = new Set<number>();

	/** @param search text that contacts have to match; empty for all */
	constructor(
		private readonly connection: Connection,
		private readonly search: string,
	) {}

	/** Whether all contacts were seen: every page counted as many as were read. */
	get isWhole(): boolean {
		return this.seen.size > 0 && this.counts.size === 1 && this.counts.has(this.seen.size);
	}

	/** @throws RequestFailure; ExplainedError if there are too many contacts */
	async readPage(number: number): Promise<void> {
		const { connection, search } = this;
		const page = await listContacts(connection, { page: number, limit: maxPageSize, search });
		if (page.totalCount > maxContacts) {
			const message = `There are more than ${maxContacts.toLocaleString('en')} contacts`;
			throw new ExplainedError({ message, advice: watchFewer });
		}
		this.began ||= (page.asOf ?? Date.now()) - wideMarginMs;
		this.counts.add(page.totalCount);
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

	/** Reads page 1, which shows how many there are, and reads on at a later one. @throws RequestFailure */
	async readPass(start = 1, isEnough?: () => boolean): Promise<number | undefined> {
		await this.readPage(1);
		return await this.readOn(Math.max(2, start), isEnough);
	}

	/**
	 * Reads page after page to the end of the list, or until it is enough.
	 * @returns the page to continue with: 1 after the end, or a later one if there is no more time;
	 *   undefined if it was enough
	 */
	async readOn(start: number, isEnough = () => false): Promise<number | undefined> {
		for (let number = start; number <= this.pageCount; number++) {
			if (isEnough()) return undefined;
			const isRead = await this.readPage(number).then(
				() => true,
				(error: unknown) => {
					if (!isOutOfTime(error)) throw error;
					return false;
				},
			);
			if (!isRead) return number;
		}
		return 1;
	}
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
