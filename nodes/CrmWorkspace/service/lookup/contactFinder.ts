/**
 * Finds contacts by email address or ID with the fewest requests, whether one or a hundred thousand
 * are asked for. What it does not find is not there, unless it says that this is not certain.
 */
import type { IDataObject } from 'n8n-workflow';
import type { Connection } from '../../transport/connection';
import type { Page } from '../answers';
import { ContactIndex } from './contactIndex';
import { listContacts } from '../crmWorkspace';
import { normalizedEmail } from '../formats';
import { maxPageSize } from '../limits';
import { cheapestLookup, type LookupMethod } from './cheapestLookup';
import { readContacts } from '../lists/readContacts';
import type { PagesRead } from '../lists/readPages';
import type { ContactFieldName } from '../records';

/** What one item will look up: one of these, or nothing. */
export interface Lookup {
	email?: string;
	/** Whether it needs what is seen only where all are read. */
	needsAllContacts?: boolean;
	/** Whether it may save a write if all are read. */
	maySaveWrite?: boolean;
}

/**
 * All items of a run say first what they will look up, so that the finder can choose between
 * searching for each and reading all (`cheapestLookup`). What was read once serves all of them.
 */
export class ContactFinder {
	private readonly emails = new Set<string>();

	private recordsNeeded = 0;

	private writesToSave = 0;

	private readonly searches = new Map<string, Promise<IDataObject[]>>();

	private readonly shownFields = new Map<ContactFieldName, Promise<boolean>>();

	private method?: Promise<LookupMethod>;

	private first?: Promise<Page>;

	private all?: Promise<PagesRead>;

	private index?: Promise<ContactIndex>;

	/** @param concurrency how many requests may be under way at the same time where all are read */
	constructor(
		private readonly connection: Connection,
		private readonly concurrency: number,
	) {}

	expect({ email, needsAllContacts, maySaveWrite }: Lookup): void {
		if (email !== undefined) this.emails.add(normalizedEmail(email));
		if (needsAllContacts) this.recordsNeeded++;
		if (maySaveWrite) this.writesToSave++;
	}

	/** Undefined when there is no such contact, or when it is not worth reading. */
	async withId(id: string): Promise<IDataObject | undefined> {
		if ((await this.chosenMethod()) === 'singly') return undefined;
		return (await this.indexed()).withId(id);
	}

	/**
	 * All contacts that have an email address. The interface does not say what a search
	 * covers, so a contact that it does not show is looked for among all contacts.
	 * Interface: LIST-11.
	 */
	async withEmail(email: string): Promise<IDataObject[]> {
		const isWorthSearching = (await this.chosenMethod()) === 'singly' && !this.all;
		const found = isWorthSearching ? await this.search(email) : [];
		return found.length > 0 ? found : (await this.indexed()).withEmail(email);
	}

	/** A contact as it is now, read anew; undefined where a search for its address does not show it. */
	async readAgain(id: string, email: string): Promise<IDataObject | undefined> {
		const { records } = await this.pageMatching(email);
		return records.find((record) => record.id === id);
	}

	/** All contacts, in the order of the service. */
	async everyContact(): Promise<PagesRead> {
		this.all ??= this.readAll();
		return await this.all;
	}

	/** Whether a contact that was not found is certain not to be there. */
	async isCertain(): Promise<boolean> {
		return (await this.everyContact()).isSettled;
	}

	/**
	 * Whether the service shows a field of contacts that have a value there: then one that comes
	 * without it has none. Interface: OPEN-7.
	 */
	async shows(name: ContactFieldName): Promise<boolean> {
		const shows = this.shownFields.get(name) ?? this.lookFor(name);
		this.shownFields.set(name, shows);
		return await shows;
	}

	private async lookFor(name: ContactFieldName): Promise<boolean> {
		const isShown = (record: IDataObject) => hasValue(record, name);
		if (!this.all && (await this.firstPage()).records.some(isShown)) return true;
		return (await this.everyContact()).records.some(isShown);
	}

	private async chosenMethod(): Promise<LookupMethod> {
		this.method ??= this.chooseMethod();
		return await this.method;
	}

	private async chooseMethod(): Promise<LookupMethod> {
		const { recordsNeeded, writesToSave } = this;
		const needs = { emails: this.emails.size, recordsNeeded, writesToSave };
		const method = cheapestLookup(needs);
		if (method !== 'askTotal') return method;

		const first = await this.firstPage();
		const chosen = cheapestLookup(needs, totalOf(first));
		if (chosen === 'readAll') this.all = this.readAll(first);
		return chosen;
	}

	private async firstPage(): Promise<Page> {
		this.first ??= listContacts(this.connection, { page: 1, limit: maxPageSize });
		return await this.first;
	}

	private async search(email: string): Promise<IDataObject[]> {
		const name = normalizedEmail(email);
		const search = this.searches.get(name) ?? this.searchOnce(email);
		this.searches.set(name, search);
		return await search;
	}

	/** Empty also when the answer has more pages: then the search does not find single addresses. */
	private async searchOnce(email: string): Promise<IDataObject[]> {
		const page = await this.pageMatching(email);
		const hasAllMatches = totalOf(page) <= page.records.length;
		return hasAllMatches ? (await ContactIndex.of(page.records)).withEmail(email) : [];
	}

	private async pageMatching(email: string): Promise<Page> {
		return await listContacts(this.connection, { page: 1, limit: maxPageSize, search: email });
	}

	private async indexed(): Promise<ContactIndex> {
		this.index ??= this.everyContact().then(async ({ records }) => await ContactIndex.of(records));
		return await this.index;
	}

	private async readAll(first?: Page): Promise<PagesRead> {
		const { connection, concurrency } = this;
		return await readContacts(connection, { limit: Infinity, concurrency, first });
	}
}

/** How many records a list has by its first page; Infinity when the page does not tell. */
function totalOf({ records, totalCount }: Page): number {
	return totalCount ?? (records.length < maxPageSize ? records.length : Infinity);
}

/** Whether a record shows a value, or at least one tag, in a field. */
export function hasValue(record: IDataObject, name: ContactFieldName): boolean {
	const value = record[name];
	if (Array.isArray(value)) return value.length > 0;
	return value !== undefined && value !== null && value !== '';
}
