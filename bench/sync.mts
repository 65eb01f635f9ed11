import Table from 'cli-table3';
import { createCredential } from '../playground/examples.mts';
import { startPlayground } from '../playground/start.mts';
import { startSandbox } from '../sandbox/index.mts';
import { pack } from '../tools/pack.mts';

const rowCount = 10_000;
const changedCount = 200;
const perMinute = 60;

/**
 * The nightly sync in real time: ten thousand rows by email, 200 of them changed, in the pinned
 * n8n, against a service that allows 60 requests a minute. Takes five minutes.
 * @throws an Error when it takes longer than it may, or the service had to turn a request away
 */
export async function run(): Promise<void> {
	const sandbox = await startSandbox({ port: 0, contacts: rowCount, requestsPerMinute: perMinute });
	const playground = await startPlayground({ tarball: await pack() });
	try {
		const { n8n } = playground;
		const { baseUrl, testKey: apiKey } = sandbox;
		const service = { baseUrl, apiKey, requestsPerMinute: perMinute };
		const credential = await createCredential(n8n, service, 'Bench');
		const { data: contacts } = await ask(`${sandbox.controlUrl}/contacts`);
		const workflow = await n8n.createWorkflow(nightly(rowsOfTonight(contacts), credential));
		console.log(`${rowCount} rows at ${perMinute} requests a minute…`);
		const execution = await n8n.ended(await n8n.start(workflow, 'Start'), 20 * 60);
		report(execution.data.resultData.runData.CRM?.[0], await requestsSoFar(sandbox.controlUrl));
	} finally {
		await playground.stop();
		await sandbox.stop();
	}
}

/** The contacts as a table of last night holds them, every fiftieth one changed since. */
function rowsOfTonight(contacts: any[]): object[] {
	return contacts.map(({ email, firstName, lastName, phone, jobTitle, tags }, index) => ({
		...{ email, firstName, lastName, phone, tags },
		jobTitle: index % (rowCount / changedCount) === 7 ? 'Promoted' : jobTitle,
	}));
}

/** A workflow, begun by hand at Start, that updates contacts from rows with an email address. */
export function nightly(rows: object[], credential: string, options = { skipUnchanged: true }) {
	const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
		...{ id: name, name, type, typeVersion, parameters, position: [0, 0] },
	});
	const update = {
		operation: 'updateContact',
		contact: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
		fields: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
		options,
	};
	return {
		name: 'Nightly sync',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Rows', 'n8n-nodes-base.code', 2, { jsCode: `return ${JSON.stringify(rows)};` }),
			{
				...node('CRM', 'n8n-nodes-crm-workspace.crmWorkspace', 1, update),
				credentials: { crmWorkspaceApi: { id: credential, name: 'any' } },
			},
		],
		connections: {
			Start: { main: [[{ node: 'Rows', type: 'main', index: 0 }]] },
			Rows: { main: [[{ node: 'CRM', type: 'main', index: 0 }]] },
		},
	};
}

function report(nodeRun: any, requests: any[]): void {
	const items: any[] = nodeRun?.data?.main[0] ?? [];
	const count = (result: string) => items.filter(({ json }) => json._result === result).length;
	const seconds = nodeRun.executionTime / 1000;
	const bound = safeBound(requests.length);
	const refused = requests.filter(({ status }) => status === 429).length;

	const table = new Table({
		style: { head: [], border: [], compact: true },
		head: ['10,000 rows by email', 'requests', '429', 'seconds', 'safe bound', 'ratio'],
	});
	const ratio = seconds / bound;
	table.push(
		['this node', requests.length, refused, seconds.toFixed(1), bound, ratio.toFixed(3)],
		['update by update', rowCount, '–', '–', safeBound(rowCount), '–'],
	);
	console.log(table.toString());
	console.log(`${count('updated')} updated, ${count('unchanged')} unchanged`);

	const isRight = count('updated') === changedCount && items.length === rowCount;
	if (!isRight || refused > 0 || ratio > 1.05) throw new Error('The sync is not what it should be');
}

/** The fewest seconds in which so many requests can be made without a refusal. */
function safeBound(requests: number): number {
	return Math.floor((requests - 1) / perMinute) * 60;
}

async function requestsSoFar(controlUrl: string): Promise<any[]> {
	return (await ask(`${controlUrl}/requests`)).data;
}

async function ask(url: string): Promise<any> {
	return (await fetch(url)).json();
}
