import type { N8n, Workflow } from '../../playground/client.mts';
import { isSince } from '../../playground/installed.mts';
import { crmNode, node } from '../support/n8n/productionWorkflow.mts';
import type { ScriptedModel } from './scriptedModel.mts';

export interface AgentOptions {
	model: ScriptedModel;
	/** Of our node, which the model knows as the tool Send_email. */
	credential: string;
	parameters: object;
	/** What stands beside the parameters of the tool, such as `retryOnFail`. */
	settings?: object;
	/** Of the agent; the newest one by default. */
	version?: number;
}

/** The newest version of the agent: n8n calls its tools for it. */
export const newestAgent = isSince('2.0') ? 3.1 : 3;

/** The last version of the agent that calls its tools itself. */
export const oldAgent = 2.2;

/** The nodes 'Agent', 'Model' and 'Send email', and what connects the two to the agent. */
export async function agentNodes(
	n8n: N8n,
	{ model, credential, parameters, settings, version = newestAgent }: AgentOptions,
): Promise<Pick<Workflow, 'nodes' | 'connections'>> {
	const openAi = await n8n.createCredential('Model', 'openAiApi', {
		apiKey: 'none',
		url: model.url,
	});
	const chatModel = {
		model: { __rl: true, mode: 'id', value: 'scripted' },
		options: { maxRetries: 0 },
	};
	return {
		nodes: [
			node('Agent', '@n8n/n8n-nodes-langchain.agent', version, {
				promptType: 'define',
				text: 'Send what there is to be sent',
				options: {},
			}),
			node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, chatModel, {
				credentials: { openAiApi: { id: openAi, name: 'Model' } },
			}),
			crmTool(credential, parameters, settings),
		],
		connections: {
			Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
			...toolOf('Agent'),
		},
	};
}

/** Our node as a tool, named 'Send email'. */
export function crmTool(credential: string, parameters: object, settings: object = {}) {
	return {
		...crmNode('Send email', credential, parameters, settings),
		type: 'n8n-nodes-crm-workspace.crmWorkspaceTool',
	};
}

/** Connects 'Send email' to the node that calls it. */
export const toolOf = (name: string) => ({
	'Send email': { ai_tool: [[{ node: name, type: 'ai_tool', index: 0 }]] },
});

/** The tool's parameters: the model chooses the recipient. */
export const toWhomTheModelSays = {
	operation: 'sendTransactionalEmail',
	toolDescription: 'Sends a welcome email',
	to: "={{ $fromAI('to', 'recipient', 'string') }}",
	templateSlug: 'welcome',
};

/** The tool's parameters: the model chooses the recipient and the words, too. */
export const whatTheModelSays = {
	...toWhomTheModelSays,
	additionalFields: { subject: "={{ $fromAI('subject', 'subject', 'string') }}" },
};

/** A call of the tool. */
export const sendTo = (to: string, subject?: string) => ({
	name: 'Send_email',
	arguments: { to, ...(subject && { subject }) },
});
