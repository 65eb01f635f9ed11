import { type N8n, until, type Workflow } from '../../playground/client.mts';
import { isSince, loadFromN8n } from '../../playground/installed.mts';
import { crmNode, node } from '../support/n8n/productionWorkflow.mts';
import type { ScriptedModel } from './scriptedModel.mts';

interface AgentOptions {
	model: ScriptedModel;
	/** Named 'Send email', which the model knows as the tool Send_email. */
	tool: Workflow['nodes'][number];
	/** Of the agent; the newest one by default. */
	version?: number;
	/** What stands beside the parameters of the agent, such as `retryOnFail`. */
	settings?: object;
	/** What the agent asks the model. */
	text?: string;
}

/** The last version of the agent that calls its tools itself. */
export const oldAgent = isSince('1.98') ? 2.2 : 1.8;

/** The newest version of the agent: from 3 on, n8n calls its tools for it. */
const newestAgent = isSince('2.0') ? 3.1 : isSince('1.116') ? 3 : oldAgent;

export const agents = [...new Set([oldAgent, newestAgent])];

/** The nodes 'Agent', 'Model' and 'Send email', and what connects the two to the agent. */
export async function agentNodes(
	n8n: N8n,
	{ model, tool, settings, version = newestAgent, text = 'Send' }: AgentOptions,
): Promise<Pick<Workflow, 'nodes' | 'connections'>> {
	const openAi = await n8n.createCredential('Model', 'openAiApi', {
		apiKey: 'none',
		url: model.url,
	});
	const chatModel = {
		// An expression: n8n compares a text with a pattern, and on a busy machine refuses to publish.
		model: { __rl: true, mode: 'id', value: "={{ 'scripted' }}" },
		options: { maxRetries: 0 },
	};
	const prompt = { promptType: 'define', text, options: {} };
	return {
		nodes: [
			node('Agent', '@n8n/n8n-nodes-langchain.agent', version, prompt, settings),
			node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, chatModel, {
				credentials: { openAiApi: { id: openAi, name: 'Model' } },
			}),
			tool,
		],
		connections: {
			Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
			...toolOf('Agent'),
		},
	};
}

/** Before n8n 2, a tool that fails ends the execution of an agent 3, unless it continues. */
const continuing = newestAgent === 3 ? { onError: 'continueRegularOutput' } : {};

/** Our node as a tool, named 'Send email'. */
export function crmTool(credential: string, parameters: object, settings: object = {}) {
	return {
		...crmNode('Send email', credential, parameters, { ...continuing, ...settings }),
		type: 'n8n-nodes-crm-workspace.crmWorkspaceTool',
	};
}

/** Connects 'Send email' to the node that calls it. */
export const toolOf = (name: string) => ({
	'Send email': { ai_tool: [[{ node: name, type: 'ai_tool', index: 0 }]] },
});

/** An MCP Server Trigger that offers the tool, once it's active, and a client of it. */
export async function connectMcp(n8n: N8n, tool: AgentOptions['tool']): Promise<any> {
	const path = crypto.randomUUID();
	const workflow = await n8n.createWorkflow({
		name: path,
		nodes: [
			node('MCP', '@n8n/n8n-nodes-langchain.mcpTrigger', 2, { path }, { webhookId: path }),
			tool,
		],
		connections: toolOf('MCP'),
		settings: { executionOrder: 'v1' },
	});
	await n8n.activate(workflow);
	const { Client } = loadFromN8n('@modelcontextprotocol/sdk/client/index.js');
	const http = loadFromN8n('@modelcontextprotocol/sdk/client/streamableHttp.js');
	return await until('the MCP server', async () => {
		const client = new Client({ name: 'test', version: '1' });
		const transport = new http.StreamableHTTPClientTransport(new URL(`${n8n.url}/mcp/${path}`));
		return await client.connect(transport).then(
			() => client,
			() => undefined,
		);
	});
}

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
