/**
 * The requests of one run of the node. Each is sent when the rate limit permits (`rateLimiter.ts`),
 * with n8n's HTTP client (`http.ts`), and retried if that is safe and may help (`retry.ts`). No
 * operation is known here.
 */
import { randomUUID } from 'crypto';
import type { NodeExecutionHint } from 'n8n-workflow';
import { realClock, type Clock } from './clock';
import { getHost, redact, type CrmWorkspaceCredential, type NodeContext } from './credential';
import {
	Cancelled,
	isRetryable,
	isThrottled,
	mayHaveBegun,
	RequestFailure,
	type Explanation,
	type FailedAttempt,
	type FailureDetails,
} from './failure';
import { sendRequest, type Attempt, type HttpRequest, type HttpResponse } from './http';
import { getRateLimiter, type Permit, type RateLimiter } from './rateLimiter';
import { computeRetryDelay, maxThrottledMs, maxWaitMs, RetryQuota } from './retry';
import { RunStatistics } from './runStatistics';

export interface ServiceRequest<Result> extends HttpRequest {
	/** Whether the service does the work only once however often the request is sent. */
	isIdempotent: boolean;
	/**
	 * Finds the result in a 2xx response; undefined if it isn't there.
	 * @param sinceMs how long ago the request was made, with all its attempts and waits
	 */
	read: (response: HttpResponse, sinceMs: number) => Result | undefined;
	/** What a failure means for this request, if that is more than `describeFailure` can say. */
	explain?: (details: FailureDetails) => Explanation | undefined;
}

/** What a request has been through. Moments are in ms. */
interface RequestHistory {
	requestedAt: number;
	attempts: number;
	/** The number of the present attempt, throttled ones left out. */
	attempt: number;
	last?: FailedAttempt;
	/** The last failed attempt that may have reached the service, the very last left out. */
	earlier?: FailedAttempt;
}

/** It has to be closed at the end of the run. */
export class Connection {
	/** The same one for all runs of this process with the API key. */
	readonly rateLimiter: RateLimiter;

	private readonly statistics = new RunStatistics();

	private readonly retryQuota = new RetryQuota();

	private readonly execution: string;

	private readonly clock: Clock;

	/** Since when every response to the run has been a 429. */
	private throttledSince?: number;

	private readonly cancel?: AbortSignal;

	private readonly closed = new AbortController();

	/** Why no further request can succeed, if the connection was closed for that. */
	private closedFor?: FailedAttempt;

	/** Announced requests that have not asked for a permit yet. */
	private announced = 0;

	/**
	 * @param timeoutMs how long an attempt may take
	 * @param patienceMs for how long from now a request may begin
	 */
	constructor(
		private readonly context: NodeContext,
		private readonly credential: CrmWorkspaceCredential,
		private readonly timeoutMs: number,
		{ clock = realClock, patienceMs = Infinity }: { clock?: Clock; patienceMs?: number } = {},
	) {
		this.clock = clock;
		this.rateLimiter = getRateLimiter(credential, clock);
		this.execution = ('getExecutionId' in context && context.getExecutionId()) || randomUUID();
		if ('getExecutionCancelSignal' in context) this.cancel = context.getExecutionCancelSignal();
		if (patienceMs === Infinity) return;
		void clock.wait(patienceMs, this.closed.signal).then(() => {
			this.close({ kind: 'noRoom', retryAfterMs: this.rateLimiter.pausedMs });
		});
	}

	/**
	 * Lets no further request begin; those under way finish.
	 * @param reason why all others would fail, if they would; without it the run is over
	 */
	close(reason?: FailedAttempt): void {
		if (this.closed.signal.aborted) return;
		this.closedFor = reason;
		this.announce(-this.announced);
		this.closed.abort();
	}

	/** Announces further requests, so that the rate limiter can space them; or takes them back. */
	announce(requests: number): void {
		if (this.closed.signal.aborted) return;
		const change = Math.max(requests, -this.announced);
		this.announced += change;
		this.rateLimiter.announced += change;
	}

	/** A text of the service without the API key. */
	redact(text: string): string {
		return redact(text, this.credential.apiKey);
	}

	/** What the user should know of the run so far. */
	hints(): NodeExecutionHint[] {
		return this.statistics.hints(this.rateLimiter.requestsPerMinute);
	}

	/**
	 * Makes a request and returns its result. Waits for the rate limit, and retries after a transient
	 * failure if that is safe.
	 * @throws RequestFailure if there is no result
	 * @throws Cancelled if the execution is stopped or the connection closed before a response
	 */
	async request<Result>(request: ServiceRequest<Result>): Promise<Result> {
		const { clock } = this;
		// One signal for each request, as Node.js warns of more than ten listeners on one.
		const end = AbortSignal.any([this.closed.signal, ...(this.cancel ? [this.cancel] : [])]);
		const history = { requestedAt: clock.now(), attempts: 0, attempt: 1 };
		this.announce(-1);
		for (;;) {
			const made = await this.attempt(request, history, end);
			if (!made) throw this.ended(request, history);
			if ('result' in made) {
				this.throttledSince = undefined;
				this.retryQuota.record(true, clock.now());
				return made.result;
			}
			const delayMs = this.noteFailure(request, made.failed, history);
			if (delayMs === undefined) throw this.givenUp(request, made.failed, history);
			await clock.wait(delayMs, end);
		}
	}

	/** Makes one attempt. Undefined if the request ended before it got a permit. */
	private async attempt<Result>(
		request: ServiceRequest<Result>,
		{ requestedAt }: RequestHistory,
		end: AbortSignal,
	): Promise<Attempt<Result> | undefined> {
		const askedAt = this.clock.now();
		const permit = await this.rateLimiter.acquire(this.execution, end);
		this.statistics.addWait(askedAt, this.clock.now());
		if (!permit) return undefined;
		const read = (response: HttpResponse) => request.read(response, this.clock.now() - requestedAt);
		const limits = { timeoutMs: this.timeoutMs, cancel: this.cancel };
		const made = await sendRequest(this.context, this.credential, request, limits, read);
		endPermit(permit, made);
		return made;
	}

	/** Notes a failed attempt. @returns the delay before the next one in ms; undefined to give up */
	private noteFailure(
		{ isIdempotent }: ServiceRequest<unknown>,
		failed: FailedAttempt,
		history: RequestHistory,
	): number | undefined {
		const now = this.clock.now();
		history.attempts++;
		history.last = failed;
		// A 429 says nothing about the request itself: it costs waiting and no attempt.
		const isCounted = !isThrottled(failed);
		if (isCounted) this.updateQuota(failed, now);
		if (isCounted && !this.retryQuota.allowsRetry) return undefined;
		if (!isCounted) this.throttledSince ??= now;
		const waitLeftMs = isCounted ? Infinity : maxThrottledMs - (now - this.throttledSince!);
		const state = { attempt: history.attempt, isIdempotent, waitLeftMs };
		const delayMs = computeRetryDelay(failed, state, Math.random());
		if (delayMs === undefined) return undefined;

		if (mayHaveBegun(failed)) history.earlier = failed;
		if (isCounted) history.attempt++;
		else this.statistics.addThrottled(now, delayMs);
		return delayMs;
	}

	private updateQuota(failed: FailedAttempt, now: number): void {
		if (failed.statusCode !== undefined) this.throttledSince = undefined;
		// A 4xx or an unexpected 2xx shows that the service works.
		this.retryQuota.record(failed.statusCode !== undefined && !isRetryable(failed), now);
		if (this.retryQuota.isOutage(now)) this.close(failed);
	}

	private givenUp(
		request: ServiceRequest<unknown>,
		failed: FailedAttempt,
		history: RequestHistory,
	): Error {
		// The stop may have cut off the request on its way.
		if (this.cancel?.aborted && failed.statusCode === undefined) return new Cancelled(true);
		// The service would reject every other request, too, or throttle it.
		if (failed.statusCode === 401 || isThrottled(failed)) this.close(failed);
		return this.failure(request, failed, history);
	}

	private ended(request: ServiceRequest<unknown>, history: RequestHistory): Error {
		const { closedFor } = this;
		if (!closedFor || this.cancel?.aborted) return new Cancelled(history.earlier !== undefined);
		const failed = (closedFor.kind === 'noRoom' && history.last) || closedFor;
		return this.failure(request, failed, history);
	}

	private failure(
		{ method, path, explain }: ServiceRequest<unknown>,
		failed: FailedAttempt,
		{ attempts, earlier }: RequestHistory,
	): Error {
		const { mode } = this.credential;
		const target = { request: `${method} ${path}`, host: getHost(this.credential), mode };
		const details = { ...failed, ...target, attempts, earlier };
		return new RequestFailure({ ...details, explanation: explain?.(details) });
	}
}

/** Passes on what the rate limit made of an attempt. */
function endPermit(permit: Permit, made: Attempt<unknown>): void {
	if ('result' in made) return permit.end('accepted');
	const { failed } = made;
	if (!isThrottled(failed)) {
		return permit.end(failed.statusCode === undefined ? 'noResponse' : 'accepted');
	}
	// A single response that asks for a year must not hold up everyone else.
	const { retryAfterMs = 0 } = failed;
	permit.end('throttled', retryAfterMs <= maxWaitMs ? retryAfterMs : 0);
}
