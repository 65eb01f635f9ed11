import { type N8n, until, type Workflow } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { ProductionWorkflow } from '../../test/support/n8n/productionWorkflow.mts';
import type { Service } from '../httpRequest.mts';

/** A service with the IDs of both nodes' credentials for it. */
export interface SharedService extends Service {
	credential: string;
}

/** Longer than anything takes, in s. */
const longest = 20 * 60;

/** How often n8n is asked if an execution has ended, in ms. Each time takes it some of what is measured. */
const interval = 500;

/** Credentials for a service without a rate limit. */
export async function serviceFor(n8n: N8n, baseUrl: string): Promise<SharedService> {
	const apiKey = 'sk_test_bench';
	const header = { name: 'Authorization', value: `Bearer ${apiKey}` };
	return {
		baseUrl,
		credential: await createCredential(
			n8n,
			{ baseUrl, apiKey, requestsPerMinute: 100_000 },
			'Bench',
		),
		headerAuth: await n8n.createCredential('Bench', 'httpHeaderAuth', header),
	};
}

/** Stores and activates a workflow of nodes, one after another. */
export async function activate(n8n: N8n, nodes: Workflow['nodes']): Promise<ProductionWorkflow> {
	return await ProductionWorkflow.activate(n8n, nodes);
}

/**
 * Runs a workflow as in production, started by its webhook.
 * @returns the ID of the execution, which has ended
 */
export async function runToEnd(n8n: N8n, workflow: ProductionWorkflow): Promise<string> {
	const id = await workflow.begin();
	await until(`execution ${id} to end`, longest, async () => await hasEnded(n8n, id), interval);
	return id;
}

/**
 * Reads the result of an execution, which takes n8n time and memory of its own.
 * @returns how long the named nodes ran together, in s, and the items of the last one
 * @throws an Error if the execution failed
 */
export async function resultOf(n8n: N8n, id: string, names: string[]) {
	const { status, data } = await n8n.execution(id);
	const { runData, error } = data.resultData;
	if (status !== 'success') throw new Error(`${status}: ${error?.message}`);
	const runs = names.map((name) => runData[name][0]);
	const seconds = runs.reduce((sum, run) => sum + Number(run.executionTime), 0) / 1000;
	return { seconds, items: runs.at(-1)!.data?.main[0] ?? [] };
}

async function hasEnded(n8n: N8n, id: string): Promise<true | undefined> {
	// While n8n stores much data, it says that its database isn't ready.
	const all = await n8n.executions().catch(() => []);
	const status = all.find((one) => one.id === id)?.status ?? 'running';
	return status === 'new' || status === 'running' ? undefined : true;
}
