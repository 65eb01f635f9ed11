import { afterEach, expect, test } from '@jest/globals';
import { until } from '../../playground/client.mts';
import type { Playground } from '../../playground/start.mts';
import { inDatabase } from '../support/n8n/database.mts';
import { startAnotherN8n } from '../support/n8n/playground.mts';
import {
	anotherPoll,
	createPolling,
	oneOfEach,
	pollingScene,
	requestsTo,
	untilTold,
} from '../support/n8n/pollingWorkflow.mts';
import { testSince } from '../support/n8n/testSince.mts';

// For each test an n8n instance is killed.
const { sandbox, credentialIn, activate, expectTold } = pollingScene();
let other: Playground;
afterEach(async () => await other.stop());

/** Starts an n8n instance in which a workflow polls. */
async function startPolling(environment?: Record<string, string>): Promise<void> {
	other = await startAnotherN8n(environment);
	await activate(other.n8n, await createPolling(other.n8n, await credentialIn(other.n8n)));
}

test('a trigger in an n8n instance that is killed during a poll emits each event once', async () => {
	await startPolling();
	const before = await oneOfEach(sandbox());
	await untilTold(sandbox(), 4);
	const delay = { kind: 'delay', delayMs: 60_000, path: '/contacts', probability: 1 };
	await sandbox().control('POST', '/faults', delay);
	const during = await oneOfEach(sandbox());
	await until('a poll to wait', async () => {
		const waiting = await requestsTo(sandbox(), 'GET', '/contacts');
		return waiting.some(({ fault, status }) => fault === 'delay' && status === null) || undefined;
	});
	await other.kill();
	await sandbox().control('DELETE', '/faults');
	const since = await oneOfEach(sandbox());
	await other.start();
	// The contact was updated twice since, which is one event.
	await expectTold([...before, ...new Set([...during, ...since])]);
});

testSince('2.40', 'has no durable scheduler')(
	'with the durable scheduler of n8n, each event is emitted once, also when n8n is killed',
	async () => {
		await startPolling({
			N8N_SCHEDULER_ENABLED: 'true',
			N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
			N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
			N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
			N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		});
		// n8n stores nothing of the poll with which a workflow becomes active, but of the next.
		await anotherPoll(sandbox());
		const before = await oneOfEach(sandbox());
		await expectTold(before);
		await other.kill();
		const since = await oneOfEach(sandbox());
		await other.start();
		await expectTold([...before, ...since]);
		// Otherwise n8n has polled without the durable scheduler.
		const states = inDatabase(other.dataFolder, (database) =>
			database.prepare('SELECT count(*) AS number FROM poller_state').get(),
		);
		expect(states).toEqual({ number: 1 });
	},
);
