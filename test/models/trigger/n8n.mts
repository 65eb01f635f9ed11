import type {
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeType,
	IPollFunctions,
} from 'n8n-workflow';
import { CrmWorkspaceTrigger } from '../../../nodes/CrmWorkspace/CrmWorkspaceTrigger.node';
import { credential, helpersThatAsk } from '../harness/node.mts';
import type { Answer } from '../harness/service.mts';
import type { History } from './history.mts';
import type { Poll } from './knowledge.mts';

const node = new CrmWorkspaceTrigger() as unknown as INodeType;

const apiKey = 'sk_test_model';

/**
 * The part of n8n that keeps a trigger's state. By default the state lives on in memory and is stored
 * after the first poll of an activation and each poll with events; with durable cursors after each.
 */
export class N8n {
	settings!: History['settings'];
	/** The polls that have led to the state. */
	polls: readonly Poll[] = [];
	#memory: { state?: object } = {};
	#stored = { state: '{}', polls: this.polls };
	#context!: IPollFunctions;
	#isActivation = true;

	constructor(
		private readonly history: History,
		private readonly ask: (request: IHttpRequestOptions) => Promise<Answer>,
	) {
		this.choose(history.settings);
	}

	/** The user saves the workflow. */
	choose(settings: History['settings']): void {
		this.settings = settings;
		this.activate();
	}

	/** As n8n starts, or as the user saves the workflow: from what is stored. */
	activate(): void {
		this.#memory = JSON.parse(this.#stored.state) as object;
		this.polls = this.#stored.polls;
		this.#isActivation = true;
		this.#context = this.#createContext();
	}

	/** The state as the next poll finds it. */
	get state(): string {
		return JSON.stringify(this.#memory);
	}

	async poll(): Promise<INodeExecutionData[][] | null> {
		return await node.poll!.call(this.#context);
	}

	/** A poll has returned. @param isKilled whether n8n is killed before it stores anything */
	keep(poll: Poll, isKilled: boolean): void {
		this.polls = [...this.polls, poll];
		const stores = poll.emissions.length > 0 || this.#isActivation || this.history.isDurable;
		if (!isKilled && stores) this.#stored = { state: this.state, polls: this.polls };
		this.#isActivation = false;
		// With durable cursors each poll has a copy of what is stored.
		if (this.history.isDurable) this.#memory = JSON.parse(this.#stored.state) as object;
	}

	#createContext(): IPollFunctions {
		const { budget } = this.history;
		const context = {
			getNode: () => ({
				id: 'node1',
				name: 'CRM Workspace Trigger',
				type: 'n8n-nodes-crm-workspace.crmWorkspaceTrigger',
				parameters: this.#parameters,
				credentials: { crmWorkspaceApi: { id: 'credential1', name: 'CRM' } },
			}),
			getWorkflow: () => ({ id: 'workflow1', name: 'Workflow', active: true }),
			getWorkflowStaticData: () => this.#memory,
			getNodeParameter: (name: string, otherwise?: unknown) => this.#parameters[name] ?? otherwise,
			getCredentials: async () => ({ ...credential, apiKey }),
			getMode: () => 'trigger',
			getInstanceId: () => 'instance1',
			getPollBudgetMs: budget === undefined ? undefined : () => budget,
			helpers: helpersThatAsk(this.ask),
		};
		return context as unknown as IPollFunctions;
	}

	get #parameters(): IDataObject {
		const { events, limit } = this.settings;
		return { events, simplify: false, options: limit ? { maxEvents: limit } : {} };
	}
}
