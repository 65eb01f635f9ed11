import '../../support/engine/throwAwayUserFolder.mts';
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { built, nodeFile, root } from './built.mts';

/**
 * n8n's engine, its *Loop Over Items* and the node as it is built: all of it loaded as n8n does,
 * as CommonJS, so that every part meets the same classes.
 */
const require = createRequire(import.meta.url);

export const {
	CredentialTestContext,
	ExecutionLifecycleHooks,
	LoadOptionsContext,
	WorkflowExecute,
} = require('n8n-core') as typeof import('n8n-core');

export const {
	ApplicationError,
	BaseError,
	createRunExecutionData,
	ICredentialsHelper,
	NodeApiError,
	NodeOperationError,
	Workflow,
} = require('n8n-workflow') as typeof import('n8n-workflow');

type Class<T> = new () => T;

const { CrmWorkspace } = built<{ CrmWorkspace: Class<INodeType> }>(nodeFile);
export const crmWorkspace = new CrmWorkspace();

const { CrmWorkspaceApi } = built<{ CrmWorkspaceApi: Class<ICredentialType> }>(
	'credentials/CrmWorkspaceApi.credentials.js',
);
export const crmWorkspaceApi = new CrmWorkspaceApi();

const nodesBase = join(root, '.playground/n8n/node_modules/n8n-nodes-base/dist/nodes');
const { SplitInBatchesV3 } = require(
	join(nodesBase, 'SplitInBatches/v3/SplitInBatchesV3.node.js'),
) as { SplitInBatchesV3: Class<INodeType> };
export const loopOverItems = new SplitInBatchesV3();
