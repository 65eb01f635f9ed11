import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type StoredWorkflow, until } from '../../playground/client.mts';
import type { Playground } from '../../playground/start.mts';
import { describeSince } from '../support/n8n/testSince.mts';
import { playground, startAnotherN8n } from '../support/n8n/playground.mts';
import {
	allEnded,
	anotherPoll,
	createPolling,
	oneOfEach,
	requestsTo,
	untilTold,
} from '../support/n8n/pollingWorkflow.mts';
import { eventsOf, pollingScene } from '../support/n8n/pollingScene.mts';

// What takes its time: `npm run test:e2e` runs it, `npm test` does not.
const { sandbox, credentialIn, activate, sends, expectTold } = pollingScene();

describe('in an n8n instance that runs', () => {
	const { n8n } = playground();
	let credential: string;

	beforeEach(async () => {
		credential = await credentialIn(n8n);
	});

	test('a workflow that is switched off and on again is shown what happened in the meantime', async () => {
		const workflow = await activate(n8n, await createPolling(n8n, credential));
		const before = await oneOfEach(sandbox());
		await expectTold(before);
		await n8n.deactivate(workflow);
		const meanwhile = await oneOfEach(sandbox());
		await n8n.activate(workflow);
		await expectTold([...before, ...meanwhile]);
		expect(await sends()).toBe(8);
	});

	test('a service that is down loses nothing, and each poll says that it is', async () => {
		const workflow = await activate(n8n, await createPolling(n8n, credential));
		const statuses = async () => (await n8n.executions(workflow.id)).map(({ status }) => status);
		await sandbox().control('POST', '/faults', { kind: 'status', status: 503, probability: 1 });
		const first = await oneOfEach(sandbox());
		await until('two polls to fail', 120, async () => (await statuses()).length >= 2 || undefined);
		const second = await oneOfEach(sandbox());
		await sandbox().control('DELETE', '/faults');

		// The contact was updated twice, which is one event.
		await expectTold([...new Set([...first, ...second])]);
		const [caughtUp, ...failed] = await allEnded(n8n, workflow);
		expect(caughtUp.status).toBe('success');
		expect(eventsOf([caughtUp])).toHaveLength(7);
		expect(failed.map(({ status }) => status)).toEqual(failed.map(() => 'error'));
		for (const { data } of failed) {
			expect(data.resultData.error?.message).toBe('The service failed to process GET /activities');
		}
		const refused = (await requestsTo(sandbox(), 'GET', '/activities')).filter(
			({ status }) => status === 503,
		);
		// A poll gives up after five attempts; the last one may have begun before the service was back.
		expect(failed).toHaveLength(Math.floor(refused.length / 5));
	}, 150_000);
});

describe('in an n8n instance that is killed', () => {
	let other: Playground;
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		other = await startAnotherN8n();
	}, 120_000);
	beforeEach(async () => {
		const credential = await credentialIn(other.n8n);
		workflow = await activate(other.n8n, await createPolling(other.n8n, credential));
	});
	afterAll(() => other.stop());

	test('in a poll: what happened before and in the meantime is shown, and nothing again', async () => {
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
		const meanwhile = await oneOfEach(sandbox());
		await other.start();
		// The contact was updated twice since, which is one event.
		await expectTold([...before, ...new Set([...during, ...meanwhile])]);
	}, 120_000);

	test('while it sends: what was sent is sent once, and what was not by a retry', async () => {
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

		for (const { id, status } of await allEnded(other.n8n, workflow)) {
			expect(status).toBe('crashed');
			expect((await other.n8n.retry(id, 'original')).status).toBe('success');
		}
		await expectTold(events);
	}, 120_000);
});

const describeDurable = describeSince('2.40', 'has no durable scheduler');

/** How many triggers n8n keeps the memory of in its database, apart from their workflows. */
function keptMemories(dataFolder: string): number {
	const database = new DatabaseSync(join(dataFolder, '.n8n/database.sqlite'), { readOnly: true });
	const { number } = database.prepare('SELECT count(*) AS number FROM poller_state').get()!;
	database.close();
	return number as number;
}

describeDurable('in an n8n that keeps polls and their memory in its database', () => {
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

	test('each event is shown once, also when n8n is killed', async () => {
		const credential = await credentialIn(other.n8n);
		const workflow = await activate(other.n8n, await createPolling(other.n8n, credential));
		// It keeps nothing of the poll with which a workflow becomes active, but of the next.
		await anotherPoll(sandbox());
		const before = await oneOfEach(sandbox());
		await expectTold(before);
		await other.kill();
		const meanwhile = await oneOfEach(sandbox());
		await other.start();
		await expectTold([...before, ...meanwhile]);
		const executions = await allEnded(other.n8n, workflow);
		expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'success'));
		// Otherwise n8n has polled in its other way.
		expect(keptMemories(other.dataFolder)).toBe(1);
	}, 120_000);
});
