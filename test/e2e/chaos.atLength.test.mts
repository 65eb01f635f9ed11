import { expect, test } from '@jest/globals';
import Table from 'cli-table3';
import { createCredential } from '../../playground/examples.mts';
import { playground } from '../support/n8n/playground.mts';
import { crmNode, node, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { outputOf } from '../support/n8n/crmWorkflow.mts';

const count = Number(process.env.CHAOS_ITEMS ?? 200);
const seed = 20261120;
const minutes = 60_000;

/** A fifth of the requests is disturbed; a refusal slows everything down, so there are fewer of them. */
const faults = [
	{ kind: 'dropBefore', probability: 0.05 },
	{ kind: 'dropAfter', probability: 0.05 },
	{ kind: 'status', status: 500, probability: 0.04 },
	{ kind: 'status', status: 503, probability: 0.03 },
	{ kind: 'delay', delayMs: 1500, probability: 0.02 },
	{ kind: 'status', status: 429, probability: 0.01 },
];

test(
	`${count} messages through a service that disturbs every fifth request: none lost, none twice`,
	async () => {
		const { n8n } = playground();
		const sandbox = await startSandbox(['--requests-per-minute', '0']);
		try {
			const service = unpaced(sandbox);
			const workflow = await ProductionWorkflow.activate(n8n, [
				node('Items', 'n8n-nodes-base.code', 2, {
					jsCode: `return Array.from({ length: ${count} }, (_, i) => ({ to: 'person' + i + '@example.com' }));`,
				}),
				crmNode('CRM', await createCredential(n8n, service, 'Chaos'), {
					operation: 'sendTransactionalEmail',
					to: '={{ $json.to }}',
					templateSlug: 'welcome',
					options: { timeout: 1, concurrency: 10 },
				}),
			]);
			for (const [index, fault] of faults.entries()) {
				await sandbox.control('POST', '/faults', { ...fault, seed: seed + index });
			}
			// One item meets a fault that outlasts every attempt, so that at least one try fails.
			await sandbox.control('POST', '/faults', {
				kind: 'status',
				status: 502,
				match: '"person7@',
				next: 5,
			});

			let execution = await n8n.ended(await workflow.begin(), 1800);
			let retries = 0;
			while (execution.status !== 'success' && retries < 50) {
				execution = await n8n.retry(execution.id, retries % 2 === 0 ? 'original' : 'current');
				retries++;
			}

			const { data: inbox } = await sandbox.control('GET', '/inbox');
			const { data: requests } = await sandbox.control('GET', '/requests');
			const recipients = new Set(inbox.map(({ to }: { to: string }) => to));
			print(requests, { retries, delivered: inbox.length, recipients: recipients.size });
			expect(execution.status).toBe('success');
			expect(outputOf(execution)).toHaveLength(count);
			expect(retries).toBeGreaterThan(0);
			expect(recipients.size).toBe(count);
			expect(inbox).toHaveLength(count);
		} finally {
			await sandbox.stop();
		}
	},
	60 * minutes,
);

function print(
	requests: Array<{ fault?: string; status: number | null }>,
	result: { retries: number; delivered: number; recipients: number },
): void {
	const counts = new Map<string, number>();
	for (const { fault, status } of requests) {
		if (!fault) continue;
		const name = fault === 'status' ? `HTTP ${status}` : fault;
		counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	const table = new Table({ style: { head: [], border: [], compact: true } });
	table.push(
		['seed', seed],
		['items', count],
		['requests', requests.length],
		...[...counts].map(([name, times]) => [`disturbed: ${name}`, times]),
		['retries of the execution', result.retries],
		['delivered', result.delivered],
		['lost', count - result.recipients],
		['twice', result.delivered - result.recipients],
	);
	process.stdout.write(`${table.toString()}\n`);
}
