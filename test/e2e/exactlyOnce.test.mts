import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { errorOf, outputOf } from '../support/n8n/crmWorkflow.mts';
import { playground } from '../support/n8n/playground.mts';
import {
	chain,
	crmNode,
	editorSettings,
	loop,
	node,
	ProductionWorkflow,
} from '../support/n8n/productionWorkflow.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { delivered, items, onceEach, people, welcome } from '../support/n8n/sending.mts';

/* Retries from n8n's database. What comes of a message in each case is tested in n8n's engine alone. */

const { n8n } = playground();
let sandbox: RunningSandbox;
let credential: string;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	credential = await createCredential(n8n, unpaced(sandbox), 'Exactly once');
});
afterAll(async () => await sandbox.stop());
beforeEach(() => sandbox.control('POST', '/reset'));

/** A node that a bug stops in one of its passes, counted from 0, or in none. */
const check = (pass?: number) =>
	node('Check', 'n8n-nodes-base.code', 2, {
		jsCode: `if ($runIndex === ${pass}) throw new Error('A bug');
return $input.all();`,
	});

test.each(['original', 'current'] as const)(
	'a retry with the %s workflow sends what is missing, and nothing twice, even if the node was replaced',
	async (version) => {
		const send = crmNode('CRM', credential, welcome);
		const workflow = await ProductionWorkflow.activate(n8n, [items(people(10)), send]);
		const rejected = { kind: 'status', status: 422, match: '"person6@', probability: 1 };
		await sandbox.control('POST', '/faults', rejected);
		const failed = await workflow.run();
		expect(failed.status).toBe('error');
		expect(Object.keys(await delivered(sandbox))).not.toContain('person6@example.com');

		await sandbox.control('DELETE', '/faults');
		await workflow.replace([{ ...send, id: crypto.randomUUID() }]);
		const retried = await n8n.retry(failed.id, version);
		expect(retried.status).toBe('success');
		expect(outputOf(retried)).toHaveLength(10);
		expect(await delivered(sandbox)).toEqual(onceEach(people(10)));
	},
);

test('an execution that failed before it sent is retried twice, and each message is sent once', async () => {
	const send = crmNode('CRM', credential, welcome);
	const workflow = await ProductionWorkflow.activate(n8n, [items(people(2)), check(0), send]);
	const failed = await workflow.run();
	expect(errorOf(failed, 'Check')).toBeDefined();
	await workflow.replace([check()]);
	for (const _retry of [1, 2]) {
		expect((await n8n.retry(failed.id, 'current')).status).toBe('success');
	}
	expect(await delivered(sandbox)).toEqual(onceEach(people(2)));
});

test('five equal messages of a loop that fails in its third pass are each sent once by a retry', async () => {
	const { nodes, connections } = loop('CRM', 'Check');
	const five = Array.from({ length: 5 }, () => people(1)[0]);
	const send = crmNode('CRM', credential, welcome);
	const workflow = await ProductionWorkflow.activate(n8n, [items(five), ...nodes, send, check(2)], {
		...chain('Items', 'Loop'),
		...connections,
	});
	const failed = await workflow.run();
	expect(errorOf(failed, 'Check')).toBeDefined();
	expect(await delivered(sandbox)).toEqual({ 'person1@example.com': 3 });

	await workflow.replace([check()]);
	expect((await n8n.retry(failed.id, 'current')).status).toBe('success');
	expect(await delivered(sandbox)).toEqual({ 'person1@example.com': 5 });
});

test('a sub-workflow sends again when its caller is retried, of which its error warns', async () => {
	const first = crmNode('First', credential, welcome);
	const second = crmNode('Second', credential, {
		...welcome,
		to: "={{ $('Called').item.json.to }}",
	});
	const called = await n8n.createWorkflow({
		name: 'Called',
		nodes: [
			node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			first,
			second,
		],
		connections: chain('Called', 'First', 'Second'),
		settings: editorSettings,
	});
	await n8n.publish(called);
	const workflowId = { __rl: true, mode: 'id', value: called.id };
	const parameters = { workflowId, mode: 'each', options: {} };
	const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, parameters);
	const workflow = await ProductionWorkflow.activate(n8n, [items(people(2)), call]);
	await sandbox.control('POST', '/faults', { kind: 'dropAfter', match: '"person2@', next: 5 });

	const failed = await workflow.run();
	expect(await delivered(sandbox)).toEqual({ 'person1@example.com': 2, 'person2@example.com': 1 });
	expect(errorOf(failed, 'Call')).toMatchObject({
		message: expect.stringMatching(/^The message to person2@.* may already have been sent: no /),
		description: expect.stringContaining("retry this sub-workflow's own execution"),
	});
	expect((await n8n.retry(failed.id, 'original')).status).toBe('success');
	expect(await delivered(sandbox)).toEqual({ 'person1@example.com': 4, 'person2@example.com': 3 });
});
