/** What a failed attempt means: whether the request may have arrived, and whether to retry it. */

/** What to say to the user: what happened, and what to do next. */
export interface Explanation {
	message: string;
	advice?: string;
}

/** Thrown for what goes wrong otherwise than by a failed request, such as an email that no contact has. */
export class ExplainedError extends Error {
	readonly advice?: string;

	constructor({ message, advice }: Explanation) {
		super(message);
		this.advice = advice;
	}
}

/** Why a request got no response, or none that contains what was asked for. */
const failureKinds = {
	/** The host was not found or accepted no connection. */
	unreachable: { mayArrive: false, isRetryable: true },
	/** No secure connection was made. */
	untrusted: { mayArrive: false, isRetryable: false },
	/** The connection broke, or no response came in time. */
	noResponse: { mayArrive: true, isRetryable: true },
	/** A 2xx that isn't JSON: something between n8n and the service may have made or cut it. */
	unreadable: { mayArrive: true, isRetryable: true },
	/** A 2xx without what was asked for: a retry would bring the same. */
	unexpected: { mayArrive: true, isRetryable: false },
	/** n8n itself refused the request or failed before it sent anything. */
	n8n: { mayArrive: false, isRetryable: false },
	/** The rate limit left no room for the request in time. */
	noRoom: { mayArrive: false, isRetryable: false },
} as const;

export type FailureKind = keyof typeof failureKinds;

/** Why an attempt failed. Its texts are free of the API key. */
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
	/** What a 2xx contains instead of the result, or what n8n says. */
	detail?: string;
	/** Target of a redirect. */
	location?: string;
	retryAfterMs?: number;
}

/** Why a request failed. What was sent is not in it. */
export interface FailureDetails extends FailedAttempt {
	/** Method and path, e.g. `PUT /contacts/…`. */
	request: string;
	/** The host of the base URL, with its port. */
	host: string;
	mode: 'test' | 'live';
	/** Number of attempts: 0 if the run already knew that the request can't succeed. */
	attempts: number;
	/** The last of the earlier attempts that may have reached the service, if there is one. */
	earlier?: FailedAttempt;
	/** What isn't known, such as whether a message was sent; a sentence for the user. */
	unknownOutcome?: string;
	/** What the failure means for this request, if more is known than `describeFailure` says. */
	explanation?: Explanation;
}

/** Thrown by the transport; `toNodeError` puts it into words. */
export class RequestFailure extends Error {
	constructor(readonly details: FailureDetails) {
		super(`${details.request} failed`);
		this.name = 'RequestFailure';
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

/** Whether the service rejected what was sent, and not the API key, or a proxy n8n. */
export function isContentRejected(failed: FailedAttempt): boolean {
	return isRejected(failed) && ![401, 403, 407].includes(failed.statusCode!);
}

/** Whether the service may have begun the work. */
export function mayHaveBegun({ kind, statusCode = 0 }: FailedAttempt): boolean {
	if (kind !== 'status') return failureKinds[kind].mayArrive;
	return statusCode < 300 || statusCode >= 500 || statusCode === 408;
}

/** Whether an attempt may have reached the service without a response that shows the outcome. */
export function isOutcomeUnknown(details: FailureDetails): boolean {
	return details.earlier !== undefined || (details.attempts > 0 && mayHaveBegun(details));
}

/** Whether the same request may succeed a little later. */
export function isRetryable({ kind, statusCode = 0 }: FailedAttempt): boolean {
	if (kind !== 'status') return failureKinds[kind].isRetryable;
	return [408, 429, 500, 502, 503, 504].includes(statusCode);
}
