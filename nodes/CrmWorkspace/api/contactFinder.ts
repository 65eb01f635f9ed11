/**
 * Finds contacts by email address or ID with the fewest requests, whether one or a hundred thousand
 * are looked up.
 */
import type { Client } from '../client/request';
import { Once, yieldToEventLoop } from '../common/tasks';
import { listContacts, maxPageSize, type Page } from './endpoints';
import { normalizedEmail } from './formats';
import { readContacts, type PagesRead } from './readContacts';
import type { Contact } from './records';

/** What one item looks up: one of these, or nothing. */
export interface Lookup {
	email?: string;
	/** Whether it needs what only all contacts show. */
	needsAllContacts?: boolean;
	/** Whether reading all contacts may save a write. */
	maySaveWrite?: boolean;
}

/**
 * Finds the contacts of one run. All items announce what they look up, so that the finder can choose
 * the cheaper way, and whatever it has read serves all of them.
 */
export class ContactFinder {
	private readonly emails = new Set<string>();

	private needsAll = false;

	private writesToSave = 0;

	/** The first page of all contacts, until it is used. */
	private first?: Page;

	/** What was read and found out for all items. */
	private readonly once = new Once();

	/** @param concurrency number of requests that may be under way at once when it reads all contacts */
	constructor(
		private readonly client: Client,
		private readonly concurrency: number,
	) {}

	/** Notes a lookup. To be called for all items before the first one, to choose a way for all. */
	preload({ email, needsAllContacts, maySaveWrite }: Lookup): void {
		if (email !== undefined) this.emails.add(normalizedEmail(email));
		if (needsAllContacts) this.needsAll = true;
		if (maySaveWrite) this.writesToSave++;
	}

	/**
	 * The contact with an ID, in any case; undefined if there is none or it isn't worth reading.
	 * @param email an address that it probably has
	 * @param isNeeded whether it is worth reading all contacts
	 */
	async withId(id: string, email?: string, isNeeded = false): Promise<Contact | undefined> {
		const name = id.toLowerCase();
		if (await this.isSearchCheaper()) {
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
	async withEmail(email: string): Promise<Contact[]> {
		const name = normalizedEmail(email);
		if (await this.isSearchCheaper()) {
			const page = await this.search(email);
			// If the response has more pages, the search doesn't find single addresses.
			const records = page.totalPages > 1 ? [] : page.records;
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
		return await this.once.do('all', async () => {
			const { client, concurrency, first } = this;
			this.first = undefined;
			return await readContacts(client, { limit: Infinity, concurrency, first });
		});
	}

	private async isSearchCheaper(): Promise<boolean> {
		return (await this.once.do('costs', () => this.compareCosts())) && !this.once.has('all');
	}

	/**
	 * Whether it takes fewer requests to search for each address, and to look up no ID without one, than
	 * to read all contacts. The first page, which reading all begins with, shows how many there are.
	 */
	private async compareCosts(): Promise<boolean> {
		if (this.needsAll) return false;
		const requestsToSave = this.emails.size + this.writesToSave;
		if (requestsToSave <= 1) return true;
		const first = await listContacts(this.client, { page: 1, limit: maxPageSize });
		const pagesLeft = first.totalPages - 1;
		if (pagesLeft >= requestsToSave) return true;
		this.first = first;
		return false;
	}

	private async getIndex(): Promise<ContactIndex> {
		return await this.once.do('index', async () => {
			return await indexContacts((await this.everyContact()).records);
		});
	}

	private async search(email: string): Promise<Page> {
		const query = { page: 1, limit: maxPageSize, search: email };
		const search = async () => await listContacts(this.client, query);
		return await this.once.do(`search ${normalizedEmail(email)}`, search);
	}
}

interface ContactIndex {
	/** By IDs in lower case. */
	byId: Map<string, Contact>;
	/** By addresses as `normalizedEmail` gives them. */
	byEmail: Map<string, Contact[]>;
}

async function indexContacts(records: Contact[]): Promise<ContactIndex> {
	const index: ContactIndex = { byId: new Map(), byEmail: new Map() };
	for (const contact of records) {
		await yieldToEventLoop();
		index.byId.set(contact.id.toLowerCase(), contact);
		const email = normalizedEmail(contact.email);
		index.byEmail.set(email, index.byEmail.get(email) ?? []);
		index.byEmail.get(email)!.push(contact);
	}
	return index;
}
