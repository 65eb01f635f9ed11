import { limiters } from '../../../sandbox/service/rateLimit.mts';
import { currentTime, pass } from './clock.mts';
import type { Latency } from './leastTime.mts';
import { answerOf, type Answer } from './service.mts';

/** The name of a way in which a service may count requests. */
export type Limiter = keyof typeof limiters;

export const limiterNames = Object.keys(limiters) as Limiter[];

/** How a service counts and answers. */
export interface LimitedSettings {
	limiter: Limiter;
	/** Requests per minute. */
	allowance: number;
	latency: Latency;
	/** Whether a refusal says, in whole seconds, when to come back. */
	tellsWait?: boolean;
}

/** A service, as far as its rate limit goes: one key, anyone who asks. */
export class LimitedService {
	/** Requests that arrived, refused ones included. */
	requests = 0;

	refused = 0;

	readonly #settings: LimitedSettings;

	readonly #limiter: ReturnType<(typeof limiters)[Limiter]>;

	constructor(settings: LimitedSettings) {
		const { limiter, allowance } = settings;
		this.#settings = settings;
		this.#limiter = limiters[limiter](allowance);
	}

	/** Answers a request after its way here and back. @param work what it does, unless it is refused */
	async answer(work: () => Answer): Promise<Answer> {
		const { most, isConstant } = this.#settings.latency;
		const latency = isConstant ? most : Math.random() * most;
		const wayHere = Math.random() * latency;
		await pass(wayHere);
		const answer = this.#refusal() ?? work();
		await pass(latency - wayHere);
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
		const seconds = Math.ceil(this.#limiter.wait(now) / 1000);
		const answer = answerOf(429, '{"error":"Too many requests"}', now);
		if (tellsWait) answer.headers['retry-after'] = String(seconds);
		return answer;
	}
}
