import { beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../playground/client.mts';
import { testSince } from '../support/n8n/testSince.mts';
import { playground } from '../support/n8n/playground.mts';
import {
	allEnded,
	anotherPoll,
	createPolling,
	fetchTestEvent,
	oneOfEach,
	requestsTo,
	told,
	untilTold,
} from '../support/n8n/pollingWorkflow.mts';
import { eventsOf, pollingScene } from '../support/n8n/pollingScene.mts';

const { sandbox, credentialIn, activate, sends, expectTold } = pollingScene();
const updates = async () => await requestsTo(sandbox(), 'PUT', '/contacts');

describe('in an n8n instance that runs', () => {
	const { n8n } = playground();
	let credential: string;

	beforeEach(async () => {
		credential = await credentialIn(n8n);
	});

	test('each event is shown once, and nothing else is', async () => {
		const workflow = await activate(n8n, await createPolling(n8n, credential));
		await anotherPoll(sandbox());
		expect(await n8n.executions(workflow.id)).toEqual([]);

		const first = await oneOfEach(sandbox());
		await expectTold(first);
		const second = await oneOfEach(sandbox());
		await expectTold([...first, ...second]);
		expect(await sends()).toBe(8);

		const executions = await allEnded(n8n, workflow);
		expect(executions.map(({ status }) => status)).not.toContain('error');
		const events = eventsOf(executions);
		expect(new Set(events.map(({ key }) => key)).size).toBe(8);
		const updates = events.filter(({ event }) => event === 'contactUpdated');
		expect(updates).toEqual(
			Array(2).fill({
				event: 'contactUpdated',
				key: expect.any(String),
				record: expect.objectContaining({ jobTitle: expect.stringContaining('Countess') }),
				changedFields: ['jobTitle'],
			}),
		);
	});

	test('an update of a chosen field is shown, and neither another one nor another form', async () => {
		const { data: contacts } = await sandbox().control('GET', '/contacts');
		const [{ id }, ...others] = contacts;
		const change = async (fields: object) =>
			await sandbox().control('PATCH', `/contacts/${id}`, fields);
		const { data: tagged } = await change({ tags: ['a', 'b'] });
		const options = { fields: ['tags'] };
		const parameters = { events: ['contactUpdated', 'activityAdded'], options };
		await activate(n8n, await createPolling(n8n, credential, parameters));
		await sandbox().control('PUT', '/contacts', {
			contacts: [{ ...tagged, tags: ['b', 'a'] }, ...others],
		});
		await change({ jobTitle: 'Countess' });
		await anotherPoll(sandbox());
		expect(await told(sandbox())).toEqual([]);
		await change({ jobTitle: 'Analyst', tags: ['b', 'c'] });
		await expectTold([`contactUpdated ${id} jobTitle tags`]);
		expect(await sends()).toBe(1);
	});

	test('a workflow that writes the values that are there already starts itself no more', async () => {
		const { data } = await sandbox().control('GET', '/contacts');
		const update = {
			operation: 'updateContact',
			contact: { __rl: true, mode: 'id', value: '={{ $json.record.id }}' },
			fields: {
				mappingMode: 'defineBelow',
				value: { jobTitle: '={{ $json.record.jobTitle }}' },
			},
		};
		const parameters = { events: ['contactUpdated', 'activityAdded'] };
		const polling = await createPolling(n8n, credential, parameters, update);
		const workflow = await activate(n8n, polling);
		await sandbox().control('PATCH', `/contacts/${data[0].id}`, { jobTitle: 'Countess' });
		await until('the workflow to update', 40, async () => (await updates()).length || undefined);
		for (let poll = 0; poll < 5; poll++) await anotherPoll(sandbox());
		expect(await updates()).toMatchObject([{ status: 200, body: { jobTitle: 'Countess' } }]);
		expect(await n8n.executions(workflow.id)).toHaveLength(1);
	});

	const withTestEvents = testSince('2.15', 'is asked for a test event in another way');

	withTestEvents("'Fetch Test Event' shows the newest one, and remembers nothing", async () => {
		const parameters = { events: ['contactCreated'] };
		const workflow = await createPolling(n8n, credential, parameters);
		const shown = async () => {
			const execution = await fetchTestEvent(n8n, workflow);
			expect(execution.status).toBe('success');
			return eventsOf([execution]).map(({ record }) => record.id);
		};
		const create = async () => (await sandbox().control('POST', '/contacts', {})).data.id;

		const before = await create();
		expect(await shown()).toEqual([before]);
		await activate(n8n, workflow);
		const id = await create();
		expect(await shown()).toEqual([id]);
		await untilTold(sandbox(), 1);
		expect(await shown()).toEqual([id]);
		await n8n.deactivate(workflow);
		const another = await create();
		await n8n.activate(workflow);
		await untilTold(sandbox(), 2);
		expect(await told(sandbox())).toEqual(
			[`contactCreated ${id}`, `contactCreated ${another}`].sort(),
		);
		expect(await sends()).toBe(2);
	});
});
