import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import Table from 'cli-table3';
import { until, type N8n, type Workflow } from '../playground/client.mts';
import { createCredential } from '../playground/examples.mts';
import { startPlayground, type Playground } from '../playground/start.mts';
import { startSandbox } from '../test/support/sandbox.mts';
import { pack } from '../tools/pack.mts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

const contacts = 10_000;
const latency = 50;
const rounds = 3;
const greatestTimeRatio = 0.4;
const greatestMemoryRatio = 1.1;

/** The ways to list all contacts, and the node of each whose output they are. */
const contestants = {
	'CRM Workspace, Return All': crmNode,
	'HTTP Request with its pagination': httpRequestNode,
};
type Contestant = keyof typeof contestants;

/**
 * All of 10,000 contacts, in the pinned n8n, by this node and by n8n's HTTP Request node with the
 * pagination it has built in, from a service without a rate limit that answers after 50 ms. Time
 * is measured in one n8n for both, taking turns; memory in a fresh n8n for each run, as the most
 * that its process held. Only the ratios of one run say something.
 * @throws an Error when a ratio is above what it may be
 */
export async function run(): Promise<void> {
	const tarball = await pack();
	const sandbox = await startSandbox([
		...['--contacts', String(contacts), '--latency', String(latency)],
		...['--requests-per-minute', '0'],
	]);
	try {
		const seconds = await timesOf(tarball, sandbox);
		const megabytes = await peaksOf(tarball, sandbox);
		report(seconds, megabytes);
	} finally {
		await sandbox.stop();
	}
}

async function timesOf(tarball: string, sandbox: Sandbox): Promise<Record<Contestant, number[]>> {
	const playground = await startPlayground({ tarball });
	try {
		return await alternately(async (contestant) => {
			const workflow = await prepared(playground.n8n, sandbox, contestant);
			return await listedWithin(playground.n8n, workflow, sandbox);
		});
	} finally {
		await playground.stop();
	}
}

async function peaksOf(tarball: string, sandbox: Sandbox): Promise<Record<Contestant, number[]>> {
	return await alternately(async (contestant) => {
		const playground = await startPlayground({ tarball });
		try {
			return await peakOf(playground, sandbox, contestant);
		} finally {
			await playground.stop();
		}
	});
}

async function peakOf(
	{ n8n, dataFolder }: Playground,
	sandbox: Sandbox,
	contestant: Contestant,
): Promise<number> {
	const workflow = await prepared(n8n, sandbox, contestant);
	const memory = memoryOf(dataFolder);
	memory.forgetPeak();
	await n8n.start(workflow, 'Start');
	await finished(n8n, workflow.id);
	return memory.peak();
}

/** Does something for each contestant in turn, several times. */
async function alternately(
	measure: (contestant: Contestant) => Promise<number>,
): Promise<Record<Contestant, number[]>> {
	const names = Object.keys(contestants) as Contestant[];
	const measured = Object.fromEntries(names.map((name) => [name, [] as number[]]));
	for (let round = 0; round < rounds; round++) {
		for (const name of names) measured[name].push(await measure(name));
	}
	return measured as Record<Contestant, number[]>;
}

async function prepared(n8n: N8n, sandbox: Sandbox, contestant: Contestant) {
	const { baseUrl, testKey } = sandbox;
	const service = { baseUrl, apiKey: testKey, requestsPerMinute: 100_000 };
	const credential = await createCredential(n8n, service, 'Bench');
	return await n8n.createWorkflow(listing(contestants[contestant](sandbox), credential));
}

/** How many seconds the listing node took, all records being there and a hundred requests made. */
async function listedWithin(
	n8n: N8n,
	workflow: Awaited<ReturnType<typeof prepared>>,
	sandbox: Sandbox,
): Promise<number> {
	await sandbox.control('DELETE', '/requests');
	const { data } = await n8n.run(workflow, 'Start');
	const [list] = data.resultData.runData.List;
	if (list.error) throw new Error(list.error.message);
	const records = (list.data?.main[0] ?? []).flatMap(({ json }) => json.data ?? json);
	const ids = new Set(records.map(({ id }: { id: string }) => id));
	const { data: requests } = await sandbox.control('GET', '/requests');
	if (ids.size !== contacts || requests.length !== contacts / 100) {
		throw new Error(`${ids.size} contacts came with ${requests.length} requests`);
	}
	return Number(list.executionTime) / 1000;
}

async function finished(n8n: N8n, workflowId: string): Promise<void> {
	await until('the list', 120, async () => {
		const [execution] = await n8n.executions(workflowId);
		return execution?.status === 'success' || undefined;
	});
}

interface NodeToList {
	type: string;
	typeVersion: number;
	parameters: object;
}

function crmNode(): NodeToList {
	return {
		type: 'n8n-nodes-crm-workspace.crmWorkspace',
		typeVersion: 1,
		parameters: { operation: 'list', returnAll: true, simplify: false },
	};
}

/** As n8n's documentation shows it for a service that counts pages. */
function httpRequestNode({ baseUrl, testKey }: Sandbox): NodeToList {
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
		paginationCompleteWhen: 'other',
		completeExpression:
			'={{ $response.body.meta.pagination.page >= $response.body.meta.pagination.totalPages }}',
	};
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: `${baseUrl}/contacts`,
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'Authorization', value: `Bearer ${testKey}` }] },
			sendQuery: true,
			queryParameters: { parameters: [{ name: 'limit', value: '100' }] },
			options: { pagination: { pagination } },
		},
	};
}

function listing(node: NodeToList, credential: string): Workflow {
	return {
		name: 'Listing',
		nodes: [
			{
				...{ id: 'Start', name: 'Start', position: [0, 0], parameters: {} },
				...{ type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
			},
			{
				...{ id: 'List', name: 'List', position: [200, 0], ...node },
				credentials: { crmWorkspaceApi: { id: credential, name: 'Bench' } },
			},
		],
		connections: { Start: { main: [[{ node: 'List', type: 'main', index: 0 }]] } },
	};
}

/** The memory of the n8n with this data folder, as Linux counts it. */
function memoryOf(dataFolder: string) {
	const id = readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.find((name) => isN8nOf(name, dataFolder));
	if (!id) throw new Error('The process of n8n was not found');
	return {
		forgetPeak: () => writeFileSync(`/proc/${id}/clear_refs`, '5'),
		/** In megabytes. */
		peak: () =>
			Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))![1]) / 1024,
	};
}

function isN8nOf(processId: string, dataFolder: string): boolean {
	try {
		return (
			/bin\/n8n\0start/.test(readFileSync(`/proc/${processId}/cmdline`, 'utf8')) &&
			readFileSync(`/proc/${processId}/environ`, 'utf8').includes(`N8N_USER_FOLDER=${dataFolder}`)
		);
	} catch {
		// It has ended since, or belongs to someone else.
		return false;
	}
}

function report(
	seconds: Record<Contestant, number[]>,
	megabytes: Record<Contestant, number[]>,
): void {
	const table = new Table({
		style: { head: [], border: [], compact: true },
		head: [`${contacts} contacts, ${latency} ms latency`, 'seconds', 'peak MB'],
	});
	for (const name of Object.keys(contestants) as Contestant[]) {
		table.push([
			name,
			seconds[name].map((one) => one.toFixed(2)).join('  '),
			megabytes[name].map((one) => one.toFixed(0)).join('  '),
		]);
	}
	const time = ratioOf(seconds);
	const memory = ratioOf(megabytes);
	table.push([
		'ratio of the medians',
		`${time.toFixed(2)} (at most ${greatestTimeRatio})`,
		`${memory.toFixed(2)} (at most ${greatestMemoryRatio})`,
	]);
	console.log(table.toString());
	if (time > greatestTimeRatio || memory > greatestMemoryRatio) {
		throw new Error('Listing is not as fast or as small as it should be');
	}
}

function ratioOf(measured: Record<Contestant, number[]>): number {
	const [ours, theirs] = Object.values(measured).map(
		(values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)],
	);
	return ours / theirs;
}
