import { after, currentTime } from '../../test/models/lists/time.mts';
import { limiters, type Limiter, type RateLimiter } from '../../test/models/harness/limiters.mts';
import { Contacts } from './contacts.mts';

const minute = 60_000;

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

/** What the service answers; the body is JSON. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string;
}

/** The service, in memory and in simulated time: one key, whoever asks. */
export class Service {
	/** Requests that arrived, refused ones included. */
	requests = 0;

	refused = 0;

	/** When each process had something done for the first time, in ms since 1970. */
	readonly done = new Map<number, number[]>();

	readonly #latency: number;

	readonly #limiter: RateLimiter;

	readonly #contacts: Contacts;

	readonly #messages = new Map<string, object>();

	readonly #updated = new Set<string>();

	constructor({ limiter, latency, contacts }: ServiceSettings) {
		this.#latency = latency;
		this.#limiter = limiters[limiter](allowance, currentTime() - Math.random() * minute);
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

	/**
	 * Answers after a latency of any length up to the longest, as the simulated service of test/models/pacing.
	 * @param from the number of the n8n process that asks
	 */
	async answer(from: number, asked: Asked): Promise<Answer> {
		const latency = Math.random() * this.#latency;
		const wayHere = Math.random() * latency;
		await pass(wayHere);
		const answer = this.#refusal() ?? this.#work(from, asked);
		await pass(latency - wayHere);
		return answer;
	}

	#refusal(): Answer | undefined {
		this.requests++;
		const now = currentTime();
		if (this.#limiter.isAllowed(now)) return undefined;
		this.refused++;
		const seconds = Math.ceil(this.#limiter.wait(now) / 1000);
		return answerOf(429, { error: 'Too many requests' }, { 'retry-after': String(seconds) });
	}

	#work(from: number, { method, path, query, body }: Asked): Answer {
		if (method === 'GET' && path === '/contacts') return answerOf(200, this.#contacts.page(query));
		if (method === 'POST' && path === '/transactional/send') return this.#send(from, body);
		const id = /^\/contacts\/([\w-]+)$/.exec(path)?.[1];
		if (method === 'PUT' && id) return this.#update(from, id, body);
		return answerOf(404, { error: `There is no ${method} ${path}` });
	}

	#send(from: number, body: Asked['body']): Answer {
		const { idempotencyKey } = body;
		const key = typeof idempotencyKey === 'string' ? idempotencyKey : `none ${this.requests}`;
		const original = this.#messages.get(key);
		if (original) return answerOf(200, { data: original });
		const createdAt = new Date(currentTime()).toISOString();
		const message = { id: `message-${this.messages}`, status: 'queued', ...body, createdAt };
		this.#messages.set(key, message);
		this.#note(from);
		return answerOf(201, { data: message });
	}

	#update(from: number, id: string, body: Asked['body']): Answer {
		const contact = this.#contacts.update(id, body);
		if (!contact) return answerOf(404, { error: 'There is no such contact' });
		if (!this.#updated.has(id)) this.#note(from);
		this.#updated.add(id);
		return answerOf(200, { data: contact });
	}

	#note(from: number): void {
		const moments = this.done.get(from) ?? [];
		this.done.set(from, moments);
		moments.push(currentTime());
	}
}

/** Lets so many ms of simulated time pass. */
export async function pass(ms: number): Promise<void> {
	await new Promise<void>((resolve) => after(ms, resolve));
}

function answerOf(status: number, body: object, headers: Record<string, string> = {}): Answer {
	return {
		status,
		headers: {
			...headers,
			'content-type': 'application/json',
			date: new Date(currentTime()).toUTCString(),
		},
		body: JSON.stringify(body),
	};
}
