// Both are read when n8n is loaded.
import '../../test/support/engine/throwAwayUserFolder.mts';
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject, IDataObject, INode, INodeType } from 'n8n-workflow';
import { n8nFolder } from '../../playground/installed.mts';
import { credentialsHelper, engineSurroundings } from '../../test/support/engine/surroundings.mts';
import { allowance } from '../case.mts';
import { overNetwork } from './network.mts';
import { type Run, service as addresses } from './play.mts';
import type { Service } from './service.mts';

// n8n logs each error of an execution.
process.env.N8N_LOG_LEVEL = 'silent';

/** As n8n loads them: as CommonJS, so that all parts have the same classes. */
const require = createRequire(import.meta.url);
const { ExecutionLifecycleHooks, WorkflowExecute } =
	require('n8n-core') as typeof import('n8n-core');
const { createRunExecutionData, ICredentialsHelper, Workflow } =
	require('n8n-workflow') as typeof import('n8n-workflow');
const { CrmWorkspace } = require('../../dist/nodes/CrmWorkspace/CrmWorkspace.node.js');
const { CrmWorkspaceApi } = require('../../dist/credentials/CrmWorkspaceApi.credentials.js');
const nodesBase = join(n8nFolder, 'node_modules/n8n-nodes-base/dist/nodes');
const { HttpRequest } = require(join(nodesBase, 'HttpRequest/HttpRequest.node.js'));

const types: Record<string, INodeType> = {
	'n8n-nodes-crm-workspace.crmWorkspace': new CrmWorkspace(),
	'n8n-nodes-base.httpRequest': new HttpRequest().getNodeType(4.5),
};

const apiKey = 'sk_test_bench';

/** By their IDs. */
const credentials: Record<string, ICredentialDataDecryptedObject> = {
	[addresses.credential]: {
		baseUrl: addresses.baseUrl,
		mode: 'test',
		apiKey,
		authHeader: 'authorization',
		requestsPerMinute: allowance,
		processes: 1,
	},
	[addresses.headerAuth]: { name: 'Authorization', value: `Bearer ${apiKey}` },
};

/**
 * Runs a node with items in n8n's engine, as the only node of a workflow.
 * @throws the error with which the execution failed
 */
export async function execute(
	node: Run['node'],
	items: IDataObject[],
	service: Service,
): Promise<void> {
	const input = items.map((json, item) => ({ json, pairedItem: { item } }));
	const entry = { node: node as unknown as INode, data: { main: [input] }, source: null };
	const type = overNetwork(types[node.type], service);
	const nodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const stored = { id: 'workflow', name: 'Bench', nodes: [entry.node], connections: {} };
	const settings = { executionOrder: 'v1', timezone: 'UTC' } as const;
	const workflow = new Workflow({ ...stored, nodeTypes, settings, active: false });
	const surroundings = {
		...engineSurroundings(),
		credentialsHelper: credentialsHelper(
			ICredentialsHelper,
			new CrmWorkspaceApi(),
			(id) => credentials[id!],
		),
		hooks: new ExecutionLifecycleHooks('trigger', '1', stored as never),
		executionId: '1',
	};
	const data = createRunExecutionData({ executionData: { nodeExecutionStack: [entry] } });
	const running = new WorkflowExecute(surroundings, 'trigger', data);
	const { error } = (await running.processRunExecutionData(workflow)).data.resultData;
	if (error) throw error;
}
