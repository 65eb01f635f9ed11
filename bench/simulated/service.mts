import { currentTime, pass } from '../../test/models/harness/clock.mts';
import { contactsOf, pageOf } from '../contacts.mts';
import { allowance } from './scenario.mts';

/** A request as it reaches the service, with its path below the base URL. */
export interface Request {
	method: string;
	path: string;
	query: Record<string, unknown>;
	body: Record<string, unknown>;
}

export interface Response {
	statusCode: number;
	headers: Record<string, string>;
	text: string;
}

const minute = 60_000;

/** How long a request and its response take together at most, in ms. */
const longestLatency = 100;

/** The service, in memory and in simulated time. All requests have the same key. */
export class Service {
	requests = 0;

	throttled = 0;

	/** The idempotency keys of messages. */
	readonly messages = new Set<unknown>();

	/** The IDs of updated contacts. */
	readonly updated = new Set<string>();

	/** By their IDs. */
	readonly #contacts: Map<string, object>;

	/** When the requests of the last minute arrived. */
	#recent: number[] = [];

	/** @param contacts how many there are */
	constructor(contacts: number) {
		this.#contacts = new Map(contactsOf(contacts).map((contact) => [contact.id, contact]));
	}

	async ask(request: Request): Promise<Response> {
		const latency = Math.random() * longestLatency;
		const outward = Math.random() * latency;
		await pass(outward);
		const response = this.#throttle() ?? this.#respond(request);
		await pass(latency - outward);
		return response;
	}

	/** The strictest rate limiter: a sliding window in which throttled requests count, too. */
	#throttle(): Response | undefined {
		const now = currentTime();
		this.#recent = [...this.#recent.filter((at) => at > now - minute), now];
		this.requests++;
		if (this.#recent.length <= allowance) return undefined;
		this.throttled++;
		const wait = this.#recent[this.#recent.length - allowance] + minute - now;
		const retryAfter = { 'retry-after': String(Math.ceil(wait / 1000)) };
		return responseOf(429, { error: 'Too many requests' }, retryAfter);
	}

	#respond({ method, path, query, body }: Request): Response {
		if (method === 'GET' && path === '/contacts') {
			const all = [...this.#contacts.values()];
			return responseOf(200, pageOf(all, Number(query.page), Number(query.limit)));
		}
		if (method === 'POST' && path === '/transactional/send') return this.#send(body);
		const id = path.replace('/contacts/', '');
		if (method === 'PUT' && this.#contacts.has(id)) return this.#update(id, body);
		return responseOf(404, { error: `There is no ${method} ${path}` });
	}

	#send(body: Request['body']): Response {
		const key = body.idempotencyKey;
		const statusCode = this.messages.has(key) ? 200 : 201;
		this.messages.add(key);
		const createdAt = new Date(currentTime()).toISOString();
		return responseOf(statusCode, { data: { id: key, status: 'queued', ...body, createdAt } });
	}

	#update(id: string, body: Request['body']): Response {
		const updatedAt = new Date(currentTime()).toISOString();
		const contact = { ...this.#contacts.get(id), ...body, updatedAt };
		this.#contacts.set(id, contact);
		this.updated.add(id);
		return responseOf(200, { data: contact });
	}
}

function responseOf(statusCode: number, body: object, headers = {}): Response {
	const date = new Date(currentTime()).toUTCString();
	return {
		statusCode,
		headers: { 'content-type': 'application/json', date, ...headers },
		text: JSON.stringify(body),
	};
}
