import { createHash } from 'node:crypto';
import type { Page } from '../../../nodes/CrmWorkspace/service/answers';
import type { PageRequest } from '../../../nodes/CrmWorkspace/service/lists/pages';

/** The order that a service keeps its list in: by a field, or by nothing that it shows. */
export const listOrders = [
	'createdAt ascending',
	'createdAt descending',
	'updatedAt ascending',
	'updatedAt descending',
	'name ascending',
	'name descending',
	'unspecified',
] as const;
export type ListOrder = (typeof listOrders)[number];

const kinds = ['create', 'delete', 'update'] as const;

/** So many contacts of a kind at one moment, neighbours or from all over the list. */
export interface Change {
	kind: (typeof kinds)[number];
	count: number;
	areNeighbours: boolean;
}

interface Contact {
	[field: string]: string;
	id: string;
	name: string;
	createdAt: string;
	updatedAt: string;
}

/** How a list is made and how its service answers. */
export interface ListManner {
	order: ListOrder;
	/** How many contacts it has at the beginning. */
	count: number;
	/** How long ago the youngest of them was created, in ms. */
	age: number;
	/** The most contacts on a page. */
	pageSize: number;
	/** What a page tells of the whole. */
	tells: 'totalCount' | 'totalPages' | 'nothing';
	/** The changes that come before the next request is answered, `requests` having been answered. */
	changesBefore: (requests: number) => Change[];
}

/**
 * A paginated list that changes between requests. It answers in whatever order its requests get
 * through, and every change and every request happens at a moment of its own.
 */
export class ChangingList {
	/** How many requests were answered. */
	requests = 0;

	private contacts: Contact[] = [];

	private throughout = new Set<string>();

	private created = 0;

	private now = Date.parse('2026-01-01T00:00:00Z');

	/** @param random numbers from 0 to below 1 */
	constructor(
		private readonly manner: ListManner,
		private readonly random: () => number,
	) {
		this.create(manner.count);
		for (const contact of this.contacts) {
			if (random() < 0.3) contact.updatedAt = this.nextMoment();
		}
		this.sort();
		this.throughout = new Set(this.contacts.map(({ id }) => id));
		this.now += manner.age + 1000 * random();
	}

	/** The ids of the contacts that existed from the beginning until now. */
	get everPresent(): string[] {
		return [...this.throughout];
	}

	/** Answers a request after others that may have come later. */
	readonly fetchPage = async ({ page, limit: asked }: PageRequest): Promise<Page> => {
		const askedAt = this.now;
		for (let turns = Math.floor(this.random() * 6); turns > 0; turns--) await Promise.resolve();
		if (this.requests > 0) this.manner.changesBefore(this.requests).forEach(this.change);
		this.requests++;
		const limit = Math.min(asked, this.manner.pageSize);
		const begin = (page - 1) * limit;
		const records = this.contacts.slice(begin, begin + limit).map((contact) => ({ ...contact }));
		const totalCount = this.contacts.length;
		this.now += 300 * this.random();
		const { tells } = this.manner;
		return {
			records,
			...(tells === 'totalCount' && { totalCount }),
			...(tells !== 'nothing' && { totalPages: Math.ceil(totalCount / limit) }),
			asOf: wholeSecond(wholeSecond(this.now) - (this.now - askedAt)),
		};
	};

	private readonly change = ({ kind, count, areNeighbours }: Change) => {
		if (kind === 'create') this.create(count);
		else for (const contact of this.some(count, areNeighbours)) this[kind](contact);
		this.sort();
	};

	private create(count: number): void {
		for (let made = 0; made < count; made++) {
			const createdAt = this.nextMoment();
			const id = `contact-${++this.created}`;
			this.contacts.push({ id, name: this.anyName(), createdAt, updatedAt: createdAt });
		}
	}

	private update(contact: Contact): void {
		contact.updatedAt = this.nextMoment();
		if (this.random() < 0.7) contact.name = this.anyName();
	}

	private delete(contact: Contact): void {
		this.contacts.splice(this.contacts.indexOf(contact), 1);
		this.throughout.delete(contact.id);
	}

	private some(count: number, areNeighbours: boolean): Contact[] {
		const { contacts } = this;
		const begin = Math.floor(this.random() * contacts.length);
		if (areNeighbours) return contacts.slice(begin, begin + count);
		const drawn = Array.from({ length: Math.min(count, contacts.length) }, () => this.random());
		return [...new Set(drawn.map((place) => contacts[Math.floor(place * contacts.length)]))];
	}

	private sort(): void {
		const [field, direction] = this.manner.order.split(' ');
		const keyOf = (contact: Contact) => contact[field] ?? hash(contact.id);
		const sign = direction === 'descending' ? -1 : 1;
		this.contacts.sort((one, other) => {
			const [key, otherKey] = [keyOf(one), keyOf(other)];
			return key === otherKey ? 0 : key < otherKey ? -sign : sign;
		});
	}

	private anyName(): string {
		return Math.floor(this.random() * 36 ** 6).toString(36);
	}

	private nextMoment(): string {
		this.now += 1 + 50 * this.random();
		return new Date(this.now).toISOString();
	}
}

const wholeSecond = (moment: number) => Math.floor(moment / 1000) * 1000;

const hashes = new Map<string, string>();

function hash(text: string): string {
	const known = hashes.get(text) ?? createHash('md5').update(text).digest('hex');
	hashes.set(text, known);
	return known;
}

/** Any change, of as many contacts as told at most. */
export function anyChange(random: () => number, most: number): Change {
	return {
		kind: kinds[Math.floor(random() * kinds.length)],
		count: 1 + Math.floor(random() * most),
		areNeighbours: random() < 0.5,
	};
}
