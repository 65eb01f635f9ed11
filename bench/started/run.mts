import { until, type Execution, type NodeRun, type Workflow } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import type { Playground } from '../../playground/start.mts';
import { node, ProductionWorkflow } from '../../test/support/n8n/productionWorkflow.mts';
import { contestants } from '../case.mts';
import type { Service } from '../httpRequest.mts';

type Node = Workflow['nodes'][number];

/** A service for both contestants: with the ID of this node's credential, too. */
export interface SharedService extends Service {
	credential: string;
}

/** This node, or n8n's HTTP Request node. */
export type Contestant = keyof typeof contestants;

/** Anyone who is measured, in the order in which they are. */
export const both = Object.keys(contestants) as Contestant[];

/** Longer than anything takes, in s. */
const longest = 20 * 60;

/** How often n8n is asked whether it is done, in ms: each time takes it some of what is measured. */
const interval = 500;

/** A node, begun by a call, that makes these rows. */
export function rowsNode(rows: object[]): Node {
	const jsCode = `return ${JSON.stringify(rows)};`;
	return node('Rows', 'n8n-nodes-base.code', 2, { jsCode });
}

/**
 * Credentials for a service: one for each contestant.
 * @param requestsPerMinute what this node's says of the rate limit: that of a service without one
 * by default
 */
export async function serviceFor(
	{ n8n }: Playground,
	{ baseUrl, apiKey }: { baseUrl: string; apiKey: string },
	requestsPerMinute = 100_000,
): Promise<SharedService> {
	const given = { baseUrl, apiKey, requestsPerMinute };
	const header = { name: 'Authorization', value: `Bearer ${apiKey}` };
	return {
		baseUrl,
		credential: await createCredential(n8n, given, 'Bench'),
		headerAuth: await n8n.createCredential('Bench', 'httpHeaderAuth', header),
	};
}

/** Stores a workflow of these nodes, one after another, and activates it. */
export async function prepare({ n8n }: Playground, nodes: Node[]): Promise<ProductionWorkflow> {
	return await ProductionWorkflow.activate(n8n, nodes);
}

/**
 * Has a workflow run as in production, begun by a call.
 * @returns the ID of its execution, when that has ended
 */
export async function runToEnd({ n8n }: Playground, workflow: ProductionWorkflow): Promise<string> {
	const id = await workflow.begin();
	await until(
		`execution ${id} to end`,
		longest,
		async () => {
			// One that is busy with storing much says that its database is not ready.
			const all = await n8n.executions(workflow.stored.id).catch(() => []);
			const status = all.find((one) => one.id === id)?.status ?? 'running';
			return ['new', 'running'].includes(status) ? undefined : status;
		},
		interval,
	);
	return id;
}

/**
 * What came of an execution.
 * @returns how long the named nodes ran together, in s, and the items of the last of them
 * @throws an Error when it has not succeeded
 */
export async function resultOf({ n8n }: Playground, id: string, names: string[]) {
	const { status, data } = await n8n.execution(id);
	const runs = names.map((name) => runOf(data, name));
	const failure = runs.find(({ error }) => error)?.error ?? data.resultData.error;
	if (status !== 'success' || failure) throw new Error(`${status}: ${failure?.message}`);
	const seconds = runs.reduce((sum, run) => sum + Number(run.executionTime), 0) / 1000;
	return { seconds, items: runs.at(-1)!.data?.main[0] ?? [] };
}

function runOf({ resultData }: Execution['data'], name: string): NodeRun {
	const run = resultData.runData[name]?.[0];
	if (!run) throw new Error(`'${name}' did not run: ${resultData.error?.message}`);
	return run;
}
