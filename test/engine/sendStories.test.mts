import { expect } from '@jest/globals';
import {
	createRunExecutionData,
	type EngineRequest,
	type EngineResponse,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';
import { thinContext } from '../support/engine/bareRun.mts';
import { execute, type StoredWorkflow } from '../support/engine/execution.mts';
import { describeSince, testSince } from '../support/n8n/testSince.mts';
import { unpaced } from '../support/sandbox/sandbox.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const sandbox = sandboxInTests();

const list = async (path: string): Promise<any[]> => (await sandbox.control('GET', path)).data;
const inbox = async () => (await list('/inbox')).map(({ to, subject }) => `${to}: ${subject}`);
const fault = async (given: object) => await sandbox.control('POST', '/faults', given);
const outage = { kind: 'status', status: 503, next: 5 };
const lost = { kind: 'dropAfter', next: 5 };

const crmWorkspace: INodeType = new CrmWorkspace();
const { description } = crmWorkspace;
const asTool = { ...description, name: 'crmTool', inputs: [], outputs: ['ai_tool' as const] };

const send = (subject: string, more: Partial<INode> = {}, parameters: INodeParameters = {}) => ({
	type: 'crm',
	parameters: {
		...{ operation: 'sendTransactionalEmail', to: 'ada@example.com', templateSlug: 'welcome' },
		additionalFields: { subject },
		...parameters,
	},
	credentials: { crmWorkspaceApi: { id: '1', name: 'CRM Workspace' } },
	...more,
});

/** What a model asks an agent for in one attempt: rounds of calls, each with a subject. */
type Calls = string[][];

type Wires = Array<[from: string, to: string, output?: number, type?: 'main' | 'ai_tool']>;

/** Runs a workflow of several nodes, and each attempt of its agent but the last one fails at its end. */
async function run(nodes: Record<string, Partial<INode>>, wires: Wires, attempts: Calls[] = []) {
	const workflow: StoredWorkflow = {
		...{ id: 'w', name: 'w', active: false, connections: {} },
		settings: { executionOrder: 'v1', timezone: 'UTC' },
		nodes: Object.entries({ Start: { type: 'start' }, ...nodes }).map(([name, node]) => ({
			...{ id: `id of ${name}`, name, type: 'start', typeVersion: 1, position: [0, 0] },
			...{ parameters: {}, ...node },
		})) as INode[],
	};
	for (const [from, to, output = 0, type = 'main'] of wires) {
		const outputs = ((workflow.connections[from] ??= {})[type] ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]!.push({ node: to, type, index: 0 });
	}
	const first = { node: workflow.nodes[0], data: { main: [[{ json: {} }]] }, source: null };
	const data = createRunExecutionData({ executionData: { nodeExecutionStack: [first] } });
	const agent = agentOf(attempts);
	const { done } = execute({
		...{ id: '1', mode: 'webhook', workflow, data },
		typeOf: (name) => ({ ...types, agent, oldAgent: agent })[name]!,
		credential: (id) => ({
			...{ ...unpaced(sandbox), authHeader: 'authorization' },
			...(id === 'live' ? { mode: 'live', apiKey: sandbox.liveKey } : { mode: 'test' }),
		}),
	});
	const result = await done;
	const said = (name: string) =>
		(result.data.resultData.runData[name] ?? []).map(
			({ data: given }) => Object.values(given ?? {}).flat(2)[0]?.json ?? {},
		);
	return { data: result.data, status: result.status, said };
}

const simple = (execute: (context: IExecuteFunctions, response?: EngineResponse) => any) =>
	({
		description: { ...description, properties: [], inputs: ['main', 'ai_tool'] },
		execute(this: IExecuteFunctions, response?: EngineResponse) {
			return execute(this, response);
		},
	}) as unknown as INodeType;

const types: Record<string, INodeType> = {
	crm: crmWorkspace,
	crmTool: Object.create(crmWorkspace, { description: { value: asTool } }) as INodeType,
	start: simple((context) => [context.getInputData()]),
	rows: simple((context) => [
		(JSON.parse(context.getNode().notes!) as IDataObject[]).map((json, item) => ({
			...{ json, pairedItem: { item } },
		})),
	]),
	twice: simple((context) => [
		context.evaluateExpression('{{ $runIndex < 1 }}', 0) ? context.getInputData() : [],
	]),
};

/** An agent from 3 on, which has n8n make its calls, and one up to 2.2, which makes them itself. */
const agentOf = (attempts: Calls[]) => {
	let attempt = 0;
	const end = (context: IExecuteFunctions) => {
		attempt += 1;
		if (attempt < attempts.length) throw new Error('The model does not answer');
		return [context.getInputData()];
	};
	return simple(async (context, response) => {
		const rounds = attempts[attempt];
		if (context.getNode().type === 'oldAgent') {
			const tool = [await context.getInputConnectionData('ai_tool', 0)].flat()[0] as any;
			for (const subject of rounds.flat()) await tool.invoke({ subject }).catch(() => undefined);
			return end(context);
		}
		const { round = 0 } = (response?.metadata ?? {}) as { round?: number };
		if (round === rounds.length) return end(context);
		const actions = rounds[round].map((subject, index) => ({
			...{ actionType: 'ExecutionNodeAction', nodeName: 'Send', type: 'ai_tool' },
			...{ id: `${round} ${index}`, input: { subject } as IDataObject, metadata: {} },
		}));
		return { actions, metadata: { round: round + 1 } } as EngineRequest;
	});
};

const toolOfAgent: Wires = [
	['Start', 'Agent'],
	['Send', 'Agent', 0, 'ai_tool'],
];
const throughErrorOutput = { onError: 'continueErrorOutput' as const };

/** What creates the data of an execution is younger than the oldest n8n. */
const test = testSince('1.123', 'creates the data of an execution otherwise');

test('a custom key sends one message in each of two workspaces', async () => {
	const custom = { idempotency: 'custom', idempotencyKey: 'once' };
	const credentials = { crmWorkspaceApi: { id: 'live', name: 'CRM Workspace' } };
	const nodes = { One: send('Hi', {}, custom), Other: send('Hi', { credentials }, custom) };
	await run(nodes, [
		['Start', 'One'],
		['One', 'Other'],
	]);
	expect(await inbox()).toEqual(['ada@example.com: Hi']);
	expect(await list('/inbox?mode=live')).toHaveLength(1);
});

describeSince('1.123', 'creates it otherwise')('an item whose send failed', () => {
	// docs/send-email.md says so.
	const back: Wires = [
		['Start', 'Send'],
		['Send', 'Once', 1],
		['Once', 'Send'],
	];
	const changing = { Send: send('={{ $runIndex }}', throughErrorOutput), Once: { type: 'twice' } };

	test('after an outage, is sent once when it is looped back with other content', async () => {
		await fault(outage);
		await run(changing, back);
		expect(await inbox()).toEqual(['ada@example.com: 1']);
		expect(await list('/requests')).toHaveLength(6);
	});

	test('and has arrived, is not sent with other content, and the error says so', async () => {
		await fault(lost);
		const { said } = await run(changing, back);
		expect(await inbox()).toEqual(['ada@example.com: 0']);
		const [first, second] = said('Send').map(({ error }) => error);
		expect(first).toMatch(
			/^The message to ada@example.com may already have been sent: no response/,
		);
		expect(second).toMatch(
			/^The message to ada@example.com wasn't sent: a message with different content was sent or tried/,
		);
	});

	const toFallback: Wires = [
		['Start', 'Send'],
		['Send', 'Fallback', 1],
	];

	test.each([
		['after an outage', outage, ['fallback']],
		['if it may have arrived, too,', lost, ['fallback', 'first']],
	])('%s is left to a fallback node, which sends its own message', async (_when, given, sent) => {
		await fault(given);
		const nodes = { Send: send('first', throughErrorOutput), Fallback: send('fallback') };
		const { said } = await run(nodes, toFallback);
		expect((await inbox()).toSorted()).toEqual(
			sent.map((subject) => `ada@example.com: ${subject}`),
		);
		expect(said('Fallback')).toMatchObject([{ _result: 'sent' }]);
		expect(await list('/requests')).toHaveLength(6);
	});

	test.each<[string, IDataObject, IDataObject]>([
		['in another way', { text: 'Hello' }, { _result: 'sent' }],
		['with another Reply To', { replyTo: 'care@example.com' }, { error: expect.any(String) }],
	])(
		'is not sent twice by a node that sends the same %s',
		async (_how, additionalFields, output) => {
			await fault(lost);
			// The item has an error on its way to the second node.
			const variables = { variablesInput: 'json', variablesJson: '={{ $json }}' };
			const inline = { content: 'html', subject: 'first', html: 'Hello', ...variables };
			const other = { ...inline, additionalFields: additionalFields as INodeParameters };
			const nodes = {
				Send: send('', throughErrorOutput, { ...inline, additionalFields: {} }),
				Fallback: send('', throughErrorOutput, other),
			};
			const { said } = await run(nodes, toFallback);
			expect(await inbox()).toEqual(['ada@example.com: first']);
			expect(said('Fallback')).toMatchObject([output]);
		},
	);

	const leads = send('lead', throughErrorOutput, {
		additionalFields: { subject: 'lead', replyTo: '={{ $json.r }}' },
	});
	const rowsOf = (...list: string[]) => ({
		type: 'rows',
		notes: JSON.stringify(list.map((r) => ({ r }))),
	});

	test('is not taken for another item that differs in Reply To alone', async () => {
		// Equal to the service, which returns the first one for the second one's request.
		const replies = ['a', 'b', 'c'].map((name) => `${name}@example.com`);
		await fault(lost);
		const { said } = await run({ Rows: rowsOf(...replies), Send: leads, Once: { type: 'twice' } }, [
			['Start', 'Rows'],
			['Rows', 'Send'],
			['Send', 'Once', 1],
			['Once', 'Send'],
		]);
		expect(said('Send').at(-1)).toMatchObject({ _result: 'sent' });
		const sent = (await list('/inbox')).map(({ replyTo }) => replyTo);
		expect(sent.toSorted()).toEqual(replies);
	});

	test('beside another one is not sent with other content, as it may be either of the two', async () => {
		await fault(lost);
		// What the first request for the second one shows: the first one has arrived.
		await fault({ kind: 'delay', delayMs: 0, match: 'second' });
		await fault({ ...outage, match: 'second' });
		const lead = send('={{ $json.r }} {{ $runIndex }}', throughErrorOutput);
		const nodes = { Rows: rowsOf('first', 'second'), Send: lead, Once: { type: 'twice' } };
		const { said } = await run(nodes, [
			['Start', 'Rows'],
			['Rows', 'Send'],
			['Send', 'Once', 1],
			['Once', 'Send'],
		]);
		expect(await inbox()).toEqual(['ada@example.com: first 0']);
		expect(said('Send').at(-1)!.error).toMatch(/earlier messages have to be retried first/);
	});

	test('is not taken for a later one that differs in Reply To alone', async () => {
		const replies = ['a@example.com', 'b@example.com'];
		await fault(lost);
		const nodes = { First: rowsOf(replies[0]), Second: rowsOf(replies[1]), Send: leads };
		const { said } = await run(nodes, [
			['Start', 'First'],
			['Start', 'Second'],
			['First', 'Send'],
			['Second', 'Send'],
		]);
		expect(await list('/inbox')).toHaveLength(1);
		expect(said('Send')).toMatchObject([
			{ error: expect.stringMatching(/may already have been sent/) },
			{
				error: expect.stringMatching(
					/^The message to ada@example.com wasn't sent: earlier messages have to be retried first/,
				),
			},
		]);
	});

	test('with content that changes, is sent once by Retry On Fail', async () => {
		await fault(outage);
		const retryOnFail = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const { status } = await run({ Send: send('={{ $now.toMillis() }}', retryOnFail) }, [
			['Start', 'Send'],
		]);
		expect(status).toBe('success');
		expect(await inbox()).toHaveLength(1);
	});
});

const agents = [
	['up to 2.2', 'oldAgent'],
	['from 3 on', 'agent'],
];
describeSince('2.0', 'stops at a tool that fails').each(agents)(
	'an agent %s',
	(_versions, type) => {
		const subject = "={{ $fromAI('subject', '', 'string') }}";
		const nodes = {
			Agent: { type },
			Send: { ...send(subject), type: 'crmTool' },
		};
		const billAndOrder = ['ada@example.com: Your bill', 'ada@example.com: Your order'];

		test('that repeats a call whose response was lost in other words sends one message', async () => {
			await fault(lost);
			const calls = [['Your order'], ['About your order'], ['Your order']];
			await run(nodes, toolOfAgent, [calls]);
			expect(await inbox()).toEqual(['ada@example.com: Your order']);
		});

		test('that repeats a call after an outage in other words sends one message', async () => {
			await fault(outage);
			await run(nodes, toolOfAgent, [[['Your order'], ['About your order']]]);
			expect(await inbox()).toEqual(['ada@example.com: About your order']);
		});

		test('that makes the same call twice sends one message, and others for other calls', async () => {
			const calls = [['Your order', 'Your order', 'Your bill'], ['Your order']];
			await run(nodes, toolOfAgent, [calls]);
			expect((await inbox()).toSorted()).toEqual(billAndOrder);
			expect(await list('/requests')).toHaveLength(2);
		});

		const tried = {
			...nodes,
			Agent: { type, retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		};

		test("whose 'Retry On Fail' starts over sends no message again", async () => {
			const calls = [['Your order', 'Your order'], ['Your bill']];
			const { status } = await run(tried, toolOfAgent, [calls, calls]);
			expect(status).toBe('success');
			expect((await inbox()).toSorted()).toEqual(billAndOrder);
			expect(await list('/requests')).toHaveLength(2);
		});

		test("whose 'Retry On Fail' starts over in other words sends no second message", async () => {
			await run(tried, toolOfAgent, [[['Your order']], [['About your order']]]);
			expect(await inbox()).toEqual(['ada@example.com: Your order']);
			expect(await list('/requests')).toHaveLength(1);
		});
	},
);

testSince('2.14', 'has no such token')(
	'n8n stores neither the text of a sent message nor, once more, the token that resumes it',
	async () => {
		const html = 'A text that is stored with the workflow alone';
		const parameters = { content: 'html', subject: 'Hello', html };
		const { data } = await run({ Send: send('', {}, parameters) }, [['Start', 'Send']]);
		const stored = JSON.stringify([data.executionData, data.resultData]);
		expect(data.resumeToken).toMatch(/^.{32,}$/);
		expect(stored).toContain('"state":"sent"');
		expect(stored).not.toContain(html);
		expect(stored).not.toContain(data.resumeToken!);
	},
);

test('only a node that sends stores a send log', async () => {
	const update = { operation: 'list', collection: 'widgets', returnAll: true };
	const { data, status } = await run({ List: { ...send(''), parameters: update } }, [
		['Start', 'List'],
	]);
	expect(status).toBe('success');
	expect(data.executionData!.contextData).toEqual({});
});

test('a tool before n8n 1.118, which takes no hints, outputs what it has sent', async () => {
	const parameters: IDataObject = {
		...{ operation: 'sendTransactionalEmail', content: 'template', templateSlug: 'welcome' },
		...{ to: 'ada@example.com', idempotency: 'execution', variablesInput: 'fields' },
	};
	const { context } = thinContext({
		// Equal ones, of which there would be a hint.
		items: [{}, {}],
		parameter: (name) => parameters[name],
		answer: () => Buffer.from('{"data":{"id":"1","status":"queued"}}'),
	});
	Reflect.deleteProperty(context, 'addExecutionHints');
	const [items] = (await crmWorkspace.execute!.call(context)) as INodeExecutionData[][];
	expect(items.map(({ json }) => json._result)).toEqual(['sent', 'sentBefore']);
});
