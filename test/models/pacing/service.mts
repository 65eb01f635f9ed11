import { currentTime } from '../lists/time.mts';
import { limiters, type Limiter, type RateLimiter } from '../harness/limiters.mts';
import type { Latency } from './leastTime.mts';
import { minute, pass } from './time.mts';

/** How the service counts and answers. */
export interface ServiceSettings {
	limiter: Limiter;
	/** Requests per minute. */
	allowance: number;
	latency: Latency;
	/** Whether a refusal says, in whole seconds, when to come back. */
	tellsWait?: boolean;
}

/** The service, as far as its rate limit goes: one key, whoever asks. */
export class Service {
	/** Requests that arrived, refused ones included. */
	requests = 0;

	refused = 0;

	readonly #settings: ServiceSettings;

	readonly #limiter: RateLimiter;

	constructor(settings: ServiceSettings) {
		const { limiter, allowance } = settings;
		this.#settings = settings;
		this.#limiter = limiters[limiter](allowance, currentTime() - Math.random() * minute);
	}

	/** Answers a request after its way here and back, in the form of n8n's client. */
	async answer() {
		const { most, isConstant } = this.#settings.latency;
		const latency = isConstant ? most : Math.random() * most;
		const wayHere = Math.random() * latency;
		await pass(wayHere);
		const answer = this.#count();
		await pass(latency - wayHere);
		return answer;
	}

	/** Counts anew. */
	forget(): void {
		this.requests = 0;
		this.refused = 0;
	}

	#count() {
		this.requests++;
		const now = currentTime();
		if (this.#limiter.isAllowed(now)) return { statusCode: 200, headers: {}, body: bodyOf('{}') };
		this.refused++;
		const seconds = Math.ceil(this.#limiter.wait(now) / 1000);
		const headers = this.#settings.tellsWait ? { 'retry-after': String(seconds) } : {};
		return { statusCode: 429, headers, body: bodyOf('{"error":"Too many requests"}') };
	}
}

/** The part of a stream that reading it takes. */
function bodyOf(text: string) {
	return {
		destroy() {},
		async *[Symbol.asyncIterator]() {
			yield Buffer.from(text);
		},
	};
}
