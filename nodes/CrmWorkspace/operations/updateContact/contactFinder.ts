import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../../service/answers';
import { listContacts } from '../../service/crmWorkspace';
import { maxPageSize } from '../../service/limits';
import { readContacts } from '../../service/readContacts';
import type { Connection } from '../../transport/connection';
import { normalizedEmail } from './changes';
import { ContactIndex, hasTags } from './contactIndex';
import { planLookup, type LookupPlan } from './lookupPlan';
import { needsRecord, type Update } from './update';

/**
 * Finds the contacts of one run with the fewest requests. All items say first what they will look
 * up, so that the finder can plan, and whatever was read once serves all of them.
 */
export class ContactFinder {
	private readonly emails = new Set<string>();

	private recordsNeeded = 0;

	private writesToSave = 0;

	private readonly searches = new Map<string, Promise<IDataObject[]>>();

	private plan?: Promise<LookupPlan>;

	private first?: Promise<Page>;

	private all?: Promise<ContactIndex>;

	/** @param concurrency how many requests of a walk may be under way at the same time */
	constructor(
		private readonly connection: Connection,
		private readonly concurrency: number,
	) {}

	/** Announces what will be looked up for an item. */
	expect(update: Update): void {
		const { reference, skipUnchanged } = update;
		if ('email' in reference) this.emails.add(normalizedEmail(reference.email));
		else if (needsRecord(update)) this.recordsNeeded++;
		else if (skipUnchanged) this.writesToSave++;
	}

	/** The current record of a contact; undefined when there is none, or none worth reading. */
	async withId(id: string): Promise<IDataObject | undefined> {
		if ((await this.planned()) === 'singly') return undefined;
		return (await this.everyContact()).withId(id);
	}

	/**
	 * All contacts that have an email address. The interface does not say what a search
	 * covers, so a contact that it does not show is looked for among all contacts.
	 * Interface: LIST-11.
	 */
	async withEmail(email: string): Promise<IDataObject[]> {
		const isWorthSearching = (await this.planned()) === 'singly' && !this.all;
		const found = isWorthSearching ? await this.search(email) : [];
		return found.length > 0 ? found : (await this.everyContact()).withEmail(email);
	}

	/** Whether a contact that was not found is certain not to be there. */
	async isCertain(): Promise<boolean> {
		return (await this.everyContact()).isSettled;
	}

	/**
	 * Whether the service shows the tags of contacts that have some: then one without has none.
	 * Interface: OPEN-7.
	 */
	async showsTags(): Promise<boolean> {
		if (!this.all && (await this.firstPage()).records.some(hasTags)) return true;
		return (await this.everyContact()).showsTags;
	}

	private async planned(): Promise<LookupPlan> {
		this.plan ??= this.choose();
		return await this.plan;
	}

	private async choose(): Promise<LookupPlan> {
		const { recordsNeeded, writesToSave } = this;
		const wanted = { emails: this.emails.size, recordsNeeded, writesToSave };
		const plan = planLookup(wanted);
		if (plan !== 'askTotal') return plan;

		const first = await this.firstPage();
		const isWalk = planLookup(wanted, totalOf(first)) === 'walk';
		if (isWalk) this.all = this.readAll(first);
		return isWalk ? 'walk' : 'singly';
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
		const query = { page: 1, limit: maxPageSize, search: email };
		const page = await listContacts(this.connection, query);
		const isWhole = totalOf(page) <= page.records.length;
		return isWhole ? (await ContactIndex.of(page.records, true)).withEmail(email) : [];
	}

	private async everyContact(): Promise<ContactIndex> {
		this.all ??= this.readAll();
		return await this.all;
	}

	private async readAll(first?: Page): Promise<ContactIndex> {
		const { concurrency } = this;
		const query = { limit: Infinity, concurrency, first };
		const { records, isSettled } = await readContacts(this.connection, query);
		return await ContactIndex.of(records, isSettled);
	}
}

/** How many records a list has by its first page; Infinity when the page does not tell. */
function totalOf({ records, totalCount }: Page): number {
	return totalCount ?? (records.length < maxPageSize ? records.length : Infinity);
}
