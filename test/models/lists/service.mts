import { currentTime, pass } from '../harness/clock.mts';
import { randomFrom } from '../../../sandbox/random.mts';
import { answerWith, pageOf, type Answer } from '../harness/service.mts';
import type { Change, History } from './history.mts';

/** A contact as the service stores it; dates in ms since 1970, by the service's clock. */
interface Contact {
	id: string;
	place: number;
	createdAt: number;
	updatedAt: number;
	revision: number;
	/** As the service shows it. */
	json: string;
}

/** How far the service's clock is ahead of n8n's, in ms. */
const clockAhead = 1_234_567;

const year = 365 * 86_400_000;

/** The service with a list that others change while it is read. */
export class Service {
	requests = 0;

	/** How many changes concerned a contact. */
	changes = 0;

	/** By ID, all that was ever true of a contact, as JSON. */
	readonly versions = new Map<string, Set<string>>();

	/** IDs of the contacts that are there since the beginning. */
	readonly steady: Set<string>;

	readonly #history: History;

	readonly #random: () => number;

	#contacts: Contact[] = [];

	#lookups = 0;

	constructor(history: History) {
		this.#history = history;
		this.#random = randomFrom(history.seed);
		const { contacts, youngest, apart } = history;
		for (let index = 0; index < contacts; index++) {
			const createdAt = this.#now - youngest - index * apart;
			this.#add(createdAt, createdAt + this.#random() ** 3 * index * apart);
		}
		this.#sort();
		this.steady = new Set(this.#contacts.map(({ id }) => id));
	}

	/** Answers `GET /contacts`. */
	async answer(query: Record<string, unknown>): Promise<Answer> {
		const { latencies, pageSize, dateAhead } = this.#history;
		const latency = latencies[this.requests++ % latencies.length];
		await pass(latency / 2);
		this.#change();
		const page = pageOf(this.#contacts, query, pageSize);
		const records = page.records.map(({ json }) => json);
		await pass(latency / 2);
		const date = dateAhead === null ? undefined : this.#now + dateAhead;
		return answerWith({ ...page, records }, date);
	}

	get #now(): number {
		return currentTime() + clockAhead;
	}

	/** Does what others do before the next lookup. */
	#change(): void {
		const lookup = this.#lookups++;
		for (const change of this.#history.changes) {
			const since = lookup - change.at;
			const { every, times } = change;
			if (since < 0 || since % every !== 0 || since / every >= times) continue;
			for (const act of change.acts) this.#act(act, change.count);
		}
	}

	#act({ kind, where }: Change['acts'][number], count: number): void {
		const from = Math.round((where / 100) * Math.max(0, this.#contacts.length - count));
		const concerned = this.#contacts.slice(from, from + count);
		if (kind === 'create') {
			const [low, high] = [this.#contacts[from - 1]?.place ?? 0, this.#contacts[from]?.place ?? 1];
			const createdAt = this.#history.hasSearch ? this.#now - year : this.#now;
			for (let index = 0; index < count; index++) {
				this.#add(createdAt, this.#now, low + this.#random() * (high - low));
			}
		} else if (kind === 'delete') {
			this.#contacts = this.#contacts.filter((contact) => !concerned.includes(contact));
			for (const { id } of concerned) this.steady.delete(id);
		} else {
			for (const contact of concerned) {
				contact.revision++;
				contact.updatedAt = this.#now;
				this.#remember(contact);
			}
		}
		if (kind === 'create' || concerned.length > 0) this.changes++;
		this.#sort();
	}

	#add(createdAt: number, updatedAt: number, place = this.#random()): void {
		const id = `c${this.versions.size + 1}`;
		const contact = { id, place, createdAt, updatedAt, revision: 1, json: '' };
		this.#contacts.push(contact);
		this.#remember(contact);
	}

	#remember(contact: Contact): void {
		const { id, revision, createdAt, updatedAt } = contact;
		const text = (date: number) => new Date(date).toISOString();
		const dates = { createdAt: text(createdAt), updatedAt: text(updatedAt) };
		const shown = { id, notes: `revision ${revision}`, ...(this.#history.hasDates && dates) };
		contact.json = JSON.stringify(shown);
		this.versions.set(id, (this.versions.get(id) ?? new Set()).add(contact.json));
	}

	#sort(): void {
		const { orderedBy, isDescending } = this.#history;
		const sign = isDescending ? -1 : 1;
		this.#contacts.sort((a, b) => sign * (a[orderedBy] - b[orderedBy] || a.place - b.place));
	}
}
