import { currentTime, minute } from '../../test/models/harness/clock.mts';

/** A contact with all fields of the interface. */
export interface Contact {
	id: string;
	companyId: string;
	firstName: string;
	lastName: string;
	email: string;
	phone: string;
	company: string;
	jobTitle: string;
	accountId: string;
	source: string;
	tags: string[];
	notes: string;
	createdAt: string;
	updatedAt: string;
}

/** The contact of a number, as it is before anyone updates it. */
export function contactOf(number: number): Contact {
	// The first one is the newest: a list begins with what was created last.
	const createdAt = new Date(Date.UTC(2029, 0, 1) - number * minute).toISOString();
	return {
		id: uuidOf(number),
		companyId: uuidOf(900_000_001),
		firstName: 'Person',
		lastName: `Number ${number}`,
		email: `person${number}@example.com`,
		phone: `+1 555 ${String(number).padStart(7, '0')}`,
		company: `Company ${number % 500}`,
		jobTitle: 'Engineer',
		accountId: uuidOf(800_000_000 + (number % 500)),
		source: 'website',
		tags: ['customer', 'newsletter'],
		notes: '',
		createdAt,
		updatedAt: createdAt,
	};
}

/** The contacts of the service, in the order of its list. */
export class Contacts {
	readonly #count: number;

	readonly #changed = new Map<number, Contact>();

	/** @param count how many there are */
	constructor(count: number) {
		this.#count = count;
	}

	/** A page of the list, in its envelope. */
	page(query: Record<string, unknown>) {
		const page = Number(query.page ?? 1);
		const limit = Math.min(100, Number(query.limit ?? 20));
		const before = (page - 1) * limit;
		const length = Math.max(0, Math.min(limit, this.#count - before));
		const data = Array.from({ length }, (_, index) => this.#at(before + index));
		const totalPages = Math.ceil(this.#count / limit);
		return { data, meta: { pagination: { page, limit, totalCount: this.#count, totalPages } } };
	}

	/** The contact after an update, which keeps what it omits; undefined where there is none. */
	update(id: string, fields: object): Contact | undefined {
		const number = Number(id.slice(-12));
		if (uuidOf(number) !== id || number >= this.#count) return undefined;
		const updatedAt = new Date(currentTime()).toISOString();
		const contact = { ...this.#at(number), ...fields, id, updatedAt };
		this.#changed.set(number, contact);
		return contact;
	}

	#at(number: number): Contact {
		return this.#changed.get(number) ?? contactOf(number);
	}
}

function uuidOf(number: number): string {
	return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
