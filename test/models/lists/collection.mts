import { comparing, firstDates, idAt, pick, type Placed } from '../harness/contacts.mts';
import { quickRandom } from '../harness/random.mts';
import { countOf, type Act, type History } from './history.mts';

/** A contact as the service stores it. */
export interface Contact extends Placed {
	/** As answers show it. */
	json: string;
}

/** How old the dates are that contacts come with where they keep them, in ms. */
const long = 400 * 86_400_000;

/** No import goes on when there are so many contacts. */
const most = 5000;

/** The contacts of a workspace in the order of the list. */
export class Collection {
	readonly #history: History;
	readonly #random: () => number;
	#contacts: Contact[] = [];
	#sequence = 0;
	/** By id, every version that there was of it. */
	readonly versions = new Map<string, { name: string; json: Set<string> }>();

	/** @param time of the service, now */
	constructor(history: History, time: number) {
		this.#history = history;
		this.#random = quickRandom(history.chance);
		const dates = { apart: history.apart, youngest: time - history.quiet, random: this.#random };
		for (const { createdAt, updatedAt } of firstDates(countOf(history), dates)) {
			this.#add(this.#random(), createdAt, updatedAt);
		}
		this.#sort();
	}

	get contacts(): readonly Contact[] {
		return this.#contacts;
	}

	/**
	 * Does something to some contacts.
	 * @param time of the service, now
	 * @returns the contacts concerned
	 */
	act(act: Act, time: number): Contact[] {
		const { kind, amount, where, isScattered } = act;
		const count = 'pages' in amount ? amount.pages * this.#history.pageSize : amount.contacts;
		const concerned =
			kind === 'create'
				? this.#create(count, where, isScattered, time)
				: pick(this.#contacts, count, act);
		if (kind === 'delete') {
			const gone = new Set(concerned);
			this.#contacts = this.#contacts.filter((contact) => !gone.has(contact));
		}
		if (kind === 'update') {
			for (const contact of concerned) {
				contact.revision++;
				if (this.#history.variants.stampsUpdates) contact.updatedAt = time;
				this.#show(contact);
			}
		}
		if (concerned.length > 0) this.#sort();
		return concerned;
	}

	#create(count: number, where: number, isScattered: boolean, time: number): Contact[] {
		const at = Math.round((where / 100) * this.#contacts.length);
		const low = this.#contacts[at - 1]?.key ?? 0;
		const high = this.#contacts[at]?.key ?? 1;
		const room = Math.max(0, Math.min(count, most - this.#contacts.length));
		return Array.from({ length: room }, (_, index) => {
			// Where the order is by date, the keys beside it say nothing.
			const isPlaced = !isScattered && low < high;
			const key = isPlaced ? low + ((high - low) * (index + 1)) / (room + 1) : this.#random();
			const date = this.#history.variants.keepsOldDates ? time - long : time;
			return this.#add(key, date, date);
		});
	}

	#add(key: number, createdAt: number, updatedAt: number): Contact {
		const sequence = ++this.#sequence;
		const contact: Contact = {
			name: `c${sequence}`,
			sequence,
			id: idAt(this.#history.order === 'id' ? key : this.#random(), sequence),
			key,
			createdAt,
			updatedAt,
			revision: 1,
			json: '',
		};
		this.#show(contact);
		this.#contacts.push(contact);
		return contact;
	}

	#show(contact: Contact): void {
		const { stamps } = this.#history.variants;
		const text = (time: number) => new Date(this.#stamp(time)).toISOString();
		const place = Math.floor(contact.key * 1e12)
			.toString(36)
			.padStart(8, '0');
		contact.json = JSON.stringify({
			id: contact.id,
			firstName: contact.name,
			lastName: place,
			email: `${place}.${contact.name}@example.com`,
			notes: `revision ${contact.revision}`,
			...(stamps === 'both' || stamps === 'createdAt'
				? { createdAt: text(contact.createdAt) }
				: {}),
			...(stamps === 'both' || stamps === 'updatedAt'
				? { updatedAt: text(contact.updatedAt) }
				: {}),
		});
		const known = this.versions.get(contact.id);
		if (known) known.json.add(contact.json);
		else this.versions.set(contact.id, { name: contact.name, json: new Set([contact.json]) });
	}

	#stamp(time: number): number {
		return this.#history.variants.granularity === 's' ? time - (time % 1000) : time;
	}

	#sort(): void {
		const { order, variants } = this.#history;
		this.#contacts.sort(comparing(order, variants.tie, (date) => this.#stamp(date)));
	}
}
