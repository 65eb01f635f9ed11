/**
 * Runs workflows in n8n's own engine. All tests that need the engine run their nodes here: `runNode`
 * runs one node in a workflow of its own, stories and the model of sends make workflows of several. What
 * has to be fast calls a node with the context of `bareRun.mts`, without n8n.
 */
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
	settings: { executionOrder?: 'v1'; timezone?: string };
	active: boolean;
}

/** One execution, to be run. */
export interface Execution {
	/** Undefined for what n8n runs outside of executions. */
	id?: string;
	mode: WorkflowExecuteMode;
	workflow: StoredWorkflow;
	data: IRunExecutionData;
	typeOf: (name: string) => INodeType;
	/** Gives a credential by its ID, each time that a node reads it. What it throws is n8n's own fault. */
	credential: (id: string | null) => ICredentialDataDecryptedObject;
	/** Told when it has ended or was stopped, which n8n does before it stores anything. */
	onEnd?: (data: IRunExecutionData) => void;
}

/** n8n's copy of an execution's data: through its database and back. */
export function throughDatabase<T>(data: T): T {
	return parse(stringify(data)) as T;
}

/** Begins an execution in n8n's engine. */
export function execute(execution: Execution): { done: Promise<IRun>; cancel: () => void } {
	const { workflow, additionalData } = surround(execution);
	const running = new WorkflowExecute(additionalData, execution.mode, execution.data);
	const promise = running.processRunExecutionData(workflow);
	return { done: Promise.resolve(promise), cancel: () => promise.cancel() };
}

/** The workflow as the engine holds it, the defaults of its nodes filled in, and all that is around it. */
export function surround({ id, mode, workflow, typeOf, credential, onEnd }: Execution): {
	workflow: Workflow;
	additionalData: IWorkflowExecuteAdditionalData;
} {
	const nodeTypes = { getByName: typeOf, getByNameAndVersion: typeOf, getKnownTypes: () => ({}) };
	const hooks = new ExecutionLifecycleHooks(mode, id ?? '', workflow as unknown as IWorkflowBase);
	if (onEnd) hooks.addHandler('workflowExecuteAfter', ({ data }) => onEnd(data));
	return {
		workflow: new Workflow({ ...workflow, nodeTypes }),
		additionalData: {
			...engineSurroundings(),
			credentialsHelper: credentialsHelper(ICredentialsHelper, crmWorkspaceApi, credential),
			hooks,
			executionId: id,
		},
	};
}
