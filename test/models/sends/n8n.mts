import '../../support/engine/throwAwayUserFolder.mts';
import './quiet.mts';
import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';

/**
 * n8n's engine, its *Loop Over Items* and the node as it is built: all of it loaded as n8n does,
 * as CommonJS, so that every part meets the same classes.
 */
const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, '../../..');

export const { ExecutionLifecycleHooks, WorkflowExecute } =
	require('n8n-core') as typeof import('n8n-core');

export const { createRunExecutionData, ICredentialsHelper, NodeOperationError, Workflow } =
	require('n8n-workflow') as typeof import('n8n-workflow');

export const crmWorkspace = make<INodeType>(
	join(root, 'dist/nodes/CrmWorkspace/CrmWorkspace.node.js'),
	'CrmWorkspace',
);

export const crmWorkspaceApi = make<ICredentialType>(
	join(root, 'dist/credentials/CrmWorkspaceApi.credentials.js'),
	'CrmWorkspaceApi',
);

export const loopOverItems = make<INodeType>(
	join(
		root,
		'.playground/n8n/node_modules/n8n-nodes-base/dist',
		'nodes/SplitInBatches/v3/SplitInBatchesV3.node.js',
	),
	'SplitInBatchesV3',
);

function make<T>(file: string, name: string): T {
	if (!existsSync(file)) throw new Error(`${file} is missing: npm run setup, npm run build`);
	return new (require(file)[name])();
}
