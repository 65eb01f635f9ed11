import type { Mode } from '../identity.mts';

/** A request in the log, which never contains keys or headers. */
export interface LoggedRequest {
	/** Counted from 1 since the log began. */
	number: number;
	method: string;
	/** Below /api/v1. */
	path: string;
	query: unknown;
	/** Absent if there was none, or if the request was rejected before it was read. */
	body?: unknown;
	/** Whether a body was rejected before it was read, or couldn't be read. */
	bodyLost?: boolean;
	/** null until there is a response, and if the connection ended without one. */
	status: number | null;
	/** Its arrival by the sandbox's clock, in ISO 8601. */
	at: string;
	/** Milliseconds of real time until its end; null before that. */
	took: number | null;
	/** The kind of its key; null for a missing or unknown one. */
	key: Mode | null;
	/** The kind of the fault that affected it. */
	fault?: string;
	/** The code of its rejection, whatever the variants show of it. */
	code?: string;
	/** The ID of the message that it sent, or that was returned again. */
	message?: string;
	/** Whether an earlier request had sent that message. */
	replayed?: boolean;
}

/** More would fill the memory of a sandbox that runs for long. */
const most = { requests: 50_000, answers: 1000, charactersOfAnswer: 16_384 };

/** The requests to the service, in order of arrival. */
export class RequestLog {
	#requests: LoggedRequest[] = [];
	#answers = new Map<LoggedRequest, Buffer>();
	#added = 0;

	/** @returns the entry, which the caller completes */
	add(request: Omit<LoggedRequest, 'number'>): LoggedRequest {
		this.#added += 1;
		const logged = { number: this.#added, ...request };
		this.#requests.push(logged);
		if (this.#requests.length > most.requests) {
			this.#requests = this.#requests.slice(most.requests / 10);
		}
		return logged;
	}

	/** Stores the beginning of a response's body, and drops the oldest one above the limit. */
	addAnswer(request: LoggedRequest, body: string): void {
		// As bytes, because a slice of a string keeps the whole string in memory.
		this.#answers.set(request, Buffer.from(body.slice(0, most.charactersOfAnswer)));
		const [oldest] = this.#answers.keys();
		if (this.#answers.size > most.answers) this.#answers.delete(oldest);
	}

	all(): LoggedRequest[] {
		return this.#requests;
	}

	/** A request by its number, if it is still in the log. */
	find(number: number): LoggedRequest | undefined {
		const first = this.#requests[0]?.number ?? 1;
		return this.#requests[number - first];
	}

	/** The beginning of the response to a request, if it is still in the log. */
	answerTo(request: LoggedRequest): string | undefined {
		return this.#answers.get(request)?.toString();
	}

	clear(): void {
		this.#requests = [];
		this.#answers.clear();
	}
}
