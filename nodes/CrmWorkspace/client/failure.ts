/**
 * What a failed attempt means: whether the request may have arrived, and whether and when it is
 * retried.
 */
import type { Explanation } from '../common/text';

/** Why a request got no response, or none that contains what was asked for. */
const failureKinds = {
	/** The host was not found or accepted no connection. */
	unreachable: { mayArrive: false, isRetryable: true },
	/** No secure connection was made. */
	untrusted: { mayArrive: false, isRetryable: false },
	/** The connection broke, or no response came in time. */
	noResponse: { mayArrive: true, isRetryable: true },
	/** A 2xx that isn't JSON: something on the way may have made or cut it. */
	unreadable: { mayArrive: true, isRetryable: true },
	/** A 2xx without what was asked for: a retry would bring the same. */
	unexpected: { mayArrive: true, isRetryable: false },
	/** It failed before anything was sent. */
	notSent: { mayArrive: false, isRetryable: false },
	/** The rate limit left no room for the request in time. */
	noRoom: { mayArrive: false, isRetryable: false },
} as const;

export type FailureKind = keyof typeof failureKinds;

/** Why an attempt failed. Once `attempt` returns it, its texts are free of the API key. */
export interface FailedAttempt {
	/** `status`: the service responded with another status than 2xx. */
	kind: FailureKind | 'status';
	/** The service's own code, e.g. `IDEMPOTENT_REPLAY`, and its message. */
	code?: string;
	message?: string;
	/** HTTP status; absent without a response. */
	statusCode?: number;
	/** Code of the network failure, e.g. `ECONNREFUSED`. */
	networkCode?: string;
	/** What a 2xx contains instead of the result, or why nothing was sent. */
	detail?: string;
	/** Target of a redirect. */
	location?: string;
	retryAfterMs?: number;
}

/** Why a request failed. What was sent is not in it. */
export interface FailureDetails extends FailedAttempt {
	/** What wasn't done, or may have been; the title of an error begins with it. */
	outcome: string;
	/** Whether an attempt may have reached the service without a response that shows the outcome. */
	isOutcomeUnknown: boolean;
	/** What it was sent to: the host, with its port, and which data the API key addresses. */
	host: string;
	mode: 'test' | 'live';
	/** Number of attempts: 0 if it was clear that the request can't succeed, or in time. */
	attempts: number;
	/** The last of the earlier attempts that may have reached the service, if there is one. */
	earlier?: FailedAttempt;
	/** Why, in words that finish `outcome`, and what to do, if the caller knows more than the response. */
	explanation?: Explanation;
}

/** Thrown for a request without a result. */
export class RequestFailure extends Error {
	constructor(readonly details: FailureDetails) {
		super(details.outcome);
		this.name = 'RequestFailure';
	}

	/** The same failure, with what the caller knows of it. */
	with(known: Partial<FailureDetails>): RequestFailure {
		return new RequestFailure({ ...this.details, ...known });
	}
}

/** Thrown when a request is given up because its run ends. */
export class Cancelled extends Error {
	/** @param mayHaveBegun whether the request may have reached the service before */
	constructor(readonly mayHaveBegun = false) {
		super('The execution was stopped');
		this.name = 'Cancelled';
	}
}

/** Whether the rate limit refused the request for now. Interface: OPEN-18. */
export function isThrottled({ statusCode }: FailedAttempt): boolean {
	return statusCode === 429;
}

/** Whether the service rejected the request for good and did nothing. */
export function isRejected(failed: FailedAttempt): boolean {
	const { statusCode = 0 } = failed;
	return statusCode >= 400 && statusCode < 500 && !isRetryable(failed);
}

/** Whether the service rejected what was sent, and not the API key, or a proxy the sender. */
export function isContentRejected(failed: FailedAttempt): boolean {
	return isRejected(failed) && ![401, 403, 407].includes(failed.statusCode!);
}

/** Whether the service may have begun the work. */
export function mayHaveBegun({ kind, statusCode = 0 }: FailedAttempt): boolean {
	if (kind !== 'status') return failureKinds[kind].mayArrive;
	return statusCode < 300 || statusCode >= 500 || statusCode === 408;
}

/** Whether the same request may succeed a little later. */
export function isRetryable({ kind, statusCode = 0 }: FailedAttempt): boolean {
	if (kind !== 'status') return failureKinds[kind].isRetryable;
	return [408, 429, 500, 502, 503, 504].includes(statusCode);
}

/** Attempts of one request; throttled ones don't count. */
const maxAttempts = 5;

/** The longest delay before an attempt, in ms. */
export const maxWaitMs = 10 * 60_000;

/** For how long a run in which every request is throttled goes on, in ms. */
export const maxThrottledMs = 40 * 60_000;

/** The longest delay before the second attempt; it doubles with each further one. */
const firstBackoffMs = 500;

/** What decides on a retry besides the failure of the last attempt. */
interface RetryState {
	/** Number of the failed attempt, from 1; throttled ones don't count. */
	attempt: number;
	/** Whether the service does the work only once however often the request is sent. */
	isIdempotent: boolean;
	/** How long the request may still wait. */
	waitLeftMs: number;
}

/**
 * Delay before a failed request is retried, in ms: exponential backoff with full jitter, or as long
 * as the service asks. Undefined to give up.
 * @param random a number from 0 to below 1
 */
export function computeRetryDelay(
	failed: FailedAttempt,
	{ attempt, isIdempotent, waitLeftMs }: RetryState,
	random: number,
): number | undefined {
	if (!isRetryable(failed)) return undefined;
	// Without an idempotency key the service would do the work twice, unless it can't have begun.
	if (!isIdempotent && mayHaveBegun(failed)) return undefined;
	if (attempt >= maxAttempts && !isThrottled(failed)) return undefined;
	const backoffMs = random * firstBackoffMs * 2 ** (attempt - 1);
	const delayMs = Math.max(failed.retryAfterMs ?? 0, backoffMs);
	return delayMs > Math.min(waitLeftMs, maxWaitMs) ? undefined : delayMs;
}

const maxTokens = 500;
const failureCost = 5;
const successReturn = 1;

/** How long a run without tokens goes on while nothing succeeds. */
const maxOutageMs = 5 * 60_000;

/**
 * Bounds what an outage costs a run. A failed attempt takes tokens and a success returns some.
 * Without tokens each request gets a single attempt, so a service that comes back is noticed.
 */
export class RetryQuota {
	private tokens = maxTokens;

	private failingSince?: number;

	record(isSuccess: boolean, now: number): void {
		const change = isSuccess ? successReturn : -failureCost;
		this.tokens = Math.min(maxTokens, Math.max(0, this.tokens + change));
		this.failingSince = isSuccess ? undefined : (this.failingSince ?? now);
	}

	get allowsRetry(): boolean {
		return this.tokens > 0;
	}

	/** Whether the service has been failing for so long that the run should end. */
	isOutage(now: number): boolean {
		return !this.allowsRetry && now - (this.failingSince ?? now) >= maxOutageMs;
	}
}
