import {
	comparing,
	contactFields,
	firstDates,
	idAt,
	pick,
	type Placed,
} from '../../harness/contacts.mts';
import { shown, type Fields, type Version } from './contact.mts';
import type { Act } from '../history.mts';
import { Timelines } from './timelines.mts';
import type { Common } from './workspace.mts';

/** A contact as the service stores it. */
export interface Contact extends Placed {
	/** Whether it was created when it says so. */
	isNew: boolean;
	hasStamps: boolean;
	fields: Fields;
	/** How each missing value is written, and the others. */
	blanks: number;
	forms: number;
	/** How often anything had changed that an update can set. */
	changes: number;
	/** A field that the interface does not name. */
	score: number;
	version: Version;
}

/** No bulk change makes more of them. */
const most = 4_900;

/** The contacts of a workspace in the order of the list, and what has been of each. */
export class Contacts {
	readonly #common: Common;
	readonly #workspace: string;
	#list: Contact[] = [];
	/** Those that were deleted, to be brought back as they were. */
	readonly #gone: Contact[] = [];
	#sequence = 0;
	/** By id; undefined while there is none. */
	readonly timelines: Timelines<Version | undefined>;

	constructor(common: Common, workspace: string) {
		this.#common = common;
		this.#workspace = workspace;
		this.timelines = new Timelines(common.ticks, undefined);
		const { history, random, time } = common;
		const dates = { apart: history.apart, youngest: time() - 60_000, random };
		for (const { createdAt, updatedAt } of firstDates(history.contacts, dates)) {
			this.#add(this.#fresh(random(), createdAt, updatedAt));
		}
		this.#sort();
	}

	get list(): readonly Contact[] {
		return this.#list;
	}

	/** Those that a search finds. */
	found(search: string): readonly Contact[] {
		return search ? this.#list.filter(({ fields }) => fields.lastName === search) : this.#list;
	}

	/** @returns what was done, in words; undefined if there was nothing to do it to */
	act(act: Act): string | undefined {
		this.#common.ticks.now++;
		const concerned = this.#concerned(act);
		if (concerned.length === 0) return undefined;
		this.#sort();
		const names = concerned.slice(0, 8).map(({ name }) => name);
		const rest = concerned.length > 8 ? ` and ${concerned.length - 8} more` : '';
		return `${act.kind}: ${names.join(' ')}${rest}`;
	}

	#concerned(act: Act): Contact[] {
		switch (act.kind) {
			case 'create':
			case 'import with old dates':
				return this.#create(act);
			case 'delete':
				return this.#delete(this.#pick(act, this.#list));
			case 'bring back':
				return this.#bringBack(this.#pick(act, this.#gone));
			default:
				return this.#pick(act, this.#list).map((contact) => this.#change(contact, act.kind));
		}
	}

	#create(act: Act): Contact[] {
		const { random, time } = this.#common;
		const room = Math.max(0, Math.min(this.#count(act), most - this.#list.length));
		const isOld = act.kind !== 'create';
		return Array.from({ length: room }, () => {
			const at = isOld ? time() - Math.floor(random() * 30 * 86_400_000) - 3_600_000 : time();
			return this.#add(this.#fresh(random(), at, at));
		});
	}

	#delete(concerned: Contact[]): Contact[] {
		const gone = new Set(concerned);
		this.#list = this.#list.filter((contact) => !gone.has(contact));
		for (const contact of concerned) {
			this.timelines.add(contact.id, undefined);
			this.#gone.push(contact);
		}
		return concerned;
	}

	#bringBack(concerned: Contact[]): Contact[] {
		for (const contact of concerned) {
			this.#gone.splice(this.#gone.indexOf(contact), 1);
			this.#add(contact);
			// What was restored from a backup may have been changed on the way.
			if (this.#common.random() < 0.3) this.#change(contact, 'update');
		}
		return concerned;
	}

	#change(contact: Contact, kind: Act['kind']): Contact {
		const { history, random, time } = this.#common;
		contact.revision++;
		let isStamped = history.variants.stampsUpdates;
		if (kind === 'touch') {
			contact.score++;
			contact.blanks = Math.floor(random() * 3 ** 10);
			contact.forms++;
			isStamped &&= random() < 0.3;
		} else if (kind === 'update back') {
			const versions = this.timelines.of(contact.id).flatMap(({ value }) => value ?? []);
			contact.fields = versions[Math.floor(random() * versions.length)].fields;
		} else {
			contact.fields = this.#changed(contact.fields);
		}
		if (kind !== 'touch') contact.changes++;
		if (isStamped) contact.updatedAt = time();
		this.#show(contact);
		return contact;
	}

	#changed(fields: Fields): Fields {
		const { random } = this.#common;
		const changed = { ...fields };
		const times = 1 + Math.floor(random() * 3);
		for (let index = 0; index < times; index++) {
			const name = contactFields[Math.floor(random() * contactFields.length)];
			// Who is found by a search seldom changes: then the list is another one.
			if (name === 'lastName' && random() < 0.8) changed.notes = this.#value('notes');
			else changed[name] = this.#value(name);
		}
		if (JSON.stringify(changed) === JSON.stringify(fields)) changed.jobTitle = `${random()}`;
		return changed;
	}

	#value(name: keyof Fields): string | undefined {
		const { random } = this.#common;
		if (name === 'lastName') return random() < 0.5 ? 'Alpha' : 'Beta';
		if (name === 'source') return random() < 0.5 ? 'website' : 'partner';
		// Few values, so that one comes back; and none.
		const draw = Math.floor(random() * 5);
		return draw === 0 ? undefined : `${name} ${draw}`;
	}

	#fresh(key: number, createdAt: number, updatedAt: number): Contact {
		const { history, random, time } = this.#common;
		const sequence = ++this.#sequence;
		const fields: Fields = { firstName: `c${sequence}` };
		for (const name of contactFields) if (name !== 'firstName') fields[name] = this.#value(name);
		return {
			name: `c${sequence}`,
			sequence,
			id: this.#newId(key, sequence),
			key,
			createdAt,
			updatedAt,
			isNew: createdAt > time() - 1000,
			hasStamps: !history.variants.isPatchy || random() < 0.7,
			fields,
			blanks: Math.floor(random() * 3 ** 10),
			forms: sequence,
			revision: 1,
			changes: 0,
			score: 0,
			version: undefined!,
		};
	}

	#newId(key: number, sequence: number): string {
		const { history, random } = this.#common;
		const place = history.variants.order === 'id' ? key : random();
		return idAt(place, sequence, this.#workspace.toLowerCase());
	}

	#add(contact: Contact): Contact {
		this.#list.push(contact);
		this.#show(contact);
		return contact;
	}

	#show(contact: Contact): void {
		const { createdAt, updatedAt } = contact;
		contact.version = shown(contact, this.#common.history.variants, {
			isLastCreated: contact.isNew && this.#list.every((other) => other.createdAt <= createdAt),
			isLastUpdated: this.#list.every((other) => other.updatedAt <= updatedAt),
		});
		this.timelines.add(contact.id, contact.version);
	}

	#count({ amount }: Act): number {
		return 'pages' in amount ? amount.pages * this.#common.history.pageSize : amount.records;
	}

	#pick(act: Act, all: readonly Contact[]): Contact[] {
		return pick(all, this.#count(act), act);
	}

	#sort(): void {
		const { order, tie, form } = this.#common.history.variants;
		// A date as it is shown, as no one could see another order.
		const shown = (at: number) =>
			form === 's' ? Math.floor(at / 1000) : form === 'all equal' ? 0 : at;
		this.#list.sort(comparing(order, tie, shown));
	}
}
