import type { Mode } from '../identity.mts';

/** A request to the service, as the log shows it. It never holds a key or a header. */
export interface LoggedRequest {
	method: string;
	/** Below /api/v1. */
	path: string;
	query: unknown;
	body?: unknown;
	/** null while the request is being answered, and when no answer was sent. */
	status: number | null;
	/** When it came, by the sandbox's clock, in ISO 8601. */
	at: string;
	/** Which key it came with; null for a missing or unknown one. */
	key: Mode | null;
	/** The kind of fault it was hit by. */
	fault?: string;
}

/** More would fill the memory of a sandbox that is left running. */
const most = 50_000;

/** The requests to the service, in the order in which they came. */
export class RequestLog {
	#requests: LoggedRequest[] = [];

	add(request: LoggedRequest): void {
		this.#requests.push(request);
		if (this.#requests.length > most) this.#requests = this.#requests.slice(most / 10);
	}

	all(): LoggedRequest[] {
		return this.#requests;
	}

	clear(): void {
		this.#requests = [];
	}
}
