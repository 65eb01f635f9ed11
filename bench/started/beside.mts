import { setTimeout as pass } from 'node:timers/promises';
import type { N8n, StoredWorkflow } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { startPlayground } from '../../playground/start.mts';
import { startSandbox } from '../../sandbox/index.mts';
import { pack } from '../../tools/pack.mts';
import type { Case, Figure } from '../case.mts';
import { mailing, nightly } from './workflows.mts';

const perMinute = 60;
const contactCount = 1_000;
const changedCount = 200;
const sends = 15;

/** How long after one send the next begins, in ms. */
const interval = 15_000;

/** How long the node may run for a send, 95 of 100 times, in ms. */
const longest = 5_000;

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** A sync, a trigger and sends in one n8n and with one key. */
export const beside: Case = {
	title: 'A sync, a trigger and sends side by side',
	isLong: true,
	async run({ progress }) {
		const sandbox = await startSandbox({
			port: 0,
			contacts: contactCount,
			requestsPerMinute: perMinute,
			variants: { listOrder: 'nameAscending' },
		});
		const { n8n, stop } = await startPlayground({ tarball: await pack() });
		try {
			const { baseUrl, testKey: apiKey } = sandbox;
			const service = { baseUrl, apiKey, requestsPerMinute: perMinute };
			const credential = await createCredential(n8n, service, 'Bench');
			const trigger = await n8n.createWorkflow(polling(credential));
			await n8n.activate(trigger);
			progress('the sync and the sends, five minutes');
			const sync = synced(n8n, credential, await rowsFrom(sandbox));
			const waits: Array<Promise<number>> = [];
			for (let index = 0; index < sends; index++) {
				await pass(interval);
				waits.push(sent(n8n, credential));
			}
			const seconds = await sync;
			progress('what the trigger told, two minutes');
			const came = { seconds, waits: await Promise.all(waits), told: await toldBy(n8n, trigger) };
			return { figures: await figuresOf(sandbox, came) };
		} finally {
			await Promise.all([stop(), sandbox.stop()]);
		}
	},
};

function polling(credential: string) {
	const parameters = {
		pollTimes: { item: [{ mode: 'everyMinute' }] },
		events: ['contactCreated', 'contactUpdated'],
		options: {},
	};
	const type = 'n8n-nodes-crm-workspace.crmWorkspaceTrigger';
	const credentials = { crmWorkspaceApi: { id: credential, name: 'any' } };
	const place = { typeVersion: 1, position: [0, 0] };
	return {
		name: 'Polling',
		nodes: [
			{ id: 'trigger', name: 'Trigger', type, parameters, credentials, ...place },
			{ id: 'end', name: 'End', type: 'n8n-nodes-base.noOp', parameters: {}, ...place },
		],
		connections: { Trigger: { main: [[{ node: 'End', type: 'main', index: 0 }]] } },
	};
}

async function rowsFrom({ controlUrl }: Sandbox): Promise<object[]> {
	const { data } = (await (await fetch(`${controlUrl}/contacts`)).json()) as any;
	const step = contactCount / changedCount;
	const changed = data.filter((_: unknown, index: number) => index % step === 0);
	return changed.map(({ email }: { email: string }) => ({ email, jobTitle: 'Promoted' }));
}

/** @returns how long the sync took, in s */
async function synced(n8n: N8n, credential: string, rows: object[]): Promise<number> {
	const workflow = await n8n.createWorkflow(nightly(credential, rows, { skipUnchanged: false }));
	const { data } = await n8n.ended(await n8n.start(workflow, 'Start'), 20 * 60);
	return Number(data.resultData.runData.CRM[0].executionTime) / 1000;
}

/** @returns how long the node ran for one message, in ms */
async function sent(n8n: N8n, credential: string): Promise<number> {
	const workflow = await n8n.createWorkflow(mailing(credential, 1));
	const { data } = await n8n.ended(await n8n.start(workflow, 'Start'), 5 * 60);
	return Number(data.resultData.runData.CRM[0].executionTime);
}

/** How many contacts it has told of, two minutes after all is done. */
async function toldBy(n8n: N8n, { id }: StoredWorkflow): Promise<string[]> {
	await pass(2 * 60_000);
	const ended = await Promise.all((await n8n.executions(id)).map((one) => n8n.ended(one.id)));
	return ended.flatMap(({ data }) =>
		(data.resultData.runData.End?.[0].data?.main[0] ?? []).map(({ json }) => json.record.id),
	);
}

interface Came {
	seconds: number;
	waits: number[];
	told: string[];
}

/** @throws an Error when the trigger has not told of each contact that the sync has updated */
async function figuresOf(sandbox: Sandbox, { seconds, waits, told }: Came): Promise<Figure[]> {
	const distinct = new Set(told).size;
	if (distinct !== changedCount) throw new Error(`${distinct} of ${changedCount} were told`);
	const { data: requests } = (await (await fetch(`${sandbox.controlUrl}/requests`)).json()) as any;
	const refused = requests.filter(({ status }: { status: number }) => status === 429).length;
	const sorted = waits.toSorted((a, b) => a - b);
	const part = (of: number) => sorted[Math.ceil(of * sorted.length) - 1] / 1000;
	const figure = (name: string, ours: number, unit: string, atMost?: Figure['atMost']): Figure => ({
		...{ name, ours, other: null, bound: null, unit, atMost },
	});
	return [
		figure('a send: median', part(0.5), 's'),
		figure('a send: 95 of 100', part(0.95), 's', { ours: longest / 1000 }),
		figure('a send: longest', part(1), 's'),
		{
			...figure('the sync', seconds, 's'),
			bound: Math.floor((requests.length - 1) / perMinute) * 60,
		},
		figure('requests of all', requests.length, 'requests'),
		figure('requests refused', refused, 'requests', { ours: 0 }),
		figure('events emitted twice', told.length - distinct, 'events', { ours: 0 }),
	];
}
