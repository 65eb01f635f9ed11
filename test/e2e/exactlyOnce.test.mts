import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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
	retryOnFail,
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
	credential = await createCredential(n8n, unpaced(sandbox), 'Exactly once');
});
afterAll(async () => {
	await upstream.stop();
	await sandbox.stop();
});
beforeEach(() => sandbox.control('POST', '/reset'));

const activate = async (...nodes: Array<ReturnType<typeof node>>) =>
	await ProductionWorkflow.activate(n8n, nodes, undefined, orders.v1);

const oneByOne = { ...welcome, options: { concurrency: 1 } };

test.each(['current', 'original'] as const)(
	'a retry with the %s workflow sends what is missing, and nothing twice',
	async (version) => {
		const workflow = await activate(items(people(10)), crmNode('CRM', credential, welcome));
		await turnDown(sandbox, 'person6@', { probability: 1 });
		const failed = await workflow.run();
		expect(failed.status).toBe('error');
		expect(Object.keys(await delivered(sandbox))).not.toContain('person6@example.com');

		await sandbox.control('DELETE', '/faults');
		const retried = await n8n.retry(failed.id, version);
		expect(retried.status).toBe('success');
		expect(outputOf(retried)).toHaveLength(10);
		expect(await delivered(sandbox)).toEqual(onceEach(people(10)));
	},
);

test('an execution that failed before it sent is retried twice, and sends each message once', async () => {
	upstream.give('rows', people(2));
	upstream.fail('rows', 1);
	upstream.fail('check', 1);
	const workflow = await activate(
		upstream.node('Rows', 'rows'),
		crmNode('CRM', credential, welcome),
		upstream.node('Check', 'check'),
	);
	const failed = await workflow.run();
	expect(errorOf(failed, 'Rows')).toBeDefined();
	const retried = await n8n.retry(failed.id, 'original');
	expect(errorOf(retried, 'Check')).toBeDefined();
	await n8n.retry(failed.id, 'original');
	expect(await delivered(sandbox)).toEqual(onceEach(people(2)));
});

test("'Retry On Fail' after lost responses sends each message once", async () => {
	const workflow = await activate(
		items(people(3)),
		crmNode('CRM', credential, oneByOne, retryOnFail),
	);
	// The node makes five attempts, so this is one try of n8n's.
	await sandbox.control('POST', '/faults', { kind: 'dropAfter', match: '"person2@', next: 5 });
	expect((await workflow.run()).status).toBe('success');
	const { data: requests } = await sandbox.control('GET', '/requests');
	const lost = requests.filter(({ fault }: { fault?: string }) => fault === 'dropAfter');
	expect(lost).toHaveLength(5);
	expect(await delivered(sandbox)).toEqual(onceEach(people(3)));
});

test('a send node that is deleted and recreated with its name sends nothing twice', async () => {
	const workflow = await activate(items(people(4)), crmNode('CRM', credential, oneByOne));
	await turnDown(sandbox, 'person3@');
	const failed = await workflow.run();
	expect(failed.status).toBe('error');
	await workflow.change(({ nodes }) => {
		nodes.find(({ name }) => name === 'CRM')!.id = crypto.randomUUID();
	});
	expect((await n8n.retry(failed.id, 'current')).status).toBe('success');
	expect(await delivered(sandbox)).toEqual(onceEach(people(4)));
});

test.each([
	['one recipient', Array.from({ length: 5 }, () => people(1)[0]), { [people(1)[0].to]: 5 }],
	['five recipients', people(5), onceEach(people(5))],
])(
	'a loop to %s that fails in its third pass sends once in each, also when the node was renamed',
	async (recipients, list, expected) => {
		const { nodes, connections } = loop('CRM', 'Check');
		const check = `check ${recipients}`.replaceAll(' ', '-');
		const send = crmNode('CRM', credential, welcome);
		const workflow = await ProductionWorkflow.activate(
			n8n,
			[items(list), ...nodes, send, upstream.node('Check', check)],
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
		expect(retried.status).toBe('success');
		expect(await delivered(sandbox)).toEqual(expected);
	},
);

describe('a sub-workflow with two send nodes', () => {
	const called = {
		name: 'Called',
		nodes: [
			node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			crmNode('First', '', welcome),
			crmNode('Second', '', { ...welcome, to: "={{ $('Called').item.json.to }}" }),
		],
		connections: chain('Called', 'First', 'Second'),
		settings: orders.v1,
	};

	/** Calls the sub-workflow for each of two people. */
	async function caller(): Promise<ProductionWorkflow> {
		const nodes = called.nodes.map((one) => ({
			...one,
			...(one.credentials
				? { credentials: { crmWorkspaceApi: { id: credential, name: '' } } }
				: {}),
		}));
		const stored = await n8n.createWorkflow({ ...called, nodes });
		await n8n.publish(stored);
		const workflowId = { __rl: true, mode: 'id', value: stored.id };
		const parameters = { workflowId, mode: 'each', options: {} };
		return await activate(
			items(people(2)),
			node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, parameters),
		);
	}

	test('sends with both in each call', async () => {
		expect((await (await caller()).run()).status).toBe('success');
		expect(await delivered(sandbox)).toEqual({
			'person1@example.com': 2,
			'person2@example.com': 2,
		});
	});

	test('whose response is lost says in its caller, too, that the message may have been sent', async () => {
		await sandbox.control('POST', '/faults', { kind: 'dropAfter', next: 5 });
		const { message, description } = errorOf(await (await caller()).run(), 'Call');
		expect(message).toMatch(
			/^The message to person1@.* may already have been sent: no response came/,
		);
		expect(description).toContain("retry this sub-workflow's own execution");
	});

	test('is a new execution when its caller is retried, as the documents say', async () => {
		const workflow = await caller();
		await turnDown(sandbox, 'person2@');
		const failed = await workflow.run();
		expect(failed.status).toBe('error');
		expect((await n8n.retry(failed.id, 'original')).status).toBe('success');
		expect(await delivered(sandbox)).toEqual({
			'person1@example.com': 4,
			'person2@example.com': 2,
		});
	});
});

test('content that differs in each try is sent once, and the retry says so', async () => {
	const timed = { ...oneByOne, additionalFields: { subject: '={{ $now.toISO() }}' } };
	const workflow = await activate(items(people(3)), crmNode('CRM', credential, timed));
	await turnDown(sandbox, 'person3@');
	const failed = await workflow.run();
	expect(failed.status).toBe('error');
	const retried = await n8n.retry(failed.id, 'original');
	expect(errorOf(retried)).toMatchObject({
		message: expect.stringMatching(/^The message to .* was already sent with different content$/),
		context: { itemIndex: 0 },
	});
	const { [people(3)[2].to]: last = 0, ...earlier } = await delivered(sandbox);
	expect(earlier).toEqual(onceEach(people(2)));
	expect(last).toBeLessThanOrEqual(1);
});

test('a message that failed at the service is sent again by each retry, with the next key', async () => {
	const to = 'unlucky@example.com';
	const setOutcome = async (outcome: string) =>
		await sandbox.control('POST', '/addresses', { address: to, outcome });
	const sends = async () => (await sandbox.control('GET', '/messages')).data.length;

	await setOutcome('fail');
	const workflow = await activate(items([{ to }]), crmNode('CRM', credential, welcome));
	const failed = await workflow.run();
	const again = await n8n.retry(failed.id, 'original');
	expect([failed.status, again.status, await sends()]).toEqual(['error', 'error', 2]);

	await setOutcome('deliver');
	expect((await n8n.retry(again.id, 'original')).status).toBe('success');
	expect(await sends()).toBe(3);
	expect(await delivered(sandbox)).toEqual({ [to]: 1 });
});
