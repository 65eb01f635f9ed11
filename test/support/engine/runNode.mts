/** Runs one node in n8n's engine, in a workflow of two: 'Source', which has run, and the node. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExecuteContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteData,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRunData,
	IRunExecutionData,
	ITaskData,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { CrmWorkspace } from '../../../nodes/CrmWorkspace/CrmWorkspace.node';
import type { CrmWorkspaceCredential } from '../../../nodes/CrmWorkspace/n8n/credential';
import { execute, surround, throughDatabase, type Execution } from './execution.mts';
import { expectPlainWords } from './wordsOfErrors.mts';

/** One run of the node inside n8n's own engine. */
export interface NodeRun {
	parameters: INodeParameters;
	credential: Partial<CrmWorkspaceCredential>;
	/** Another node that runs in its place, with its credential. */
	type?: INodeType;
	/** Called before each time n8n reads the credential; what it throws is n8n's own fault. */
	onCredentialRead?: () => void;
	/** The json of the input items; one empty item by default. */
	items?: IDataObject[];
	/** The files of the input items, in their order; none by default. */
	binary?: Array<INodeExecutionData['binary']>;
	/** What each input item descends from; from the item before it in the same place by default. */
	pairing?: (index: number) => INodeExecutionData['pairedItem'];
	/** Settings of the node, such as onError or retryOnFail. */
	settings?: Partial<INode>;
	/** Which of its outputs leads back to its input; none by default. */
	loopedBack?: number;
	executionId?: string;
	/** What began the execution; a webhook by default. */
	mode?: WorkflowExecuteMode;
	/** Ends the run like n8n's Stop button when aborted. */
	stop?: AbortSignal;
	/** Makes this run what the Retry button makes of a failed one, with the current workflow. */
	retryOf?: NodeResult;
}

/** What n8n holds after the run. */
export interface NodeResult {
	/** The items of each output; empty when the run failed. */
	outputs: INodeExecutionData[][];
	/** The json of the first output's items. */
	json: IDataObject[];
	/** The error that ended the run. */
	error?: Error & {
		description?: string | null;
		httpCode?: string | null;
		context?: IDataObject;
	};
	hints: NodeExecutionHint[];
	/** Everything that n8n would store of the execution: as it is soon after it was stopped, if it was. */
	data: IRunExecutionData;
}

const source = 'Source';
const subject = 'CRM Workspace';

/** When the first node began, in ms since 1970. */
const firstStart = Date.UTC(2026, 0, 1);

const nodeType = new CrmWorkspace() as INodeType;

/** Runs the node in a workflow of its own and waits for the end. */
export async function runNode(run: NodeRun): Promise<NodeResult> {
	const { executionId = '1', mode = 'webhook', stop, retryOf } = run;
	const execution = executionOf(run);
	const [, node] = execution.workflow.nodes;
	let stored: Promise<IRunExecutionData> | undefined;
	const { done, cancel } = execute({
		...execution,
		id: executionId,
		mode: retryOf ? 'retry' : mode,
		data: retryOf ? retried(retryOf.data, node) : begun(node, run),
		// n8n asks its database something first.
		onEnd: stop && ((data) => void (stored ??= nextTurn().then(() => throughDatabase(data)))),
	});
	stop?.addEventListener('abort', cancel);
	const { data } = await done;
	return resultOf(data, stop?.aborted ? await stored : data);
}

/**
 * Runs the node outside of any execution, with neither an ID nor memory, as n8n's agents module
 * does.
 * @returns the json of its output
 * @throws what the node throws
 */
export async function runOutsideExecutions(run: NodeRun): Promise<IDataObject[]> {
	const execution = executionOf(run);
	const { workflow, additionalData } = surround(execution);
	const node = workflow.getNode(subject)!;
	const items = (run.items ?? [{}]).map((json) => ({ json }));
	const input = { main: [items] };
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData,
		execution.mode,
		execution.data,
		0,
		items,
		input,
		{ node, data: input, source: null },
		[],
	);
	const outputs = (await nodeType.execute!.call(context)) as INodeExecutionData[][];
	return outputs[0].map(({ json }) => json);
}

/** An execution of the node, outside of any and with no data until it has both. */
function executionOf(run: NodeRun): Execution {
	const { parameters, settings, loopedBack, type = nodeType, onCredentialRead } = run;
	const node: INode = {
		id: '11111111-1111-4111-8111-111111111111',
		name: subject,
		type: 'n8n-nodes-crm-workspace.crmWorkspace',
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { crmWorkspaceApi: { id: '1', name: 'CRM Workspace' } },
		...settings,
	};
	const toSubject = [{ node: subject, type: 'main' as const, index: 0 }];
	const back = loopedBack === undefined ? [] : [...Array(loopedBack).fill([]), toSubject];
	const usual = { mode: 'test', authHeader: 'authorization', requestsPerMinute: 60 };
	return {
		mode: 'internal',
		workflow: {
			id: 'workflow',
			name: 'Workflow',
			nodes: [{ ...node, id: 'source', name: source, parameters: {}, credentials: {} }, node],
			connections: { [source]: { main: [toSubject] }, [subject]: { main: back } },
			active: false,
			settings: {},
		},
		data: dataOf({}, []),
		typeOf: () => type,
		credential: () => {
			onCredentialRead?.();
			return { ...usual, ...run.credential } as unknown as ICredentialDataDecryptedObject;
		},
	};
}

function begun(
	node: INode,
	{ items = [{}], binary = [], pairing = (item) => ({ item }) }: NodeRun,
): IRunExecutionData {
	const paired = items.map((json, index) => ({
		...{ json, binary: binary[index], pairedItem: pairing(index) },
	}));
	const data = { main: [paired] };
	const run: ITaskData = {
		startTime: firstStart,
		executionTime: 0,
		executionIndex: 0,
		executionStatus: 'success',
		source: [],
		data,
	};
	const entry = { node, data, source: { main: [{ previousNode: source }] } };
	return dataOf({ [source]: [run] }, [entry]);
}

/** n8n's own function for it is younger than the oldest n8n. */
function dataOf(runData: IRunData, nodeExecutionStack: IExecuteData[]): IRunExecutionData {
	return {
		version: 1,
		startData: {},
		resultData: { runData },
		executionData: {
			contextData: {},
			nodeExecutionStack,
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
		},
	} as unknown as IRunExecutionData;
}

/** n8n retries with what the failed execution left, its failed run taken out, the node as it is now. */
function retried(failed: IRunExecutionData, node: INode): IRunExecutionData {
	const data = throughDatabase(failed);
	delete data.resultData.error;
	data.resultData.runData[subject]?.pop();
	for (const entry of data.executionData!.nodeExecutionStack) entry.node = node;
	return data;
}

/** What a retry starts from when the node before it has failed: it is resumed, and has run again. */
export function failedBefore(run: NodeRun): NodeResult {
	const data = begun(executionOf(run).workflow.nodes[1], run);
	Object.assign(data.executionData!, {
		runtimeData: { version: 1, establishedAt: firstStart, source: 'webhook' },
	});
	return resultOf(data);
}

/**
 * What a retry starts from when n8n was killed in a run: the node's run was noted when n8n was
 * started again, if it had begun, and the node before it has run again.
 */
export function killed(run: NodeRun, hadBegun: boolean): NodeResult {
	const data = begun(executionOf(run).workflow.nodes[1], run);
	const { runData } = data.resultData;
	const noted = { startTime: 1, executionTime: 0, executionIndex: 0, source: [] };
	const item = { json: { isArtificialRecoveredEventItem: true } };
	runData[source].unshift({ ...noted, executionStatus: 'success', data: { main: [[item]] } });
	if (hadBegun) runData[subject] = [{ ...noted, executionStatus: 'crashed' }];
	return resultOf(data);
}

function resultOf(data: IRunExecutionData, stored = data): NodeResult {
	const task = data.resultData.runData[subject]?.at(-1);
	const outputs = (task?.data?.main ?? []).map((items) => items ?? []);
	const { error } = data.resultData;
	if (error) expectPlainWords(error);
	return {
		outputs,
		json: (outputs[0] ?? []).map(({ json }) => json),
		error: error as NodeResult['error'],
		hints: task?.hints ?? [],
		data: stored,
	};
}
