import type { IDataObject } from 'n8n-workflow';
import { currentTime } from './clock.mts';
import type { Asked, Reply } from './service.mts';
import { Timelines, type Span } from './timelines.mts';

/** The values of a contact by field. */
export type Values = Record<string, unknown>;

/** A change that other users make to contacts that stand side by side. */
export interface Act {
	/** Those that are imported have old dates, those that begin to match a search an old first date. */
	kind:
		| 'create'
		| 'repeat'
		| 'import'
		| 'match'
		| 'update'
		| 'revert'
		| 'touch'
		| 'delete'
		| 'restore';
	count: number;
	/** Where in the list, in hundredths of its length. */
	where: number;
}

/** A contact from one change to the next. */
export interface Version {
	/** The moment from which it is so. */
	at: number;
	/** In ms since 1970. */
	time: number;
	kind: Act['kind'] | 'put';
	values: Values;
	/** As the service shows it. */
	json: string;
	/** The request that made it so. */
	asked?: Asked;
}

/** By what the service orders its contacts, which the interface leaves open. */
export const orders = [
	'createdAt ascending',
	'createdAt descending',
	'updatedAt ascending',
	'updatedAt descending',
	'id',
] as const;

/** How the service behaves where the interface leaves it open. */
interface ContactVariants {
	pageSize: number;
	order: (typeof orders)[number];
	/** To what they are cut; all are the same one if contacts came with a migration. */
	dates: 'ms' | 's' | 'none' | 'all equal';
	/** Whether an update changes `updatedAt`. */
	stampsUpdates: boolean;
	/** The fields that lose their values if an update leaves them out. */
	empties: readonly string[];
	/** The fields that no record shows, even with a value. */
	hides: readonly string[];
	ignoresNull: boolean;
	/** Whether a record shows a field without a value. */
	showsEmpty: boolean;
	/** How long lists show a contact as it was before an update, in ms. */
	lag: number;
}

const usual: ContactVariants = {
	...{ pageSize: 100, order: 'id', dates: 'ms', stampsUpdates: true },
	...{ empties: [], hides: [], ignoresNull: false, showsEmpty: false, lag: 0 },
};

/** The fields that other users change. */
export const changedFields = ['lastName', 'jobTitle', 'notes'];

interface Contact {
	id: string;
	/** By the service's clock, in ms since 1970. */
	createdAt: number;
	updatedAt: number;
	values: Values;
	/** As lists show it, unless they lag. */
	latest?: Version;
}

/** The date of all contacts that came with a migration. */
const migratedAt = Date.UTC(2029, 0, 1);

/** The contacts of the workspace, in the order of the list, and each of their versions. */
export class Contacts {
	/** By ID; undefined while the contact isn't there. */
	readonly timelines = new Timelines<Version | undefined>(undefined);
	/** How many changes there were. */
	now = 0;
	readonly #variants: ContactVariants;
	readonly #random: () => number;
	#list: Contact[] = [];
	#deleted: Contact[] = [];

	constructor(variants: Partial<ContactVariants>, random: () => number) {
		this.#variants = { ...usual, ...variants };
		this.#random = random;
	}

	get length(): number {
		return this.#list.length;
	}

	findVersions(id: string, span: Span = { from: 0, to: this.now }): Version[] {
		return this.timelines.during(id, span).filter((one) => one !== undefined);
	}

	/** Adds some that were there before, the youngest of which is so many ms old. */
	fill(count: number, youngest: number, apart: number): void {
		for (let index = count - 1; index >= 0; index--) {
			const createdAt = currentTime() - youngest - index * apart;
			const updatedAt = createdAt + this.#random() ** 3 * index * apart;
			this.#create('create', createdAt, updatedAt);
		}
		this.#sort();
	}

	/** Adds one with these values that was there before. */
	add(id: string, values: Values): void {
		const contact: Contact = { id, createdAt: 0, updatedAt: 0, values };
		this.#list.push(contact);
		this.#note(contact, 'create', 0);
	}

	/** Makes a change. */
	act({ kind, count, where }: Act): void {
		this.now++;
		const all = kind === 'restore' ? this.#deleted : this.#list;
		const some = pick(all, count, where);
		if (['create', 'repeat', 'import', 'match'].includes(kind)) {
			const updatedAt = currentTime() - (kind === 'import' ? 864_000_000 * this.#random() : 0);
			const createdAt = kind === 'match' ? updatedAt - 31_536_000_000 : updatedAt;
			for (let n = 0; n < count; n++) this.#create(kind, createdAt, updatedAt);
		} else if (kind === 'delete') {
			this.#list = this.#list.filter((contact) => !some.includes(contact));
			this.#deleted.push(...some);
			for (const { id } of some) this.timelines.add(id, this.now, undefined);
		} else {
			this.#deleted = this.#deleted.filter((contact) => !some.includes(contact));
			if (kind === 'restore') this.#list.push(...some);
			for (const contact of some) this.#change(contact, kind);
		}
		this.#sort();
	}

	/** Answers `GET /contacts`. @throws Error where there is no such page in the interface */
	list(query: IDataObject): Reply {
		const page = wholeNumber(query.page, 1);
		const limit = Math.min(wholeNumber(query.limit, 20), this.#variants.pageSize);
		const shown = this.#list.map((contact) => this.#listed(contact));
		const term = String(query.search ?? '').toLowerCase();
		const all = term ? shown.filter(({ values }) => matches(values, term)) : shown;
		const records = all.slice((page - 1) * limit, page * limit).map(({ json }) => json);
		const totals = { totalCount: all.length, totalPages: Math.ceil(all.length / limit) };
		const meta = JSON.stringify({ pagination: { page, limit, ...totals } });
		return [200, `{"data":[${records.join(',')}],"meta":${meta}}`];
	}

	/** Answers `PUT /contacts/ID`. */
	put(asked: Asked): Reply {
		const { empties, ignoresNull } = this.#variants;
		const { body, path } = asked;
		const contact = this.#list.find(({ id }) => path.endsWith(id));
		if (!contact) return [404, '{"message":"There is no such contact"}'];
		const isTaken = this.#list.some(
			(other) => other !== contact && body.email && other.values.email === body.email,
		);
		if (isTaken || body.source === 'import') return [422, '{"message":"It cannot be done"}'];
		const left = empties.filter((name) => !(name in body)).map((name) => [name, undefined]);
		const sent = Object.entries(body).filter(([, value]) => value !== null || !ignoresNull);
		contact.values = { ...contact.values, ...Object.fromEntries([...left, ...sent]) };
		contact.updatedAt = currentTime();
		this.now++;
		return [200, `{"data":${this.#note(contact, 'put', currentTime(), asked).json}}`];
	}

	#listed({ id, latest }: Contact): Version {
		const until = currentTime() - this.#variants.lag;
		if (latest!.time <= until) return latest!;
		return this.findVersions(id).findLast(({ time }) => time <= until)!;
	}

	#create(kind: Act['kind'], createdAt: number, updatedAt: number): void {
		const number = this.timelines.all.size + 1;
		const dates = { createdAt: Math.floor(createdAt), updatedAt: Math.floor(updatedAt) };
		const values: Values = { firstName: `c${number}`, score: number };
		for (const name of changedFields) values[name] = this.#draw(name);
		const place = String(Math.floor(this.#random() * 1e8)).padStart(8, '0');
		const id = `${place}-0000-4000-8000-${String(number).padStart(12, '0')}`;
		const contact = { id, ...dates, values };
		this.#list.push(contact);
		this.#note(contact, kind);
	}

	/** A restored contact has its old dates, and perhaps other values. */
	#change(contact: Contact, kind: Act['kind']): void {
		const { id, values } = contact;
		// A field that the interface doesn't name.
		if (kind === 'touch') contact.values = { ...values, score: Number(values.score) + 1 };
		const isOther = kind === 'restore' && this.#random() < 0.3;
		if (kind === 'update' || isOther) contact.values = this.#update(values);
		if (kind === 'revert') {
			const before = this.findVersions(id).findLast(
				(one) => compareFields(one, contact).length > 0,
			);
			contact.values = { ...values, ...before?.values, score: values.score };
		}
		if (this.#variants.stampsUpdates && kind !== 'restore') contact.updatedAt = currentTime();
		this.#note(contact, kind);
	}

	#update(values: Values): Values {
		const name = changedFields[Math.floor(this.#random() * changedFields.length)];
		const value = this.#draw(name);
		const isOther = value !== values[name];
		return { ...values, ...(isOther ? { [name]: value } : { jobTitle: `job ${this.#random()}` }) };
	}

	/** Few values, so that one comes back; and none. */
	#draw(name: string): string | undefined {
		const number = Math.floor(this.#random() * 4);
		return number === 0 ? undefined : `${name} ${number}`;
	}

	#note(contact: Contact, kind: Version['kind'], time = currentTime(), asked?: Asked): Version {
		const { now: at } = this;
		const { id, values } = contact;
		contact.latest = { at, time, kind, values, json: this.#show(contact), asked };
		this.timelines.add(id, at, contact.latest);
		return contact.latest;
	}

	#show({ id, values, createdAt, updatedAt }: Contact): string {
		const { hides, showsEmpty, dates } = this.#variants;
		const shown = Object.entries(values)
			.filter(([name, value]) => !hides.includes(name) && (showsEmpty || !isEmpty(value)))
			.map(([name, value]) => [name, isEmpty(value) ? null : value]);
		const show = (date: number) => new Date(this.#toShown(date)).toISOString();
		const dated = { createdAt: show(createdAt), updatedAt: show(updatedAt) };
		const record = { id, ...Object.fromEntries(shown), ...(dates !== 'none' && dated) };
		return JSON.stringify(record);
	}

	#toShown(date: number): number {
		const { dates } = this.#variants;
		if (dates === 'all equal') return migratedAt;
		return dates === 's' ? Math.floor(date / 1000) * 1000 : date;
	}

	#sort(): void {
		const [by, direction] = this.#variants.order.split(' ');
		const sign = direction === 'descending' ? -1 : 1;
		// By the dates that are shown: another order wouldn't show.
		const date = (contact: Contact) =>
			by === 'createdAt' || by === 'updatedAt' ? this.#toShown(contact[by]) : 0;
		const compare = (a: Contact, b: Contact) => date(a) - date(b) || (a.id < b.id ? -1 : 1);
		this.#list.sort((a, b) => sign * compare(a, b));
	}
}

/** The fields in which two versions differ that other users change. */
export function compareFields(one: { values: Values }, other: { values: Values }): string[] {
	return changedFields.filter((name) => one.values[name] !== other.values[name]);
}

/** Some of a list that stand side by side. @param where in hundredths of its length */
export function pick<T>(all: readonly T[], count: number, where: number): T[] {
	const picked = Math.min(count, all.length);
	const from = Math.min(Math.floor((where / 100) * all.length), all.length - picked);
	return all.slice(from, from + picked);
}

/** Whether a field has no value. */
export const isEmpty = (value: unknown) => ['', 'null', 'undefined'].includes(String(value));

const matches = (values: Values, term: string) =>
	Object.values(values).some((value) => String(value).toLowerCase().includes(term));

function wholeNumber(value: unknown, otherwise: number): number {
	const number = Number(value ?? otherwise);
	if (!Number.isInteger(number) || number < 1) throw new Error(`The node asked for ${value}`);
	return number;
}
