import type { NodeExecutionHint } from 'n8n-workflow';
import { duration } from '../text/duration';
import { isThrottled, type FailedAttempt } from './errors/failure';

/**
 * Collects what happened between the node and the service that the output does not show: waits,
 * repeated requests and refusals. The user sees it as hints.
 */
export class Journal {
	/** How long requests waited for the rate limit, overlapping waits counted once, in ms. */
	private paced = 0;

	private pacedUntil = 0;

	/** The fewest requests per minute that were allowed when one waited. */
	private fewest = Infinity;

	/** Why requests were made again, with how often. */
	private readonly repeats = new Map<string, number>();

	/** How often the service refused a request because of the rate limit, before it was made again. */
	private refusals = 0;

	/** How often with a 503 that says when to come back, and not why. */
	private putOff = 0;

	/**
	 * Notes that a request waited for a permit; both moments in ms.
	 * @param allowed requests per minute that the credentials in use allowed the key then
	 */
	waited(from: number, until: number, allowed: number): void {
		const begin = Math.max(from, this.pacedUntil);
		if (until <= begin) return;
		this.fewest = Math.min(this.fewest, allowed);
		this.paced += until - begin;
		this.pacedUntil = until;
	}

	/** Notes that a request is made again, and why. */
	repeated(failed: FailedAttempt): void {
		if (isThrottled(failed)) {
			if (failed.statusCode === 429) this.refusals++;
			else this.putOff++;
			return;
		}
		const reason = reasonOf(failed);
		this.repeats.set(reason, (this.repeats.get(reason) ?? 0) + 1);
	}

	/**
	 * What the user should know, for the editor's output panel.
	 * @param allowed requests per minute that the credential allows this process
	 * @param kept requests per minute that the node keeps to by now
	 */
	hints(allowed: number, kept: number): NodeExecutionHint[] {
		const messages: string[] = [];
		if (this.paced >= 1000) {
			const fewest = Math.min(this.fewest, allowed);
			const source =
				fewest < allowed ? 'another credential in use with its API key' : 'the credential';
			messages.push(
				`Waited ${duration(this.paced)} to keep within ${fewest} requests per minute, as ${source} says`,
			);
		}
		if (this.repeats.size > 0) {
			const reasons = [...this.repeats].map(([reason, count]) => `${count} × ${reason}`);
			messages.push(`Requests were made again after passing faults: ${reasons.join(', ')}`);
		}
		const pace = kept < allowed ? `: the node keeps to ${kept} requests per minute for now` : '';
		if (this.refusals > 0) {
			messages.push(
				`The service turned away ${counted(this.refusals)} because of its rate limit, so something else seems to use the same API key${pace}. If it is other n8n processes, say in the credential how many there are`,
			);
		}
		if (this.putOff > 0) {
			messages.push(
				`The service put off ${counted(this.putOff)} for as long as it said (HTTP 503), because of its rate limit or of something else${pace}`,
			);
		}
		return messages.map((message) => ({ message, type: 'info', location: 'outputPane' }));
	}
}

function counted(requests: number): string {
	return requests === 1 ? 'a request' : `${requests} requests`;
}

function reasonOf({ kind, networkCode, statusCode }: FailedAttempt): string {
	if (kind === 'status') return `HTTP ${statusCode}`;
	return networkCode ?? (kind === 'garbled' ? 'an answer that could not be read' : 'no answer');
}
