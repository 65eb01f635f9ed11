import { currentTime, minute, pass } from './clock.mts';
import type { Latency } from './leastTime.mts';
import { limiters, type Limiter, type RateLimiter } from './limiters.mts';
import { answerOf, type Answer } from './service.mts';

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

	readonly #limiter: RateLimiter;

	constructor(settings: LimitedSettings) {
		const { limiter, allowance } = settings;
		this.#settings = settings;
		this.#limiter = limiters[limiter](allowance, currentTime() - Math.random() * minute);
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

	/** Counts again. */
	forget(): void {
		this.requests = 0;
		this.refused = 0;
	}

	#refusal(): Answer | undefined {
		this.requests++;
		const now = currentTime();
		if (this.#limiter.isAllowed(now)) return undefined;
		this.refused++;
		const answer = answerOf(429, '{"error":"Too many requests"}', now);
		if (!this.#settings.tellsWait) return answer;
		const seconds = Math.ceil(this.#limiter.wait(now) / 1000);
		return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } };
	}
}
