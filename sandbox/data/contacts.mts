import { companyIdFor, forEachMode, type Mode } from '../identity.mts';
import type { Variants } from '../variants.mts';
import { inOrder, type Order } from './order.mts';

/** What `source` may be on input. Interface: CONTACT-12. */
export const contactSources = [
	'website',
	'referral',
	'cold_call',
	'marketing',
	'trade_show',
	'partner',
] as const;

/** What a client may set. Interface: UPDATE-3, CONTACT-4. */
export const settableFields = [
	'firstName',
	'lastName',
	'email',
	'phone',
	'company',
	'jobTitle',
	'accountId',
	'source',
	'tags',
	'notes',
] as const;

/** The ten settable fields; null stands for no value. */
export interface ContactFields extends Record<TextField, string | null> {
	tags: string[] | null;
}
type TextField = Exclude<(typeof settableFields)[number], 'tags'>;

/** A contact as stored. Interface: CONTACT-1. */
export interface Contact extends ContactFields {
	id: string;
	companyId: string;
	createdAt: string;
	updatedAt: string;
}

type Field = keyof ContactFields;
const names: Field[] = ['firstName', 'lastName'];
const others: Field[] = ['phone', 'company', 'jobTitle', 'source', 'tags', 'notes'];

/** What a search covers. */
const covered: Record<Variants['searchCovers'], Field[]> = {
	namesAndEmail: [...names, 'email'],
	everyField: [...names, ...others, 'email'],
	nothingOfEmail: [...names, ...others],
	ignored: [],
};

/** The contacts of both workspaces. An update replaces a contact, in its place. */
export class Contacts {
	readonly #seed: number;
	readonly #byId = forEachMode(() => new Map<string, Contact>());
	/** The ordered lists of the contacts as they are: sorting takes long for each page. */
	readonly #ordered = forEachMode(() => new Map<Order, Contact[]>());
	readonly #newId: (mode: Mode) => string;

	constructor(seed: number, newId: (mode: Mode) => string) {
		this.#seed = seed;
		this.#newId = newId;
	}

	/** Adds contacts. Missing fields get no value, a new ID, or the time `now`. */
	insert(mode: Mode, contacts: ReadonlyArray<Partial<Contact>>, now: string): Contact[] {
		const complete = contacts.map((given) => this.#complete(mode, given, now));
		for (const contact of complete) this.#store(mode, contact);
		return complete;
	}

	/** Replaces all contacts. */
	replaceAll(mode: Mode, contacts: ReadonlyArray<Partial<Contact>>, now: string): Contact[] {
		this.#byId[mode].clear();
		this.#ordered[mode].clear();
		return this.insert(mode, contacts, now);
	}

	/** Stores some fields of a contact. */
	update(mode: Mode, id: string, fields: Partial<Contact>, now: string): Contact | undefined {
		const known = this.find(mode, id);
		return known && this.#store(mode, { ...known, ...fields, id, updatedAt: now });
	}

	/** @returns whether there was one to delete */
	delete(mode: Mode, id: string): boolean {
		this.#ordered[mode].clear();
		return this.#byId[mode].delete(id);
	}

	find(mode: Mode, id: string): Contact | undefined {
		return this.#byId[mode].get(id);
	}

	/** Another contact of the company with this email. Interface: CONTACT-2. */
	withEmail(mode: Mode, address: string, butNot: string | undefined): Contact | undefined {
		const wanted = address.toLowerCase();
		return this.all(mode).find(({ id, email }) => email?.toLowerCase() === wanted && id !== butNot);
	}

	all(mode: Mode): Contact[] {
		return [...this.#byId[mode].values()];
	}

	/**
	 * One page of the contacts that match a search.
	 * @returns the contacts of the page, and the number of matches across all pages
	 */
	page(
		mode: Mode,
		search: string,
		{ offset, limit }: { offset: number; limit: number },
		{ listOrder, searchCovers }: Pick<Variants, 'listOrder' | 'searchCovers'>,
	): { contacts: Contact[]; totalCount: number } {
		const matches = matching(this.#inOrder(mode, listOrder), search, covered[searchCovers]);
		return { contacts: matches.slice(offset, offset + limit), totalCount: matches.length };
	}

	#inOrder(mode: Mode, order: Order): Contact[] {
		const known = this.#ordered[mode].get(order);
		if (known) return known;
		const sorted = inOrder(this.all(mode), order);
		this.#ordered[mode].set(order, sorted);
		return sorted;
	}

	#store(mode: Mode, contact: Contact): Contact {
		this.#byId[mode].set(contact.id, contact);
		this.#ordered[mode].clear();
		return contact;
	}

	#complete(mode: Mode, given: Partial<Contact>, now: string): Contact {
		const blank = Object.fromEntries(settableFields.map((field) => [field, null]));
		return {
			...(blank as unknown as ContactFields),
			companyId: companyIdFor(this.#seed, mode),
			createdAt: now,
			updatedAt: given.createdAt ?? now,
			...given,
			id: given.id ?? this.#newId(mode),
		};
	}
}

/** The contacts whose fields contain each word of a search. */
function matching(contacts: Contact[], search: string, fields: Field[]): Contact[] {
	const words = search.toLowerCase().split(/\s+/).filter(Boolean);
	if (fields.length === 0 || words.length === 0) return contacts;
	return contacts.filter((contact) => {
		const text = fields
			.map((field) => contact[field])
			.join('\n')
			.toLowerCase();
		return words.every((word) => text.includes(word));
	});
}
