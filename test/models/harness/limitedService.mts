import { limiters } from '../../../sandbox/service/rateLimit.mts';
import { currentTime, minute, pass } from './clock.mts';
import { answerOf, type Answer } from './service.mts';

/** The name of a way in which a service may count requests. */
export type Limiter = keyof typeof limiters;

export const limiterNames = Object.keys(limiters) as Limiter[];

/** How a service counts and answers. */
interface LimitedSettings {
	limiter: Limiter;
	/** Requests per minute. */
	allowance: number;
	/** How long a request and its answer take together at most. */
	latencyMs: number;
	/** Whether a refusal says, in whole seconds, when to come back. */
	tellsWait: boolean;
}

/** A service, as far as its rate limit goes: one key for all requests. */
export class LimitedService {
	/** Requests that arrived, refused ones included. */
	requests = 0;

	refused = 0;

	readonly #settings: LimitedSettings;

	readonly #limiter: ReturnType<(typeof limiters)[Limiter]>;

	constructor(settings: LimitedSettings) {
		this.#settings = settings;
		this.#limiter = limiters[settings.limiter](settings.allowance);
	}

	/** Answers a request after its way here and back. @param work what it does, unless it is refused */
	async answer(work: () => Answer): Promise<Answer> {
		const latencyMs = Math.random() * this.#settings.latencyMs;
		const wayHereMs = Math.random() * latencyMs;
		await pass(wayHereMs);
		const answer = this.#refusal() ?? work();
		await pass(latencyMs - wayHereMs);
		return answer;
	}

	#refusal(): Answer | undefined {
		this.requests++;
		const { limiter, tellsWait } = this.#settings;
		const now = currentTime();
		const isRefused = this.#limiter.wait(now) > 0;
		// The strictest service counts refused requests, too.
		if (!isRefused || limiter === 'slidingWindow') this.#limiter.count(now);
		if (!isRefused) return undefined;
		this.refused++;
		const answer = answerOf(429, '{"error":"Too many requests"}', now);
		const seconds = Math.ceil(this.#limiter.wait(now) / 1000);
		if (tellsWait) answer.headers['retry-after'] = String(seconds);
		return answer;
	}
}

/**
 * The least time, in ms, in which so many requests can be made by someone who is never refused,
 * however the service counts. It may count a request at any moment from its sending to its answer,
 * and it counts it for a minute. So a request holds its place from its sending until a minute after
 * its answer: each place is free again after a minute and the latency.
 */
export function leastTime(
	requests: number,
	{ allowance, latencyMs }: Pick<LimitedSettings, 'allowance' | 'latencyMs'>,
): number {
	return Math.floor((requests - 1) / allowance) * (minute + latencyMs) + latencyMs;
}
