import { request } from 'undici';
import type { N8n } from '../../../playground/client.mts';
import { toWhomTheModelSays } from './agents.mts';
import type { ScriptedModel } from './scriptedModel.mts';

/** The environment of an n8n instance that has the agents module. */
export const withAgentsModule = { N8N_ENABLED_MODULES: 'agents' };

/** What became of a tool call. */
export interface ToolOutcome {
	toolName: string;
	isError: boolean;
	output: unknown;
}

/**
 * Makes an agent of n8n's agents module, which needs no workflow, with our node as its tool, and
 * says something to it.
 * @param credential of our node
 * @returns what became of the tool calls that the model asked for
 */
export async function talkToAgent(
	n8n: N8n,
	model: ScriptedModel,
	credential: string,
): Promise<ToolOutcome[]> {
	const openAi = await n8n.createCredential('Model', 'openAiApi', {
		apiKey: 'none',
		url: model.url,
	});
	const project = await n8n.call('GET', '/rest/projects/personal');
	const agents = `/rest/projects/${project.id}/agents/v2`;
	const name = 'Sender';
	const { id } = await n8n.call('POST', agents, {
		name,
		schema: {
			name,
			model: 'openai/scripted',
			credential: openAi,
			instructions: 'Send what there is to be sent',
			tools: [
				{
					type: 'node',
					name: 'Send email',
					node: {
						nodeType: 'n8n-nodes-crm-workspace.crmWorkspaceTool',
						nodeTypeVersion: 1,
						nodeParameters: toWhomTheModelSays,
						credentials: { crmWorkspaceApi: { id: credential, name: 'any' } },
					},
				},
			],
		},
	});
	const answer = await request(`${n8n.url}${agents}/${id}/chat`, {
		method: 'POST',
		headers: { cookie: n8n.cookie, 'content-type': 'application/json' },
		body: JSON.stringify({ message: 'Go' }),
	});
	const events = (await answer.body.text())
		.split('\n')
		.filter((line) => line.startsWith('data:'))
		.map((line) => JSON.parse(line.slice('data:'.length)));
	return events
		.filter(({ type }) => type === 'tool-result')
		.map(({ toolName, isError = false, output }) => ({ toolName, isError, output }));
}
