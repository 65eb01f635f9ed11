import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { until } from '../../playground/client.mts';
import type { Playground } from '../../playground/start.mts';
import { describeSince } from '../support/n8n/testSince.mts';
import { startAnotherN8n } from '../support/n8n/playground.mts';
import {
	anotherPoll,
	createPolling,
	oneOfEach,
	pollingScene,
	requestsTo,
	untilTold,
} from '../support/n8n/pollingWorkflow.mts';

// For each test an n8n instance is killed.
const { sandbox, credentialIn, activate, sends, expectTold } = pollingScene();

describe('a trigger in an n8n instance that is killed', () => {
	let other: Playground;
	const polling = async () =>
		await activate(other.n8n, await createPolling(other.n8n, await credentialIn(other.n8n)));

	beforeAll(async () => {
		other = await startAnotherN8n();
	}, 120_000);
	afterAll(() => other.stop());

	test('during a poll: emits what happened before and since, and nothing twice', async () => {
		await polling();
		const before = await oneOfEach(sandbox());
		await untilTold(sandbox(), 4);
		const delay = { kind: 'delay', delayMs: 60_000, path: '/contacts', probability: 1 };
		await sandbox().control('POST', '/faults', delay);
		const during = await oneOfEach(sandbox());
		await until('a poll to wait', 30, async () => {
			const waiting = await requestsTo(sandbox(), 'GET', '/contacts');
			return waiting.some(({ fault, status }) => fault === 'delay' && status === null) || undefined;
		});
		await other.kill();
		await sandbox().control('DELETE', '/faults');
		const since = await oneOfEach(sandbox());
		await other.start();
		// The contact was updated twice since, which is one event.
		await expectTold([...before, ...new Set([...during, ...since])]);
	}, 120_000);

	test('during the workflow: sent messages are sent once, and the others by a retry', async () => {
		const workflow = await polling();
		const delay = { kind: 'delay', delayMs: 60_000, path: '/transactional', probability: 1 };
		await sandbox().control('POST', '/faults', { ...delay, match: 'contactCreated ' });
		await sandbox().control('POST', '/faults', { ...delay, after: true });
		const events = await oneOfEach(sandbox());
		await until('each message to be under way', 30, async () => (await sends()) === 4 || undefined);
		await untilTold(sandbox(), 3);
		await other.kill();
		await sandbox().control('DELETE', '/faults');
		await other.start();
		await expectTold(events.filter((event) => !event.startsWith('contactCreated')));

		for (const { id } of await other.n8n.executions(workflow.id)) {
			expect((await other.n8n.ended(id)).status).toBe('crashed');
			expect((await other.n8n.retry(id, 'original')).status).toBe('success');
		}
		await expectTold(events);
	}, 120_000);
});

describeSince('2.40', 'has no durable scheduler')('in an n8n with a durable scheduler', () => {
	let other: Playground;

	beforeAll(async () => {
		other = await startAnotherN8n({
			N8N_SCHEDULER_ENABLED: 'true',
			N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
			N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
			N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
			N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		});
	}, 120_000);
	afterAll(() => other.stop());

	test('each event is emitted once, also when n8n is killed', async () => {
		const credential = await credentialIn(other.n8n);
		await activate(other.n8n, await createPolling(other.n8n, credential));
		// n8n stores nothing of the poll with which a workflow becomes active, but of the next.
		await anotherPoll(sandbox());
		const before = await oneOfEach(sandbox());
		await expectTold(before);
		await other.kill();
		const since = await oneOfEach(sandbox());
		await other.start();
		await expectTold([...before, ...since]);
		// Otherwise n8n has polled without the durable scheduler.
		expect(storedStates(other.dataFolder)).toBe(1);
	}, 120_000);
});

/** The number of triggers of which n8n stores the state apart from their workflows. */
function storedStates(dataFolder: string): number {
	const database = new DatabaseSync(join(dataFolder, '.n8n/database.sqlite'), { readOnly: true });
	const { number } = database.prepare('SELECT count(*) AS number FROM poller_state').get()!;
	database.close();
	return number as number;
}
