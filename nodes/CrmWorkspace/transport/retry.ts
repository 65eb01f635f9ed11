/** Whether and when a failed request is retried. */
import { isRetryable, isThrottled, mayHaveBegun, type FailedAttempt } from './failure';

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
