import { pass } from '../harness/clock.mts';
import { contactFields, idAt } from '../harness/contacts.mts';
import type { Log } from '../harness/log.mts';
import { answerOf, answerWith, ConnectionReset, pageOf, type Answer } from '../harness/service.mts';
import { firstValues, ownValue, type Field, type History, type Values } from './history.mts';

/** Which try of which execution asks, and the contacts whose records it has had so far. */
export interface Asking {
	execution: number;
	attempt: number;
	read: Set<number>;
}

/** A PUT that the service got. */
export interface Put {
	by: Asking;
	contact: number;
	body: Values;
	isAccepted: boolean;
	/** What the contact had right before it, and right after. */
	before: Values;
	after: Values;
	/** Whether the contact's record had come with a response before it was sent. */
	isRead: boolean;
}

/** The values of a contact from some moment on, and the PUT or the edit that has made them so. */
interface Version {
	at: number;
	values: Values;
	put?: Put;
}

/** No execution of a few rows has a use for so many requests. */
const mostRequests = 600;
const sources = /^(website|referral|cold_call|marketing|trade_show|partner)$/;

const refusal = (status: number, message: string) =>
	answerOf(status, JSON.stringify({ message }), undefined);

const ids = Array.from({ length: 6 }, (_, index) => idAt((index + 1) / 8, index + 1));
export const idOf = (contact: number) => ids[contact];

export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '' || (value as []).length === 0;
}

/** The service as the interface has it, and all that happened there. */
export class Service {
	readonly #history: History;
	readonly #log: Log;
	readonly puts: Put[] = [];
	/** By contact, all that it had, the oldest first. */
	readonly versions: Version[][];
	/** Counts what is written: a moment in the history. */
	now = 0;
	requests = 0;
	#reads = 0;
	#turns = 0;
	onTooMany: () => void = () => {};

	constructor(history: History, log: Log) {
		this.#history = history;
		this.#log = log;
		this.versions = history.people.map((_, index) => [
			{ at: 0, values: firstValues(history, index) },
		]);
	}

	valuesOf(contact: number): Values {
		return this.versions[contact].at(-1)!.values;
	}

	/** Responds to a request of the node. */
	async request(
		by: Asking,
		method: string,
		url: string,
		query: object,
		body: string,
	): Promise<Answer> {
		const number = this.requests++;
		const read = new Set(by.read);
		if (this.requests > mostRequests) this.onTooMany();
		await this.#latency();
		for (const edit of this.#history.edits) if (edit.at === number) this.#edit(edit);
		const name = `e${by.execution + 1} try ${by.attempt + 1}: ${method}`;
		if (method === 'GET') return await this.#get(by, query as Record<string, unknown>, name);
		const contact = ids.findIndex((id) => url.endsWith(`/contacts/${id}`));
		if (method !== 'PUT') throw new Error(`The node asked for ${method} ${url}`);
		this.#log.tell(() => `${name} c${contact + 1} ${body}`);
		if (!this.versions[contact]) return refusal(404, 'No such contact');
		const before = this.valuesOf(contact);
		return await this.#put({
			...{ by, contact, body: JSON.parse(body) as Values, before, after: before },
			...{ isRead: read.has(contact), isAccepted: false },
		});
	}

	async #latency(): Promise<void> {
		const { latencies } = this.#history;
		await pass(latencies[this.#turns++ % latencies.length]);
	}

	async #get(by: Asking, query: Record<string, unknown>, name: string): Promise<Answer> {
		const { failingReads, variants } = this.#history;
		const fails = failingReads && isWithin(failingReads, this.#reads++);
		this.#log.tell(() => `${name} ${JSON.stringify(query)}${fails ? ' fails' : ''}`);
		const found = [...this.versions.keys()].filter((contact) => this.#matches(contact, query));
		const page = pageOf(found, query, variants.pageSize);
		const records = page.records.map((contact) => JSON.stringify(this.#record(contact)));
		await this.#latency();
		if (fails) return refusal(503, 'Service unavailable');
		// The node needn't remember what a search returns beside the contact searched for.
		const isSearch = query.search !== undefined && variants.search === 'is ignored';
		if (!isSearch) page.records.forEach((contact) => by.read.add(contact));
		return answerWith({ ...page, records }, { totals: 'both', pastEnd: 200 }, undefined);
	}

	#matches(contact: number, { search }: Record<string, unknown>): boolean {
		const { search: covers } = this.#history.variants;
		if (search === undefined || covers === 'is ignored') return true;
		const { email, firstName } = this.valuesOf(contact);
		const text = String((covers === 'covers names' ? firstName : email) ?? '');
		return text.toLowerCase().includes(String(search).toLowerCase());
	}

	#record(contact: number, hides: readonly Field[] = []): object {
		const { missing } = this.#history.variants;
		const values = this.valuesOf(contact);
		const none = (name: Field) => ({
			null: null,
			empty: name === 'tags' ? [] : '',
			absent: undefined,
		});
		const shown = contactFields
			.filter((name) => !hides.includes(name))
			.map((name) => [name, isEmpty(values[name]) ? none(name)[missing] : values[name]]);
		const dates = { createdAt: '2020-01-01T00:00:00.000Z', updatedAt: '2021-01-01T00:00:00.000Z' };
		return { id: idOf(contact), ...Object.fromEntries(shown), ...dates };
	}

	async #put(put: Put): Promise<Answer> {
		const { contact } = put;
		const { faults, variants } = this.#history;
		const number = this.puts.filter((one) => one.contact === contact).length;
		const fault = faults.find((one) => one.contact === contact && isWithin(one, number));
		if (fault) this.#log.count(`fault: ${fault.kind}`);
		this.puts.push(put);
		const isLost = fault?.kind === 'executed, no response';
		const answer =
			fault && !isLost
				? refusal(fault.kind === 'answered 500' ? 500 : 422, 'It cannot be done')
				: (this.#refused(put) ?? this.#execute(put));
		this.#log.tell(
			() => `    ${isLost ? 'no response' : answer.statusCode} ${JSON.stringify(put.after)}`,
		);
		await this.#latency();
		if (isLost) throw new ConnectionReset();
		put.isAccepted = answer.statusCode === 200;
		if (!put.isAccepted || !variants.response.startsWith('{')) return answer;
		return answerOf(200, variants.response, undefined);
	}

	/** What is wrong with a body, as a response. */
	#refused({ contact, body }: Put): Answer | undefined {
		const { email, source } = body;
		const isSame = (one: unknown) => String(one).toLowerCase() === String(email).toLowerCase();
		const others = [...this.versions.keys()].filter((other) => other !== contact);
		if (email && others.some((other) => isSame(this.valuesOf(other).email)))
			return refusal(this.#history.variants.taken, 'This email is already in use');
		const isWrong = source && !sources.test(String(source));
		return isWrong ? refusal(422, 'source is invalid') : undefined;
	}

	#execute(put: Put): Answer {
		const { contact, body } = put;
		const { empties, ignoresNull, response, hides } = this.#history.variants;
		const left = empties.filter((name) => !(name in body)).map((name) => [name, undefined]);
		const sent = Object.entries(body).filter(([, value]) => value !== null || !ignoresNull);
		put.after = { ...this.valuesOf(contact), ...Object.fromEntries([...left, ...sent]) };
		this.versions[contact].push({ at: ++this.now, values: put.after, put });
		const shown = { data: this.#record(contact, response === 'partial' ? hides : []) };
		return answerOf(200, JSON.stringify(shown), undefined);
	}

	#edit({ at, contact, field, empties }: History['edits'][number]): void {
		if (!this.versions[contact]) return;
		const value = empties ? undefined : ownValue(field, `edit${at}`, at);
		const values = { ...this.valuesOf(contact), [field]: value };
		this.versions[contact].push({ at: ++this.now, values });
		this.#log.count('edits by others');
		this.#log.tell(() => `another user gives c${contact + 1} the ${field} ${String(value)}`);
	}
}

function isWithin({ from, times }: { from: number; times: number }, number: number): boolean {
	return number >= from && number < from + times;
}
