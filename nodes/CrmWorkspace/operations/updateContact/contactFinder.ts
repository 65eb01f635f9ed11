import type { IDataObject } from 'n8n-workflow';
import { listContacts } from '../../service/crmWorkspace';
import { maxPageSize } from '../../service/limits';
import { walkContacts } from '../../service/walk';
import type { Connection } from '../../transport/connection';
import { normalizedEmail } from './changes';
import { planLookup, type LookupPlan } from './lookupPlan';
import type { Update } from './update';

/**
 * Finds the contacts of one run with the fewest requests. All that the run wants is announced
 * first, and whatever was read once serves all items.
 */
export class ContactFinder {
	private readonly emails = new Set<string>();

	private recordsNeeded = 0;

	private writesToSave = 0;

	private readonly searches = new Map<string, Promise<IDataObject[]>>();

	private plan?: Promise<LookupPlan>;

	private all?: Promise<ContactIndex>;

	constructor(private readonly connection: Connection) {}

	/** Announces what will be looked up for an item. */
	expect({ reference, preserve, skipUnchanged }: Update): void {
		if ('email' in reference) this.emails.add(normalizedEmail(reference.email));
		else if (preserve) this.recordsNeeded++;
		else if (skipUnchanged) this.writesToSave++;
	}

	/** The current record of a contact; undefined when there is none, or none worth reading. */
	async withId(id: string): Promise<IDataObject | undefined> {
		if ((await this.planned()) === 'singly') return undefined;
		return (await this.everyContact()).withId(id);
	}

	/**
	 * All contacts that answer to an email address. The interface does not say what a search
	 * covers, so a contact that it does not show is looked for among all contacts.
	 */
	async withEmail(email: string): Promise<IDataObject[]> {
		const isWorthSearching = (await this.planned()) === 'singly' && !this.all;
		const found = isWorthSearching ? await this.search(email) : [];
		return found.length > 0 ? found : (await this.everyContact()).withEmail(email);
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

		const { records, totalCount } = await listContacts(this.connection, {
			page: 1,
			limit: maxPageSize,
		});
		if (totalCount === records.length) this.all = Promise.resolve(new ContactIndex(records));
		return planLookup(wanted, totalCount ?? Infinity);
	}

	private async search(email: string): Promise<IDataObject[]> {
		const name = normalizedEmail(email);
		const search = this.searches.get(name) ?? this.searchOnce(email);
		this.searches.set(name, search);
		return await search;
	}

	/** Nothing, too, when the answer goes on: then the service does not search for the address. */
	private async searchOnce(email: string): Promise<IDataObject[]> {
		const { records, totalCount } = await listContacts(this.connection, {
			page: 1,
			limit: maxPageSize,
			search: email,
		});
		const isWhole = (totalCount ?? records.length) <= records.length;
		return isWhole ? new ContactIndex(records).withEmail(email) : [];
	}

	private async everyContact(): Promise<ContactIndex> {
		this.all ??= walkContacts(this.connection, { limit: Infinity }).then(
			(contacts) => new ContactIndex(contacts),
		);
		return await this.all;
	}
}

/** Contacts by what they can be named by. */
class ContactIndex {
	private readonly byId = new Map<string, IDataObject>();

	private readonly byEmail = new Map<string, IDataObject[]>();

	constructor(contacts: IDataObject[]) {
		// A contact can be on two pages when others come or go during a walk.
		for (const contact of contacts) this.byId.set(String(contact.id).toLowerCase(), contact);
		for (const contact of this.byId.values()) {
			const email = normalizedEmail(contact.email);
			this.byEmail.set(email, [...(this.byEmail.get(email) ?? []), contact]);
		}
	}

	withId(id: string): IDataObject | undefined {
		return this.byId.get(id.toLowerCase());
	}

	withEmail(email: string): IDataObject[] {
		return this.byEmail.get(normalizedEmail(email)) ?? [];
	}
}
