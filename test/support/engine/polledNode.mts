import './throwAwayUserFolder.mts';
import 'reflect-metadata';
import { PollContext } from 'n8n-core';
import {
	ICredentialsHelper,
	Workflow,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeType,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { CrmWorkspaceApi } from '../../../credentials/CrmWorkspaceApi.credentials';
import { CrmWorkspaceTrigger } from '../../../nodes/CrmWorkspace/CrmWorkspaceTrigger.node';
import type { CrmWorkspaceCredential } from '../../../nodes/CrmWorkspace/n8n/credential';
import { credentialsHelper, engineSurroundings } from './surroundings.mts';

/** A trigger that n8n's own engine polls. */
export interface PolledNode {
	parameters: INodeParameters;
	credential: Partial<CrmWorkspaceCredential>;
	workflowId?: string;
	/** The node's name. */
	name?: string;
	/** What n8n has stored of earlier polls. */
	stored?: IDataObject;
	/** How long a poll may take, in ms; n8n's own bound by default. */
	budget?: number;
}

/** One item of a poll. */
export interface PolledEvent {
	event: string;
	key: string;
	eventTime?: string;
	record: IDataObject;
	changedFields?: string[];
}

const nodeType = new CrmWorkspaceTrigger() as unknown as INodeType;
const credentialType = new CrmWorkspaceApi();

/** An active workflow's trigger, from its activation on. */
export class Polled {
	readonly #workflow: Workflow;
	readonly #context: (mode: WorkflowExecuteMode) => PollContext;
	readonly #contexts = new Map<string, PollContext>();

	constructor(given: PolledNode) {
		const node = nodeOf(given);
		const workflowData = {
			id: given.workflowId ?? 'workflow',
			name: 'Workflow',
			nodes: [node],
			connections: {},
			active: true,
			settings: {},
		} as unknown as IWorkflowBase;
		const nodeTypes = {
			getByName: () => nodeType,
			getByNameAndVersion: () => nodeType,
			getKnownTypes: () => ({}),
		};
		const staticData = given.stored && structuredClone(given.stored);
		this.#workflow = new Workflow({ ...workflowData, staticData, nodeTypes });
		const data = surroundings(given);
		this.#context = (mode) => {
			const context = new PollContext(this.#workflow, node, data, mode, 'activate');
			const { budget } = given;
			if (budget !== undefined) Object.assign(context, { getPollBudgetMs: () => budget });
			return context;
		};
	}

	/** One poll. @returns the items of its only output; none when n8n starts nothing */
	async poll(mode: WorkflowExecuteMode = 'trigger'): Promise<PolledEvent[]> {
		// n8n makes one context for all polls of a workflow that is active.
		const context = this.#contexts.get(mode) ?? this.#context(mode);
		this.#contexts.set(mode, context);
		const outputs = await nodeType.poll!.call(context);
		if (outputs?.length === 0 || outputs?.[0].length === 0) throw new Error('an empty execution');
		return (outputs?.[0] ?? []).map(({ json }) => json as unknown as PolledEvent);
	}

	/** What n8n would store now: the same object goes on being used. */
	stored(): IDataObject {
		return JSON.parse(JSON.stringify(this.#workflow.staticData)) as IDataObject;
	}
}

function nodeOf(given: PolledNode): INode {
	const { parameters, name = 'CRM Workspace Trigger' } = given;
	return {
		id: '22222222-2222-4222-8222-222222222222',
		name,
		type: 'n8n-nodes-crm-workspace.crmWorkspaceTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: { events: ['contactCreated'], simplify: false, options: {}, ...parameters },
		credentials: { crmWorkspaceApi: { id: '1', name: 'CRM Workspace' } },
	};
}

function surroundings({ credential }: PolledNode): IWorkflowExecuteAdditionalData {
	const data = { mode: 'test', authHeader: 'authorization', requestsPerMinute: 60, ...credential };
	return {
		...engineSurroundings(),
		credentialsHelper: credentialsHelper(
			ICredentialsHelper,
			credentialType,
			() => data as unknown as ICredentialDataDecryptedObject,
		),
	};
}
