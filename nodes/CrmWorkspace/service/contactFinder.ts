/**
 * Finds contacts by email address or ID with the fewest requests, whether one or a hundred thousand
 * are looked up. A contact that it doesn't find doesn't exist, unless it says that this isn't certain.
 */
import type { IDataObject } from 'n8n-workflow';
import { yieldToEventLoop } from '../transport/clock';
import type { Connection } from '../transport/connection';
import type { Page } from './responses';
import { toCanonical } from './contactValues';
import { listContacts } from './crmWorkspace';
import { normalizedEmail } from './formats';
import { maxPageSize } from './limits';
import { readContacts } from './lists/readContacts';
import type { PagesRead } from './lists/readPages';
import type { ContactFieldName } from './records';

/** What one item looks up: one of these, or nothing. */
export interface Lookup {
	email?: string;
	/** Whether it needs what only all contacts show. */
	needsAllContacts?: boolean;
	/** Whether reading all contacts may save a write. */
	maySaveWrite?: boolean;
}

/** A contact as it was read. One without an ID can't be written to, so it is none. */
type FoundContact = IDataObject & { id: string };

/**
 * Finds the contacts of one run. All items announce what they look up, so that the finder can choose
 * the cheaper way, and whatever it has read serves all of them.
 */
export class ContactFinder {
	private readonly emails = new Set<string>();

	private needsAll = false;

	private writesToSave = 0;

	private isSearchCheaper?: Promise<boolean>;

	private first?: Promise<Page>;

	private all?: Promise<PagesRead>;

	private index?: Promise<ContactIndex>;

	private readonly searches = new Map<string, Promise<Page>>();

	private readonly shown: Partial<Record<ContactFieldName, Promise<boolean>>> = {};

	/** @param concurrency number of requests that may be under way at once when it reads all contacts */
	constructor(
		private readonly connection: Connection,
		private readonly concurrency: number,
	) {}

	/** Announces a lookup. To be called for all items before the first lookup. */
	expect({ email, needsAllContacts, maySaveWrite }: Lookup): void {
		if (email !== undefined) this.emails.add(normalizedEmail(email));
		if (needsAllContacts) this.needsAll = true;
		if (maySaveWrite) this.writesToSave++;
	}

	/**
	 * The contact with an ID, in any case; undefined if there is none or it isn't worth reading.
	 * @param email an address that it probably has
	 * @param isNeeded whether it is worth reading all contacts
	 */
	async withId(id: string, email?: string, isNeeded = false): Promise<FoundContact | undefined> {
		const name = id.toLowerCase();
		if ((await (this.isSearchCheaper ??= this.compareCosts())) && !this.all) {
			const records = email === undefined ? [] : (await this.search(email)).records;
			const found = (await indexContacts(records)).byId.get(name);
			if (found || !isNeeded) return found;
		}
		return (await this.getIndex()).byId.get(name);
	}

	/**
	 * All contacts that have an email address. The interface doesn't say what a search covers, so a
	 * contact that a search doesn't show is looked for among all contacts. Interface: LIST-11.
	 */
	async withEmail(email: string): Promise<FoundContact[]> {
		const name = normalizedEmail(email);
		if ((await (this.isSearchCheaper ??= this.compareCosts())) && !this.all) {
			const page = await this.search(email);
			// If the response has more pages, the search doesn't find single addresses.
			const records = getTotalCount(page) > page.records.length ? [] : page.records;
			const found = (await indexContacts(records)).byEmail.get(name);
			if (found) return found;
		}
		return (await this.getIndex()).byEmail.get(name) ?? [];
	}

	/**
	 * All contacts, in the order of the service. If they are settled, a contact that was not found
	 * certainly doesn't exist.
	 */
	async everyContact(): Promise<PagesRead> {
		return await (this.all ??= this.readAll());
	}

	/**
	 * Whether the service shows a field of contacts that have a value there. If it does, a contact that
	 * comes without the field has no value there. Interface: OPEN-7.
	 */
	async shows(name: ContactFieldName): Promise<boolean> {
		return await (this.shown[name] ??= this.findShown(name));
	}

	private async findShown(name: ContactFieldName): Promise<boolean> {
		const isShown = (record: IDataObject) => hasValue(record, name);
		if (!this.all && (await this.readFirstPage()).records.some(isShown)) return true;
		return (await this.everyContact()).records.some(isShown);
	}

	/**
	 * Whether it takes fewer requests to search for each address, and to look up no ID without one, than
	 * to read all contacts. The first page, which reading all begins with, shows how many there are.
	 */
	private async compareCosts(): Promise<boolean> {
		if (this.needsAll) return false;
		const requestsToSave = this.emails.size + this.writesToSave;
		if (requestsToSave <= 1) return true;
		const first = await this.readFirstPage();
		const pagesLeft = Math.ceil(getTotalCount(first) / maxPageSize) - 1;
		if (pagesLeft >= requestsToSave) return true;
		this.all = this.readAll(first);
		return false;
	}

	private async readFirstPage(): Promise<Page> {
		return await (this.first ??= listContacts(this.connection, { page: 1, limit: maxPageSize }));
	}

	private async readAll(first?: Page): Promise<PagesRead> {
		const { connection, concurrency } = this;
		return await readContacts(connection, { limit: Infinity, concurrency, first });
	}

	private async getIndex(): Promise<ContactIndex> {
		return await (this.index ??= this.everyContact().then(({ records }) => indexContacts(records)));
	}

	private async search(email: string): Promise<Page> {
		const name = normalizedEmail(email);
		const query = { page: 1, limit: maxPageSize, search: email };
		const search = this.searches.get(name) ?? listContacts(this.connection, query);
		this.searches.set(name, search);
		return await search;
	}
}

interface ContactIndex {
	/** By IDs in lower case. */
	byId: Map<string, FoundContact>;
	/** By addresses as `normalizedEmail` gives them. */
	byEmail: Map<string, FoundContact[]>;
}

async function indexContacts(records: IDataObject[]): Promise<ContactIndex> {
	const index: ContactIndex = { byId: new Map(), byEmail: new Map() };
	for (const record of records) {
		await yieldToEventLoop();
		if (typeof record?.id !== 'string' || index.byId.has(record.id.toLowerCase())) continue;
		const contact = record as FoundContact;
		index.byId.set(contact.id.toLowerCase(), contact);
		const email = normalizedEmail(contact.email);
		index.byEmail.set(email, index.byEmail.get(email) ?? []);
		index.byEmail.get(email)!.push(contact);
	}
	return index;
}

/** The number of records of a list by its first page; Infinity if the page doesn't show it. */
function getTotalCount({ records, totalCount }: Page): number {
	return totalCount ?? (records.length < maxPageSize ? records.length : Infinity);
}

/** Whether a record shows a value, or at least one tag, in a field. */
function hasValue(record: IDataObject, name: ContactFieldName): boolean {
	return toCanonical(name, record[name]) !== '';
}
