import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { type QueueMode, startQueueMode } from '../../playground/queueMode.mts';
import { decoded, searchLeftBehind } from '../support/keys/leftBehind.mts';
import { outputOf } from '../support/n8n/crmWorkflow.mts';
import { crmNode, node, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { delivered, onceEach, welcome } from '../support/n8n/sending.mts';
import { testBefore, testSince } from '../support/n8n/testSince.mts';

// Longer than two starts of n8n may take: one that takes too long says so, and is stopped.
jest.setTimeout(900_000);

const folder = mkdtempSync(join(tmpdir(), 'crm-workspace-queue-'));
let queue: QueueMode;
let sandbox: RunningSandbox;
let credential: string;

beforeAll(async () => {
	// Slow enough for a worker to die while it sends.
	sandbox = await startSandbox(['--requests-per-minute', '0', '--latency', '300']);
	queue = await startQueueMode({ tarball: process.env.PACKED!, folder, workers: 2 });
	credential = await createCredential(queue.main.n8n, unpaced(sandbox), 'Queue mode');
});

beforeEach(() => sandbox.control('POST', '/reset'));

/** As after the end-to-end tests, no key is in anything that n8n leaves behind. */
afterAll(async () => {
	await sandbox?.stop();
	if (!queue) return;
	const stored = await queue.storedExecutions().finally(() => queue.stop());
	writeFileSync(join(queue.main.dataFolder, 'executions'), stored.map(decoded).join('\n'));
	expect(searchLeftBehind(folder, [sandbox.testKey])).toEqual([]);
	rmSync(folder, { recursive: true });
});

const count = 30;

/** The recipients of an event: an execution sends to each of them. */
const recipientsOf = (event: string) =>
	Array.from({ length: count }, (_, index) => ({ to: `${event}-${index}@example.com` }));

async function activate(parameters: object): Promise<ProductionWorkflow> {
	const jsCode = `const { event } = $input.first().json.body;
return Array.from({ length: ${count} }, (_, i) => ({ to: event + '-' + i + '@example.com' }));`;
	return await ProductionWorkflow.activate(queue.main.n8n, [
		node('Items', 'n8n-nodes-base.code', 2, { jsCode }),
		crmNode('CRM', credential, { ...welcome, ...parameters }),
	]);
}

test('six executions over two workers send each message once', async () => {
	const { n8n } = queue.main;
	const workflow = await activate({});
	const events = Array.from({ length: 6 }, (_, index) => `event${index}`);
	const executions: string[] = [];
	for (const event of events) executions.push(await workflow.begin({ event }));
	const workers = await Promise.all(executions.map((one) => queue.workerOf(one)));
	const ended = await Promise.all(executions.map((one) => n8n.ended(one)));
	expect(new Set(workers).size).toBe(2);
	expect(ended.map(({ status }) => status)).toEqual(events.map(() => 'success'));
	expect(await delivered(sandbox)).toEqual(onceEach(events.flatMap(recipientsOf)));
});

/** Runs the workflow, and kills its worker after ten messages. @returns the execution, as it ended */
async function loseWorker() {
	const workflow = await activate({
		idempotency: 'custom',
		idempotencyKey: '=welcome-{{ $json.to }}',
		options: { concurrency: 1 },
	});
	const execution = await workflow.begin({ event: 'event' });
	const worker = await queue.workerOf(execution);
	await until('ten messages', async () => (await sent()) >= 10 || undefined);
	await worker.end('SIGKILL');
	return { workflow, lost: await queue.main.n8n.ended(execution) };
}

const sent = async () => Object.values(await delivered(sandbox)).length;

testSince('2.0', 'has another worker repeat the execution')(
	'a worker is killed: a retry sends no message twice, and started again with a custom key, the workflow sends what is missing',
	async () => {
		const { workflow, lost } = await loseWorker();
		const before = await sent();
		expect(before).toBeLessThan(count);

		// What docs/rate-limits-and-scaling.md says of n8n: it stored nothing that a retry could start from.
		// If its own search for lost executions comes first, the retry starts from the trigger.
		const retried = outputOf(await queue.main.n8n.retry(lost.id, 'original'));
		expect([
			{ items: 0, sent: before },
			{ items: count, sent: count },
		]).toContainEqual({ items: retried.length, sent: await sent() });

		const again = await workflow.run({ event: 'event' });
		expect(again.status).toBe('success');
		expect(await delivered(sandbox)).toEqual(onceEach(recipientsOf('event')));
	},
);

testBefore('2.0', 'marks the execution as failed')(
	'a worker is killed: another one repeats the execution, and sends what is missing',
	async () => {
		const { lost } = await loseWorker();
		expect(lost.status).toBe('success');
		expect(await delivered(sandbox)).toEqual(onceEach(recipientsOf('event')));
	},
);
