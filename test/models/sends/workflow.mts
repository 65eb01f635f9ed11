import type { INode, INodeParameters } from 'n8n-workflow';
import type { StoredWorkflow } from '../../support/engine/execution.mts';
import type { History, Options } from './history.mts';
import type { Given } from './nodes.mts';

/** What edits may change of the workflow. */
export interface Shaping {
	/** Of the send node. */
	name: string;
	/** How often its credential was created again. */
	renewals: number;
	/** By row. */
	corrections: Record<string, Partial<Given>>;
	options: Options;
}

/** The workflow that is started, as its user sees it now. */
export function mainWorkflow(history: History, shaping: Shaping): StoredWorkflow {
	const { batch, shape, settings } = history;
	const draft = new Draft('main');
	draft.then('Start', 'start');
	draft.then('Rows', 'rows');
	if (batch > 0) draft.then('Loop', 'loop', { parameters: { batchSize: batch, options: {} } });
	if (shape === 'rows') addSendNode(draft, history, shaping);
	if (shape === 'sub') draft.then('Call', 'call');
	if (shape === 'agent') {
		draft.then('Agent', 'agent', retries(settings));
		draft.add(shaping.name, 'sendTool', sendNode(history, shaping));
		draft.connect(shaping.name, 'Agent', 'ai_tool');
	}
	if (shape === 'agent3') {
		draft.then('Agent', 'agent3');
		const { onError } = settings;
		const tool = { ...sendNode(history, shaping), ...retries(settings) };
		// Without a choice, the agent continues after a failed call.
		draft.add(shaping.name, 'sendTool', onError === 'stopWorkflow' ? { ...tool, onError } : tool);
		draft.connect(shaping.name, 'Agent', 'ai_tool');
	}
	draft.then('Other', 'other');
	if (batch > 0) draft.connect('Other', 'Loop');
	return draft.workflow;
}

/** The workflow that is called. */
export function subWorkflow(history: History, shaping: Shaping): StoredWorkflow {
	const draft = new Draft('sub');
	draft.then('Begin', 'start');
	addSendNode(draft, history, shaping);
	return draft.workflow;
}

function addSendNode(draft: Draft, history: History, shaping: Shaping): void {
	const { settings } = history;
	const { name } = shaping;
	const { onError } = settings;
	draft.then(name, 'send', { ...sendNode(history, shaping), ...retries(settings), onError });
	const { errorPath } = settings;
	if (errorPath === 'none') return;
	const isFallback = errorPath === 'fallback';
	draft.add('Other way', isFallback ? 'toFallback' : 'back');
	draft.connect(name, 'Other way', 'main', 1);
	if (isFallback) draft.add('Fallback', 'send', { ...sendNode(history, shaping), id: 'fallback' });
	draft.connect('Other way', isFallback ? 'Fallback' : name);
}

function sendNode({ settings }: History, shaping: Shaping): Partial<INode> {
	const { options, corrections, renewals } = shaping;
	const parameters: INodeParameters = {
		...{ operation: 'sendTransactionalEmail', content: 'html', variablesInput: 'json' },
		// n8n refuses required parameters without a value; the model gives them their values.
		...{ to: 'to', subject: 'Subject', html: 'HTML' },
		...(settings.hasCustomKeys && { idempotency: 'custom', idempotencyKey: 'key' }),
		options: { concurrency: settings.concurrency, ...options },
		corrections: JSON.stringify(corrections),
		// By which n8n knows the arguments of a tool.
		call: "={{ $fromAI('given', '', 'string') }}",
	};
	const crmWorkspaceApi = { id: `credential-${renewals}`, name: 'CRM Workspace' };
	return { id: 'send', parameters, credentials: { crmWorkspaceApi } };
}

const retries = ({ maxTries }: History['settings']): Partial<INode> =>
	maxTries > 1 ? { retryOnFail: true, maxTries, waitBetweenTries: 1000 } : {};

/** A workflow in the making. */
class Draft {
	readonly workflow: StoredWorkflow;
	#last?: string;

	constructor(id: string) {
		// Any other zone makes the engine slower.
		const settings = { executionOrder: 'v1' as const, timezone: 'UTC' };
		this.workflow = { id, name: id, nodes: [], connections: {}, settings, active: false };
	}

	add(name: string, type: string, extra: Partial<INode> = {}): void {
		const typeVersion = type === 'loop' ? 3 : 1;
		const node: INode = {
			id: `id-of-${name}`,
			name,
			type,
			typeVersion,
			position: [0, 0],
			parameters: {},
		};
		this.workflow.nodes.push({ ...node, ...extra });
	}

	/** Adds a node after the last one. */
	then(name: string, type: string, extra?: Partial<INode>): void {
		this.add(name, type, extra);
		if (this.#last) this.connect(this.#last, name, 'main', this.#last === 'Loop' ? 1 : 0);
		this.#last = name;
	}

	connect(from: string, to: string, type: 'main' | 'ai_tool' = 'main', output = 0): void {
		const outputs = ((this.workflow.connections[from] ??= {})[type] ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]!.push({ node: to, type, index: 0 });
	}
}
