import { Collection, type Contact } from './collection.mts';
import { firstTurn, type Change, type History } from './history.mts';
import { after, currentTime } from './time.mts';

/** An answer on its way. */
export interface Answer {
	statusCode: number;
	headers: Record<string, string>;
	text: string;
}

/** A page as the service looked it up. */
export interface Look {
	page: number;
	limit: number;
	contacts: Contact[];
	/** Their records as they were. */
	records: string[];
	total: number;
	/** The service's time. */
	time: number;
}

/** A fault of the network, as n8n's HTTP client reports it. */
class ConnectionReset extends Error {
	readonly code = 'ECONNRESET';
}

const path = '/contacts';
const defaultLimit = 20;

/**
 * The service as the interface has it, with contacts that change while they are listed. What
 * happens is kept for the judge and for the story.
 */
export class Service {
	readonly #history: History;
	readonly #isTold: boolean;
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
	readonly events = new Map<string, number>();
	readonly trace: string[] = [];
	readonly #begun = currentTime();
	/** Called when there is a request more than any list may take. */
	onTooMany: () => void = () => {};

	constructor(history: History, isTold: boolean) {
		this.#history = history;
		this.#isTold = isTold;
		this.collection = new Collection(history, this.time);
		this.#first = [...this.collection.contacts];
		this.mostContacts = this.#first.length;
	}

	/** By the service's clock, in ms since 1970. */
	get time(): number {
		return currentTime() + this.#history.readings.ahead;
	}

	/** The requests after which a list has to have come to an end, however much it changes. */
	get mostRequests(): number {
		return requestsPerPage * (Math.ceil(this.mostContacts / this.#history.pageSize) + 5);
	}

	/** How many changes concerned any contact. */
	get changes(): number {
		return this.#changes;
	}

	/** Whether none was deleted or updated. */
	get hasOnlyCreated(): boolean {
		return !this.events.has('contacts deleted') && !this.events.has('contacts updated');
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
		this.#tell(() => `${name} arrives`);
		const { readings, latencies, faults } = this.#history;
		const fault = faults.find(({ at }) => at === number);
		if (!new URL(url).pathname.endsWith(path)) throw new Error(`The node asked for ${url}`);

		this.#disturb('before request', number);
		const early = readings.looksUp === 'on arrival' ? this.#lookUp(query) : undefined;
		this.#disturb('after request', number);
		await new Promise<void>((resolve) => after(latencies[number % latencies.length], resolve));
		const answerNumber = this.#answers++;
		this.#disturb('before answer', answerNumber);
		const look = this.#shown(early ?? this.#lookUp(query));
		const answer = fault ? this.#faulty(fault.kind, name) : this.#answerWith(look, name);
		this.#disturb('after answer', answerNumber);
		return answer();
	}

	#lookUp(query: Record<string, unknown>): Look {
		const page = wholeNumber(query.page, 1);
		const limit = Math.min(wholeNumber(query.limit, defaultLimit), this.#history.pageSize);
		const all = this.collection.contacts;
		const contacts = all.slice((page - 1) * limit, page * limit);
		return {
			page,
			limit,
			contacts,
			records: contacts.map(({ json }) => json),
			total: all.length,
			time: this.time,
		};
	}

	#shown(look: Look): Look {
		if (this.#history.readings.shows === 'as ordered') return look;
		return { ...look, records: look.contacts.map(({ json }) => json) };
	}

	#answerWith(look: Look, name: string): () => Answer {
		const { page, limit, contacts, records, total } = look;
		const { pastEnd, totals } = this.#history.readings;
		const headers = this.#headers();
		this.looks.push(look);
		if (page > 1 && contacts.length === 0) {
			this.#count('pages past the end');
			this.#tell(() => `  ${name}: past the end, ${pastEnd}`);
			if (pastEnd !== 200) {
				return () => ({ statusCode: pastEnd, headers, text: '{"message":"Page out of range"}' });
			}
		} else {
			this.#tell(() => `  ${name}: ${contacts.map(({ name }) => name).join(' ')}, of ${total}`);
		}
		const pagination = {
			page,
			limit,
			...(totals === 'both' || totals === 'totalCount' ? { totalCount: total } : {}),
			...(totals === 'both' || totals === 'totalPages'
				? { totalPages: Math.ceil(total / limit) }
				: {}),
		};
		const meta = JSON.stringify({ pagination });
		return () => ({
			statusCode: 200,
			headers,
			text: `{"data":[${records.join(',')}],"meta":${meta}}`,
		});
	}

	#faulty(kind: History['faults'][number]['kind'], name: string): () => Answer {
		this.faults++;
		this.#count(`faults: ${kind}`);
		this.#tell(() => `  ${name}: ${kind}`);
		const headers = this.#headers();
		return () => {
			if (kind === 'answer lost') throw new ConnectionReset('socket hang up');
			return { statusCode: 503, headers, text: '{"message":"Service unavailable"}' };
		};
	}

	#headers(): Record<string, string> {
		const { hasDate, dateAhead } = this.#history.readings;
		const date = new Date(this.time + dateAhead).toUTCString();
		return { 'content-type': 'application/json', ...(hasDate ? { date } : {}) };
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
			this.#count(`contacts ${verb}`, concerned.length);
			if (concerned.length >= this.#history.pageSize) this.#count(`whole pages ${verb} at once`);
			if (concerned.length >= 100) this.#count(`100 or more ${verb} at once`);
			this.#tell(() => `${listed(concerned)} ${verb}; now ${listed(this.collection.contacts)}`);
		}
	}

	#count(event: string, times = 1): void {
		this.events.set(event, (this.events.get(event) ?? 0) + times);
	}

	#tell(what: () => string): void {
		if (!this.#isTold || this.trace.length >= longestTrace) return;
		this.trace.push(`${String(currentTime() - this.#begun).padStart(6)} ms  ${what()}`);
	}
}

const longestTrace = 400;

/** What is plainly too many: nobody would wait for it. */
const requestsPerPage = 40;

function isDue({ every, times }: Change, first: number, number: number): boolean {
	const since = number - first;
	return since >= 0 && since % every === 0 && since / every < times;
}

function wholeNumber(value: unknown, otherwise: number): number {
	const number = Number(value ?? otherwise);
	if (!Number.isInteger(number) || number < 1) throw new Error(`The node asked for ${value}`);
	return number;
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
