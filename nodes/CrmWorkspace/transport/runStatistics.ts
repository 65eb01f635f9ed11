import type { NodeExecutionHint } from 'n8n-workflow';
import { formatDuration } from '../text/duration';
import { hint } from '../text/hint';
import { isThrottled, type FailedAttempt } from './failure';

/** From this wait on, the user should know of it. */
const longWaitMs = 1000;

/** What a run waited for and retried, for the hints above its output. Moments are in ms. */
export class RunStatistics {
	private waitedMs = 0;

	private waitedUntil = -Infinity;

	private throttled = 0;

	/** Reasons of retries with their numbers; throttled requests don't count. */
	private readonly retries = new Map<string, number>();

	/** Adds a wait for the rate limit; waits at the same time count once. */
	addWait(from: number, until: number): void {
		this.waitedMs += Math.max(0, until - Math.max(from, this.waitedUntil));
		this.waitedUntil = Math.max(until, this.waitedUntil);
	}

	/** Adds a retry of a failed request after a delay. */
	addRetry(failed: FailedAttempt, now: number, delayMs: number): void {
		if (isThrottled(failed)) {
			this.throttled++;
			this.addWait(now, now + delayMs);
			return;
		}
		const { networkCode, statusCode, kind } = failed;
		const reason = kind === 'unreadable' ? 'no JSON' : (networkCode ?? `HTTP ${statusCode}`);
		this.retries.set(reason, (this.retries.get(reason) ?? 0) + 1);
	}

	/** @param requestsPerMinute the present rate */
	hints(requestsPerMinute: number): NodeExecutionHint[] {
		const messages: string[] = [];
		const duration = formatDuration(this.waitedMs);
		const waited =
			this.waitedMs < longWaitMs ? '' : `The run waited ${duration} for the rate limit`;
		if (this.throttled > 0) {
			messages.push(
				`${waited && `${waited}. `}The service throttled requests (${this.throttled}): check 'Requests per Minute' in the credential, or 'Number of n8n Processes' if several share the API key`,
			);
		} else if (waited) {
			messages.push(`${waited} of ${requestsPerMinute} requests per minute with this API key`);
		}
		if (this.retries.size > 0) {
			const reasons = [...this.retries].map(([reason, count]) => `${count} × ${reason}`);
			messages.push(`Requests were retried after ${reasons.join(', ')}`);
		}
		return messages.map((message) => hint(message));
	}
}
