import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { isSince } from '../../playground/installed.mts';
import {
	agentNodes,
	agents,
	connectMcp,
	crmTool,
	oldAgent,
	sendTo,
	toolOf,
	toWhomTheModelSays,
	whatTheModelSays,
} from './agentNodes.mts';
import { testSince } from '../support/n8n/testSince.mts';
import { playground } from '../support/n8n/playground.mts';
import { chain, loop, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { prompt, type ScriptedModel, startScriptedModel, type ToolCall } from './scriptedModel.mts';
import { delivered, items, onceEach, people, retryOnFail } from '../support/n8n/sending.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let credential: string;
let model: ScriptedModel | undefined;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	credential = await createCredential(n8n, unpaced(sandbox), 'Agents');
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.control('POST', '/reset'));
afterEach(async () => await model?.stop());

interface Given {
	version?: number;
	/** Of the tool 'Send email'. */
	parameters?: object;
	settings?: object;
	/** The parameters of further tools by their names. */
	tools?: Record<string, object>;
}

/** An agent whose model asks for these calls. */
async function agent(
	steps: ToolCall[][],
	{ version, parameters = toWhomTheModelSays, settings, tools = {} }: Given = {},
): Promise<ProductionWorkflow> {
	model = await startScriptedModel(...steps);
	const tool = crmTool(credential, parameters, settings);
	const own = await agentNodes(n8n, { model, tool, version });
	const further = Object.entries(tools).map(([name, given]) => ({
		...crmTool(credential, given),
		...{ id: name, name },
	}));
	const connections = further.map(({ name }) => [name, toolOf('Agent')['Send email']]);
	return await ProductionWorkflow.activate(n8n, [...own.nodes, ...further], {
		...own.connections,
		...Object.fromEntries(connections),
	});
}

test('an agent lists, updates and sends as its model asks', async () => {
	const email = 'grace.hopper@example.com';
	const says = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
	const selected = { output: 'selected', outputFields: says('fields') };
	const filters = { email: says('email') };
	const list = { operation: 'list', returnAll: true, filters, ...selected };
	const update = {
		operation: 'updateContact',
		contact: { __rl: true, mode: 'email', value: says('email') },
		fields: { mappingMode: 'defineBelow', value: { jobTitle: says('title') } },
	};
	const workflow = await agent(
		[
			[{ name: 'List_contacts', arguments: { email, fields: 'first name' } }],
			[{ name: 'List_contacts', arguments: { email, fields: 'email, jobTitle' } }],
			[{ name: 'Update_contact', arguments: { email, title: 'Admiral' } }],
			[sendTo(email)],
		],
		{ tools: { 'List contacts': list, 'Update contact': update } },
	);
	const execution = await workflow.run();
	expect(execution.status).toBe('success');
	const listed = JSON.stringify(execution.data.resultData.runData['List contacts']);
	expect(listed).toContain('Rear Admiral');
	// Older ones show no parameters to tools alone, so tools return all fields.
	const hasOutput = isSince('1.88');
	expect(listed.includes("“first name”, which isn't a field")).toBe(hasOutput);
	expect(listed.includes('Hopper')).toBe(!hasOutput);
	const { data } = await sandbox.control('GET', '/contacts');
	expect(data.filter((one: any) => one.email === email)).toMatchObject([{ jobTitle: 'Admiral' }]);
	expect(await delivered(sandbox)).toEqual({ [email]: 1 });
});

const [{ to: first }, { to: second }] = people(2);

describe.each(agents)('AI Agent %d', (version) => {
	const says = { version, parameters: whatTheModelSays };

	test('sends one message for equal calls, and a retry of the execution sends nothing twice', async () => {
		const calls = [sendTo(first, 'A'), sendTo(second, 'A'), sendTo(first, 'A'), sendTo(first, 'B')];
		const workflow = await agent([calls], says);
		model!.failing = [1];
		const failed = await workflow.run();
		expect(failed.status).toBe('error');
		expect(await delivered(sandbox)).toEqual({ [first]: 2, [second]: 1 });

		expect((await n8n.retry(failed.id, 'original')).status).toBe('success');
		expect(await delivered(sandbox)).toEqual({ [first]: 2, [second]: 1 });
	});

	// In n8n 1, AI Agent 3 fails with its tool.
	const isStopped = version > oldAgent && !isSince('2.0');
	test.each([...(isStopped ? [] : [undefined]), 'continueRegularOutput'])(
		'the model reads all that an error says, and nothing but its call (On Error: %s)',
		async (onError) => {
			const workflow = await agent([[sendTo('nobody@', 'A')]], { ...says, settings: { onError } });
			expect((await workflow.run()).status).toBe('success');
			const [result] = model!.results;
			expect(result).toContain(
				"'To' isn't an email address: “nobody@”. Nothing was sent for this item",
			);
			expect(result).not.toContain('headers');
		},
	);

	test('sends in each turn of a loop what the model asks for in it', async () => {
		const list = people(3);
		model = await startScriptedModel([sendTo(prompt)]);
		const tool = crmTool(credential, toWhomTheModelSays);
		const text = '={{ $json.to }}';
		const { nodes, connections } = await agentNodes(n8n, { model, tool, version, text });
		const turns = loop('Agent');
		const workflow = await ProductionWorkflow.activate(
			n8n,
			[items(list), ...turns.nodes, ...nodes],
			{ ...connections, ...chain('Items', 'Loop'), ...turns.connections },
		);
		expect((await workflow.run()).status).toBe('success');
		expect(await delivered(sandbox)).toEqual(onceEach(list));
	});

	test.each([
		['a lost response', 'dropAfter', 'Your order'],
		['an outage', 'dropBefore', 'About your order'],
	])('makes a call again in other words after %s: one message', async (_what, kind, sent) => {
		const steps = ['Your order', 'About your order'].map((subject) => [sendTo(first, subject)]);
		const workflow = await agent(steps, says);
		await sandbox.control('POST', '/faults', { kind, next: 5 });
		expect((await workflow.run()).status).toBe('success');
		const { data } = await sandbox.control('GET', '/inbox');
		expect(data.map(({ subject }: any) => subject)).toEqual([sent]);
	});
});

testSince('2.0', 'has no agent 3.1')(
	'an agent that a tool stopped goes on with that tool, and sends what is missing',
	async () => {
		const [{ to: third }] = people(1, 'third');
		const workflow = await agent([[sendTo(first), sendTo(second), sendTo(third)]], {
			settings: { onError: 'stopWorkflow' },
		});
		const rejected = { kind: 'status', status: 422, match: `"${second}`, next: 1 };
		await sandbox.control('POST', '/faults', rejected);
		const failed = await workflow.run();
		expect(failed.status).toBe('error');
		expect(await delivered(sandbox)).toEqual({ [first]: 1 });

		const retried = await n8n.retry(failed.id, 'original');
		expect(await delivered(sandbox)).toEqual({ [first]: 1, [second]: 1, [third]: 1 });
		expect(retried.status).toBe('success');
	},
);

testSince('1.105', 'has no MCP Server Trigger of this version')(
	"each call of an MCP client sends its message, and one that 'Retry On Fail' tries again sends it once",
	async () => {
		const client = await connectMcp(n8n, crmTool(credential, toWhomTheModelSays, retryOnFail));
		const call = sendTo(first);
		expect((await client.listTools()).tools).toMatchObject([{ name: call.name }]);
		const textOf = async () => (await client.callTool(call)).content[0].text;
		for (const _call of [1, 2]) {
			// The node makes five attempts, so this is one try of n8n's.
			await sandbox.control('POST', '/faults', { kind: 'dropAfter', next: 5 });
			expect(await textOf()).toContain(`"to":"${first}"`);
		}
		expect(await delivered(sandbox)).toEqual({ [first]: 2 });

		await sandbox.control('POST', '/faults', { kind: 'dropAfter', probability: 1 });
		expect(await textOf()).toContain(`The message to ${first} may already have been sent`);
		await client.close();
	},
);
