import type { IExecuteFunctions } from 'n8n-workflow';
import type * as Transport from '../../../nodes/CrmWorkspace/transport/connection';
import type { Clock } from '../../../nodes/CrmWorkspace/transport/clock';
import { built, credential, helpersThatAsk } from '../harness/built.mts';
import { currentTime, hour, pass } from '../harness/clock.mts';
import type { LimitedService } from '../harness/limitedService.mts';
import { answerOf } from '../harness/service.mts';

const { Connection } = built<typeof Transport>('nodes/CrmWorkspace/transport/connection.js');

/** How long a request may take, in ms: longer than any does. */
const timeout = 30_000;

let processes = 0;
let executions = 0;

/** What the credential of a process says. */
export interface Settings {
	requestsPerMinute: number;
	/** "Number of n8n Processes". */
	processes?: number;
}

/** An n8n process, as far as the service gets to know it. */
export class Process {
	/** When each of its requests succeeded, in ms. */
	readonly successes: number[] = [];

	/** Requests that were given up. */
	failed = 0;

	readonly #clock = clockOfProcess();

	/** A process has a rate limiter of its own, and there is one for each key: so each has another key. */
	readonly #apiKey = `sk_test_${++processes}`;

	readonly #service: LimitedService;

	readonly #settings: Settings;

	constructor(service: LimitedService, settings: Settings) {
		this.#service = service;
		this.#settings = settings;
	}

	/** Counts again. */
	forget(): void {
		this.successes.length = 0;
		this.failed = 0;
	}

	/** Begins an execution. */
	execution(): Execution {
		return new Execution(this);
	}

	/** @param sent called with the number of each request that is sent */
	connect(execution: string, sent: (request: number) => void): Transport.Connection {
		const context = {
			helpers: helpersThatAsk(async (_url, query) => {
				sent(Number(query!.page));
				return await this.#service.answer(() => answerOf(200, '{}', currentTime()));
			}),
			getExecutionId: () => execution,
			getExecutionCancelSignal: () => undefined,
		} as unknown as IExecuteFunctions;
		const ours = { ...credential, apiKey: this.#apiKey, ...this.#settings } as never;
		return new Connection(context, ours, timeout, { clock: this.#clock });
	}
}

/** What an execution has to do. */
export interface Work {
	requests: number;
	/** How many requests are under way at once: 5 by default, as in the node. */
	concurrency?: number;
	/** How many requests each run of the node makes, as in a loop: all by default. */
	each?: number;
	/** Whether the node doesn't know beforehand how many requests it will make. */
	isUnforeseen?: boolean;
	/** No request is begun from this moment on, in ms. */
	until?: number;
}

/** An execution of a process. */
export class Execution {
	/** How long each request waited until it was sent, in ms; the last time if it was sent again. */
	readonly waits: number[] = [];

	/** Requests that succeeded. */
	done = 0;

	readonly #id = String(++executions);

	readonly #process: Process;

	constructor(process: Process) {
		this.#process = process;
	}

	/** Makes requests until the work is done. */
	async work({ requests, each = requests, ...work }: Work): Promise<void> {
		for (let left = requests; left > 0; left -= each) {
			await this.#run({ ...work, requests: Math.min(each, left) });
		}
	}

	/** Makes requests in one run of the node. */
	async #run({ requests, concurrency = 5, isUnforeseen, until = Infinity }: Work): Promise<void> {
		const sentAt: number[] = [];
		const connection = this.#process.connect(this.#id, (request) => {
			sentAt[request] = currentTime();
		});
		if (!isUnforeseen) connection.announce(requests);
		let next = 0;
		const worker = async () => {
			while (next < requests && currentTime() < until) {
				const request = next++;
				const askedAt = currentTime();
				await this.#request(connection, request);
				this.waits.push(sentAt[request] - askedAt);
			}
		};
		await Promise.all(Array.from({ length: Math.min(requests, concurrency) }, worker));
		connection.close();
	}

	async #request(connection: Transport.Connection, page: number): Promise<void> {
		const process = this.#process;
		try {
			await connection.request({
				method: 'GET',
				path: '/contacts',
				query: { page },
				isIdempotent: true,
				read: () => true,
			});
			process.successes.push(currentTime());
			this.done++;
		} catch {
			process.failed++;
		}
	}
}

/** The clock of a process, which only it knows. */
function clockOfProcess(): Clock {
	const origin = currentTime() - Math.random() * hour;
	return {
		now: () => currentTime() - origin,
		// Real timers take that at least.
		wait: async (ms, cancel) => await pass(Math.max(1, ms), cancel),
	};
}
