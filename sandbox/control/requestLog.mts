import type { Mode } from '../identity.mts';

/** A request to the service, as the log shows it. It never holds a key or a header. */
export interface LoggedRequest {
	/** Counted from 1 since the log began. */
	number: number;
	method: string;
	/** Below /api/v1. */
	path: string;
	query: unknown;
	/** Missing when there was none, and when the request was refused before it was read. */
	body?: unknown;
	/** Whether there was one that was refused before it was read, or could not be read. */
	bodyLost?: boolean;
	/** null while the request is being answered, and when no answer was sent. */
	status: number | null;
	/** When it came, by the sandbox's clock, in ISO 8601. */
	at: string;
	/** Milliseconds of real time until it was over; null while it is being answered. */
	took: number | null;
	/** Which key it came with; null for a missing or unknown one. */
	key: Mode | null;
	/** The kind of fault it was hit by. */
	fault?: string;
	/** Why the service refused it, whatever the variants show of that. */
	code?: string;
	/** The id of the message that it sent or was shown again. */
	message?: string;
	/** Whether that was the message of an earlier request. */
	replayed?: boolean;
}

/** What the beginning of an answer's body says, and how long the whole is, in characters. */
export interface LoggedAnswer {
	text: string;
	length: number;
}

/** More would fill the memory of a sandbox that is left running. */
const most = { requests: 50_000, answers: 1000, charactersOfAnswer: 16_384 };

/** The requests to the service, in the order in which they came. */
export class RequestLog {
	#requests: LoggedRequest[] = [];
	#answers = new Map<LoggedRequest, { beginning: Buffer; length: number }>();
	#added = 0;

	/** @returns the entry, to be completed while the request is answered */
	add(request: Omit<LoggedRequest, 'number'>): LoggedRequest {
		this.#added += 1;
		const logged = { number: this.#added, ...request };
		this.#requests.push(logged);
		if (this.#requests.length > most.requests) {
			this.#requests = this.#requests.slice(most.requests / 10);
		}
		return logged;
	}

	/** Keeps the body of an answer, and forgets the oldest one that is kept. */
	addAnswer(request: LoggedRequest, body: string): void {
		// As bytes, because a piece of a string keeps the whole of it in memory.
		const beginning = Buffer.from(body.slice(0, most.charactersOfAnswer));
		this.#answers.set(request, { beginning, length: body.length });
		const [oldest] = this.#answers.keys();
		if (this.#answers.size > most.answers) this.#answers.delete(oldest);
	}

	all(): LoggedRequest[] {
		return this.#requests;
	}

	/** One request by its number, if the log still has it. */
	find(number: number): LoggedRequest | undefined {
		const first = this.#requests[0]?.number ?? 1;
		return this.#requests[number - first];
	}

	/** What it was answered, if that is still known. */
	answerTo(request: LoggedRequest): LoggedAnswer | undefined {
		const answer = this.#answers.get(request);
		return answer && { text: answer.beginning.toString(), length: answer.length };
	}

	clear(): void {
		this.#requests = [];
		this.#answers.clear();
	}
}
