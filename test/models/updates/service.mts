import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { contactFieldNames } from '../../../nodes/CrmWorkspace/api/records';
import { currentTime, pass } from '../harness/clock.mts';
import { answerOf, answerWith, ConnectionReset, pageOf, type Answer } from '../harness/service.mts';
import { firstValues, type History, type Values } from './history.mts';

/** Which try of which execution asks. */
export interface Asking {
	execution: number;
	attempt: number;
}

/** A PUT that the service has executed, by whom, and what the contact had then. */
export interface Version {
	at: number;
	/** In ms since 1970. */
	time: number;
	values: Values;
	put?: Asking & { body: Values; isAnswered: boolean };
}

const ids = [1, 2, 3, 4].map((number) => `${number}0000000-0000-4000-8000-000000000000`);
export const idOf = (contact: number) => ids[contact];

export const isEmpty = (value: unknown) => ['', 'null', 'undefined'].includes(String(value));

const refusal = (status: number) => answerOf(status, '{"message":"It cannot be done"}', undefined);

/** The service as the interface has it, and all that its contacts have been. */
export class Service {
	/** By contact, all that it had, the oldest first. */
	readonly versions: Version[][];
	/** Counts what is written: a moment in the history. */
	now = 0;
	requests = 0;
	readonly #history: History;
	readonly #puts: number[] = [];

	constructor(history: History) {
		this.#history = history;
		this.versions = history.people.map((_, index) => [
			{ at: 0, time: 0, values: firstValues(history, index) },
		]);
	}

	valuesOf(contact: number): Values {
		return this.versions[contact].at(-1)!.values;
	}

	/** Responds to a request of the node. @throws ConnectionReset for a lost response */
	async request(by: Asking, { method, url, qs = {}, body }: IHttpRequestOptions): Promise<Answer> {
		if (++this.requests > 600) throw new Error('The node asks without an end');
		await pass(40 * Math.random());
		const contact = ids.findIndex((id) => url.endsWith(`/contacts/${id}`));
		const answer =
			method === 'GET' ? this.#get(qs) : this.#put(by, contact, JSON.parse(String(body)));
		await pass(40 * Math.random());
		if (!answer) throw new ConnectionReset();
		return answer;
	}

	#get({ search, ...query }: IDataObject): Answer {
		const until = currentTime() - Math.max(0, this.#history.variant.lag);
		const shown = this.versions.map((all) => all.findLast(({ time }) => time <= until)!);
		const found = [...this.versions.keys()].filter((contact) =>
			String(shown[contact].values.email).includes(String(search ?? '').toLowerCase()),
		);
		const page = pageOf(found, query, 100);
		const records = page.records.map((contact) =>
			JSON.stringify(this.#record(contact, shown[contact])),
		);
		return answerWith({ ...page, records }, undefined);
	}

	#record(contact: number, { values, time }: Version): object {
		const { hides, showsEmpty, lag } = this.#history.variant;
		const none = showsEmpty ? null : undefined;
		const visible = contactFieldNames.filter((name) => !hides.includes(name));
		const entries = visible.map((name) => [name, isEmpty(values[name]) ? none : values[name]]);
		const updatedAt = lag < 0 ? undefined : new Date(time).toISOString();
		return { id: idOf(contact), ...Object.fromEntries(entries), updatedAt };
	}

	/** Executes a PUT. @returns undefined for no response */
	#put(by: Asking, contact: number, body: Values): Answer | undefined {
		const { variant, faults } = this.#history;
		const number = (this.#puts[contact] = (this.#puts[contact] ?? -1) + 1);
		const fault = faults.find(
			(one) => one.contact === contact && number >= one.from && number < one.from + one.times,
		);
		if (fault?.kind === 'answered 500') return refusal(500);
		const isTaken = this.versions.some(
			(_all, other) => other !== contact && body.email && this.valuesOf(other).email === body.email,
		);
		if (fault?.kind === 'refused with 422' || isTaken || body.source === 'import')
			return refusal(422);
		const left = variant.empties.filter((name) => !(name in body)).map((name) => [name, undefined]);
		// Otherwise nothing could show it.
		const ignoresNull = variant.ignoresNull && variant.hides.length === 0;
		const sent = Object.entries(body).filter(([, value]) => value !== null || !ignoresNull);
		const values = { ...this.valuesOf(contact), ...Object.fromEntries([...left, ...sent]) };
		const put = { ...by, body, isAnswered: !fault };
		const version = { at: ++this.now, time: currentTime(), values, put };
		this.versions[contact].push(version);
		if (fault) return undefined;
		return answerOf(200, JSON.stringify({ data: this.#record(contact, version) }), undefined);
	}
}
