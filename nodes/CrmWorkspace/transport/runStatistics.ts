import type { NodeExecutionHint } from 'n8n-workflow';
import { hint, formatDuration } from '../text/plainText';

/** From this wait on, the user should know of it. */
const longWaitMs = 1000;

/** What a run waited for, for the hint above its output. Moments are in ms. */
export class RunStatistics {
	private waitedMs = 0;

	private waitedUntil = -Infinity;

	private throttled = 0;

	/** Adds a wait for the rate limit; waits at the same time count once. */
	addWait(from: number, until: number): void {
		this.waitedMs += Math.max(0, until - Math.max(from, this.waitedUntil));
		this.waitedUntil = Math.max(until, this.waitedUntil);
	}

	/** Adds the delay after a request that the service throttled. */
	addThrottled(now: number, delayMs: number): void {
		this.throttled++;
		this.addWait(now, now + delayMs);
	}

	/** @param requestsPerMinute the present rate */
	hints(requestsPerMinute: number): NodeExecutionHint[] {
		const waited = `The run waited ${formatDuration(this.waitedMs)} for the rate limit`;
		const isLong = this.waitedMs >= longWaitMs;
		const ofAll = `of ${requestsPerMinute} requests per minute with this API key`;
		if (this.throttled === 0) return isLong ? [hint(`${waited} ${ofAll}`)] : [];
		const text = `The service throttled requests (${this.throttled}): check 'Requests per Minute' in the credential, or 'Number of n8n Processes' if several share the API key`;
		return [hint(isLong ? `${waited}. ${text}` : text)];
	}
}
