import { currentTime } from '../../test/models/harness/clock.mts';
import { LimitedService } from '../../test/models/harness/limitedService.mts';
import { answerOf, type Answer } from '../../test/models/harness/service.mts';
import { allowance } from '../case.mts';
import { contactsOf, pageOf } from '../contacts.mts';

/** A request as it reaches the service, with its path below the base URL. */
export interface Request {
	method: string;
	path: string;
	query: Record<string, unknown>;
	body: Record<string, unknown>;
}

/** How long a request and its response take together at most, in ms. */
const longestLatency = 100;

/** The service, in memory and in simulated time. All requests have the same key. */
export class Service {
	/** The idempotency keys of messages, and the IDs of updated contacts. */
	readonly written = new Set<unknown>();

	/** By their IDs. */
	readonly #contacts: Map<string, object>;

	/** Its rate limiter is the strictest: a sliding window in which throttled requests count, too. */
	readonly #limited = new LimitedService({
		...{ limiter: 'slidingWindow', allowance, tellsWait: true },
		latencyMs: longestLatency,
	});

	/** @param contacts how many there are */
	constructor(contacts: number) {
		this.#contacts = new Map(contactsOf(contacts).map((contact) => [contact.id, contact]));
	}

	get requests(): number {
		return this.#limited.requests;
	}

	async ask(request: Request): Promise<Answer> {
		return await this.#limited.answer(() => this.#respond(request));
	}

	#respond({ method, path, query, body }: Request): Answer {
		if (method === 'GET' && path === '/contacts') {
			const all = [...this.#contacts.values()];
			return responseOf(200, pageOf(all, Number(query.page), Number(query.limit)));
		}
		if (method === 'POST' && path === '/transactional/send') return this.#send(body);
		const id = path.replace('/contacts/', '');
		if (method === 'PUT' && this.#contacts.has(id)) return this.#update(id, body);
		return responseOf(404, { error: `There is no ${method} ${path}` });
	}

	#send(body: Request['body']): Answer {
		const key = body.idempotencyKey;
		const statusCode = this.written.has(key) ? 200 : 201;
		this.written.add(key);
		const createdAt = new Date(currentTime()).toISOString();
		return responseOf(statusCode, { data: { id: key, status: 'queued', ...body, createdAt } });
	}

	#update(id: string, body: Request['body']): Answer {
		const updatedAt = new Date(currentTime()).toISOString();
		const contact = { ...this.#contacts.get(id), ...body, updatedAt };
		this.#contacts.set(id, contact);
		this.written.add(id);
		return responseOf(200, { data: contact });
	}
}

function responseOf(statusCode: number, body: object): Answer {
	return answerOf(statusCode, JSON.stringify(body), currentTime());
}
