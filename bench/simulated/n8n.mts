// Both are read when n8n is loaded.
import '../../test/support/engine/throwAwayUserFolder.mts';
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	INodeType,
	IVersionedNodeType,
	IWorkflowBase,
} from 'n8n-workflow';
import { credentialsHelper, engineSurroundings } from '../../test/support/engine/surroundings.mts';
import { baseUrl, overNetwork } from './network.mts';
import { allowance, type Scenario } from './scenario.mts';
import type { Service } from './service.mts';
import { itemsOf, workflowOf } from './workflow.mts';

// n8n logs each error of an execution.
process.env.N8N_LOG_LEVEL = 'silent';

/** As n8n loads them: as CommonJS, so that all parts have the same classes. */
const require = createRequire(import.meta.url);
const { ExecutionLifecycleHooks, WorkflowExecute } =
	require('n8n-core') as typeof import('n8n-core');
const { createRunExecutionData, ICredentialsHelper, Workflow } =
	require('n8n-workflow') as typeof import('n8n-workflow');

const root = join(import.meta.dirname, '../..');
const load = <T,>(folder: string, path: string): T =>
	Object.values<new () => T>(require(join(root, folder, path))).map((Type) => new Type())[0];
const nodesBase = '.playground/n8n/node_modules/n8n-nodes-base/dist/nodes';
const crmWorkspace = load<INodeType>('dist/nodes', 'CrmWorkspace/CrmWorkspace.node.js');
const crmWorkspaceApi = load<ICredentialType>('dist/credentials', 'CrmWorkspaceApi.credentials.js');
const httpRequest = load<IVersionedNodeType>(nodesBase, 'HttpRequest/HttpRequest.node.js');

/** Begins each workflow, with the items that it's given. */
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

let processes = 0;

/** A process of n8n. Its executions share this node's rate limiter; other processes have their own. */
export class N8n {
	readonly #scenario: Scenario;

	readonly #types: Record<string, INodeType>;

	readonly #credentials: Record<string, ICredentialDataDecryptedObject>;

	constructor(service: Service, scenario: Scenario) {
		this.#scenario = scenario;
		this.#types = {
			start,
			crmWorkspace: overNetwork(crmWorkspace, service),
			'n8n-nodes-base.httpRequest': overNetwork(httpRequest.getNodeType(4.5), service),
		};
		this.#credentials = {
			ours: {
				baseUrl,
				mode: 'test',
				// This node has a rate limiter for each key; the service doesn't look at it.
				apiKey: `sk_test_${++processes}`,
				authHeader: 'authorization',
				requestsPerMinute: allowance,
				processes: 1,
			},
			other: { name: 'Authorization', value: 'Bearer sk_test_1' },
		};
	}

	/**
	 * Runs the scenario's workflow.
	 * @returns the message of the error with which it failed
	 */
	async run(): Promise<string | undefined> {
		const stored = workflowOf(this.#scenario);
		const [node] = stored.nodes;
		const items = itemsOf(this.#scenario).map((json, item) => ({ json, pairedItem: { item } }));
		const data = createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node, data: { main: [items] }, source: null }] },
		});
		const getType = (name: string) => this.#types[name];
		const nodeTypes = {
			getByName: getType,
			getByNameAndVersion: getType,
			getKnownTypes: () => ({}),
		};
		const settings = { executionOrder: 'v1', timezone: 'UTC' } as const;
		const workflow = new Workflow({ ...stored, nodeTypes, settings, active: false });
		const running = new WorkflowExecute(this.#additionalData(stored), 'trigger', data);
		return (await running.processRunExecutionData(workflow)).data.resultData.error?.message;
	}

	#additionalData(stored: object) {
		const id = String(processes);
		const credential = (name: string | null) => this.#credentials[name!];
		return {
			...engineSurroundings(),
			credentialsHelper: credentialsHelper(ICredentialsHelper, crmWorkspaceApi, credential),
			hooks: new ExecutionLifecycleHooks('trigger', id, stored as IWorkflowBase),
			executionId: id,
		};
	}
}
