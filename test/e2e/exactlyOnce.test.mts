import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Execution, until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { playground, startAnotherN8n } from '../support/playground.mts';
import { chain, crmNode, node, ProductionWorkflow } from '../support/production.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox.mts';
import { startScriptedModel } from '../support/scriptedModel.mts';
import { errorOf, outputOf } from '../support/workflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let credential: string;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	credential = await createCredential(n8n, service(), 'Exactly once');
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.control('POST', '/reset'));

const service = () => ({
	baseUrl: sandbox.baseUrl,
	apiKey: sandbox.testKey,
	requestsPerMinute: 6000,
});

const welcome = {
	operation: 'sendTransactionalEmail',
	to: '={{ $json.to }}',
	templateSlug: 'welcome',
};

const people = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ to: `person${index + 1}@example.com` }));

const items = (list: object[]) =>
	node('Items', 'n8n-nodes-base.code', 2, { jsCode: `return ${JSON.stringify(list)};` });

/** How often each recipient got a message. */
async function delivered(): Promise<Record<string, number>> {
	const { data } = await sandbox.control('GET', '/inbox');
	const counts: Record<string, number> = {};
	for (const { to } of data) counts[to] = (counts[to] ?? 0) + 1;
	return counts;
}

/** Lets the service refuse, for good, what is sent to recipients that begin like this. */
const turnDown = (recipient: string, when: { next: number } | { probability: number }) =>
	sandbox.control('POST', '/faults', {
		kind: 'status',
		status: 422,
		match: `"${recipient}`,
		...when,
	});

const onceEach = (list: Array<{ to: string }>) => Object.fromEntries(list.map(({ to }) => [to, 1]));

describe('a retried execution sends nothing twice', () => {
	test.each(['current', 'original'] as const)('with the %s workflow', async (version) => {
		const workflow = await ProductionWorkflow.activate(n8n, [
			items(people(10)),
			crmNode('CRM', credential, welcome),
		]);
		await turnDown('person6@', { probability: 1 });
		const failed = await workflow.run();
		expect(failed.status).toBe('error');
		expect(Object.keys(await delivered())).not.toContain('person6@example.com');

		await sandbox.control('DELETE', '/faults');
		const retried = await n8n.retry(failed.id, version);
		expect(retried.status).toBe('success');
		expect(outputOf(retried)).toHaveLength(10);
		expect(await delivered()).toEqual(onceEach(people(10)));
	});
});

test("'Retry On Fail' after two lost answers sends each item once", async () => {
	const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
	const workflow = await ProductionWorkflow.activate(n8n, [
		items(people(3)),
		crmNode('CRM', credential, { ...welcome, options: { concurrency: 1 } }, retryOnFail),
	]);
	// Five attempts make a try, so these are the answers of two whole tries.
	await sandbox.control('POST', '/faults', { kind: 'dropAfter', match: '"person2@', next: 10 });

	const execution = await workflow.run();
	expect(execution.status).toBe('success');
	const { data: requests } = await sandbox.control('GET', '/requests');
	expect(requests.filter(({ fault }: { fault?: string }) => fault === 'dropAfter')).toHaveLength(
		10,
	);
	expect(await delivered()).toEqual(onceEach(people(3)));
});

test('every turn of a loop sends', async () => {
	const loop = 'n8n-nodes-base.splitInBatches';
	const workflow = await ProductionWorkflow.activate(
		n8n,
		[
			items(people(12)),
			node('Loop', loop, 3, { batchSize: 3 }),
			crmNode('CRM', credential, welcome),
		],
		{
			...chain('Items', 'Loop'),
			Loop: { main: [[], [{ node: 'CRM', type: 'main', index: 0 }]] },
			...chain('CRM', 'Loop'),
		},
	);
	expect((await workflow.run()).status).toBe('success');
	expect(await delivered()).toEqual(onceEach(people(12)));
});

describe('a sub-workflow that sends', () => {
	/** A workflow that calls another, which sends, for each of its items. */
	async function caller(list: object[]): Promise<ProductionWorkflow> {
		const called = await n8n.createWorkflow({
			name: 'Called',
			nodes: [
				node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
					inputSource: 'passthrough',
				}),
				crmNode('CRM', credential, welcome),
			],
			connections: chain('Called', 'CRM'),
		});
		await n8n.activate(called);
		return await ProductionWorkflow.activate(n8n, [
			items(list),
			node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
				workflowId: { __rl: true, mode: 'id', value: called.id },
				mode: 'each',
				options: {},
			}),
		]);
	}

	test('sends in every call', async () => {
		expect((await (await caller(people(5))).run()).status).toBe('success');
		expect(await delivered()).toEqual(onceEach(people(5)));
	});

	test('is called anew, as a new execution, when its caller is retried: as the README says', async () => {
		const workflow = await caller(people(2));
		await turnDown('person2@', { next: 1 });
		const failed = await workflow.run();
		expect(failed.status).toBe('error');
		expect((await n8n.retry(failed.id, 'original')).status).toBe('success');
		expect(await delivered()).toEqual({ 'person1@example.com': 2, 'person2@example.com': 1 });
	});
});

test('two nodes of one workflow both send', async () => {
	const workflow = await ProductionWorkflow.activate(n8n, [
		items(people(1)),
		crmNode('First', credential, welcome),
		crmNode('Second', credential, welcome),
	]);
	expect((await workflow.run()).status).toBe('success');
	expect(await delivered()).toEqual({ 'person1@example.com': 2 });
});

test('every tool call of an AI agent sends, and a retried agent sends nothing twice', async () => {
	const model = await startScriptedModel(
		people(2).map((person) => ({ name: 'Send_email', arguments: person })),
	);
	try {
		const openAi = await n8n.createCredential('Model', 'openAiApi', {
			apiKey: 'none',
			url: model.url,
		});
		const workflow = await ProductionWorkflow.activate(
			n8n,
			[
				node('Agent', '@n8n/n8n-nodes-langchain.agent', 2.2, {
					promptType: 'define',
					text: 'Welcome both',
					options: {},
				}),
				node(
					'Model',
					'@n8n/n8n-nodes-langchain.lmChatOpenAi',
					1.2,
					{
						model: { __rl: true, mode: 'id', value: 'scripted' },
						options: { maxRetries: 0 },
					},
					{ credentials: { openAiApi: { id: openAi, name: 'Model' } } },
				),
				{
					...crmNode('Send email', credential, {
						...welcome,
						toolDescription: 'Sends a welcome email',
						to: "={{ $fromAI('to', 'recipient', 'string') }}",
					}),
					type: 'n8n-nodes-crm-workspace.crmWorkspaceTool',
				},
			],
			{
				Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
				'Send email': { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
			},
		);
		model.failures = 1;
		const failed = await workflow.run();
		expect(errorOf(failed, 'Agent').message).toMatch(/script|Bad request/);
		expect(await delivered()).toEqual(onceEach(people(2)));

		const retried = await n8n.retry(failed.id, 'original');
		expect(retried.status).toBe('success');
		expect(await delivered()).toEqual(onceEach(people(2)));
	} finally {
		await model.stop();
	}
});

describe('a message whose original failed at the service', () => {
	const failing = { to: 'unlucky@example.com' };

	const setOutcome = async (outcome: string) =>
		await sandbox.control('POST', '/addresses', { address: failing.to, outcome });

	const sends = async () => {
		const { data } = await sandbox.control('GET', '/messages');
		return data.length as number;
	};

	test('is sent anew once for each try, under the next key', async () => {
		await setOutcome('fail');
		const workflow = await ProductionWorkflow.activate(n8n, [
			items([failing]),
			crmNode('CRM', credential, welcome),
		]);
		let execution: Execution = await workflow.run();
		expect(execution.status).toBe('error');
		expect(await sends()).toBe(1);

		for (const link of [2, 3]) {
			execution = await n8n.retry(execution.id, 'original');
			expect(execution.status).toBe('error');
			expect(await sends()).toBe(link);
		}
		await setOutcome('deliver');
		execution = await n8n.retry(execution.id, 'original');
		expect(execution.status).toBe('success');
		expect(await sends()).toBe(4);
		expect(await delivered()).toEqual({ [failing.to]: 1 });
		const [{ json }] = outputOf(execution);
		expect(json.idempotencyKey).toMatch(/^n8n-[0-9a-f]{32}$/);
		process.stdout.write(`chain after three failed sends: ${json.idempotencyKey}\n`);
	});

	test('is given up after five sends, in words', async () => {
		await setOutcome('fail');
		const workflow = await ProductionWorkflow.activate(n8n, [
			items([failing]),
			crmNode('CRM', credential, welcome),
		]);
		let execution = await workflow.run();
		for (let retry = 1; retry <= 5; retry++) {
			execution = await n8n.retry(execution.id, 'original');
		}
		expect(await sends()).toBe(5);
		expect(errorOf(execution).message).toBe('The service failed to send this message 5 times');
	});
});

describe('a key that is reused', () => {
	test('says which execution sent this item before', async () => {
		const workflow = await ProductionWorkflow.activate(n8n, [
			items(people(2)),
			crmNode('CRM', credential, {
				...welcome,
				additionalFields: { subject: '=Ticket {{ $execution.id }}' },
				options: { concurrency: 1 },
			}),
		]);
		await turnDown('person2@', { next: 1 });
		const failed = await workflow.run();
		const retried = await n8n.retry(failed.id, 'original');
		expect(errorOf(retried)).toMatchObject({
			message: expect.stringMatching(
				new RegExp(`^This message was already sent in execution ${failed.id} \\(.* UTC\\), with other content$`),
			),
			httpCode: '409',
			context: { itemIndex: 0, data: { code: 'IDEMPOTENCY_KEY_REUSED' } },
		});
		expect(await delivered()).toEqual({ 'person1@example.com': 1 });
	});
});

describe('with an n8n of its own', () => {
	test('the same workflow in two instances sends in both', async () => {
		const other = await startAnotherN8n();
		try {
			const statuses = [];
			for (const instance of [n8n, other.n8n]) {
				const own = await createCredential(instance, service(), 'Two instances');
				const workflow = await ProductionWorkflow.activate(instance, [
					items(people(2)),
					crmNode('CRM', own, welcome),
				]);
				statuses.push((await workflow.run()).status);
			}
			expect(statuses).toEqual(['success', 'success']);
			expect(await delivered()).toEqual({ 'person1@example.com': 2, 'person2@example.com': 2 });
		} finally {
			await other.stop();
		}
	});

	test('an execution that n8n did not survive sends nothing twice when it is retried', async () => {
		const other = await startAnotherN8n();
		try {
			const workflow = await ProductionWorkflow.activate(other.n8n, [
				items(people(10)),
				crmNode('CRM', await createCredential(other.n8n, service(), 'Killed'), {
					...welcome,
					options: { concurrency: 1 },
				}),
			]);
			// The service has sent the sixth message, but its answer is still on the way.
			await sandbox.control('POST', '/faults', { kind: 'dropAfter', match: '"person6@', next: 1 });
			await sandbox.control('POST', '/faults', {
				kind: 'delay',
				delayMs: 30_000,
				match: '"person6@',
				probability: 1,
			});
			const killed = await workflow.begin();
			await until('six messages to be delivered', 30, async () => {
				const recipients = Object.keys(await delivered());
				return recipients.length === 6 || undefined;
			});
			await other.kill();
			await sandbox.control('DELETE', '/faults');
			await other.start();

			expect((await other.n8n.execution(killed)).status).toBe('crashed');
			const retried = await other.n8n.retry(killed, 'original');
			expect(retried.status).toBe('success');
			expect(await delivered()).toEqual(onceEach(people(10)));
		} finally {
			await other.stop();
		}
	});
});
