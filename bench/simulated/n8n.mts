import { join } from 'node:path';
import { createRequire } from 'node:module';
import type { ICredentialDataDecryptedObject, INodeType, IVersionedNodeType } from 'n8n-workflow';
import { execute } from '../../test/models/harness/engine.mts';
import { createRunExecutionData, crmWorkspace } from '../../test/models/harness/n8n.mts';
import { currentTime } from '../../test/models/harness/clock.mts';
import { baseUrl, overNetwork } from './network.mts';
import type { Job, JobCame, Scenario } from './scenario.mts';
import { allowance, type Service } from './service.mts';
import { measured, rowsOf, workflowOf } from './workflows.mts';

const nodesBase = join(import.meta.dirname, '../../.playground/n8n/node_modules/n8n-nodes-base');
const { HttpRequest } = createRequire(import.meta.url)(
	join(nodesBase, 'dist/nodes/HttpRequest/HttpRequest.node.js'),
) as { HttpRequest: new () => IVersionedNodeType };
const httpRequestNode = new HttpRequest().getNodeType(4.5);

/** What begins each workflow: it hands on what it is given. */
const start = {
	description: {
		displayName: 'Start',
		name: 'start',
		group: ['trigger'],
		version: 1,
		description: '',
		defaults: {},
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	async execute() {
		return [this.getInputData()];
	},
} as INodeType;

/** HTTP Request's; the service does not look at it. */
const headerAuth = { name: 'Authorization', value: 'Bearer sk_test_1' };

let processes = 0;
let executions = 0;

/** An n8n process: its executions share this node's rate limiter, and no other process knows of it. */
export class N8n {
	readonly #number: number;

	readonly #types: Record<string, INodeType>;

	readonly #contestant: Scenario['contestant'];

	readonly #credential: ICredentialDataDecryptedObject;

	/**
	 * @param number by which the service knows it
	 * @param declared how many processes its credential names
	 */
	constructor(
		number: number,
		service: Service,
		{ contestant, declared = 1 }: Pick<Scenario, 'contestant' | 'declared'>,
	) {
		this.#number = number;
		this.#contestant = contestant;
		// This node has one rate limiter for each key, and the service does not look at it.
		this.#credential = {
			baseUrl,
			mode: 'test',
			apiKey: `sk_test_${++processes}`,
			authHeader: 'authorization',
			requestsPerMinute: allowance,
			processes: declared,
		};
		const ask = service.ask.bind(service, number);
		this.#types = {
			start,
			crmWorkspace: overNetwork(crmWorkspace, ask),
			'n8n-nodes-base.httpRequest': overNetwork(httpRequestNode, ask),
		};
	}

	/**
	 * Does a job in an execution of its own.
	 * @returns when the node that is measured began and ended, as simulated time
	 */
	async run(job: Job): Promise<JobCame> {
		const workflow = workflowOf(job, this.#contestant);
		const items = rowsOf(job).map((json, item) => ({ json, pairedItem: { item } }));
		const [node] = workflow.nodes;
		const data = createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node, data: { main: [items] }, source: null }] },
		});
		let beganAt = NaN;
		const { done } = execute({
			id: String(++executions),
			mode: 'trigger',
			workflow,
			data,
			typeOf: (name) => this.#types[name],
			credential: (id) => (id === 'ours' ? this.#credential : headerAuth),
			onNode(event, name) {
				if (event === 'started' && name === measured) beganAt = currentTime();
			},
		});
		const { error } = (await done).data.resultData;
		const came = { process: this.#number, kind: job.kind, beganAt, endedAt: currentTime() };
		return error ? { ...came, error: error.message.slice(0, 200) } : came;
	}
}
