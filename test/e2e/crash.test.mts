import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Execution, until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import type { Playground } from '../../playground/start.mts';
import { testBefore, testSince } from '../support/n8n/testSince.mts';
import { playground, startAnotherN8n } from '../support/n8n/playground.mts';
import { chain, crmNode, loop, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { items, orders, people, welcome } from '../support/n8n/sending.mts';
import { startUpstream, type Upstream } from '../support/n8n/rowsService.mts';
import { errorOf, outputOf } from '../support/n8n/crmWorkflow.mts';

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

/** A sync of three hundred rows, of which sixty differ from their contacts. */
const changedCount = 60;
let synced: Array<{ id: string; jobTitle: string }>;

let sandbox: RunningSandbox;
let syncSandbox: RunningSandbox;
let upstream: Upstream;
let other: Playground;
let credential: string;
const executions = new Map<string, string>();

/** All executions run when n8n is killed, so one n8n instance and one crash do for all tests. */
beforeAll(async () => {
	[sandbox, syncSandbox, upstream, other] = await Promise.all([
		startSandbox(['--requests-per-minute', '0']),
		startSandbox(['--requests-per-minute', '0', '--contacts', '600', '--seed', '2']),
		startUpstream(),
		startAnotherN8n(),
	]);
	credential = await createCredential(other.n8n, unpaced(sandbox), 'Crash');
	for (const one of [...killed, corrected]) executions.set(one.name, await beginSending(one));
	await until('each execution to wait for a response', 30, async () => {
		const counts = await Promise.all(
			[...killed, corrected].map(
				async ({ name, sent }) => (await messagesTo(name)).length === sent,
			),
		);
		return counts.every(Boolean) || undefined;
	});
	executions.set('sync', await beginSync());
	await until(
		'a third of the updates',
		60,
		async () => (await writes()) >= changedCount / 3 || undefined,
	);
	await other.kill();
	await Promise.all([sandbox, syncSandbox].map((one) => one.control('DELETE', '/faults')));
	await other.start();
}, 240_000);

afterAll(async () => {
	await Promise.all([other.stop(), upstream.stop(), sandbox.stop(), syncSandbox.stop()]);
});

async function beginSending({ name, rows, sent, isLoop }: Killed): Promise<string> {
	const parameters = {
		...welcome,
		additionalFields: { subject: "={{ $json.subject ?? 'Welcome' }}" },
		options: { concurrency: 1 },
	};
	const send = crmNode('CRM', credential, parameters);
	const source = upstream.node('Rows', name);
	const { nodes, connections } = loop('CRM');
	const workflow = await ProductionWorkflow.activate(
		other.n8n,
		isLoop ? [source, ...nodes, send] : [source, send],
		isLoop ? { ...chain('Rows', 'Loop'), ...connections } : undefined,
		orders.v1,
	);
	upstream.give(name, rows);
	const late = { kind: 'delay', delayMs: 60_000, after: true, probability: 1 };
	await sandbox.control('POST', '/faults', { ...late, match: `"${rows[sent - 1].to}"` });
	return await workflow.begin();
}

async function beginSync(): Promise<string> {
	const own = await createCredential(other.n8n, unpaced(syncSandbox), 'Sync');
	synced = (await syncContacts()).slice(0, 300).map((contact: any, index: number) => ({
		...contact,
		...(index < changedCount && { jobTitle: `Promoted ${index}` }),
	}));
	const update = {
		operation: 'updateContact',
		contact: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
		fields: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
		options: { skipUnchanged: true },
	};
	const nodes = [items(synced), crmNode('CRM', own, update)];
	const workflow = await ProductionWorkflow.activate(other.n8n, nodes);
	// Only the responses are late, so the service holds everything that it was asked for.
	const late = { kind: 'delay', delayMs: 300, after: true, method: 'PUT', probability: 1 };
	await syncSandbox.control('POST', '/faults', late);
	return await workflow.begin();
}

const syncContacts = async () => (await syncSandbox.control('GET', '/contacts')).data;

/** The number of updates that the service was asked for. */
async function writes(): Promise<number> {
	const { data } = await syncSandbox.control('GET', '/requests');
	return data.filter(({ method }: { method: string }) => method === 'PUT').length;
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
	upstream.give(name, later);
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

withoutToken.each([...killed, corrected].map((one) => [one.name, one] as const))(
	'after a crash of n8n, a retry sends nothing more, and the error says why: %s',
	async (name, one) => {
		const before = await messagesTo(name);
		const retried = await retry(one);
		expect(await messagesTo(name)).toEqual(before);
		expect(errorOf(retried).message).toContain('n8n crashed during the original execution');
	},
);

test('after a crash of n8n, a retry of a sync updates only what is still different', async () => {
	const stillDifferent = async () => {
		const contacts: typeof synced = await syncContacts();
		const titles = new Map(contacts.map(({ id, jobTitle }) => [id, jobTitle]));
		return synced.filter(({ id, jobTitle }) => titles.get(id) !== jobTitle).length;
	};
	const left = await stillDifferent();
	expect(left).toBeGreaterThan(0);
	expect(left).toBeLessThan(changedCount);

	await syncSandbox.control('DELETE', '/requests');
	const retried = await other.n8n.retry(executions.get('sync')!, 'original');
	const results = outputOf(retried).map(({ json }) => json._result);
	expect(results).toHaveLength(synced.length);
	expect(results.filter((result) => result === 'updated')).toHaveLength(left);
	expect(await writes()).toBe(left);
	expect(await stillDifferent()).toBe(0);
});

test('the same workflow in two n8n instances sends in both', async () => {
	const rows = people(2, 'both-');
	for (const instance of [playground().n8n, other.n8n]) {
		const own = await createCredential(instance, unpaced(sandbox), 'Two instances');
		const send = crmNode('CRM', own, welcome);
		const workflow = await ProductionWorkflow.activate(instance, [items(rows), send]);
		expect((await workflow.run()).status).toBe('success');
	}
	const recipients = (await messagesTo('both')).map(({ to }) => to);
	expect(recipients.sort()).toEqual([...rows, ...rows].map(({ to }) => to).sort());
});
