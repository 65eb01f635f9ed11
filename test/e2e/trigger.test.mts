import { beforeEach, expect, test } from '@jest/globals';
import { testSince } from '../support/n8n/testSince.mts';
import { playground } from '../support/n8n/playground.mts';
import {
	anotherPoll,
	createPolling,
	eventsOf,
	fetchTestEvent,
	oneOfEach,
	pollingScene,
	told,
	untilTold,
} from '../support/n8n/pollingWorkflow.mts';

const { n8n } = playground();
const { sandbox, credentialIn, activate, sends, expectTold } = pollingScene();
let credential: string;

beforeEach(async () => {
	credential = await credentialIn(n8n);
});

test('each event is emitted once, none at activation, and those of a pause afterwards', async () => {
	const workflow = await activate(n8n, await createPolling(n8n, credential));
	await anotherPoll(sandbox());
	expect(await n8n.executions(workflow.id)).toEqual([]);

	const first = await oneOfEach(sandbox());
	await expectTold(first);
	await n8n.deactivate(workflow);
	const meanwhile = await oneOfEach(sandbox());
	await n8n.activate(workflow);
	await expectTold([...first, ...meanwhile]);
	expect(await sends()).toBe(8);

	const executions = await n8n.executions(workflow.id);
	const events = eventsOf(await Promise.all(executions.map(({ id }) => n8n.ended(id))));
	expect(new Set(events.map(({ key }) => key)).size).toBe(8);
	expect(events.filter(({ event }) => event === 'contactUpdated')).toEqual(
		Array(2).fill({
			event: 'contactUpdated',
			key: expect.any(String),
			eventTime: expect.any(String),
			record: expect.objectContaining({ jobTitle: expect.stringContaining('Countess') }),
			changedFields: ['jobTitle'],
		}),
	);
});

testSince('2.15', 'is asked for a test event in another way')(
	"'Fetch Test Event' shows the newest event, and the workflow misses none for it",
	async () => {
		const workflow = await createPolling(n8n, credential, { events: ['contactCreated'] });
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
		expect(await told(sandbox())).toEqual([`contactCreated ${id}`]);
	},
);
