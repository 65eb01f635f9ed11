import { type Execution, type N8n, until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { crmNode, node, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox/sandbox.mts';
import { delivered, welcome } from '../support/n8n/sending.mts';

/** How many recipients an execution has. */
export const recipients = 30;

export interface MailingOptions {
	/** What the service allows, and the credential says; without it, the service has no limit. */
	requestsPerMinute?: number;
	/** Further fields of the credential. */
	credential?: object;
	/** Further parameters of the send node. */
	parameters?: object;
	/** What stands beside its parameters, such as 'On Error'. */
	settings?: object;
	/** A node that runs when all is sent. */
	after?: ReturnType<typeof node>;
}

/** A node that takes so many milliseconds. */
export const pause = (ms: number) =>
	node('Pause', 'n8n-nodes-base.code', 2, {
		jsCode: `await new Promise((resolve) => setTimeout(resolve, ${ms}));\nreturn $input.all();`,
	});

/** What came of a mailing: counted at the service, and what n8n says of each execution. */
export interface Outcome {
	delivered: number;
	twice: number;
	lost: number;
	statuses: string[];
	refusals: number;
	/** From its first request to its last. */
	seconds: number;
	/** The fewest seconds in which a limit allows so many requests; 0 without one. */
	bound: number;
}

/** A workflow that sends a message to each recipient of an event, with a service of its own. */
export class Mailing {
	readonly sandbox: RunningSandbox;
	readonly #n8n: N8n;
	readonly #workflow: ProductionWorkflow;
	readonly #limit?: number;
	readonly #events = new Set<string>();
	readonly #executions: string[] = [];

	private constructor(
		n8n: N8n,
		sandbox: RunningSandbox,
		workflow: ProductionWorkflow,
		requestsPerMinute?: number,
	) {
		this.#n8n = n8n;
		this.sandbox = sandbox;
		this.#workflow = workflow;
		this.#limit = requestsPerMinute;
	}

	/** Without a limit, the service is slow enough for something to happen to n8n in the meantime. */
	static async activate(n8n: N8n, options: MailingOptions = {}): Promise<Mailing> {
		const { requestsPerMinute, credential, parameters, settings, after } = options;
		const latency = requestsPerMinute ? 0 : 300;
		const limit = ['--requests-per-minute', String(requestsPerMinute ?? 0)];
		// The pace is kept for each key, and keys are derived from the seed.
		const seed = String(sandboxes.length + 1);
		const sandbox = await startSandbox([...limit, '--latency', String(latency), '--seed', seed]);
		sandboxes.push(sandbox);
		const { baseUrl, testKey: apiKey } = sandbox;
		const pace = { requestsPerMinute: requestsPerMinute ?? 6000, ...credential };
		const workflow = await ProductionWorkflow.activate(n8n, [
			node('Items', 'n8n-nodes-base.code', 2, {
				jsCode: `const { event } = $input.first().json.body;
return Array.from({ length: ${recipients} }, (_, i) => ({ event, to: event + '-' + i + '@example.com' }));`,
			}),
			crmNode(
				'CRM',
				await createCredential(n8n, { baseUrl, apiKey, ...pace }, 'Mailing'),
				{ ...welcome, options: { concurrency: requestsPerMinute ? 5 : 1 }, ...parameters },
				settings,
			),
			...(after ? [after] : []),
		]);
		return new Mailing(n8n, sandbox, workflow, requestsPerMinute);
	}

	/** Begins an execution for an event; the same event again is for the same recipients. */
	async begin(event = 'event'): Promise<string> {
		const execution = await this.#workflow.begin({ event });
		this.#events.add(event);
		this.#executions.push(execution);
		return execution;
	}

	/** n8n's 'Retry' of an execution that has failed, and its end. */
	async retry(execution: string): Promise<Execution> {
		const retried = await this.#n8n.retry(execution, 'original');
		this.#executions.push(retried.id);
		return retried;
	}

	/** Waits until so many messages are delivered. */
	async reached(count: number): Promise<void> {
		await until(`${count} messages`, 60, async () => {
			const { data } = await this.sandbox.control('GET', '/inbox');
			return data.length >= count || undefined;
		});
	}

	/** Waits for the ends of all its executions. */
	async ended(seconds = 240): Promise<Execution[]> {
		return Promise.all(this.#executions.map((id) => this.#n8n.ended(id, seconds)));
	}

	/** Waits for its ends, and counts. */
	async outcome(): Promise<Outcome> {
		const executions = await this.ended();
		const counts = Object.values(await delivered(this.sandbox));
		const { data: requests } = await this.sandbox.control('GET', '/requests');
		const sum = counts.reduce((total, count) => total + count, 0);
		return {
			delivered: counts.length,
			twice: sum - counts.length,
			lost: this.#events.size * recipients - counts.length,
			statuses: executions.map(({ status }) => status),
			refusals: requests.filter(({ status }: LoggedRequest) => status === 429).length,
			seconds: secondsOf(requests),
			bound: this.#limit ? Math.floor((sum - 1) / this.#limit) * 60 : 0,
		};
	}
}

/** The services of all mailings, each with a key of its own. */
const sandboxes: RunningSandbox[] = [];

export const allKeys = () => sandboxes.map(({ testKey }) => testKey);

export async function stopServices(): Promise<void> {
	await Promise.all(sandboxes.map((sandbox) => sandbox.stop()));
}

interface LoggedRequest {
	status: number | null;
	at: string;
}

function secondsOf(requests: LoggedRequest[]): number {
	const [first, last] = [requests[0], requests.at(-1)!].map(({ at }) => Date.parse(at));
	return Math.round((last - first) / 1000);
}
