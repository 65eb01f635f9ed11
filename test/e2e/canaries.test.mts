/** What this package relies on beyond n8n's documented interface, by n8n alone: see nodes/CrmWorkspace/n8n. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fastify from 'fastify';
import { type Execution, until } from '../../playground/client.mts';
import { isSince } from '../../playground/installed.mts';
import { agents, agentNodes, connectMcp, oldAgent, sendTo } from './agentNodes.mts';
import { errorOf, outputOf } from '../support/n8n/crmWorkflow.mts';
import { storedExecution } from '../support/n8n/database.mts';
import { playground } from '../support/n8n/playground.mts';
import { pollTimes } from '../support/n8n/pollingWorkflow.mts';
import {
	chain,
	editorSettings,
	node,
	ProductionWorkflow,
} from '../support/n8n/productionWorkflow.mts';
import { items, retryOnFail } from '../support/n8n/sending.mts';
import { testBefore, testSince } from '../support/n8n/testSince.mts';
import { startScriptedModel } from './scriptedModel.mts';

/** Code that runs in n8n, as `execute` of a node. @param given what `Probe.node.js` has for it */
type Code = (context: any, given: any) => unknown;

const { n8n, dataFolder } = playground();
const service = fastify({ forceCloseConnections: true });
const held = Promise.withResolvers<void>();
let url: string;
let credentials: Record<string, object>;

/** The node that runs the code; all else is for the code to use. */
const probe = (name: string, code: Code, settings: object = {}, text = '') => ({
	...node(name, 'CUSTOM.probe', 1, { code: String(code), url, text }, { credentials }),
	...settings,
});

const probeTool = (code: Code) => probe('Send email', code, { type: 'CUSTOM.probeTool' });

const runOf = async (nodes: object[], settings?: object) =>
	await ProductionWorkflow.activate(n8n, nodes as any, undefined, settings);

beforeAll(async () => {
	service.get('/echo', async ({ headers }) => headers);
	service.get('/hold', async () => {
		held.resolve();
		return await new Promise(() => {});
	});
	service.get('/held', async () => await held.promise.then(() => 'held'));
	service.get<{ Querystring: { id: string; token: string } }>('/stored', ({ query }, reply) =>
		reply.send(storedExecution(dataFolder, query.id).includes(query.token)),
	);
	url = await service.listen({ port: 0, host: '127.0.0.1' });
	const id = await n8n.createCredential('Probe', 'probeApi', { secret: '={{ "a" + "b" }}' });
	credentials = { probeApi: { id, name: 'Probe' } };
});
afterAll(async () => await service.close());

/** A value of a parameter that is set to Expression. */
const stored = '={{ 1 + 1 }} a \\{{ b }} {{ "}" }}';

/** What n8n gives within one node: its title, what it returns, and the code. */
const within: Array<[title: string, expected: unknown, code: Code]> = [
	[
		'n8n gives a parameter as it is stored, if asked for raw expressions',
		stored,
		(context) => context.getNodeParameter('text', 0, '', { rawExpressions: true }),
	],
	[
		'ExpressionParser splits a text into text and code, and joins each as it was',
		[
			['text', ''],
			['code', '{{ 1 + 1 }}'],
			['text', ' a \\{{ b }} '],
			['code', '{{ "}" }}'],
		],
		(context, { n8n: { ExpressionParser: parser } }) =>
			parser
				.splitExpression(context.getNodeParameter('text', 0, '', { rawExpressions: true }).slice(1))
				.map((chunk: any) => [chunk.type, parser.joinExpression([chunk])]),
	],
	[
		'the error of code that n8n cannot read has a known message',
		expect.stringMatching(/^invalid syntax$|^Expression evaluation failed: SyntaxError/),
		(context) => {
			try {
				return context.evaluateExpression('{{ 1 + }}', 0);
			} catch (error) {
				return (error as Error).message;
			}
		},
	],
	[
		"expressions have Luxon, and nodes the workflow's time zone",
		'2026-01-02T03:04:00.000+09:00',
		(context) => {
			const { DateTime } = context.getWorkflowDataProxy(0);
			return DateTime.fromISO('2026-01-02T03:04', { zone: context.getTimezone() }).toISO();
		},
	],
	[
		'NodeApiError replaces a message in which it finds the code of a network error',
		expect.not.stringContaining('Ask'),
		(context, { n8n: { NodeApiError } }) =>
			new NodeApiError(context.getNode(), {}, { message: 'Ask ECONNREFUSED' }).message,
	],
	[
		'getDecrypted gives a credential as it is stored, expressions included',
		['={{ "a" + "b" }}', 'ab'],
		async (context) => {
			const { additionalData } = context;
			const chosen = context.getNode().credentials.probeApi;
			const given = [additionalData, chosen, 'probeApi', context.getMode(), undefined, true];
			const { secret } = await additionalData.credentialsHelper.getDecrypted(...given);
			return [secret, (await context.getCredentials('probeApi', 0)).secret];
		},
	],
	[
		'authenticate gets credentialsDecrypted as it is, symbols included',
		['given', 'true'],
		async (context, { send, url }) => {
			const data = { secret: 'given', [Symbol.for('probe')]: true };
			const headers = await send(context, { url: `${url}/echo` }, data);
			return [headers['x-secret'], headers['x-mark']];
		},
	],
	[
		'a request ends with the cancel signal of the context that it is called on',
		'ERR_CANCELED',
		async (context, { send, codesOf, url }) => {
			const controller = new AbortController();
			const getExecutionCancelSignal = { value: () => controller.signal };
			const own = Object.create(context, { getExecutionCancelSignal });
			const sent = send(own, { url: `${url}/hold`, timeout: 20_000 }).catch(codesOf);
			await fetch(`${url}/held`);
			controller.abort();
			return (await sent)[0];
		},
	],
	[
		'an error of the network has its code in code or httpCode, of itself or of a cause',
		'ECONNREFUSED',
		async (context, { send, codesOf }) =>
			(await send(context, { url: 'http://127.0.0.1:1/' }).catch(codesOf))[0],
	],
	[
		'an error before the request has no such code',
		[],
		async (context, { send, codesOf, url }) =>
			await send(context, { url }, { secret: 'refused' }).catch(codesOf),
	],
	[
		"the context node outlives the tries of 'Retry On Fail'",
		2,
		(context) => {
			const stored = context.getContext('node');
			stored.tries = (stored.tries ?? 0) + 1;
			if (stored.tries === 1) throw new Error('Again');
			return stored.tries;
		},
	],
];

describe('within a node', () => {
	let execution: Execution;

	beforeAll(async () => {
		const settings = { ...retryOnFail, onError: 'continueRegularOutput' };
		const nodes = within.map(([title, , code]) => probe(title, code, settings, stored));
		execution = await (await runOf(nodes, { ...editorSettings, timezone: 'Asia/Tokyo' })).run();
	});

	test.each(within)('%s', (title, expected) => {
		expect(outputOf(execution, title)[0].json).toEqual({ result: expected });
	});
});

describe('an execution that fails, is retried, and fails again', () => {
	/** What each attempt shows, in its error. */
	const attempts: any[] = [];

	beforeAll(async () => {
		const failing = probe('Probe', (context) => {
			const flow = context.getContext('flow');
			flow.attempts = (flow.attempts ?? 0) + 1;
			const id = context.getExecutionId();
			const metadata = (context.getExecuteData().metadata ??= {});
			metadata.probe ??= id;
			const { resumeUrl } = context.getWorkflowDataProxy(0).$execution;
			const index = context.additionalData.currentNodeExecutionIndex;
			const runs: any[] = Object.values(context.runExecutionData.resultData.runData).flat();
			const read = runs.filter((run) => !('metadata' in run)).length;
			const attempt = {
				...{ id, mode: context.getMode(), flow: flow.attempts, mark: metadata.probe },
				token: URL.canParse(resumeUrl) ? new URL(resumeUrl).searchParams.get('signature') : null,
				beganAt: Math.min(...runs.map(({ startTime }) => startTime)),
				earlierRuns: index === undefined ? read : runs.length - (index - 1),
			};
			throw new Error(JSON.stringify(attempt));
		});
		let execution = await (await runOf([failing])).run();
		for (const last of [false, false, true]) {
			attempts.push(JSON.parse(errorOf(execution, 'Probe').message));
			if (!last) execution = await n8n.retry(execution.id, 'original');
		}
	});

	const each = (key: string) => attempts.map((attempt) => attempt[key]);

	const alwaysFirst = (key: string) => attempts.map(() => attempts[0][key]);

	test('has an ID of its own each time, and its retries have the mode retry', () => {
		expect(new Set(each('id')).size).toBe(3);
		expect(each('mode')).toEqual(['webhook', 'retry', 'retry']);
	});

	test('passes the context flow on to each retry', () => expect(each('flow')).toEqual([1, 2, 3]));

	test('keeps the metadata of the stack entry', () => {
		expect(each('mark')).toEqual(alwaysFirst('id'));
	});

	testSince('2.14', 'has none')('keeps the token with which n8n resumes it', () => {
		expect(each('token')).toEqual(alwaysFirst('token'));
		expect(attempts[0].token).toMatch(/^\w{16,}/);
	});

	testBefore('2.14', 'has a token instead')('has no token, but the runs of its origin', () => {
		expect(each('token')).toEqual([null, null, null]);
		expect(each('beganAt')).toEqual(alwaysFirst('beganAt'));
		expect(each('earlierRuns')).toEqual([0, 1, 1]);
	});
});

testSince('2.14', 'has no token')(
	'n8n stores the token of an execution before its nodes run',
	async () => {
		const storing = probe('Probe', async (context, { url }) => {
			const { resumeUrl } = context.getWorkflowDataProxy(0).$execution;
			const token = new URL(resumeUrl).searchParams.get('signature');
			const query = `id=${context.getExecutionId()}&token=${token}`;
			return await (await fetch(`${url}/stored?${query}`)).json();
		});
		const execution = await (await runOf([storing])).run();
		expect(outputOf(execution, 'Probe')[0].json).toEqual({ result: true });
	},
);

test('n8n sends items with nothing but an error to the error output, with the fields of their input', async () => {
	const failing = probe(
		'Probe',
		() => {
			const pairedItem = { item: 0 };
			const error = new Error('As an object');
			return [
				{ json: { error: 'Alone' }, pairedItem },
				{ json: { error: 'With a field', more: 1 }, pairedItem },
				{ json: { error: 'Dropped', more: 2 }, error, pairedItem },
			];
		},
		{ onError: 'continueErrorOutput' },
	);
	const execution = await (await runOf([items([{ given: 1 }]), failing])).run();
	const jsonOf = (output: number) => outputOf(execution, 'Probe', output).map(({ json }) => json);
	const third = isSince('1.123') ? { error: 'As an object' } : expect.anything();
	expect(jsonOf(0)).toEqual([{ error: 'With a field', more: 1 }]);
	expect(jsonOf(1)).toEqual([{ given: 1, error: 'Alone' }, third]);
});

const to = (name: string) => ({ node: name, type: 'main', index: 0 });

/** What a call of a tool shows. */
const call: Code = (context, { idOf }) => {
	const { node: entryNode, source } = context.getExecuteData();
	const { name, type } = context.getNode();
	const runs: any[] = context.runExecutionData.resultData.runData[name] ?? [];
	const input = context.getInputData();
	const ownRun = runs.findLastIndex((run) => run.inputOverride?.ai_tool?.[0] === input);
	const [caller] = source?.main ?? [];
	(context.getContext('flow').calls ??= []).push({
		...{ type, ofEntry: entryNode.name, hasHints: 'addExecutionHints' in context },
		fields: Object.keys(input[0].json),
		caller: [caller?.previousNode, caller?.previousNodeRun ?? 0],
		closeFunctions: context.closeFunctions && idOf(context.closeFunctions),
		isOwnRun: ownRun === context.runIndex,
	});
	return 'Called';
};

describe.each(agents)('AI Agent %d, which runs twice and is tried again once', (version) => {
	let calls: any[];

	beforeAll(async () => {
		const model = await startScriptedModel([sendTo('a'), sendTo('b')]);
		const isOld = version <= oldAgent;
		if (isOld) model.failing = [1];
		const settings = isOld ? retryOnFail : {};
		const tool = probeTool(call);
		const own = await agentNodes(n8n, { model, tool, version, settings });
		const nodes = [items([{ given: 1 }]), ...own.nodes];
		const start = { Webhook: { main: [[to('Items'), to('Agent')]] }, ...chain('Items', 'Agent') };
		const connections = { ...own.connections, ...start };
		const workflow = await ProductionWorkflow.activate(n8n, nodes, connections);
		const { data } = await workflow.run();
		await model.stop();
		calls = (data as any).executionData.contextData.flow.calls;
	});

	const isOld = version <= oldAgent;
	const each = (key: string) => calls.map((shown) => shown[key]);
	const all = (value: unknown) => Array(isOld ? 6 : 4).fill(value);

	test("adds Tool to the tool's type", () => {
		expect(each('type')).toEqual(all('CUSTOM.probeTool'));
	});

	test(`has the entry of ${isOld ? 'the agent' : 'the tool'} on the stack`, () => {
		expect(each('ofEntry')).toEqual(all(isOld ? 'Agent' : 'Send email'));
	});

	if (isOld) {
		test("gives a call its own run's number, or before n8n 1.97 that of another", () => {
			const areOwn = isSince('1.97');
			expect(each('isOwnRun')).toEqual(calls.map((_call, index) => areOwn || index < 2));
		});

		test('gives all calls of an attempt the same list of functions', () => {
			const lists = each('closeFunctions');
			const [first, , second, , third] = lists;
			expect(lists).toEqual([first, first, second, second, third, third]);
			expect(new Set(lists).size).toBe(3);
		});
	} else {
		test("names its run as the source of the tool's", () => {
			expect(each('caller')).toEqual([0, 0, 1, 1].map((run) => ['Agent', run]));
		});
	}

	test(`gives a tool its arguments${isOld ? '' : ", and the agent's item"}`, () => {
		const own = isOld ? [] : expect.arrayContaining(['given', 'to']);
		expect(each('fields').slice(-2)).toEqual([own, own]);
	});

	test('shows its model of an error that a tool throws', async () => {
		const model = await startScriptedModel([sendTo('a')]);
		const tool = probeTool(() => {
			throw new Error('Thrown');
		});
		const { nodes, connections } = await agentNodes(n8n, { model, tool, version });
		await (await ProductionWorkflow.activate(n8n, nodes, connections)).run();
		await model.stop();
		const shown = isSince('2.0') ? [expect.stringContaining('Thrown')] : [];
		const hidden = [expect.not.stringContaining('Thrown')];
		expect(model.results).toEqual(isOld ? hidden : shown);
	});

	test('lets tools show hints since n8n 1.118', () => {
		expect(each('hasHints')).toEqual(all(isSince('1.118')));
	});
});

testSince('1.105', 'has no MCP Server Trigger of this version')(
	'an MCP Server Trigger gives its tools no execution ID, and each try of a call the same arguments',
	async () => {
		const tried = probeTool((context, { idOf }) => {
			const tries: object[] = ((globalThis as any).probeTries ??= []);
			tries.push(context.getInputData()[0].json);
			if (tries.length === 1) throw new Error('The first try fails');
			return [typeof context.getExecutionId(), idOf(tries[0]) === idOf(tries[1])];
		});
		const client = await connectMcp(n8n, { ...tried, ...retryOnFail });
		const { content } = await client.callTool(sendTo('a'));
		await client.close();
		expect(content[0].text).toBe('[{"result":["undefined",true]}]');
	},
);

test('polls of an active workflow have one context, or a budget each', async () => {
	const polling = node('Trigger', 'CUSTOM.probeTrigger', 1, { pollTimes });
	const name = crypto.randomUUID();
	const workflow = await n8n.createWorkflow({ name, nodes: [polling], connections: {} });
	await n8n.activate(workflow);
	const ids = await until('three polls', async () => {
		const executions = await n8n.executions(workflow.id);
		return executions.length >= 3 ? executions.map(({ id }) => id) : undefined;
	});
	await n8n.deactivate(workflow);
	const ended = await Promise.all(ids.map(async (id) => await n8n.ended(id)));
	const polls = ended.map((execution) => outputOf(execution, 'Trigger')[0].json);
	const limits = polls.map(({ budgetMs = Infinity }) => budgetMs);
	const contexts = new Set(polls.map(({ context }) => context)).size;
	const haveBudgets = Math.max(...limits) < 300_000;
	expect([haveBudgets, contexts === 1]).toContain(true);
});
