import { comparing, firstDates, idAt, pick, type Placed } from '../harness/contacts.mts';
import { fieldNames, type Act, type FieldName, type History, type Variants } from './history.mts';
import { Timelines, type Span } from './timeline.mts';

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
	/** As shown, in ms since 1970. */
	createdAt?: number;
}

interface Contact extends Placed {
	fields: Fields;
	/** A field that the interface doesn't name. It decides how values are written, too. */
	score: number;
}

/** All contacts have this date if they came with a migration. */
const migratedAt = Date.UTC(2029, 0, 1);

/** The contacts of the workspace, in the order of the list, and each of their versions. */
export class Contacts {
	/** By ID; undefined while the contact isn't there. */
	readonly timelines = new Timelines<Version | undefined>(undefined);
	#list: Contact[] = [];
	readonly #deleted: Contact[] = [];
	#sequence = 0;

	constructor(
		private readonly history: History,
		private readonly random: () => number,
		private readonly time: () => number,
	) {
		const dates = { apart: history.apart, youngest: time() - 600_000, random };
		for (const { createdAt, updatedAt } of firstDates(history.contacts, dates)) {
			this.#add(this.#create(createdAt, updatedAt), 0, 'create');
		}
		this.#sort();
	}

	/** The contacts that a search finds, as the service shows them. */
	find(search: string): string[] {
		const found = this.#list.filter(({ fields }) => !search || fields.lastName === search);
		return found.map((contact) => this.#show(contact).json);
	}

	get length(): number {
		return this.#list.length;
	}

	/** The versions of a contact that a search finds. */
	findVersions(id: string, span: Span, search = ''): Version[] {
		const versions = this.timelines.during(id, span).filter((one) => one !== undefined);
		return versions.filter(({ fields }) => !search || fields.lastName === search);
	}

	/** @param at the moment of the change */
	act(act: Act, at: number): void {
		const { kind, count } = act;
		const some = (all: readonly Contact[]) => (all.length > 0 ? pick(all, count, act) : []);
		if (kind === 'create' || kind === 'import' || kind === 'repeat') {
			const date = this.time() - (kind === 'import' ? 864_000_000 * this.random() : 0);
			for (let n = 0; n < count; n++) this.#add(this.#create(date, date), at, kind);
		} else if (kind === 'delete') {
			for (const contact of some(this.#list)) this.#delete(contact, at);
		} else if (kind === 'restore') {
			for (const contact of some(this.#deleted)) this.#restore(contact, at);
		} else {
			for (const contact of some(this.#list)) this.#change(contact, at, kind);
		}
		this.#sort();
	}

	#create(createdAt: number, updatedAt: number): Contact {
		const { random } = this;
		const sequence = ++this.#sequence;
		const key = random();
		const fields: Fields = {};
		for (const name of fieldNames) fields[name] = this.#draw(name);
		return {
			name: `c${sequence}`,
			sequence,
			id: idAt(this.history.variants.order === 'id' ? key : random(), sequence),
			key,
			createdAt: Math.floor(createdAt),
			updatedAt: Math.floor(updatedAt),
			revision: 1,
			fields,
			score: sequence,
		};
	}

	#add(contact: Contact, at: number, kind: Act['kind']): void {
		this.#list.push(contact);
		this.#note(contact, at, kind);
	}

	#delete(contact: Contact, at: number): void {
		this.#list.splice(this.#list.indexOf(contact), 1);
		this.#deleted.push(contact);
		this.timelines.add(contact.id, at, undefined);
	}

	/** A restored contact has its old dates, and perhaps other values. */
	#restore(contact: Contact, at: number): void {
		this.#deleted.splice(this.#deleted.indexOf(contact), 1);
		if (this.random() < 0.3) contact.fields = this.#changed(contact.fields);
		this.#add(contact, at, 'restore');
	}

	#change(contact: Contact, at: number, kind: Act['kind']): void {
		const versions = this.timelines.during(contact.id, { from: 0, to: at }).filter(Boolean);
		const earlier = versions[Math.floor(this.random() * versions.length)]!;
		if (kind === 'touch') contact.score++;
		else contact.fields = kind === 'revert' ? earlier.fields : this.#changed(contact.fields);
		const isStamped = this.history.variants.stampsUpdates && (kind !== 'touch' || at % 3 === 0);
		if (isStamped) contact.updatedAt = this.time();
		this.#note(contact, at, kind);
	}

	#changed(fields: Fields): Fields {
		const changed = { ...fields };
		for (let times = 1 + Math.floor(this.random() * 2); times > 0; times--) {
			const name = fieldNames[Math.floor(this.random() * fieldNames.length)];
			changed[name] = this.#draw(name);
		}
		return fieldNames.some((name) => changed[name] !== fields[name])
			? changed
			: { ...changed, jobTitle: `job ${this.random()}` };
	}

	/** Few values, so that one comes back; and none. */
	#draw(name: FieldName): string | undefined {
		const number = Math.floor(this.random() * 4);
		if (name === 'lastName') return number < 2 ? 'Alpha' : 'Beta';
		return number === 0 ? undefined : `${name} ${number}`;
	}

	#note(contact: Contact, at: number, kind: Act['kind']): void {
		this.timelines.add(contact.id, at, { at, kind, ...this.#show(contact) });
	}

	#show(contact: Contact): Pick<Version, 'json' | 'fields' | 'createdAt'> {
		const { id, name, fields, score } = contact;
		const { stamps, form } = this.history.variants;
		const stamp = (date: 'createdAt' | 'updatedAt') =>
			stamps === 'both' || stamps === date
				? new Date(toShown(contact[date], form)).toISOString()
				: undefined;
		const createdAt = stamp('createdAt');
		const record = { id, firstName: name, ...writeFields(fields, score), score };
		return {
			json: JSON.stringify({ ...record, createdAt, updatedAt: stamp('updatedAt') }),
			fields,
			createdAt: createdAt && Date.parse(createdAt),
		} as Pick<Version, 'json' | 'fields' | 'createdAt'>;
	}

	#sort(): void {
		const { order, form } = this.history.variants;
		this.#list.sort(comparing(order, 'id', (date) => toShown(date, form)));
	}
}

/** Values as the service writes them: a missing one in three ways, tags in any order. */
function writeFields(fields: Fields, score: number): Record<string, unknown> {
	const { tags = '' } = fields;
	const all = tags.split(' ').filter(Boolean);
	const written = fieldNames.map((name) => [
		name,
		fields[name] ?? [null, undefined, ''][score % 3],
	]);
	return { ...Object.fromEntries(written), tags: score % 2 === 0 ? all : all.reverse() };
}

function toShown(date: number, form: Variants['form']): number {
	if (form === 'all equal') return migratedAt;
	return form === 's' ? Math.floor(date / 1000) * 1000 : date;
}

/** The fields in which two versions differ. */
export function compareFields(one: Version, other: Version): FieldName[] {
	return fieldNames.filter((name) => one.fields[name] !== other.fields[name]);
}
