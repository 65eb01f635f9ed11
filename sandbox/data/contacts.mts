import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

import { companyIdFor, uuidFrom, type Mode } from '../identity.mts';
import type { Variants } from '../variants.mts';
import { inTransaction, nextNumber } from './database.mts';
import { orderBy, type Page } from './order.mts';

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
export interface ContactFields {
	firstName: string | null;
	lastName: string | null;
	email: string | null;
	phone: string | null;
	company: string | null;
	jobTitle: string | null;
	accountId: string | null;
	source: string | null;
	tags: string[] | null;
	notes: string | null;
}

/** A contact as stored. Interface: CONTACT-1. */
export interface Contact extends ContactFields {
	id: string;
	companyId: string;
	createdAt: string;
	updatedAt: string;
}

const namesAndEmail = 'firstName, lastName, email';
const allButEmail = 'firstName, lastName, phone, company, jobTitle, source, tags, notes';
const columnsCovered = {
	namesAndEmail,
	nothingOfEmail: allButEmail,
	everyField: `${allButEmail}, email`,
};

/** The contacts of both workspaces. */
export class Contacts {
	#database: DatabaseSync;
	#seed: number;

	constructor(database: DatabaseSync, seed: number) {
		this.#database = database;
		this.#seed = seed;
	}

	/** Adds contacts in one transaction. Missing fields get no value, a new ID, or the time `now`. */
	insert(mode: Mode, contacts: ReadonlyArray<Partial<Contact>>, now: string): Contact[] {
		const statement = this.#database.prepare(
			`INSERT INTO contacts (mode, id, companyId, ${settableFields.join(', ')}, createdAt, updatedAt)
			VALUES (${Array(15).fill('?').join(', ')})`,
		);
		return inTransaction(this.#database, () =>
			contacts.map((given) => {
				const contact = this.#complete(mode, given, now);
				const { id, companyId, createdAt, updatedAt } = contact;
				statement.run(mode, id, companyId, ...columnValues(contact), createdAt, updatedAt);
				return contact;
			}),
		);
	}

	/** Replaces all contacts. */
	replaceAll(mode: Mode, contacts: ReadonlyArray<Partial<Contact>>, now: string): Contact[] {
		this.#database.prepare('DELETE FROM contacts WHERE mode = ?').run(mode);
		return this.insert(mode, contacts, now);
	}

	/** Stores some fields of a contact. */
	update(mode: Mode, id: string, fields: Partial<ContactFields>, now: string): Contact | undefined {
		const known = this.find(mode, id);
		if (!known) return undefined;
		const contact = { ...known, ...fields, updatedAt: now };
		const assignments = settableFields.map((field) => `${field} = ?`).join(', ');
		this.#database
			.prepare(`UPDATE contacts SET ${assignments}, updatedAt = ? WHERE mode = ? AND id = ?`)
			.run(...columnValues(contact), now, mode, id);
		return contact;
	}

	/** @returns whether there was one to delete */
	delete(mode: Mode, id: string): boolean {
		const { changes } = this.#database
			.prepare('DELETE FROM contacts WHERE mode = ? AND id = ?')
			.run(mode, id);
		return changes > 0;
	}

	find(mode: Mode, id: string): Contact | undefined {
		const row = this.#database
			.prepare('SELECT * FROM contacts WHERE mode = ? AND id = ?')
			.get(mode, id);
		return row && contactFrom(row);
	}

	/** Another contact of the company with this email. Interface: CONTACT-2. */
	withEmail(mode: Mode, email: string, butNot: string | undefined): Contact | undefined {
		const row = this.#database
			.prepare('SELECT * FROM contacts WHERE mode = ? AND email = ? COLLATE NOCASE AND id <> ?')
			.get(mode, email, butNot ?? '');
		return row && contactFrom(row);
	}

	count(mode: Mode): number {
		return this.#count('mode = ?', [mode]);
	}

	all(mode: Mode): Contact[] {
		return this.#database
			.prepare('SELECT * FROM contacts WHERE mode = ? ORDER BY position')
			.all(mode)
			.map(contactFrom);
	}

	/** The contact at an index of the stored order. */
	at(mode: Mode, place: number): Contact | undefined {
		const row = this.#database
			.prepare(
				`SELECT * FROM contacts WHERE position =
				(SELECT position FROM contacts WHERE mode = ? ORDER BY position LIMIT 1 OFFSET ?)`,
			)
			.get(mode, place);
		return row && contactFrom(row);
	}

	/**
	 * One page of the contacts that match a search.
	 * @returns the contacts of the page, and the number of matches across all pages
	 */
	page(
		mode: Mode,
		search: string,
		{ offset, limit }: Page,
		variants: Pick<Variants, 'listOrder' | 'searchCovers'>,
	): { contacts: Contact[]; totalCount: number } {
		const { where, values } = condition(mode, search, variants.searchCovers);
		const rows = this.#database
			.prepare(
				`SELECT * FROM contacts WHERE ${where} ${orderBy[variants.listOrder]} LIMIT ? OFFSET ?`,
			)
			.all(...values, limit, offset);
		return { contacts: rows.map(contactFrom), totalCount: this.#count(where, values) };
	}

	#count(where: string, values: string[]): number {
		const row = this.#database
			.prepare(`SELECT count(*) AS number FROM contacts WHERE ${where}`)
			.get(...values);
		return row!.number as number;
	}

	#complete(mode: Mode, given: Partial<Contact>, now: string): Contact {
		const blank = Object.fromEntries(settableFields.map((field) => [field, null]));
		return {
			...(blank as unknown as ContactFields),
			companyId: companyIdFor(this.#seed, mode),
			createdAt: now,
			updatedAt: given.createdAt ?? now,
			...given,
			id:
				given.id ?? uuidFrom(this.#seed, mode, 'newContact', nextNumber(this.#database, 'contact')),
		};
	}
}

/** The fields that a search covers have to contain each of its words. */
function condition(mode: Mode, search: string, covers: Variants['searchCovers']) {
	const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
	if (covers === 'ignored' || terms.length === 0) return { where: 'mode = ?', values: [mode] };
	const matches = terms.map(() => `instr(lowerCase(${columnsCovered[covers]}), ?) > 0`);
	return { where: ['mode = ?', ...matches].join(' AND '), values: [mode, ...terms] };
}

function columnValues(contact: ContactFields): SQLInputValue[] {
	return settableFields.map((field) =>
		field === 'tags' ? contact.tags && JSON.stringify(contact.tags) : contact[field],
	);
}

function contactFrom(row: Record<string, unknown>): Contact {
	const { position: _position, mode: _mode, tags, ...contact } = row;
	return { ...contact, tags: tags === null ? null : JSON.parse(tags as string) } as Contact;
}
