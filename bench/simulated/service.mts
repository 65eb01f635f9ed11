import { currentTime } from '../../test/models/harness/clock.mts';
import { LimitedService } from '../../test/models/harness/limitedService.mts';
import type { Limiter } from '../../test/models/harness/limiters.mts';
import { answerOf, type Answer } from '../../test/models/harness/service.mts';
import { Contacts } from './contacts.mts';

/** Requests per minute that the service allows its one key. */
export const allowance = 60;

/** How the service counts, and what it has. */
export interface ServiceSettings {
	limiter: Limiter;
	/** How long a request and its answer take together at most, in ms. */
	latency: number;
	contacts: number;
}

/** A request as it reaches the service. */
export interface Asked {
	method: string;
	/** Below the base URL. */
	path: string;
	query: Record<string, unknown>;
	body: Record<string, unknown>;
}

/** The service, in memory and in simulated time: one key, anyone who asks. */
export class Service extends LimitedService {
	/** When each process had something done for the first time, in ms since 1970. */
	readonly done = new Map<number, number[]>();

	readonly #contacts: Contacts;

	readonly #messages = new Map<string, object>();

	readonly #updated = new Set<string>();

	constructor({ limiter, latency, contacts }: ServiceSettings) {
		super({ limiter, allowance, latency: { most: latency }, tellsWait: true });
		this.#contacts = new Contacts(contacts);
	}

	/** How many messages it has sent. */
	get messages(): number {
		return this.#messages.size;
	}

	/** How many contacts were updated at least once. */
	get updated(): number {
		return this.#updated.size;
	}

	/** @param from the number of the n8n process that asks */
	async ask(from: number, asked: Asked): Promise<Answer> {
		return await this.answer(() => this.#work(from, asked));
	}

	#work(from: number, { method, path, query, body }: Asked): Answer {
		if (method === 'GET' && path === '/contacts') return answer(200, this.#contacts.page(query));
		if (method === 'POST' && path === '/transactional/send') return this.#send(from, body);
		const id = /^\/contacts\/([\w-]+)$/.exec(path)?.[1];
		if (method === 'PUT' && id) return this.#update(from, id, body);
		return answer(404, { error: `There is no ${method} ${path}` });
	}

	#send(from: number, body: Asked['body']): Answer {
		const { idempotencyKey } = body;
		const key = typeof idempotencyKey === 'string' ? idempotencyKey : `none ${this.requests}`;
		const original = this.#messages.get(key);
		if (original) return answer(200, { data: original });
		const createdAt = new Date(currentTime()).toISOString();
		const message = { id: `message-${this.messages}`, status: 'queued', ...body, createdAt };
		this.#messages.set(key, message);
		this.#note(from);
		return answer(201, { data: message });
	}

	#update(from: number, id: string, body: Asked['body']): Answer {
		const contact = this.#contacts.update(id, body);
		if (!contact) return answer(404, { error: 'There is no such contact' });
		if (!this.#updated.has(id)) this.#note(from);
		this.#updated.add(id);
		return answer(200, { data: contact });
	}

	#note(from: number): void {
		const moments = this.done.get(from) ?? [];
		this.done.set(from, moments);
		moments.push(currentTime());
	}
}

function answer(status: number, body: object): Answer {
	return answerOf(status, JSON.stringify(body), currentTime());
}
