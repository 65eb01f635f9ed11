import { afterAll, beforeAll, expect } from '@jest/globals';
import fastify from 'fastify';
import { type Execution, until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import type { Playground } from '../../playground/start.mts';
import { errorOf, outputOf } from '../support/n8n/crmWorkflow.mts';
import { startAnotherN8n } from '../support/n8n/playground.mts';
import {
	chain,
	crmNode,
	loop,
	node,
	ProductionWorkflow,
} from '../support/n8n/productionWorkflow.mts';
import { people, welcome } from '../support/n8n/sending.mts';
import { testBefore, testSince } from '../support/n8n/testSince.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';

interface Row {
	to: string;
	subject?: string;
}

/** An execution that sends to rows of another service when n8n is killed. */
interface Killed {
	/** Its recipients begin with this. */
	name: string;
	rows: Row[];
	/** So many messages are sent by then. The response to the last never reaches n8n. */
	sent: number;
	isLoop?: boolean;
	/** The rows of the retry, where they have changed. */
	later?: Row[];
}

const list = people(10, 'list-');
const top = people(5, 'top-');
const turns = people(5, 'loop-');
const content = people(3, 'content-');

const killed: Killed[] = [
	{ name: 'list', rows: list, sent: 6 },
	{ name: 'top', rows: top, sent: 3, later: [{ to: 'top-new@example.com' }, ...top] },
	{
		name: 'loop',
		rows: turns,
		sent: 3,
		isLoop: true,
		later: [{ to: 'loop-new@example.com' }, ...turns],
	},
];

const corrected: Killed = {
	name: 'content',
	rows: content,
	sent: 2,
	later: content.map((row) => ({ ...row, subject: 'Corrected' })),
};

const all = [...killed, corrected];

/** Another service, which has the rows below the name of each execution. */
const upstream = fastify({ forceCloseConnections: true });
const rowsOf = new Map(all.map(({ name, rows }) => [name, rows]));
let url: string;
let sandbox: RunningSandbox;
let other: Playground;
let credential: string;
const executions = new Map<string, string>();

/** All executions run when n8n is killed, so one n8n instance and one crash do for all tests. */
beforeAll(async () => {
	upstream.get<{ Params: { name: string } }>('/:name', ({ params: { name } }, reply) =>
		reply.send(rowsOf.get(name)),
	);
	[url, sandbox, other] = await Promise.all([
		upstream.listen({ port: 0, host: '127.0.0.1' }),
		startSandbox(['--requests-per-minute', '0']),
		startAnotherN8n(),
	]);
	credential = await createCredential(other.n8n, unpaced(sandbox), 'Crash');
	for (const one of all) executions.set(one.name, await beginSending(one));
	await until('each execution to wait for a response', async () => {
		const counts = await Promise.all(all.map(async ({ name }) => (await messagesTo(name)).length));
		return all.every(({ sent }, index) => counts[index] === sent) || undefined;
	});
	await other.kill();
	await sandbox.control('DELETE', '/faults');
	await other.start();
});

afterAll(async () => {
	await Promise.all([other.stop(), upstream.close(), sandbox.stop()]);
});

async function beginSending({ name, rows, sent, isLoop }: Killed): Promise<string> {
	const source = node('Rows', 'n8n-nodes-base.httpRequest', 4.2, { url: `${url}/${name}` });
	const send = crmNode('CRM', credential, {
		...welcome,
		additionalFields: { subject: "={{ $json.subject ?? 'Welcome' }}" },
		options: { concurrency: 1 },
	});
	const { nodes, connections } = loop('CRM');
	const workflow = await ProductionWorkflow.activate(
		other.n8n,
		isLoop ? [source, ...nodes, send] : [source, send],
		isLoop ? { ...chain('Rows', 'Loop'), ...connections } : undefined,
	);
	const late = { kind: 'delay', delayMs: 60_000, after: true, probability: 1 };
	await sandbox.control('POST', '/faults', { ...late, match: `"${rows[sent - 1].to}"` });
	return await workflow.begin();
}

/** What is in the inboxes of recipients that begin like this. */
async function messagesTo(name: string): Promise<Row[]> {
	const { data } = await sandbox.control('GET', '/inbox');
	return data.filter(({ to }: Row) => to.startsWith(`${name}-`));
}

/** Recipient and subject of each, in any order. */
const inOrder = (rows: Row[]) =>
	rows.map(({ to, subject = 'Welcome' }) => `${to}: ${subject}`).sort();

/** The messages that the send node returned; n8n puts an item of its own in the place of lost ones. */
const returned = (execution: Execution) =>
	inOrder(
		outputOf(execution)
			.map(({ json }) => json)
			.filter(({ isArtificialRecoveredEventItem }) => !isArtificialRecoveredEventItem),
	);

async function retry({ name, rows, later = rows }: Killed): Promise<Execution> {
	const id = executions.get(name)!;
	expect((await other.n8n.execution(id)).status).toBe('crashed');
	rowsOf.set(name, later);
	return await other.n8n.retry(id, 'original');
}

const withToken = testSince('2.14', 'gives executions no token that outlives it');

withToken.each(killed.map((one) => [one.name, one] as const))(
	'after a crash of n8n, a retry sends what is missing, and nothing twice: %s',
	async (name, one) => {
		const retried = await retry(one);
		const everyone = inOrder(one.later ?? one.rows);
		expect(inOrder(await messagesTo(name))).toEqual(everyone);
		expect(returned(retried)).toEqual(everyone);
	},
);

withToken('after a crash of n8n, a retry with other content sends nothing twice', async () => {
	const retried = await retry(corrected);
	expect(retried.status).toBe('error');
	expect(errorOf(retried).message).toMatch(
		/^The message to .* wasn't sent: a message with different content was sent or tried earlier$/,
	);
	const toThoseBefore = (await messagesTo('content')).filter(({ to }) => to !== content[2].to);
	expect(inOrder(toThoseBefore)).toEqual(inOrder(content.slice(0, 2)));
});

const withoutToken = testBefore('2.14', 'gives executions a token that outlives it');

withoutToken.each(all.map((one) => [one.name, one] as const))(
	'after a crash of n8n, a retry sends nothing more, and the error says why: %s',
	async (name, one) => {
		const before = await messagesTo(name);
		const retried = await retry(one);
		expect(await messagesTo(name)).toEqual(before);
		expect(errorOf(retried).message).toContain('n8n crashed during the original execution');
	},
);
