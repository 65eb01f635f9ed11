import { contactSources, type Contact, type Contacts } from '../data/contacts.mts';
import type { Mode } from '../identity.mts';
import { pick, randomFrom, type Random } from '../random.mts';

/** Changes to the contacts while a client reads their pages. */
export interface ChangePlan {
	/** Changes happen before every n-th GET /contacts. */
	every: number;
	create?: number;
	delete?: number;
	update?: number;
	seed?: number;
}

/** What was changed before one request: the ids of the contacts. */
export interface ChangesMade {
	created: string[];
	deleted: string[];
	updated: string[];
}

/** Makes seeded random changes to contacts, and keeps a record of them. */
export class Changes {
	#plan: ChangePlan | undefined;
	#random: Random = randomFrom(1);
	#requests = 0;
	#made: ChangesMade[] = [];

	start(plan: ChangePlan): void {
		this.#plan = plan;
		this.#random = randomFrom(plan.seed ?? 1);
		this.#requests = 0;
		this.#made = [];
	}

	stop(): void {
		this.#plan = undefined;
	}

	/** The current plan, if any, and the changes so far. */
	report() {
		return { plan: this.#plan ?? null, made: this.#made };
	}

	/** Has to be called before each response to GET /contacts. */
	beforeList(contacts: Contacts, mode: Mode, now: string): void {
		if (!this.#plan) return;
		this.#requests += 1;
		if (this.#requests % this.#plan.every !== 0) return;
		this.#made.push({
			created: times(this.#plan.create, () => this.#create(contacts, mode, now)),
			deleted: times(this.#plan.delete, () => this.#delete(contacts, mode)),
			updated: times(this.#plan.update, () => this.#update(contacts, mode, now)),
		});
	}

	#create(contacts: Contacts, mode: Mode, now: string): string {
		const number = Math.floor(this.#random() * 1e9);
		const contact: Partial<Contact> = {
			firstName: 'New',
			lastName: `Contact ${number}`,
			email: `new.contact.${number}@example.com`,
			source: pick(this.#random, contactSources),
		};
		return contacts.insert(mode, [contact], now)[0].id;
	}

	#delete(contacts: Contacts, mode: Mode): string | undefined {
		const contact = this.#anyOf(contacts, mode);
		if (contact) contacts.delete(mode, contact.id);
		return contact?.id;
	}

	#update(contacts: Contacts, mode: Mode, now: string): string | undefined {
		const contact = this.#anyOf(contacts, mode);
		const notes = `Changed ${Math.floor(this.#random() * 1e9)}`;
		if (contact) contacts.update(mode, contact.id, { notes }, now);
		return contact?.id;
	}

	#anyOf(contacts: Contacts, mode: Mode): Contact | undefined {
		return pick(this.#random, contacts.all(mode));
	}
}

function times(count: number | undefined, change: () => string | undefined): string[] {
	return Array.from({ length: count ?? 0 }, change).filter((id) => id !== undefined);
}
