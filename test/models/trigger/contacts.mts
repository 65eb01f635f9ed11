import { fieldNames, type Act, type FieldName, type History } from './history.mts';
import { pick } from './pick.mts';
import { Timelines, type Span } from './timelines.mts';

export type Fields = Partial<Record<FieldName, string>>;

/** A contact from one change to the next. */
export interface Version {
	/** The moment from which it is so. */
	at: number;
	/** What made it so. */
	kind: Act['kind'];
	/** As the service shows it. */
	json: string;
	fields: Fields;
}

interface Contact {
	id: string;
	name: string;
	/** By the service's clock, in ms since 1970. */
	createdAt: number;
	updatedAt: number;
	fields: Fields;
	/** A field that the interface doesn't name. */
	score: number;
}

/** The date of all contacts that came with a migration. */
const migratedAt = Date.UTC(2029, 0, 1);

/** The contacts of the workspace, in the order of the list, and each of their versions. */
export class Contacts {
	/** By ID; undefined while the contact isn't there. */
	readonly timelines = new Timelines<Version | undefined>(undefined);
	#list: Contact[] = [];
	#deleted: Contact[] = [];
	#sequence = 0;

	constructor(
		private readonly history: History,
		private readonly random: () => number,
		private readonly time: () => number,
	) {
		for (let index = history.contacts; index > 0; index--) {
			const createdAt = time() - 600_000 - index * history.apart;
			const updatedAt = createdAt + random() ** 3 * index * history.apart;
			this.#note(this.#create(createdAt, updatedAt), 0, 'create');
		}
		this.#sort();
	}

	/** The contacts as the service shows them. */
	get shown(): string[] {
		return this.#list.map((contact) => this.#show(contact));
	}

	get length(): number {
		return this.#list.length;
	}

	findVersions(id: string, span: Span): Version[] {
		return this.timelines.during(id, span).filter((one) => one !== undefined);
	}

	/** @param at the moment of the change */
	act({ kind, count, where }: Act, at: number): void {
		const all = kind === 'restore' ? this.#deleted : this.#list;
		const some = pick(all, count, where);
		if (kind === 'create' || kind === 'import' || kind === 'repeat') {
			const date = this.time() - (kind === 'import' ? 864_000_000 * this.random() : 0);
			for (let n = 0; n < count; n++) this.#note(this.#create(date, date), at, kind);
		} else if (kind === 'delete') {
			this.#list = this.#list.filter((contact) => !some.includes(contact));
			this.#deleted.push(...some);
			for (const { id } of some) this.timelines.add(id, at, undefined);
		} else {
			this.#deleted = this.#deleted.filter((contact) => !some.includes(contact));
			if (kind === 'restore') this.#list.push(...some);
			for (const contact of some) this.#change(contact, at, kind);
		}
		this.#sort();
	}

	/** Adds one to the list. */
	#create(createdAt: number, updatedAt: number): Contact {
		const { random } = this;
		const sequence = ++this.#sequence;
		const dates = { createdAt: Math.floor(createdAt), updatedAt: Math.floor(updatedAt) };
		const fields: Fields = {};
		for (const name of fieldNames) fields[name] = this.#draw(name);
		const place = String(Math.floor(random() * 1e8)).padStart(8, '0');
		const id = `${place}-0000-4000-8000-${String(sequence).padStart(12, '0')}`;
		const contact = { id, name: `c${sequence}`, score: sequence, fields, ...dates };
		this.#list.push(contact);
		return contact;
	}

	/** A restored contact has its old dates, and perhaps other values. */
	#change(contact: Contact, at: number, kind: Act['kind']): void {
		const { id, fields } = contact;
		if (kind === 'touch') contact.score++;
		const isOther = kind === 'restore' && this.random() < 0.3;
		if (kind === 'update' || isOther) contact.fields = this.#update(fields);
		if (kind === 'revert') {
			const versions = this.findVersions(id, { from: 0, to: at });
			contact.fields = versions.findLast((one) => one.fields !== fields)?.fields ?? fields;
		}
		const { stampsUpdates } = this.history.variants;
		if (stampsUpdates && kind !== 'restore') contact.updatedAt = this.time();
		this.#note(contact, at, kind);
	}

	#update(fields: Fields): Fields {
		const name = fieldNames[Math.floor(this.random() * fieldNames.length)];
		const value = this.#draw(name);
		const isOther = value !== fields[name];
		return { ...fields, ...(isOther ? { [name]: value } : { jobTitle: `job ${this.random()}` }) };
	}

	/** Few values, so that one comes back; and none. */
	#draw(name: FieldName): string | undefined {
		const number = Math.floor(this.random() * 4);
		return number === 0 ? undefined : `${name} ${number}`;
	}

	#note(contact: Contact, at: number, kind: Act['kind']): void {
		const { id, fields } = contact;
		this.timelines.add(id, at, { at, kind, fields, json: this.#show(contact) });
	}

	#show({ id, name, fields, score, createdAt, updatedAt }: Contact): string {
		const show = (date: number) => new Date(this.#toShown(date)).toISOString();
		const dates = { createdAt: show(createdAt), updatedAt: show(updatedAt) };
		const shown = this.history.variants.dates === 'none' ? {} : dates;
		return JSON.stringify({ id, firstName: name, ...fields, score, ...shown });
	}

	#toShown(date: number): number {
		const { dates } = this.history.variants;
		if (dates === 'all equal') return migratedAt;
		return dates === 's' ? Math.floor(date / 1000) * 1000 : date;
	}

	#sort(): void {
		const [by, direction] = this.history.variants.order.split(' ');
		const sign = direction === 'descending' ? -1 : 1;
		// By the dates that are shown: another order wouldn't show.
		const date = (contact: Contact) =>
			by === 'createdAt' || by === 'updatedAt' ? this.#toShown(contact[by]) : 0;
		const compare = (a: Contact, b: Contact) => date(a) - date(b) || (a.id < b.id ? -1 : 1);
		this.#list.sort((a, b) => sign * compare(a, b));
	}
}

/** The fields in which two versions differ. */
export function compareFields(one: Version, other: Version): FieldName[] {
	return fieldNames.filter((name) => one.fields[name] !== other.fields[name]);
}
