import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import {
	agentNodes,
	agentVersions,
	crmTool,
	sendTo,
	toolOf,
	toWhomTheModelSays,
} from '../support/n8n/agents.mts';
import { testSince } from '../support/n8n/testSince.mts';
import { playground } from '../support/n8n/playground.mts';
import { chain, loop, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import {
	type ScriptedModel,
	startScriptedModel,
	type ToolCall,
} from '../support/n8n/scriptedModel.mts';
import {
	delivered,
	items,
	onceEach,
	orders,
	people,
	retryOnFail,
	turnDown,
} from '../support/n8n/sending.mts';
import { startUpstream, type Upstream } from '../support/n8n/rowsService.mts';
import { errorOf } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let upstream: Upstream;
let credential: string;
const models: ScriptedModel[] = [];

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	upstream = await startUpstream();
	credential = await createCredential(n8n, unpaced(sandbox), 'Exactly once: agents');
});
afterAll(async () => {
	await Promise.all(models.map(async (model) => await model.stop()));
	await upstream.stop();
	await sandbox.stop();
});
beforeEach(() => sandbox.control('POST', '/reset'));

async function modelThatAsksFor(...steps: ToolCall[][]): Promise<ScriptedModel> {
	const model = await startScriptedModel(...steps);
	models.push(model);
	return model;
}

const someone = 'someone@example.com';

describe.each(agentVersions)('agent %s', (version) => {
	/** A workflow whose only node is the agent. */
	async function agent(
		model: ScriptedModel,
		settings?: { agent?: object; tool?: object },
		parameters: object = toWhomTheModelSays,
	) {
		const { nodes, connections } = await agentNodes(n8n, {
			version,
			model,
			credential,
			parameters,
			settings,
		});
		return await ProductionWorkflow.activate(n8n, nodes, connections, orders.v1);
	}

	test('lists, updates and sends as the model asks', async () => {
		const email = 'grace.hopper@example.com';
		const model = await modelThatAsksFor(
			[{ name: 'List_contacts', arguments: { email } }],
			[{ name: 'Update_contact', arguments: { email, title: 'Admiral' } }],
			[sendTo(email)],
		);
		const parameters = toWhomTheModelSays;
		const own = await agentNodes(n8n, { version, model, credential, parameters });
		const says = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
		const selected = { output: 'selected', outputFields: 'email, jobTitle' };
		const filters = { email: says('email') };
		const list = { operation: 'list', returnAll: true, filters, ...selected };
		const update = {
			operation: 'updateContact',
			contact: { __rl: true, mode: 'email', value: says('email') },
			fields: { mappingMode: 'defineBelow', value: { jobTitle: says('title') } },
		};
		const tools = { 'List contacts': list, 'Update contact': update };
		const nodes = Object.entries(tools).map(([name, given]) => ({
			...crmTool(credential, given),
			...{ id: name, name },
		}));
		const connections = Object.keys(tools).map((name) => [name, toolOf('Agent')['Send email']]);
		const workflow = await ProductionWorkflow.activate(
			n8n,
			[...own.nodes, ...nodes],
			{ ...own.connections, ...Object.fromEntries(connections) },
			orders.v1,
		);
		const execution = await workflow.run();
		expect(execution.status).toBe('success');
		const listed = JSON.stringify(execution.data.resultData.runData['List contacts']);
		expect(listed).toContain('jobTitle');
		expect(listed).not.toContain('firstName');
		const { data } = await sandbox.control('GET', '/contacts');
		expect(data.filter((one: any) => one.email === email)).toMatchObject([{ jobTitle: 'Admiral' }]);
		expect(await delivered(sandbox)).toEqual({ [email]: 1 });
	});

	test('sends for every tool call, and nothing twice when it is retried', async () => {
		const model = await modelThatAsksFor(people(2).map(({ to }) => sendTo(to)));
		const workflow = await agent(model);
		model.failing = [1];
		const failed = await workflow.run();
		expect(errorOf(failed, 'Agent').message).toMatch(/script|Bad request/);
		expect(await delivered(sandbox)).toEqual(onceEach(people(2)));

		const retried = await n8n.retry(failed.id, 'original');
		expect(retried.status).toBe('success');
		expect(await delivered(sandbox)).toEqual(onceEach(people(2)));
	});

	test('sends both of two equal messages that one turn asks for, and keeps to two', async () => {
		const model = await modelThatAsksFor([sendTo(someone), sendTo(someone)]);
		const workflow = await agent(model);
		model.failing = [1];
		const failed = await workflow.run();
		expect(failed.status).toBe('error');
		expect(await delivered(sandbox)).toEqual({ [someone]: 2 });

		expect((await n8n.retry(failed.id, 'original')).status).toBe('success');
		expect(await delivered(sandbox)).toEqual({ [someone]: 2 });
	});

	// Interface: SEND-12, SEND-17.
	test('sends tokens with their values, beside what the model fills in', async () => {
		const html =
			"=Hello {{firstName|there}}, {{ $fromAI('news', 'what is new', 'string') }}: {{order}}";
		const { to, operation } = toWhomTheModelSays;
		const variables = { variable: [{ name: 'order', value: '={{ 1042 }}' }] };
		const call = sendTo(someone);
		const model = await modelThatAsksFor([
			{ ...call, arguments: { ...call.arguments, news: 'on its way' } },
		]);
		const content = { content: 'html', subject: '={{order}}', html, variables };
		const workflow = await agent(model, {}, { operation, to, ...content });
		expect((await workflow.run()).status).toBe('success');
		const { data: messages } = await sandbox.control('GET', '/inbox');
		expect(messages).toMatchObject([{ subject: '1042', html: 'Hello there, on its way: 1042' }]);
	});

	describe.each(Object.keys(orders) as Array<keyof typeof orders>)(
		'in a loop, in the order of execution %s',
		(order) => {
			async function agentInLoop(model: ScriptedModel, check: string) {
				const { nodes, connections } = loop('Agent', 'Check');
				const ai = await agentNodes(n8n, {
					version,
					model,
					credential,
					parameters: toWhomTheModelSays,
				});
				return await ProductionWorkflow.activate(
					n8n,
					[items(people(5)), ...nodes, upstream.node('Check', check), ...ai.nodes],
					{ ...chain('Items', 'Loop'), ...connections, ...ai.connections },
					orders[order],
				);
			}

			test('sends in every turn that follows on a failure of another node', async () => {
				const check = `check-${version}-${order}`;
				const workflow = await agentInLoop(await modelThatAsksFor([sendTo(someone)]), check);
				upstream.fail(check, 3);
				const failed = await workflow.run();
				expect(errorOf(failed, 'Check')).toBeDefined();
				expect(await delivered(sandbox)).toEqual({ [someone]: 3 });

				const retried = await n8n.retry(failed.id, 'original');
				expect(await delivered(sandbox)).toEqual({ [someone]: 5 });
				expect(retried.status).toBe('success');
			});

			test('sends in every turn that follows on a failure of its own', async () => {
				const model = await modelThatAsksFor([sendTo(someone)]);
				const workflow = await agentInLoop(model, 'check');
				model.failing = [3];
				const failed = await workflow.run();
				expect(errorOf(failed, 'Agent')).toBeDefined();

				const retried = await n8n.retry(failed.id, 'original');
				expect(await delivered(sandbox)).toEqual({ [someone]: 5 });
				expect(retried.status).toBe('success');
			});
		},
	);

	test("sends once where the tool's 'Retry On Fail' follows on lost answers", async () => {
		const model = await modelThatAsksFor([sendTo(someone)]);
		const workflow = await agent(model, { tool: retryOnFail });
		// Five attempts make a try, so these are the answers of the whole first one.
		await sandbox.control('POST', '/faults', { kind: 'dropAfter', next: 5 });
		const execution = await workflow.run();
		const { data: requests } = await sandbox.control('GET', '/requests');
		expect(requests).toHaveLength(6);
		expect(await delivered(sandbox)).toEqual({ [someone]: 1 });
		expect(execution.status).toBe('success');
	});

	test("sends once where the agent's 'Retry On Fail' follows on a failure of its model", async () => {
		const model = await modelThatAsksFor([sendTo(someone)]);
		const workflow = await agent(model, { agent: retryOnFail });
		model.failing = [1];
		const execution = await workflow.run();
		expect(model.answers).toBe(2);
		expect(await delivered(sandbox)).toEqual({ [someone]: 1 });
		expect(execution.status).toBe('success');
	});
});

const withAgent31 = testSince('2.0', 'has no agent 3.1');

withAgent31(
	'agent 3.1 goes on with a tool that stopped it, and sends what it was asked for',
	async () => {
		const [{ to: first }, { to: second }] = people(2);
		const model = await modelThatAsksFor([sendTo(first), sendTo(second), sendTo(first)]);
		const { nodes, connections } = await agentNodes(n8n, {
			version: 3.1,
			model,
			credential,
			parameters: toWhomTheModelSays,
			settings: { tool: { onError: 'stopWorkflow' } },
		});
		const workflow = await ProductionWorkflow.activate(n8n, nodes, connections, orders.v1);
		await turnDown(sandbox, second);
		const failed = await workflow.run();
		expect(failed.status).toBe('error');
		expect(await delivered(sandbox)).toEqual({ [first]: 1 });

		const retried = await n8n.retry(failed.id, 'original');
		expect(await delivered(sandbox)).toEqual({ [first]: 2, [second]: 1 });
		expect(retried.status).toBe('success');
	},
);
