import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { currentTime, endPlay, pass } from './clock.mts';
import type { Contacts } from './contacts.mts';
import type { Messages } from './messages.mts';
import { Violation } from './violation.mts';

/** An answer as n8n's HTTP client gives it. */
export interface Answer {
	statusCode: number;
	headers: Record<string, string>;
	body: string;
}

/** An answer with a body of JSON. @param time by the clock of its `Date` header; none without */
export function answerOf(statusCode: number, body: string, time: number | undefined): Answer {
	const headers: Record<string, string> = { 'content-type': 'application/json' };
	if (time !== undefined) headers.date = new Date(time).toUTCString();
	return { statusCode, headers, body };
}

/** What the service is asked. */
export interface Asked {
	method: string;
	/** Below the base URL. */
	path: string;
	query: IDataObject;
	body: IDataObject;
	/** Who asks, as the model has it. */
	by?: unknown;
	/** What the service answered, unless a fault came instead. */
	answer?: Answer;
}

/** What happens to a request instead of an answer. */
export interface Fault {
	/** Whether the service does its work. */
	isDone: boolean;
	/** @param right the service's own answer, if it did its work */
	respond(right: Answer | undefined): Answer | Promise<never>;
}

/** No response comes, as n8n's HTTP client reports it. */
export function connectionReset(): never {
	throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
}

/** Nothing listens there, as n8n's HTTP client reports it. */
export function connectionRefused(): never {
	throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' });
}

/** Status and JSON of an answer. */
export type Reply = [statusCode: number, json: string];

/** What a model needs of the service. */
interface Settings {
	contacts?: Contacts;
	messages?: Messages;
	/** The records of the other collections, as JSON. */
	recordsOf?: (path: string) => string[];
	/** How long a request takes to the service, and an answer back, in ms. */
	latency: () => number;
	/** How far the clock of the `Date` header is ahead; no header for null. */
	dateAhead?: number | null;
	/** Called before a request is answered. @param number how many came since `begin` */
	arrives?: (asked: Asked, number: number) => Fault | undefined;
}

/** No execution and no poll of a model has a use for so many requests. */
const mostRequests = 2_000;

/** The service of all models, as the interface has it. */
export class Service {
	/** The requests since `begin`. */
	log: Asked[] = [];

	readonly #settings: Settings;

	constructor(settings: Settings) {
		this.#settings = settings;
	}

	begin(): void {
		this.log = [];
	}

	/** @throws what n8n's HTTP client throws */
	async ask({ method = 'GET', ...given }: IHttpRequestOptions, by?: unknown): Promise<Answer> {
		const { latency, arrives } = this.#settings;
		const path = new URL(given.url).pathname.replace('/api/v1', '');
		const body = JSON.parse(String(given.body ?? '{}')) as IDataObject;
		const asked: Asked = { method, path, query: given.qs ?? {}, body, by };
		await pass(latency());
		const number = this.log.push(asked) - 1;
		if (number > mostRequests) endPlay(new Violation('it ends', `${number} requests`));
		const fault = arrives?.(asked, number);
		const isDone = fault?.isDone ?? true;
		const right = isDone ? this.#answer(asked) : undefined;
		await pass(latency());
		if (fault) return await fault.respond(right);
		asked.answer = right;
		return right!;
	}

	#answer(asked: Asked): Answer {
		const { dateAhead = 0 } = this.#settings;
		const date = dateAhead === null ? undefined : currentTime() + dateAhead;
		return answerOf(...this.#reply(asked), date);
	}

	#reply(asked: Asked): Reply {
		const { contacts, messages, recordsOf } = this.#settings;
		const { method, path, query } = asked;
		if (path === '/transactional/send') return messages!.send(asked);
		if (method === 'PUT') return contacts!.put(asked);
		if (path === '/contacts') return contacts!.list(query);
		const records = recordsOf!(path).join(',');
		if (path !== '/knowledge-base/articles/search') return [200, `{"data":[${records}]}`];
		return [200, `{"data":{"articles":[${records}],"totalCount":1}}`];
	}
}
