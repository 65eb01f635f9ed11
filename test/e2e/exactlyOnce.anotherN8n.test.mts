import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Execution, until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { isSince } from '../../playground/installed.mts';
import type { Playground } from '../../playground/start.mts';
import { sendTo } from '../support/n8n/agents.mts';
import { talkToAgent, withAgentsModule } from '../support/n8n/agentsModule.mts';
import { testBefore, testSince } from '../support/n8n/testSince.mts';
import { playground, startAnotherN8n } from '../support/n8n/playground.mts';
import { chain, crmNode, loop, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { startScriptedModel } from '../support/n8n/scriptedModel.mts';
import { items, orders, people, welcome } from '../support/n8n/sending.mts';
import { startUpstream, type Upstream } from '../support/n8n/rowsService.mts';
import { errorOf, outputOf } from '../support/n8n/crmWorkflow.mts';

interface Row {
	to: string;
	subject?: string;
}

/** An execution that n8n does not survive, of a workflow whose rows come from another service. */
interface Killed {
	/** Also how its recipients begin, so that they are its own. */
	name: string;
	rows: Row[];
	/** The recipient whose first message is sent, but whose answer n8n does not live to see. */
	last: string;
	/** How many messages are sent by then. */
	sent: number;
	isLoop?: boolean;
	/** Whether n8n stores what every node did when the next one begins. */
	savesProgress?: boolean;
	/** The send node's 'On Error': by default the other rows go on. */
	onError?: 'stopWorkflow' | 'continueRegularOutput';
	/** The execution, once it has begun. */
	id?: string;
}

const killed: Killed[] = [];

/** Adds an execution to those that run when n8n is killed. */
function killedWhile(one: Omit<Killed, 'id'>): Killed {
	killed.push(one);
	return one;
}

let sandbox: RunningSandbox;
let upstream: Upstream;
let other: Playground;
let credential: string;

/** All executions run when n8n is killed, so that one n8n and one death do for all tests. */
beforeAll(async () => {
	[sandbox, upstream, other] = await Promise.all([
		startSandbox(['--requests-per-minute', '0']),
		startUpstream(),
		startAnotherN8n(isSince('2.15') ? withAgentsModule : undefined),
	]);
	credential = await createCredential(other.n8n, service(), 'Exactly once');
	for (const one of killed) await begin(one);
	await until('every execution to wait for its answer', 30, async () => {
		const sent = await Promise.all(killed.map(async ({ name }) => (await messagesTo(name)).length));
		return killed.every((one, index) => sent[index] === one.sent) || undefined;
	});
	await other.kill();
	await sandbox.control('DELETE', '/faults');
	await other.start();
}, 240_000);

afterAll(async () => {
	await Promise.all([other.stop(), upstream.stop(), sandbox.stop()]);
});

const service = () => unpaced(sandbox);

async function begin(one: Killed): Promise<void> {
	const parameters = {
		...welcome,
		additionalFields: { subject: "={{ $json.subject ?? 'Welcome' }}" },
		options: { concurrency: 1 },
	};
	const { onError = 'continueRegularOutput' } = one;
	const send = crmNode('CRM', credential, parameters, { onError });
	const { nodes, connections } = loop('CRM');
	const rows = upstream.node('Rows', one.name);
	const workflow = await ProductionWorkflow.activate(
		other.n8n,
		one.isLoop ? [rows, ...nodes, send] : [rows, send],
		one.isLoop ? { ...chain('Rows', 'Loop'), ...connections } : undefined,
		{ ...orders.v1, saveExecutionProgress: one.savesProgress },
	);
	upstream.give(one.name, one.rows);
	await sandbox.control('POST', '/faults', {
		kind: 'delay',
		delayMs: 60_000,
		after: true,
		match: `"${one.last}"`,
		probability: 1,
	});
	one.id = await workflow.begin();
}

/** What is in the inboxes of recipients that begin like this. */
async function messagesTo(name: string): Promise<Row[]> {
	const { data } = await sandbox.control('GET', '/inbox');
	return data.filter(({ to }: Row) => to.startsWith(name));
}

/** Recipient and subject of each, in an order that does not depend on when they were sent. */
const inOrder = (rows: Row[]) =>
	rows.map(({ to, subject = 'Welcome' }) => `${to}: ${subject}`).sort();

/**
 * Recipients and subjects, or errors, of what the send node gave; in no order of its own. n8n puts
 * an item of its own in the place of what was lost with it.
 */
const outcomes = (execution: Execution) => {
	const given = outputOf(execution).map(({ json }) => json);
	return inOrder(
		given
			.filter(({ isArtificialRecoveredEventItem }) => !isArtificialRecoveredEventItem)
			.map((json) => (json.error ? { to: json.error } : json)),
	);
};

/** Retries it with these rows. */
async function retry(one: Killed, rows: Row[], version: 'current' | 'original' = 'original') {
	expect((await other.n8n.execution(one.id!)).status).toBe('crashed');
	upstream.give(one.name, rows);
	return await other.n8n.retry(one.id!, version);
}

const withToken = testSince('2.14', 'gives executions no token that outlives it');

describe.each([
	['same', false],
	['progress', true],
])(
	'an execution that n8n did not survive (%s; its progress was stored: %s)',
	(name, savesProgress) => {
		const rows = people(10, `${name}-`);
		const asItWas = killedWhile({ name, rows, last: rows[5].to, sent: 6, savesProgress });

		withToken('sends nothing twice when it is retried', async () => {
			const retried = await retry(asItWas, rows);
			expect(inOrder(await messagesTo(asItWas.name))).toEqual(inOrder(rows));
			expect(outcomes(retried)).toEqual(inOrder(rows));
		});
	},
);

describe('an execution that n8n did not survive, retried when its rows have changed', () => {
	describe.each(['original', 'current'] as const)('with the %s workflow', (version) => {
		const rows = people(5, `top-${version}-`);
		const onTop = killedWhile({
			name: `top-${version}`,
			rows,
			last: rows[2].to,
			sent: 3,
		});
		withToken('sends to everyone once where there is one row more, on top', async () => {
			const now = [{ to: `top-${version}-new@example.com` }, ...rows];
			const retried = await retry(onTop, now, version);
			expect(inOrder(await messagesTo(onTop.name))).toEqual(inOrder(now));
			expect(outcomes(retried)).toEqual(inOrder(now));
		});
	});

	describe.each([
		['who got the first', 'first', 1],
		['who got both', 'both', 3],
	])('with two messages to one recipient, %s', (_, name, sent) => {
		const [twice, second, third] = people(3, `order-${name}-`);
		const rows: Row[] = [{ ...twice, subject: 'One' }, second, { ...twice, subject: 'Two' }, third];
		// Those to one recipient are sent together.
		const last = name === 'first' ? twice.to : second.to;
		const reordered = killedWhile({ name: `order-${name}`, rows, last, sent });

		withToken('sends nothing twice if the rows come in another order', async () => {
			const retried = await retry(reordered, [third, ...rows.slice(0, -1).reverse()]);
			const once = name === 'first' ? rows.filter(({ subject }) => subject !== 'Two') : rows;
			expect(inOrder(await messagesTo(reordered.name))).toEqual(inOrder(once));
			const isUnknown = expect.stringMatching(
				`^A message to ${twice.to} was sent or tried earlier`,
			);
			expect(outcomes(retried)).toEqual([isUnknown, isUnknown, ...inOrder([second, third])]);
		});
	});

	describe('in a loop', () => {
		const rows = people(5, 'loop-');
		const looped = killedWhile({
			name: 'loop',
			rows,
			last: rows[2].to,
			sent: 3,
			isLoop: true,
		});
		withToken('sends to everyone once where a row more moves them into other turns', async () => {
			const now = [{ to: 'loop-new@example.com' }, ...rows];
			const retried = await retry(looped, now);
			expect(inOrder(await messagesTo(looped.name))).toEqual(inOrder(now));
			expect(outcomes(retried)).toEqual(inOrder(now));
		});
	});

	describe('with other content', () => {
		const rows = people(3, 'content-');
		const changed = killedWhile({
			name: 'content',
			rows,
			last: rows[1].to,
			sent: 2,
			onError: 'stopWorkflow',
		});

		withToken('sends nothing twice', async () => {
			const now = rows.map((row) => ({ ...row, subject: 'Corrected' }));
			const retried = await retry(changed, now);
			expect(retried.status).toBe('error');
			expect(errorOf(retried).message).toMatch(/was sent or tried earlier with different content$/);
			const toThoseBefore = (await messagesTo(changed.name)).filter(({ to }) => to !== rows[2].to);
			expect(inOrder(toThoseBefore)).toEqual(inOrder(rows.slice(0, 2)));
		});
	});
});

const withoutToken = testBefore('2.14', 'gives executions a token that outlives it');

withoutToken.each(killed.map((one) => [one.name, one] as const))(
	'an execution that n8n did not survive (%s) sends nothing more when it is retried, and says why',
	async (_name, one) => {
		const before = await messagesTo(one.name);
		const retried = await retry(one, one.rows);
		expect(await messagesTo(one.name)).toEqual(before);
		const told = retried.status === 'error' ? [errorOf(retried).message] : outcomes(retried);
		expect(told.length).toBeGreaterThan(0);
		for (const words of told) expect(words).toContain('n8n crashed during the original execution');
	},
);

test('the same workflow in two instances sends in both', async () => {
	const rows = people(2, 'both-');
	const ours = playground().n8n;
	for (const instance of [ours, other.n8n]) {
		const own = await createCredential(instance, service(), 'Two instances');
		const workflow = await ProductionWorkflow.activate(instance, [
			items(rows),
			crmNode('CRM', own, welcome),
		]);
		expect((await workflow.run()).status).toBe('success');
	}
	expect(inOrder(await messagesTo('both-'))).toEqual(
		inOrder([...rows, ...rows].map((row) => ({ ...row, subject: 'Welcome, friend' }))),
	);
});

const asAgentsTool = testSince('2.15', 'has no agents module, or another one');

asAgentsTool("as a tool of n8n's agents module, each call sends its message", async () => {
	const { to } = people(1, 'agent-')[0];
	const model = await startScriptedModel([sendTo(to), sendTo(to)]);
	try {
		const outcomes = await talkToAgent(other.n8n, model, credential);
		expect(outcomes).toEqual([
			expect.objectContaining({ toolName: 'Send_email', isError: false }),
			expect.objectContaining({ toolName: 'Send_email', isError: false }),
		]);
		expect(await messagesTo('agent-')).toHaveLength(2);
	} finally {
		await model.stop();
	}
});
