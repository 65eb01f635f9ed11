import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Execution } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { playground } from '../support/n8n/playground.mts';
import { chain, crmNode, node, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { delivered, items, onceEach, people, turnDown, welcome } from '../support/n8n/sending.mts';
import { startUpstream } from '../support/n8n/rowsService.mts';
import { errorOf, outputOf } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let credential: string;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	credential = await createCredential(n8n, service(), 'Exactly once');
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.control('POST', '/reset'));

const service = () => unpaced(sandbox);

describe('a retried execution sends nothing twice', () => {
	test.each(['current', 'original'] as const)('with the %s workflow', async (version) => {
		const workflow = await ProductionWorkflow.activate(n8n, [
			items(people(10)),
			crmNode('CRM', credential, welcome),
		]);
		await turnDown(sandbox, 'person6@', { probability: 1 });
		const failed = await workflow.run();
		expect(failed.status).toBe('error');
		expect(Object.keys(await delivered(sandbox))).not.toContain('person6@example.com');

		await sandbox.control('DELETE', '/faults');
		const retried = await n8n.retry(failed.id, version);
		expect(retried.status).toBe('success');
		expect(outputOf(retried)).toHaveLength(10);
		expect(await delivered(sandbox)).toEqual(onceEach(people(10)));
	});
});

test('an execution that failed before is retried twice, and sends each message once', async () => {
	const upstream = await startUpstream();
	upstream.give('rows', people(2));
	upstream.fail('rows', 1);
	upstream.fail('check', 1);
	const workflow = await ProductionWorkflow.activate(n8n, [
		upstream.node('Rows', 'rows'),
		crmNode('CRM', credential, welcome),
		upstream.node('Check', 'check'),
	]);
	const failed = await workflow.run();
	expect(errorOf(failed, 'Rows')).toBeDefined();
	const retried = await n8n.retry(failed.id, 'original');
	expect(errorOf(retried, 'Check')).toBeDefined();
	await n8n.retry(failed.id, 'original');
	expect(await delivered(sandbox)).toEqual(onceEach(people(2)));
	await upstream.stop();
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
	expect(await delivered(sandbox)).toEqual(onceEach(people(3)));
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
	expect(await delivered(sandbox)).toEqual(onceEach(people(12)));
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
		await n8n.publish(called);
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
		expect(await delivered(sandbox)).toEqual(onceEach(people(5)));
	});

	test('is called again, as a new execution, when its caller is retried: as the README says', async () => {
		const workflow = await caller(people(2));
		await turnDown(sandbox, 'person2@');
		const failed = await workflow.run();
		expect(failed.status).toBe('error');
		expect((await n8n.retry(failed.id, 'original')).status).toBe('success');
		expect(await delivered(sandbox)).toEqual({
			'person1@example.com': 2,
			'person2@example.com': 1,
		});
	});
});

test('two nodes of one workflow both send', async () => {
	const workflow = await ProductionWorkflow.activate(n8n, [
		items(people(1)),
		crmNode('First', credential, welcome),
		crmNode('Second', credential, welcome),
	]);
	expect((await workflow.run()).status).toBe('success');
	expect(await delivered(sandbox)).toEqual({ 'person1@example.com': 2 });
});

describe('a message whose original failed at the service', () => {
	const failing = { to: 'unlucky@example.com' };

	const setOutcome = async (outcome: string) =>
		await sandbox.control('POST', '/addresses', { address: failing.to, outcome });

	const sends = async () => {
		const { data } = await sandbox.control('GET', '/messages');
		return data.length as number;
	};

	test('is sent again once for each try, under the next key', async () => {
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
		expect(await delivered(sandbox)).toEqual({ [failing.to]: 1 });
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
		expect(errorOf(execution).message).toBe('5 sends to this recipient have failed');
	});
});
