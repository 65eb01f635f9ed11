import { createHash } from 'node:crypto';
import type { Page } from '../../nodes/CrmWorkspace/service/answers';
import type { PageRequest } from '../../nodes/CrmWorkspace/service/pages';

/** The order that a service keeps its list in. */
export const listOrders = [
	'ascending',
	'descending',
	'unspecified',
	'updatedAscending',
	'updatedDescending',
] as const;
export type ListOrder = (typeof listOrders)[number];

const changes = ['create', 'delete', 'update'] as const;
export type Change = (typeof changes)[number];

interface Contact {
	[field: string]: string;
	id: string;
	createdAt: string;
	updatedAt: string;
}

/**
 * A paginated list that changes between requests. It answers in whatever order its requests get
 * through, and every change and every request happens at a moment of its own.
 */
export class ChangingList {
	/** How many requests were answered. */
	requests = 0;

	/** How many of them were for the beginning of the list: how often it was read, all in all. */
	rounds = 0;

	private contacts: Contact[] = [];

	private throughout = new Set<string>();

	private created = 0;

	private now = Date.parse('2026-01-01T00:00:00Z');

	/**
	 * @param random numbers from 0 to below 1
	 * @param changesBefore which changes happen before the next request is answered; undefined
	 * stands for any
	 */
	constructor(
		private readonly order: ListOrder,
		count: number,
		private readonly random: () => number,
		private readonly changesBefore: (requests: number) => Array<Change | undefined>,
	) {
		for (let i = 0; i < count; i++) this.create();
		this.throughout = new Set(this.contacts.map(({ id }) => id));
		this.now += 1000;
	}

	/** The moment it is, in ms since 1970. */
	get moment(): number {
		return this.now;
	}

	/** The ids of the contacts that existed from the beginning until now. */
	get everPresent(): string[] {
		return [...this.throughout];
	}

	/** Answers a request after others that may have come later. */
	readonly fetchPage = async ({ page, limit }: PageRequest): Promise<Page> => {
		for (let turns = Math.floor(this.random() * 6); turns > 0; turns--) await Promise.resolve();
		if (this.requests > 0) this.changesBefore(this.requests).forEach((kind) => this.change(kind));
		this.requests++;
		if (page === 1) this.rounds++;
		this.now += 1000;
		const begin = (page - 1) * limit;
		return {
			records: this.contacts.slice(begin, begin + limit).map((contact) => ({ ...contact })),
			totalCount: this.contacts.length,
		};
	};

	private change(kind = changes[Math.floor(this.random() * changes.length)]): void {
		if (kind === 'create') this.create();
		else if (kind === 'delete') this.remove(this.any());
		else this.update(this.any());
	}

	private create(): void {
		const createdAt = this.nextMoment();
		this.insert({ id: `contact-${++this.created}`, createdAt, updatedAt: createdAt });
	}

	private update(contact: Contact | undefined): void {
		if (!contact) return;
		contact.updatedAt = this.nextMoment();
		if (!this.order.startsWith('updated')) return;
		this.contacts.splice(this.contacts.indexOf(contact), 1);
		this.insert(contact);
	}

	private remove(contact: Contact | undefined): void {
		if (!contact) return;
		this.contacts.splice(this.contacts.indexOf(contact), 1);
		this.throughout.delete(contact.id);
	}

	private any(): Contact | undefined {
		return this.contacts[Math.floor(this.random() * this.contacts.length)];
	}

	private insert(contact: Contact): void {
		if (this.order === 'unspecified') this.contacts.splice(this.placeOf(contact), 0, contact);
		else if (/ascending/i.test(this.order)) this.contacts.push(contact);
		else this.contacts.unshift(contact);
	}

	/** The contacts stand in the order of their hashes. */
	private placeOf({ id }: Contact): number {
		const place = hash(id);
		let [from, to] = [0, this.contacts.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			if (hash(this.contacts[middle].id) < place) from = middle + 1;
			else to = middle;
		}
		return from;
	}

	private nextMoment(): string {
		this.now += 1000;
		return new Date(this.now).toISOString();
	}
}

const hash = (text: string) => createHash('md5').update(text).digest('hex');
