import './throwAwayUserFolder.mts';
import './expressionEngine.mts';
import 'reflect-metadata';
import { parse, stringify } from 'flatted';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	ICredentialsHelper,
	Workflow,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type INode,
	type INodeType,
	type IRun,
	type IRunExecutionData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { CrmWorkspaceApi } from '../../../credentials/CrmWorkspaceApi.credentials';
import { engineSurroundings, credentialsHelper } from './surroundings.mts';

const crmWorkspaceApi = new CrmWorkspaceApi();

/** A workflow as n8n stores it. */
export interface StoredWorkflow {
	id: string;
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings: { executionOrder?: 'v1'; timezone: string };
	active: boolean;
}

/** One execution, to be run. */
export interface Execution {
	id: string;
	mode: WorkflowExecuteMode;
	workflow: StoredWorkflow;
	data: IRunExecutionData;
	typeOf: (name: string) => INodeType;
	/** Gives a credential by its ID. */
	credential: (id: string | null) => ICredentialDataDecryptedObject;
	/** Told of each node that begins and ends. */
	onNode?: (event: 'started' | 'finished', name: string) => void;
}

/** n8n's copy of an execution's data: through its database and back. */
export function throughDatabase<T>(data: T): T {
	return parse(stringify(data)) as T;
}

/** A workflow as the engine holds it, with the defaults of its nodes filled in. */
function instanceOf(workflow: StoredWorkflow, typeOf: Execution['typeOf']) {
	const nodeTypes = { getByName: typeOf, getByNameAndVersion: typeOf, getKnownTypes: () => ({}) };
	return new Workflow({ ...workflow, nodeTypes });
}

/** Begins an execution in n8n's engine. */
export function execute(execution: Execution): { done: Promise<IRun>; cancel: () => void } {
	const { mode, workflow, data, typeOf } = execution;
	const running = new WorkflowExecute(additionalData(execution), mode, data);
	const promise = running.processRunExecutionData(instanceOf(workflow, typeOf));
	return { done: Promise.resolve(promise), cancel: () => promise.cancel() };
}

function additionalData({
	id,
	mode,
	workflow,
	credential,
	onNode,
}: Execution): IWorkflowExecuteAdditionalData {
	const hooks = new ExecutionLifecycleHooks(mode, id, workflow as unknown as IWorkflowBase);
	hooks.addHandler('nodeExecuteBefore', (name) => onNode?.('started', name));
	hooks.addHandler('nodeExecuteAfter', (name) => onNode?.('finished', name));
	return {
		...engineSurroundings(),
		credentialsHelper: credentialsHelper(ICredentialsHelper, crmWorkspaceApi, credential),
		hooks,
		executionId: id,
	};
}
