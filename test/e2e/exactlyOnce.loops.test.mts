import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Execution } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { playground } from '../support/n8n/playground.mts';
import {
	chain,
	crmNode,
	loop,
	node,
	ProductionWorkflow,
} from '../support/n8n/productionWorkflow.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import {
	delivered,
	items,
	onceEach,
	orders,
	people,
	turnDown,
	welcome,
} from '../support/n8n/sending.mts';
import { startUpstream, type Upstream } from '../support/n8n/rowsService.mts';
import { errorOf, outputOf } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let upstream: Upstream;
let credential: string;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	upstream = await startUpstream();
	credential = await createCredential(n8n, unpaced(sandbox), 'Exactly once: loops');
});
afterAll(async () => {
	await upstream.stop();
	await sandbox.stop();
});
beforeEach(() => sandbox.control('POST', '/reset'));

describe('a loop whose other node fails in turn 3, retried after the send node was renamed', () => {
	test.each([
		['to one recipient', Array.from({ length: 5 }, () => people(1)[0]), { [people(1)[0].to]: 5 }],
		['to five recipients', people(5), onceEach(people(5))],
	])('sends every turn’s message, %s', async (_, list, expected) => {
		const check = `check-for-${Object.keys(expected).length}`;
		const { nodes, connections } = loop('CRM', 'Check');
		const workflow = await ProductionWorkflow.activate(
			n8n,
			[items(list), ...nodes, crmNode('CRM', credential, welcome), upstream.node('Check', check)],
			{ ...chain('Items', 'Loop'), ...connections },
			orders.v1,
		);
		upstream.fail(check, 3);
		const failed = await workflow.run();
		expect(errorOf(failed, 'Check')).toBeDefined();

		await workflow.change((edited) => {
			edited.nodes.find(({ name }) => name === 'CRM')!.name = 'Send';
			Object.assign(edited.connections, loop('Send', 'Check').connections);
			delete edited.connections.CRM;
		});
		const retried = await n8n.retry(failed.id, 'current');
		expect(await delivered(sandbox)).toEqual(expected);
		expect(retried.status).toBe('success');
		expect(outputOf(retried, 'Send')).toHaveLength(2);
	});
});

test('a send node that is deleted and made again under its name repeats nothing', async () => {
	const workflow = await ProductionWorkflow.activate(
		n8n,
		[items(people(4)), crmNode('CRM', credential, { ...welcome, options: { concurrency: 1 } })],
		undefined,
		orders.v1,
	);
	await turnDown(sandbox, 'person3@');
	const failed = await workflow.run();
	expect(failed.status).toBe('error');

	await workflow.change(({ nodes }) => {
		nodes.find(({ name }) => name === 'CRM')!.id = crypto.randomUUID();
	});
	const retried = await n8n.retry(failed.id, 'current');
	expect(await delivered(sandbox)).toEqual(onceEach(people(4)));
	expect(retried.status).toBe('success');
});

test('both send nodes of a sub-workflow that is defined in its caller send', async () => {
	const called = {
		nodes: [
			node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			crmNode('First', credential, welcome),
			crmNode('Second', credential, welcome),
		].map(({ id: _, ...withoutId }) => withoutId),
		connections: chain('Called', 'First', 'Second'),
		settings: orders.v1,
	};
	called.nodes[2].parameters = { ...welcome, to: "={{ $('Called').item.json.to }}" };
	const workflow = await ProductionWorkflow.activate(
		n8n,
		[
			items(people(2)),
			node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
				source: 'parameter',
				workflowJson: JSON.stringify(called),
				options: {},
			}),
		],
		undefined,
		orders.v1,
	);
	const execution = await workflow.run();
	expect(await delivered(sandbox)).toEqual({ 'person1@example.com': 2, 'person2@example.com': 2 });
	expect(execution.status).toBe('success');
});

describe('content that is not the same in each try', () => {
	const sendsTheTime = async (options: object) =>
		await ProductionWorkflow.activate(
			n8n,
			[
				items(people(3)),
				crmNode('CRM', credential, {
					...welcome,
					additionalFields: { subject: '={{ $now.toISO() }}' },
					options: { concurrency: 1, ...options },
				}),
			],
			undefined,
			orders.v1,
		);

	test('is sent once, and every retry says that it was sent', async () => {
		const workflow = await sendsTheTime({});
		await turnDown(sandbox, 'person3@');
		const failed = await workflow.run();
		expect(failed.status).toBe('error');

		let retried: Execution = failed;
		for (const version of ['original', 'current'] as const) {
			retried = await n8n.retry(retried.id, version);
			expect(errorOf(retried)).toMatchObject({
				message: 'This message was already sent with different content',
				httpCode: '409',
				context: { itemIndex: 0, data: { code: 'IDEMPOTENCY_KEY_REUSED' } },
			});
		}
		const { [people(3)[2].to]: last = 0, ...earlier } = await delivered(sandbox);
		expect(earlier).toEqual(onceEach(people(2)));
		expect(last).toBeLessThanOrEqual(1);
	});

	test('counts as done where the user chooses so', async () => {
		const workflow = await sendsTheTime({ onContentChanged: 'output' });
		await turnDown(sandbox, 'person3@');
		const failed = await workflow.run();
		expect(failed.status).toBe('error');

		const retried = await n8n.retry(failed.id, 'original');
		expect(retried.status).toBe('success');
		expect(await delivered(sandbox)).toEqual(onceEach(people(3)));
		expect(outputOf(retried).map(({ json }) => json)).toEqual([
			expect.objectContaining({ to: 'person1@example.com', _result: 'sentBefore' }),
			expect.objectContaining({ to: 'person2@example.com', _result: 'sentBefore' }),
			expect.not.objectContaining({ _result: 'sentBefore' }),
		]);
	});
});
