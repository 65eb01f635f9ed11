import { currentTime, pass } from '../harness/clock.mts';
import type { Log } from '../harness/log.mts';
import {
	answerOf,
	answerWith,
	ConnectionReset,
	isPastEnd,
	mostRequests,
	pageOf,
	type Answer,
	type Page,
} from '../harness/service.mts';
import { Collection, type Contact } from './collection.mts';
import { firstTurn, type Change, type History } from './history.mts';

/** A page as the service looked it up. */
export interface Look extends Page<string> {
	contacts: Contact[];
	/** The service's time. */
	time: number;
}

const path = '/contacts';

/**
 * The service as the interface has it, with contacts that change while they are listed. What
 * happens is kept for the judge and for the story.
 */
export class Service {
	readonly #history: History;
	readonly #log: Log;
	readonly collection: Collection;
	/** The contacts that were there as the first request came. */
	readonly #first: readonly Contact[];
	/** Every look at a page whose answer arrived. */
	readonly looks: Look[] = [];
	requests = 0;
	faults = 0;
	#answers = 0;
	#changes = 0;
	/** How many contacts they concerned. */
	#concerned = 0;
	/** The most contacts there were at a time. */
	mostContacts: number;
	/** Called when there is a request more than any list may take. */
	onTooMany: () => void = () => {};

	constructor(history: History, log: Log) {
		this.#history = history;
		this.#log = log;
		this.collection = new Collection(history, this.time);
		this.#first = [...this.collection.contacts];
		this.mostContacts = this.#first.length;
	}

	/** By the service's clock, in ms since 1970. */
	get time(): number {
		return currentTime() + this.#history.variants.ahead;
	}

	/** The requests after which a list has to have come to an end, however much it changes. */
	get mostRequests(): number {
		return mostRequests(this.mostContacts, this.#history.pageSize);
	}

	/** How many changes concerned any contact. */
	get changes(): number {
		return this.#changes;
	}

	/** Whether none was deleted or updated. */
	get hasOnlyCreated(): boolean {
		const { events } = this.#log;
		return !events.has('contacts deleted') && !events.has('contacts updated');
	}

	/** How much changed, in words. */
	get rate(): string {
		if (this.#concerned === 0) return 'unchanged';
		if (this.#concerned <= 3) return 'up to 3 contacts changed';
		if (this.#concerned < this.#history.pageSize) return 'less than a page changed';
		return 'a page or more changed';
	}

	/** Those that were there all the time until now. */
	steady(): Contact[] {
		const now = new Set(this.collection.contacts);
		return this.#first.filter((contact) => now.has(contact));
	}

	/** Answers a request. */
	async answer(url: string, query: Record<string, unknown> = {}): Promise<Answer> {
		const number = this.requests++;
		if (this.requests > this.mostRequests) this.onTooMany();
		const name = `request ${number + 1} (${asked(query)})`;
		this.#log.tell(() => `${name} arrives`);
		const { variants, latencies, faults } = this.#history;
		const fault = faults.find(({ at }) => at === number);
		if (!new URL(url).pathname.endsWith(path)) throw new Error(`The node asked for ${url}`);

		this.#disturb('before request', number);
		const early = variants.looksUp === 'on arrival' ? this.#lookUp(query) : undefined;
		this.#disturb('after request', number);
		await pass(latencies[number % latencies.length]);
		const answerNumber = this.#answers++;
		this.#disturb('before answer', answerNumber);
		const look = this.#shown(early ?? this.#lookUp(query));
		const answer = fault ? this.#faulty(fault.kind, name) : this.#answerWith(look, name);
		this.#disturb('after answer', answerNumber);
		return answer();
	}

	#lookUp(query: Record<string, unknown>): Look {
		const page = pageOf(this.collection.contacts, query, this.#history.pageSize);
		const contacts = page.records;
		return { ...page, contacts, records: contacts.map(({ json }) => json), time: this.time };
	}

	#shown(look: Look): Look {
		if (this.#history.variants.shows === 'as ordered') return look;
		return { ...look, records: look.contacts.map(({ json }) => json) };
	}

	#answerWith(look: Look, name: string): () => Answer {
		const { contacts, total } = look;
		const { variants } = this.#history;
		this.looks.push(look);
		if (isPastEnd(look)) {
			this.#log.count('pages past the end');
			this.#log.tell(() => `  ${name}: past the end, ${variants.pastEnd}`);
		} else {
			this.#log.tell(() => `  ${name}: ${contacts.map(({ name }) => name).join(' ')}, of ${total}`);
		}
		const answer = answerWith(look, variants, this.#date);
		return () => answer;
	}

	#faulty(kind: History['faults'][number]['kind'], name: string): () => Answer {
		this.faults++;
		this.#log.count(`faults: ${kind}`);
		this.#log.tell(() => `  ${name}: ${kind}`);
		const date = this.#date;
		return () => {
			if (kind === 'answer lost') throw new ConnectionReset();
			return answerOf(503, '{"message":"Service unavailable"}', date);
		};
	}

	/** What a `Date` header tells; undefined where there is none. */
	get #date(): number | undefined {
		const { hasDate, dateAhead } = this.#history.variants;
		return hasDate ? this.time + dateAhead : undefined;
	}

	#disturb(moment: Change['moment'], number: number): void {
		for (const change of this.#history.changes) {
			if (change.moment === moment && isDue(change, firstTurn(this.#history, change), number)) {
				this.#change(change);
			}
		}
	}

	#change({ acts }: Change): void {
		for (const act of acts) {
			const concerned = this.collection.act(act, this.time);
			if (concerned.length === 0) continue;
			this.#changes++;
			this.#concerned += concerned.length;
			this.mostContacts = Math.max(this.mostContacts, this.collection.contacts.length);
			const verb = `${act.kind}d`;
			this.#log.count(`contacts ${verb}`, concerned.length);
			if (concerned.length >= this.#history.pageSize)
				this.#log.count(`whole pages ${verb} at once`);
			if (concerned.length >= 100) this.#log.count(`100 or more ${verb} at once`);
			this.#log.tell(() => `${listed(concerned)} ${verb}; now ${listed(this.collection.contacts)}`);
		}
	}
}

function isDue({ every, times }: Change, first: number, number: number): boolean {
	const since = number - first;
	return since >= 0 && since % every === 0 && since / every < times;
}

function asked(query: Record<string, unknown>): string {
	return Object.entries(query)
		.map(([name, value]) => `${name} ${value}`)
		.join(', ');
}

const manyNames = 40;

/** Neighbours in short: c3–c9. */
export function listed(contacts: readonly Contact[]): string {
	const runs: Contact[][] = [];
	for (const contact of contacts) {
		const run = runs.at(-1);
		if (run && run.at(-1)!.sequence + 1 === contact.sequence) run.push(contact);
		else runs.push([contact]);
	}
	const parts = runs.map((run) =>
		run.length > 2 ? `${run[0].name}–${run.at(-1)!.name}` : run.map(({ name }) => name).join(' '),
	);
	const shown = parts.slice(0, manyNames).join(' ');
	return parts.length > manyNames ? `${shown} … (${contacts.length})` : shown || 'none';
}
