import { once } from 'node:events';
import { type N8n, until } from '../../playground/client.mts';
import { startPlayground } from '../../playground/start.mts';
import type { ProductionWorkflow } from '../../test/support/n8n/productionWorkflow.mts';
import { pack } from '../../tools/pack.mts';

/** The memory of n8n's process now, and the most that it has had, in MB. */
interface Memory {
	now: number;
	peak: number;
}

/** Evaluated in n8n's process. Node.js returns bytes, and kilobytes of 1,024 bytes. */
const expression = `({
	now: process.memoryUsage.rss() / 1e6,
	peak: process.resourceUsage().maxRSS * 1024 / 1e6,
})`;

/** Longer than anything takes, in s. */
const longest = 20 * 60;

/** How often n8n is asked if an execution has ended, in ms. Asking takes some of what is measured. */
const interval = 500;

/** Starts an n8n instance with the package, which shows its memory to Node.js's inspector. */
export async function startN8n() {
	const nodeFlags = ['--inspect=127.0.0.1:0'];
	const { n8n, log, stop } = await startPlayground({ tarball: await pack(), nodeFlags });
	const [address] = /ws:\S+/.exec(log())!;
	const inspector = new WebSocket(address);
	await once(inspector, 'open');
	return {
		n8n,
		async memory(): Promise<Memory> {
			const params = { expression, returnByValue: true };
			inspector.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
			const [{ data }] = await once(inspector, 'message');
			return JSON.parse(data).result.result.value;
		},
		async stop() {
			inspector.close();
			await stop();
		},
	};
}

/**
 * Runs a workflow as in production, started by its webhook.
 * @returns the ID of the execution, which has ended
 */
export async function runToEnd(n8n: N8n, workflow: ProductionWorkflow): Promise<string> {
	const id = await workflow.begin();
	await until(`execution ${id} to end`, async () => await hasEnded(n8n, id), {
		seconds: longest,
		interval,
	});
	return id;
}

async function hasEnded(n8n: N8n, id: string): Promise<true | undefined> {
	// While n8n stores much data, it says that its database isn't ready.
	const all = await n8n.executions().catch(() => []);
	const status = all.find((one) => one.id === id)?.status ?? 'running';
	return status === 'new' || status === 'running' ? undefined : true;
}

/**
 * Reads the result of an execution, which takes n8n time and memory of its own.
 * @returns how long its nodes ran together, in s, and the items of the last one
 * @throws an Error if the execution failed
 */
export async function resultOf(n8n: N8n, id: string) {
	const { status, data } = await n8n.execution(id);
	const { runData, error } = data.resultData;
	if (status !== 'success') throw new Error(`${status}: ${error?.message}`);
	const runs = Object.values(runData).map(([run]) => run);
	const seconds = runs.reduce((sum, run) => sum + Number(run.executionTime), 0) / 1000;
	return { seconds, items: runs.at(-1)!.data?.main[0] ?? [] };
}
