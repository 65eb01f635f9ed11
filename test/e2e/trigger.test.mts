import { beforeEach, expect, test } from '@jest/globals';
import { outputOf } from '../support/n8n/crmWorkflow.mts';
import { playground } from '../support/n8n/playground.mts';
import {
	anotherPoll,
	createPolling,
	oneOfEach,
	pollingScene,
	requestsTo,
	told,
	untilTold,
} from '../support/n8n/pollingWorkflow.mts';
import { testSince } from '../support/n8n/testSince.mts';

const { n8n } = playground();
const { sandbox, credentialIn, activate, expectTold } = pollingScene();
let credential: string;

beforeEach(async () => {
	credential = await credentialIn(n8n);
});

/** What the trigger emitted in an execution, once that has ended. */
async function eventsOf(id: string): Promise<any[]> {
	const execution = await n8n.ended(id);
	expect(execution.status).toBe('success');
	return outputOf(execution, 'Trigger').map(({ json }) => json);
}

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
	// Events that are emitted again have the same key, under which the service sends nothing.
	expect(await requestsTo(sandbox(), 'POST', '/transactional/send')).toHaveLength(8);

	const executions = await n8n.executions(workflow.id);
	const events = (await Promise.all(executions.map(({ id }) => eventsOf(id)))).flat();
	expect(new Set(events.map(({ key }) => key)).size).toBe(8);
	const update = {
		event: 'contactUpdated',
		key: expect.any(String),
		eventTime: expect.any(String),
		record: expect.objectContaining({ jobTitle: expect.stringContaining('Countess') }),
		changedFields: ['jobTitle'],
	};
	expect(events.filter(({ event }) => event === 'contactUpdated')).toEqual([update, update]);
});

testSince('2.15', 'is asked for a test event in another way')(
	"'Fetch Test Event' shows the newest event, and the workflow misses none for it",
	async () => {
		const workflow = await createPolling(n8n, credential, { events: ['contactCreated'] });
		const shown = async () => {
			const { executionId } = await n8n.call('POST', `/rest/workflows/${workflow.id}/run`, {
				workflowData: workflow,
				triggerToStartFrom: { name: 'Trigger' },
				destinationNode: { nodeName: 'Trigger', mode: 'inclusive' },
			});
			return (await eventsOf(executionId)).map(({ record }) => record.id);
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
