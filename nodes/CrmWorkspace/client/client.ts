/**
 * A client for an API whose rate limit is shared and whose failures leave doubt. A request waits for
 * a permit (`rateLimiter.ts`), is attempted (`attempt.ts`), and is retried if that is safe and may
 * help (`failure.ts`). What it sends with, the time, and what ends it are given to it.
 */
import { realClock, type Clock } from '../common/tasks';
import { redact } from '../common/text';
import { attempt, type Attempt } from './attempt';
import {
	Cancelled,
	computeRetryDelay,
	isRetryable,
	isThrottled,
	maxThrottledMs,
	maxWaitMs,
	mayHaveBegun,
	RequestFailure,
	RetryQuota,
	type FailedAttempt,
} from './failure';
import { getRateLimiter, type Permit, type RateLimiter } from './rateLimiter';
import type { Client, Request, Send, Waits } from './request';

interface ClientOptions {
	send: Send;
	/** Secret: it is in no text that leaves. */
	apiKey: string;
	/** What requests go to, as failures name it. */
	target: { host: string; mode: 'test' | 'live' };
	/** Distinguishes the API key from all others; not secret. */
	account: string;
	/** Requests per minute that this process may make with the API key. */
	requestsPerMinute: number;
	/** Identifies the execution, among which the rate limiter is fair. */
	execution: string;
	/** Ends waits and requests. */
	cancel?: AbortSignal;
	/** How long an attempt may take. */
	timeoutMs: number;
	/** For how long from now a request may begin. */
	patienceMs?: number;
	clock?: Clock;
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

/** The client of one run. It has to be closed at its end. */
export class HttpClient implements Client {
	private readonly clock: Clock;

	private readonly limiter: RateLimiter;

	private readonly retryQuota = new RetryQuota();

	private readonly waits = { waitedMs: 0, until: -Infinity, throttled: 0 };

	/** Since when every response to the run has been a 429. */
	private throttledSince?: number;

	private readonly closed = new AbortController();

	/** Why no further request can succeed, if the client was closed for that. */
	private closedFor?: FailedAttempt;

	/** Announced requests that have not asked for a permit yet. */
	private announced = 0;

	constructor(private readonly options: ClientOptions) {
		const { account, requestsPerMinute, patienceMs, clock = realClock } = options;
		this.clock = clock;
		this.limiter = getRateLimiter(account, requestsPerMinute, clock);
		if (patienceMs === undefined) return;
		void clock.wait(patienceMs, this.closed.signal).then(() => {
			this.close({ kind: 'noRoom', retryAfterMs: this.limiter.pausedMs });
		});
	}

	get keyIdentity(): object {
		return this.limiter;
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

	announce(requests: number): void {
		if (this.closed.signal.aborted) return;
		const change = Math.max(requests, -this.announced);
		this.announced += change;
		this.limiter.announced += change;
	}

	redact(text: string): string {
		return redact(text, this.options.apiKey);
	}

	/** What the run has waited for so far. */
	get statistics(): Waits {
		const { waitedMs, throttled } = this.waits;
		return { waitedMs, throttled, requestsPerMinute: this.limiter.requestsPerMinute };
	}

	async request<Result>(request: Request<Result>): Promise<Result> {
		const { clock } = this;
		const { cancel } = this.options;
		// One signal for each request, as Node.js warns of more than ten listeners on one.
		const end = AbortSignal.any([this.closed.signal, ...(cancel ? [cancel] : [])]);
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
		request: Request<Result>,
		{ requestedAt }: RequestHistory,
		end: AbortSignal,
	): Promise<Attempt<Result> | undefined> {
		const { execution, send } = this.options;
		const askedAt = this.clock.now();
		const permit = await this.limiter.acquire(execution, end);
		this.addWait(askedAt, this.clock.now());
		if (!permit) return undefined;
		const made = await attempt(send, request, this.options, (response) =>
			request.read(response, this.clock.now() - requestedAt),
		);
		endPermit(permit, made);
		return made;
	}

	/** Notes a failed attempt. @returns the delay before the next one in ms; undefined to give up */
	private noteFailure(
		{ isIdempotent }: Request<unknown>,
		failed: FailedAttempt,
		history: RequestHistory,
	): number | undefined {
		const now = this.clock.now();
		history.attempts++;
		history.last = failed;
		const isThrottle = isThrottled(failed);
		if (isThrottle) this.throttledSince ??= now;
		else this.updateQuota(failed, now);
		if (!isThrottle && !this.retryQuota.allowsRetry) return undefined;
		const throttledMs = now - (this.throttledSince ?? now);
		const waitLeftMs = isThrottle ? maxThrottledMs - throttledMs : Infinity;
		const state = { attempt: history.attempt, isIdempotent, waitLeftMs };
		const delayMs = computeRetryDelay(failed, state, Math.random());
		if (delayMs === undefined) return undefined;
		if (isThrottle) {
			// A 429 says nothing about the request itself: it costs waiting and no attempt.
			this.waits.throttled++;
			this.addWait(now, now + delayMs);
			return delayMs;
		}
		if (mayHaveBegun(failed)) history.earlier = failed;
		history.attempt++;
		return delayMs;
	}

	private updateQuota(failed: FailedAttempt, now: number): void {
		if (failed.statusCode !== undefined) this.throttledSince = undefined;
		// A 4xx or an unexpected 2xx shows that the service works.
		const { statusCode = 500 } = failed;
		this.retryQuota.record(statusCode < 500 && !isRetryable(failed), now);
		if (this.retryQuota.isOutage(now)) this.close(failed);
	}

	private addWait(from: number, until: number): void {
		const { waits } = this;
		waits.waitedMs += Math.max(0, until - Math.max(from, waits.until));
		waits.until = Math.max(until, waits.until);
	}

	private givenUp(
		request: Request<unknown>,
		failed: FailedAttempt,
		history: RequestHistory,
	): Error {
		// The stop may have cut off the request on its way.
		const isStopped = this.options.cancel?.aborted && failed.statusCode === undefined;
		if (isStopped) return new Cancelled(true);
		// The service would reject every other request, too, or throttle it.
		if (failed.statusCode === 401 || isThrottled(failed)) this.close(failed);
		return this.failure(request, failed, history);
	}

	private ended(request: Request<unknown>, history: RequestHistory): Error {
		const { closedFor } = this;
		const isStopped = this.options.cancel?.aborted;
		if (!closedFor || isStopped) return new Cancelled(history.earlier !== undefined);
		const { last } = history;
		// If the time is up after a 429, the reason is in `closedFor`.
		const isSpecific = closedFor.kind === 'noRoom' && last && !isThrottled(last);
		const failed = isSpecific ? last : closedFor;
		return this.failure(request, failed, history);
	}

	private failure(
		{ purpose }: Request<unknown>,
		failed: FailedAttempt,
		{ attempts, earlier }: RequestHistory,
	): RequestFailure {
		const isOutcomeUnknown = earlier !== undefined || (attempts > 0 && mayHaveBegun(failed));
		const history = { attempts, earlier, isOutcomeUnknown };
		// The outcome may have an ID that the service gave.
		const outcome = this.redact(isOutcomeUnknown ? purpose.unknown : purpose.undone);
		return new RequestFailure({ ...failed, ...this.options.target, ...history, outcome });
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
