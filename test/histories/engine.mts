import { parse, stringify } from 'flatted';
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeType,
	IRun,
	IRunExecutionData,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import {
	crmWorkspaceApi,
	ExecutionLifecycleHooks,
	ICredentialsHelper,
	Workflow,
	WorkflowExecute,
} from './n8n.mts';
import type { StoredWorkflow } from './workflow.mts';

/** One execution, to be run. */
export interface Execution {
	id: string;
	mode: WorkflowExecuteMode;
	workflow: StoredWorkflow;
	data: IRunExecutionData;
	typeOf: (name: string) => INodeType;
	credential: ICredentialDataDecryptedObject;
	/** Told of each node that begins and ends. */
	onNode?: (event: 'started' | 'finished', name: string) => void;
}

/** n8n's copy of an execution's data: through its database and back. */
export function throughDatabase<T>(data: T): T {
	return parse(stringify(data)) as T;
}

/** A workflow as the engine holds it, with the defaults of its nodes filled in. */
export function instanceOf(workflow: StoredWorkflow, typeOf: Execution['typeOf']) {
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
	const url = 'http://127.0.0.1/';
	const hooks = new ExecutionLifecycleHooks(mode, id, workflow as unknown as IWorkflowBase);
	hooks.addHandler('nodeExecuteBefore', (name) => onNode?.('started', name));
	hooks.addHandler('nodeExecuteAfter', (name) => onNode?.('finished', name));
	return {
		credentialsHelper: new OneCredential(credential),
		hooks,
		executionId: id,
		currentNodeExecutionIndex: 0,
		variables: {},
		restApiUrl: url,
		instanceBaseUrl: url,
		formBaseUrl: url,
		formWaitingBaseUrl: url,
		formTestBaseUrl: url,
		webhookBaseUrl: url,
		webhookWaitingBaseUrl: `${url}webhook-waiting`,
		webhookTestBaseUrl: url,
		mcpBaseUrl: url,
		mcpTestBaseUrl: url,
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
		logAiEvent: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}

class OneCredential extends ICredentialsHelper {
	readonly #data: ICredentialDataDecryptedObject;
	constructor(data: ICredentialDataDecryptedObject) {
		super();
		this.#data = data;
	}
	getParentTypes = () => [];
	isCredentialUsableByNode = () => true;
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		options: IHttpRequestOptions,
	) => await (crmWorkspaceApi.authenticate as Function)(credentials, options);
	preAuthentication = async () => undefined;
	runPreAuthentication = async () => undefined;
	getDecrypted = async () => this.#data;
	getCredentialsProperties = () => crmWorkspaceApi.properties;
	getCredentials = notNeeded;
	updateCredentials = notNeeded;
	updateCredentialsOauthTokenData = notNeeded;
}

async function notNeeded(): Promise<never> {
	throw new Error('Nothing here needs this');
}
