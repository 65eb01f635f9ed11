/**
 * What a failed attempt means: whether it may have reached the service, whether it may well succeed
 * later, and what to tell the user. The facts stand in a table and in predicates here, the words in
 * `explain.ts`, and `nodeError.ts` makes the errors and hints that leave, plain and without the
 * key.
 */
import type { ServiceError } from './serviceError';

/** What to tell the user: what happened, and what to do next. */
export interface Explanation {
	message: string;
	advice?: string;
}

/**
 * Why a request brought no answer, or none that says what was asked for: for each kind, whether the
 * request may have arrived at the service, and whether the same one may well succeed a little later.
 */
const faults = {
	/** The host's name could not be resolved. */
	unresolved: { mayArrive: false, mayPass: true },
	unreachable: { mayArrive: false, mayPass: true },
	/** The certificate was refused, which comes before anything is sent. */
	untrusted: { mayArrive: false, mayPass: false },
	/** No secure connection came about for another reason, which is before anything is sent, too. */
	insecure: { mayArrive: false, mayPass: false },
	/** The secure connection failed after it was made. */
	severed: { mayArrive: true, mayPass: false },
	noHttp: { mayArrive: true, mayPass: false },
	/** The connection broke, or the answer on it was cut off or could not be unpacked. */
	broken: { mayArrive: true, mayPass: true },
	timedOut: { mayArrive: true, mayPass: true },
	/** No answer came, and nobody knows why. */
	silent: { mayArrive: true, mayPass: true },
	tooLarge: { mayArrive: true, mayPass: false },
	/** A success whose body is a web page or JSON that breaks off: something in between made it. */
	garbled: { mayArrive: true, mayPass: true },
	/** A success whose body is readable, and not what was asked for: it would be the same next time. */
	unexpected: { mayArrive: true, mayPass: false },
	/** n8n itself raised it before anything was sent. */
	ofN8n: { mayArrive: false, mayPass: false },
	/** It was not sent, because the rate limit left no room for it in time. */
	noRoom: { mayArrive: false, mayPass: false },
} as const;

/** What kept an answer from being one. */
export type FaultKind = keyof typeof faults;

/** Why an attempt has failed. What the service says of it is free of the API key. */
export interface FailedAttempt extends ServiceError {
	/** `status`: the service answered with another status than 2xx. */
	kind: FaultKind | 'status';
	/** HTTP status; absent when there was no answer. */
	statusCode?: number;
	/** Code of the network fault, e.g. `ECONNREFUSED`. */
	networkCode?: string;
	/** What the answer is, if it is garbled or unexpected; what n8n says, if the fault is its own. */
	words?: string;
	/** What n8n advises, if the fault is its own. */
	advice?: string;
	location?: string;
	/** How long the service asks to wait, in ms. */
	askedWait?: number;
	/** The body of an error: its JSON, or its text. */
	body?: unknown;
}

/** A fault, without an answer that could be read. */
export type Fault = FailedAttempt & { kind: FaultKind };

/** Why a request came to nothing. What was sent is not in it. */
export interface FailureDetails extends FailedAttempt {
	/** What was asked, e.g. `PUT /contacts/…`. */
	request: string;
	/** The host that was asked, with its port. */
	host: string;
	/** Which data the credential addresses. */
	mode: 'test' | 'live';
	/** How often the request was made: not at all where the run already knew that it is of no use. */
	attempts: number;
	/** In ms. */
	sinceFirstFailure: number;
	/** Whether the service asks to wait for longer than the request may. */
	isAskedWaitTooLong?: boolean;
	/** The last one of the attempts that may have reached the service before, if any did. */
	earlier?: FailedAttempt;
	/** What is not known, such as whether a message was sent; a sentence for the user. */
	doubt?: string;
	/** What it means for this very request, where that is more than `explain` can know. */
	explanation?: Explanation;
}

/** Thrown by the transport. What it means for the user is said by `toNodeApiError`. */
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

/**
 * A handler for a failed request that adds what the failure means for it, where `explain` knows
 * that.
 */
export function explainedBy(
	explain: (details: FailureDetails) => Explanation | undefined,
): (error: unknown) => never {
	return (error) => {
		if (!(error instanceof RequestFailure)) throw error;
		throw new RequestFailure({ ...error.details, explanation: explain(error.details) });
	};
}

/**
 * Whether the service refused the request only for now: because of its rate limit, for which the
 * interface names no status, or with a 503 that says when to come back. Interface: OPEN-18.
 */
export function isThrottled({ statusCode, askedWait }: FailedAttempt): boolean {
	return statusCode === 429 || (statusCode === 503 && askedWait !== undefined);
}

/**
 * Whether the service refused the key itself, so that it would refuse every other request, too. A 403
 * may name the key and be about what one item wants with it, so it has to say that the key is not
 * good. Interface: OPEN-17.
 */
export function isKeyRefused({ statusCode, code = '', message = '' }: FailedAttempt): boolean {
	if (statusCode !== 403) return statusCode === 401;
	const words = `${code} ${message}`.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
	return badKey.test(words.replace(/[^a-z]+/g, ' '));
}

const bad =
	'(invalid|unknown|expired|revoked|disabled|deactivated|suspended|inactive|incorrect|missing|malformed)';

const badKey = new RegExp(
	`\\b${bad} (api )?key\\b|(?<!idempotency )\\bkey (is |was |has )?(been )?(${bad}|not (valid|active|found|recognized|known))\\b`,
);

/** Whether the service reports a conflict with what it has stored. */
export function isConflict({ statusCode }: FailedAttempt): boolean {
	return statusCode === 409;
}

/** Whether the service refused the content of the request; it may accept another content. */
export function isRefusedContent({ statusCode }: FailedAttempt): boolean {
	return statusCode === 400 || statusCode === 422;
}

/** Whether the service refused the request for good, and did nothing. */
export function isTurnedDown(failed: FailedAttempt): boolean {
	const { statusCode = 0 } = failed;
	return statusCode >= 400 && statusCode < 500 && !isTransient(failed);
}

/** Whether the request may have arrived at the service, as far as its connection tells. */
export function mayHaveArrived({ kind }: FailedAttempt): boolean {
	return kind === 'status' || faults[kind].mayArrive;
}

/** Whether the service may have begun the work, for all that is known. */
export function mayHaveBegun(failed: FailedAttempt): boolean {
	const { kind, statusCode = 0 } = failed;
	if (kind !== 'status') return mayHaveArrived(failed);
	return statusCode < 300 || statusCode >= 500 || statusCode === 408;
}

/** Whether an attempt may have reached the service, and no answer tells what came of it. */
export function isInDoubt(details: FailureDetails): boolean {
	return details.earlier !== undefined || mayHaveBegun(details);
}

/** Whether the same request may well succeed a little later. */
export function isTransient({ kind, statusCode = 0 }: FailedAttempt): boolean {
	if (kind !== 'status') return faults[kind].mayPass;
	// 408 and 429 speak of the moment, these of a fault; all others of the request itself.
	return [408, 429, 500, 502, 503, 504].includes(statusCode);
}
