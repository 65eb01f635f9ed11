import { startPlayground, type Playground } from '../../playground/start.mts';
import { startSandbox, type RunningSandbox } from '../../test/support/sandbox/sandbox.mts';
import { pack } from '../../tools/pack.mts';
import type { Case, Figure } from '../case.mts';
import { serviceFor } from './run.mts';
import { mailing, nightly } from './workflows.mts';
import type { Workflow } from '../../playground/client.mts';

const perMinute = 60;
const messages = 300;
const rowCount = 10_000;
const changedCount = 200;

/** Of the bound: a minute for spreading, and what comparing 10,000 rows takes. */
const mostOfSync = 1.3;

/** Longer than anything takes, in s. */
const longest = 20 * 60;

/**
 * Two of the simulated runs in real time: both have to agree. HTTP Request isn't run again, its time is
 * the bound of as many requests.
 */
export const realTime: Case = {
	title: 'In real time',
	isLong: true,
	async run({ progress }) {
		const n8n = await startPlayground({ tarball: await pack() });
		try {
			progress(`${messages} sends, and ${rowCount.toLocaleString('en')} rows, five minutes`);
			const [sends, sync] = await Promise.all([sendAll(n8n), syncAll(n8n)]);
			return {
				figures: [
					...figuresOf(sends, 1 + 60 / safeBound(messages)),
					...figuresOf(sync, mostOfSync),
				],
			};
		} finally {
			await n8n.stop();
		}
	},
};

/** What came of a run: how long the node took, in s, and what the service counted. */
interface Came {
	name: string;
	seconds: number;
	requests: number;
	refused: number;
	/** How many requests another would make. */
	otherwise: number;
}

async function sendAll(n8n: Playground): Promise<Came> {
	const sandbox = await strictSandbox(0);
	try {
		const workflow = (credential: string) => mailing(credential, messages);
		const { items, ...came } = await run(n8n, sandbox, workflow);
		if (items.length !== messages) throw new Error(`${items.length} of ${messages} were sent`);
		return { name: `${messages} sends`, otherwise: messages, ...came };
	} finally {
		await sandbox.stop();
	}
}

async function syncAll(n8n: Playground): Promise<Came> {
	const sandbox = await strictSandbox(rowCount);
	try {
		const { data: contacts } = await sandbox.control('GET', '/contacts');
		const rows = rowsOfTonight(contacts);
		const options = { skipUnchanged: true };
		const workflow = (credential: string) => nightly(credential, rows, options);
		const { items, ...came } = await run(n8n, sandbox, workflow);
		const updated = items.filter(({ json }) => json._result === 'updated').length;
		if (items.length !== rowCount || updated !== changedCount) {
			throw new Error(`${updated} of ${items.length} rows were updated`);
		}
		const name = `${rowCount.toLocaleString('en')} rows, ${changedCount} changed`;
		return { name, otherwise: rowCount, ...came };
	} finally {
		await sandbox.stop();
	}
}

async function strictSandbox(contacts: number): Promise<RunningSandbox> {
	return await startSandbox([
		...['--contacts', String(contacts), '--requests-per-minute', String(perMinute)],
		...['--variant', 'limiter=slidingWindow'],
	]);
}

async function run(
	n8n: Playground,
	sandbox: RunningSandbox,
	workflowFor: (credential: string) => Workflow,
) {
	const { baseUrl, testKey: apiKey } = sandbox;
	const { credential } = await serviceFor(n8n, { baseUrl, apiKey }, perMinute);
	const workflow = await n8n.n8n.createWorkflow(workflowFor(credential));
	const { data } = await n8n.n8n.ended(await n8n.n8n.start(workflow, 'Start'), longest);
	const [{ executionTime, data: output, error }] = data.resultData.runData.CRM;
	if (error) throw new Error(error.message);
	const { data: requests } = await sandbox.control('GET', '/requests');
	const refused = requests.filter(({ status }: { status: number }) => status === 429).length;
	const seconds = Number(executionTime) / 1000;
	return { items: output?.main[0] ?? [], seconds, requests: requests.length, refused };
}

/** The contacts as a table of last night holds them, some of them changed since. */
function rowsOfTonight(contacts: any[]): object[] {
	return contacts.map(({ email, firstName, lastName, phone, jobTitle, tags }, index) => ({
		...{ email, firstName, lastName, phone, tags },
		jobTitle: index % (rowCount / changedCount) === 7 ? 'Promoted' : jobTitle,
	}));
}

function figuresOf(
	{ name, seconds, requests, refused, otherwise }: Came,
	ofBound: number,
): Figure[] {
	return [
		{
			name: `${name}: time`,
			ours: seconds,
			other: safeBound(otherwise),
			bound: safeBound(requests),
			unit: 's',
			atMost: { ofBound },
		},
		{
			name: `${name}: requests`,
			ours: requests,
			other: otherwise,
			bound: null,
			unit: 'requests',
		},
		{
			...{ name: `${name}: refused`, ours: refused, other: null, bound: null, unit: 'requests' },
			atMost: { ours: 0 },
		},
	];
}

/** The fewest seconds in which so many requests can be made without a refusal. */
function safeBound(requests: number): number {
	return Math.floor((requests - 1) / perMinute) * 60;
}
