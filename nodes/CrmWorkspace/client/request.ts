/**
 * The client as its callers see it, and what it is given to send with: `client.ts` has what it does.
 * It knows nothing of n8n, and of the service only how it throttles and what its errors look like.
 */
import type { FailedAttempt } from './failure';

type JsonValue = string | number | boolean | null | undefined | JsonObject | JsonValue[];

/** An object as JSON carries it; an undefined value is left out. */
export interface JsonObject {
	[name: string]: JsonValue;
}

export interface HttpRequest {
	method: 'GET' | 'POST' | 'PUT';
	/** Below the address of the service, beginning with a slash, its parts already encoded. */
	path: string;
	query?: JsonObject;
	body?: JsonObject;
}

/** A response as it came. */
export interface RawResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	text: string;
	/** After how many MB the text was cut off, if it was longer than what is read. */
	cutAtMb?: number;
}

/**
 * Sends a request, reads its response, and stops with the signal. Never rejects: an error would
 * carry the API key.
 */
export type Send = (
	request: HttpRequest,
	signal: AbortSignal,
) => Promise<RawResponse | FailedAttempt>;

/** A 2xx whose text is JSON. */
export interface HttpResponse {
	headers: Record<string, unknown>;
	/** The value of its JSON. */
	body: unknown;
	/** How long the exchange took. */
	durationMs: number;
}

/** What a request is for, as an error says it. */
export interface Purpose {
	/** If it failed, such as “The message to ada@example.com wasn't sent”. */
	undone: string;
	/** If it may have succeeded nevertheless. */
	unknown: string;
}

export interface Request<Result> extends HttpRequest {
	purpose: Purpose;
	/** Whether the service does the work only once however often the request is sent. */
	isIdempotent: boolean;
	/**
	 * Finds the result in a 2xx response; undefined if it isn't there.
	 * @param sinceMs how long ago the request was made, with all its attempts and waits
	 */
	read(response: HttpResponse, sinceMs: number): Result | undefined;
}

/** Sends the requests of one run. */
export interface Client {
	/** The same object for all clients of this process with the API key. */
	readonly keyIdentity: object;
	/**
	 * Makes a request and returns its result. Waits for the rate limit, and retries after a transient
	 * failure if that is safe.
	 * @throws RequestFailure if there is no result
	 * @throws Cancelled if the run is stopped or the client closed before a response
	 */
	request<Result>(request: Request<Result>): Promise<Result>;
	/** Announces further requests, so that the rate limiter can space them; or takes them back. */
	announce(requests: number): void;
	/** A text of the service without the API key. */
	redact(text: string): string;
}

/** What a run has waited for. */
export interface Waits {
	/** In ms; waits at the same time count once. */
	waitedMs: number;
	/** How many requests the service has throttled. */
	throttled: number;
	/** The present rate. */
	requestsPerMinute: number;
}
