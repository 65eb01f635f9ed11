import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { crmTool, sendTo, toolOf, toWhomTheModelSays } from '../support/n8n/agents.mts';
import { connectMcp } from '../support/n8n/mcpClient.mts';
import { playground } from '../support/n8n/playground.mts';
import { node } from '../support/n8n/productionWorkflow.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox/sandbox.mts';
import { delivered, orders } from '../support/n8n/sending.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(() => sandbox.stop());

test('as a tool of the MCP Server Trigger, each call sends its message', async () => {
	const service = { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey };
	const credential = await createCredential(n8n, service, 'Exactly once: MCP');
	const path = crypto.randomUUID();
	const workflow = await n8n.createWorkflow({
		name: path,
		nodes: [
			node('MCP', '@n8n/n8n-nodes-langchain.mcpTrigger', 2, { path }, { webhookId: path }),
			crmTool(credential, toWhomTheModelSays),
		],
		connections: toolOf('MCP'),
		settings: orders.v1,
	});
	await n8n.activate(workflow);
	const client = await until('the MCP server', 15, async () => {
		return await connectMcp(`${n8n.url}/mcp/${path}`).catch(() => undefined);
	});

	const { name, arguments: given } = sendTo('someone@example.com');
	expect(await client.tools()).toEqual([name]);
	const results = [await client.callTool(name, given), await client.callTool(name, given)];
	expect(results.map(({ content }) => content[0].text)).toEqual([
		expect.stringContaining('"to":"someone@example.com"'),
		expect.stringContaining('"to":"someone@example.com"'),
	]);
	expect(results.map(({ isError = false }) => isError)).toEqual([false, false]);
	expect(await delivered(sandbox)).toEqual({ 'someone@example.com': 2 });
});
