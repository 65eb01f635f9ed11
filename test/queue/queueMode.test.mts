import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import Table from 'cli-table3';
import { until } from '../../playground/client.mts';
import { type QueueMode, startQueueMode } from '../../playground/queueMode.mts';
import { Mailing, type Outcome, recipients } from './mailing.mts';
import { errorOf, outputOf } from '../support/workflow.mts';

jest.setTimeout(300_000);

let queue: QueueMode;
const folder = mkdtempSync(join(tmpdir(), 'crm-workspace-queue-'));

const table = new Table({
	head: ['', 'delivered', 'twice', 'lost', 'status', '429', 'time : bound'],
	style: { head: [], border: [], compact: true },
});

beforeAll(async () => {
	const tarball = process.env.PACKED!;
	const environment = { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '120' };
	queue = await startQueueMode({ tarball, folder, workers: 2, environment });
});

afterAll(async () => {
	await queue?.stop();
	rmSync(folder, { recursive: true });
	process.stdout.write(`${table.toString()}\n`);
});

const n8n = () => queue.main.n8n;

const everyoneOnce = { delivered: recipients, twice: 0, lost: 0 };

/** One message for each event and recipient, whichever execution sends it. */
const customKey = {
	idempotency: 'custom',
	idempotencyKey: '=welcome-{{ $json.event }}-{{ $json.to }}',
};

/** Puts what came of a mailing into the table. */
async function row(name: string, mailing: Mailing): Promise<Outcome> {
	const outcome = await mailing.outcome();
	const { delivered, twice, lost, statuses, refusals, overBound } = outcome;
	const status = [...new Set(statuses)].map(
		(one) => `${statuses.filter((other) => other === one).length} × ${one}`,
	);
	table.push([name, delivered, twice, lost, status.join(', '), refusals, overBound?.toFixed(2) ?? '']);
	return outcome;
}

/** A mailing of which ten messages are delivered, and the worker that runs it. */
async function underWay(options = {}) {
	const mailing = await Mailing.activate(n8n(), options);
	const execution = await mailing.begin();
	const worker = await queue.workerOf(execution);
	await mailing.reached(10);
	return { mailing, execution, worker };
}

test('a worker is killed, and its execution started anew with a custom key: everyone gets one message', async () => {
	const { mailing, execution, worker } = await underWay({ parameters: customKey });
	await worker.end('SIGKILL');
	expect((await n8n().ended(execution)).status).toBe('error');
	await mailing.begin();
	await mailing.ended();
	const outcome = await row('a worker killed, started anew with a custom key', mailing);
	expect(outcome).toMatchObject({ ...everyoneOnce, statuses: ['error', 'success'] });
	await worker.start();
});
