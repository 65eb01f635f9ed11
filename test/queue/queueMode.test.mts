import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import Table from 'cli-table3';
import { until } from '../../playground/client.mts';
import { type QueueMode, startQueueMode } from '../../playground/queueMode.mts';
import { decoded, searchLeftBehind } from '../support/keys/leftBehind.mts';
import { outputOf } from '../support/n8n/crmWorkflow.mts';
import {
	allKeys,
	Mailing,
	type MailingOptions,
	type Outcome,
	pause,
	recipients,
	stopServices,
} from './mailing.mts';

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

beforeEach(async () => {
	for (const worker of queue.workers) worker.signal('SIGCONT');
	await Promise.all(queue.workers.map((worker) => worker.start()));
});

/** As after the end-to-end tests, no key is in anything that n8n leaves behind. */
afterAll(async () => {
	if (!queue) return;
	process.stdout.write(`${table.toString()}\n`);
	await stopServices();
	const stored = await queue.storedExecutions().finally(() => queue.stop());
	writeFileSync(join(queue.main.dataFolder, 'executions'), stored.map(decoded).join('\n'));
	expect(searchLeftBehind(folder, allKeys()).found).toEqual(new Map());
	rmSync(folder, { recursive: true });
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
	const { delivered, twice, lost, statuses, refusals, seconds, bound } = outcome;
	const status = [...new Set(statuses)].map(
		(one) => `${statuses.filter((other) => other === one).length} × ${one}`,
	);
	table.push([
		name,
		delivered,
		twice,
		lost,
		status.join(', '),
		refusals,
		bound ? `${seconds} s : ${bound} s` : '',
	]);
	return outcome;
}

/** A mailing of which ten messages are delivered, and the worker that runs it. */
async function underWay(options: MailingOptions = {}) {
	const mailing = await Mailing.activate(n8n(), options);
	const execution = await mailing.begin();
	const worker = await queue.workerOf(execution);
	await mailing.reached(10);
	return { mailing, execution, worker };
}

/**
 * Begins executions until one runs. Redis still hands jobs to a frozen worker that has asked for
 * them before: n8n says of those that they failed, and nothing is sent.
 */
async function begunAnew(mailing: Mailing): Promise<void> {
	await until('another worker to begin', 90, async () => {
		const execution = await mailing.begin();
		return await Promise.race([
			queue.workerOf(execution),
			n8n()
				.ended(execution)
				.then(() => undefined),
		]);
	});
}

test.each([1, 2])(
	'ten executions over two workers, Number of n8n Processes %d: everyone gets one message',
	async (processes) => {
		const mailing = await Mailing.activate(n8n(), {
			requestsPerMinute: 150,
			credential: { processes },
		});
		const events = Array.from({ length: 10 }, (_, index) => `event${index}`);
		const executions: string[] = [];
		for (const event of events) executions.push(await mailing.begin(event));
		const workers = await Promise.all(executions.map((one) => queue.workerOf(one)));
		const outcome = await row(`ten executions, Number of n8n Processes ${processes}`, mailing);
		expect(new Set(workers).size).toBe(2);
		expect(outcome).toMatchObject({ delivered: 10 * recipients, twice: 0, lost: 0 });
		expect(new Set(outcome.statuses)).toEqual(new Set(['success']));
		if (processes === 2) expect(outcome.refusals).toBe(0);
	},
);

test.each([
	['killed', 0],
	['stopped without enough grace', 2],
])('a worker is %s: nothing twice, and n8n says that its execution failed', async (what, grace) => {
	const { mailing, execution, worker } = await underWay();
	if (grace > 0) worker.signal('SIGTERM');
	await sleep(grace * 1000);
	await worker.end('SIGKILL');
	const [ended] = await mailing.ended();
	const retried = await mailing.retry(execution);
	const outcome = await row(`a worker ${what}, retried`, mailing);
	expect(outcome).toMatchObject({ twice: 0, statuses: ['error', retried.status] });
	// What docs/rate-limits-and-scaling.md says of n8n: nothing is left that could be retried or looked up.
	expect(ended.data.resultData.runData).toEqual({});
	expect(outputOf(retried)).toEqual([]);
	expect(outcome.delivered).toBeLessThan(recipients);
});

test('a worker is killed, and its execution started again with a custom key: everyone gets one message', async () => {
	const { mailing, execution, worker } = await underWay({ parameters: customKey });
	await worker.end('SIGKILL');
	expect((await n8n().ended(execution)).status).toBe('error');
	await mailing.begin();
	const outcome = await row('a worker killed, started again with a custom key', mailing);
	expect(outcome).toMatchObject({ ...everyoneOnce, statuses: ['error', 'success'] });
});

test('a worker is stopped, and its grace period is long enough: everyone gets one message', async () => {
	const { mailing, worker } = await underWay();
	await worker.end('SIGTERM');
	const outcome = await row('a worker stopped, with grace', mailing);
	expect(outcome).toMatchObject({ ...everyoneOnce, statuses: ['success'] });
});

test('a frozen worker wakes up while another sends to the same: everyone gets one message', async () => {
	const { mailing, execution, worker } = await underWay({ parameters: customKey });
	worker.signal('SIGSTOP');
	expect((await n8n().ended(execution)).status).toBe('error');
	await begunAnew(mailing);
	await mailing.reached(15);
	worker.signal('SIGCONT');
	await until(
		'the woken worker to finish',
		60,
		async () => worker.log().includes(`Worker finished execution ${execution} `) || undefined,
	);
	const outcome = await row('a frozen worker wakes up while another runs', mailing);
	expect(outcome).toMatchObject(everyoneOnce);
	// The woken worker overwrites what main has said of its execution.
	expect(outcome.statuses[0]).toBe('success');
	expect(outcome.statuses.at(-1)).toBe('success');
});

test('main is killed: everyone gets one message', async () => {
	const { mailing } = await underWay();
	await queue.main.kill();
	await mailing.reached(recipients);
	await queue.main.start();
	const outcome = await row('main killed', mailing);
	expect(outcome).toMatchObject({ ...everyoneOnce, statuses: ['success'] });
});

test('Redis is restarted: everyone gets one message', async () => {
	const { mailing } = await underWay();
	await queue.redis.cut();
	await sleep(4000);
	await queue.redis.mend();
	const outcome = await row('Redis restarted, 4 s', mailing);
	expect(outcome).toMatchObject({ ...everyoneOnce, statuses: ['success'] });
});

test('main and a worker are killed, and the execution retried: everyone gets one message', async () => {
	const { mailing, execution, worker } = await underWay();
	await Promise.all([queue.main.kill(), worker.end('SIGKILL')]);
	await Promise.all([queue.main.start(), worker.start()]);
	expect((await n8n().ended(execution, 150)).status).toBe('crashed');
	await mailing.retry(execution);
	const outcome = await row('main and a worker killed, retried', mailing);
	expect(outcome).toMatchObject({ ...everyoneOnce, statuses: ['crashed', 'success'] });
});

test('PostgreSQL is down for 10 s: no item fails, or it says that n8n is to blame', async () => {
	const { mailing, execution } = await underWay({
		settings: { onError: 'continueRegularOutput' },
		// n8n can only store what came of it when PostgreSQL is back.
		after: pause(12_000),
	});
	await queue.postgres.cut();
	await sleep(10_000);
	await queue.postgres.mend();
	const ended = await until('n8n to be back', 60, () =>
		n8n()
			.ended(execution)
			.catch(() => undefined),
	);
	const errors = outputOf(ended).flatMap(({ json }) => json.error ?? []);
	const outcome = await row(`PostgreSQL down for 10 s, failed items: ${errors.length}`, mailing);
	process.stdout.write([...new Set(errors)].map((error) => `${error}\n`).join(''));
	expect(outcome).toMatchObject({
		...{ delivered: recipients - errors.length, twice: 0 },
		statuses: ['success'],
	});
	for (const error of errors) {
		expect(error).toContain('n8n');
		expect(error).not.toMatch(/Base URL|could not be reached/);
	}
});
