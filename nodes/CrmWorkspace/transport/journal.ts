import type { NodeExecutionHint } from 'n8n-workflow';
import { isThrottled, type FailedAttempt } from './errors/failure';
import type { Pacer } from './pacing/pacer';
import { rateLimitHint, type RateLimitFigures } from './rateLimitHint';
import { hint } from './hint';

/**
 * Collects what happened between the node and the service that the output does not show: waits,
 * repeated requests and refusals. The user sees it as hints. All moments are in ms, by one clock.
 */
export class Journal {
	private readonly figures: RateLimitFigures = {
		turnedAway: 0,
		putOff: 0,
		waited: 0,
		letThrough: { requests: 0, within: 0 },
		allowed: Infinity,
		kept: Infinity,
	};

	private firstAskedAt?: number;

	private waitedUntil = -Infinity;

	/** Why requests were made again, with how often; refusals by the rate limit left out. */
	private readonly repeats = new Map<string, number>();

	/** Notes that a request was asked for and got its permit, and what the pacer allows then. */
	permitted(
		askedAt: number,
		grantedAt: number,
		{ allowed, requestsPerMinute }: Pick<Pacer, 'allowed' | 'requestsPerMinute'>,
	): void {
		const { figures } = this;
		this.firstAskedAt ??= askedAt;
		if (!this.countWait(askedAt, grantedAt)) return;
		figures.allowed = Math.min(figures.allowed, allowed);
		figures.kept = Math.min(figures.kept, requestsPerMinute);
	}

	/** Notes that the rate limit let a request through, whatever became of it. */
	letThrough(at: number): void {
		const requests = this.figures.letThrough.requests + 1;
		this.figures.letThrough = { requests, within: at - (this.firstAskedAt ?? at) };
	}

	/**
	 * Notes that a request failed and is made again.
	 * @param pause how long it waits first, in ms
	 */
	repeated(failed: FailedAttempt, at: number, pause: number): void {
		if (!isThrottled(failed)) {
			const reason = reasonOf(failed);
			this.repeats.set(reason, (this.repeats.get(reason) ?? 0) + 1);
			return;
		}
		this.figures[failed.statusCode === 429 ? 'turnedAway' : 'putOff']++;
		this.countWait(at, at + pause);
	}

	/**
	 * What the user should know, for the editor's output panel.
	 * @param allowed requests per minute that the credential allows this process
	 */
	hints(allowed: number): NodeExecutionHint[] {
		const messages: string[] = [];
		const ofRateLimit = rateLimitHint(this.figures, allowed);
		if (ofRateLimit) messages.push(ofRateLimit);
		if (this.repeats.size > 0) {
			const reasons = [...this.repeats].map(([reason, count]) => `${count} × ${reason}`);
			messages.push(`Requests were made again after passing faults: ${reasons.join(', ')}`);
		}
		return messages.map((message) => hint(message));
	}

	/** As far as no other wait is counted for that time. @returns whether it took any */
	private countWait(from: number, until: number): boolean {
		const begin = Math.max(from, this.waitedUntil);
		if (until <= begin) return false;
		this.figures.waited += until - begin;
		this.waitedUntil = until;
		return true;
	}
}

function reasonOf({ kind, networkCode, statusCode }: FailedAttempt): string {
	if (kind === 'status') return `HTTP ${statusCode}`;
	return networkCode ?? (kind === 'garbled' ? 'an answer that could not be read' : 'no answer');
}
