import type { IExecuteFunctions } from 'n8n-workflow';
import { createClient } from '../../../nodes/CrmWorkspace/n8n/http';
import type { Request } from '../../../nodes/CrmWorkspace/client/request';
import type { Clock } from '../../../nodes/CrmWorkspace/common/tasks';
import { currentTime, hour, pass } from '../harness/clock.mts';
import type { LimitedService } from '../harness/limitedService.mts';
import { credential, helpersThatAsk } from '../harness/node.mts';
import { answerOf } from '../harness/service.mts';

const timeoutMs = 30_000;

/** A request for the moment at which it was sent. */
const request: Request<number> = {
	method: 'GET',
	path: '/contacts',
	purpose: { undone: 'Not read', unknown: 'Not read' },
	isIdempotent: true,
	read: ({ body }) => Number(body),
};

/** How many requests an execution has under way at once: the node's default. */
const concurrency = 5;

let processes = 0;
let executions = 0;

/** What an execution has to do. */
interface Work {
	requests: number;
	/** How many requests each run of the node makes, as in a loop: all by default. */
	each?: number;
	/** Whether the node doesn't know beforehand how many it will make. */
	isUnforeseen?: boolean;
	/** No request is begun from this moment on. */
	until?: number;
}

/** A process of n8n, as far as the service sees it. Moments and waits in ms. */
export class Process {
	/** When its requests succeeded. */
	readonly successes: number[] = [];

	/** Requests that were given up. */
	failed = 0;

	readonly #clock = createClock();

	readonly #service: LimitedService;

	readonly #credential: object;

	constructor(service: LimitedService, settings: { requestsPerMinute: number; processes: number }) {
		this.#service = service;
		// A process has its own rate limiter for each key: so each has another key here.
		this.#credential = { ...credential, apiKey: `sk_test_${++processes}`, ...settings };
	}

	/**
	 * Runs one execution.
	 * @returns how long each request waited until it was sent, and when each succeeded
	 */
	async execute({ requests, each = requests, isUnforeseen, until = Infinity }: Work) {
		const id = String(++executions);
		const all = { waits: [] as number[], successes: [] as number[] };
		for (let left = requests; left > 0; left -= each) {
			let next = Math.min(each, left);
			const connection = this.#connect(id);
			if (!isUnforeseen) connection.announce(next);
			const work = async () => {
				while (next > 0 && currentTime() < until) {
					next--;
					const begunAt = currentTime();
					const sentAt = await connection.request(request).catch(() => void this.failed++);
					if (sentAt === undefined) continue;
					all.waits.push(sentAt - begunAt);
					all.successes.push(currentTime());
				}
			};
			await Promise.all(Array.from({ length: concurrency }, work));
			connection.close();
		}
		this.successes.push(...all.successes);
		return all;
	}

	#connect(execution: string) {
		const context = {
			helpers: helpersThatAsk(async () => {
				const sentAt = currentTime();
				return await this.#service.answer(() => answerOf(200, String(sentAt), currentTime()));
			}),
			getExecutionId: () => execution,
			getExecutionCancelSignal: () => undefined,
		} as unknown as IExecuteFunctions;
		return createClient(context, this.#credential as never, timeoutMs, { clock: this.#clock });
	}
}

/** The clock of a process, which only it knows. */
function createClock(): Clock {
	const origin = currentTime() - Math.random() * hour;
	return {
		now: () => currentTime() - origin,
		// Real timers take that at least.
		wait: async (ms, cancel) => await pass(Math.max(1, ms), cancel),
	};
}
