import { afterEach, beforeEach, expect } from '@jest/globals';
import { type N8n, type StoredWorkflow, until } from '../../../playground/client.mts';
import { createCredential } from '../../../playground/examples.mts';
import { chain, crmNode, editorSettings, node } from './productionWorkflow.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../sandbox/sandbox.mts';

const allEvents = ['contactCreated', 'contactUpdated', 'activityAdded', 'taskOverdue'];

/** Seconds between two polls. A test waits for several. */
const interval = 2;

/**
 * n8n polls no more often than once a minute for each poll time that a trigger has, so it has many,
 * each at its own second of every minute.
 */
export const pollTimes = {
	item: Array.from({ length: 60 / interval }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * interval} * * * * *`,
	})),
};

/**
 * Sends a message for an event: the subject names the event, and the key is the event's. Each has its
 * own recipient, because messages to one recipient are sent one after another.
 */
const sendEvent = {
	operation: 'sendTransactionalEmail',
	to: '={{ $json.record.id }}@example.com',
	content: 'html',
	subject: '={{ [$json.event, $json.record.id, ...($json.changedFields ?? [])].join(" ") }}',
	html: '<p>An event</p>',
	idempotency: 'custom',
	idempotencyKey: '={{ $json.key }}',
};

/** Stores a workflow that sends a message for each event. */
export async function createPolling(
	n8n: N8n,
	credential: string,
	parameters: object = {},
): Promise<StoredWorkflow> {
	const type = 'n8n-nodes-crm-workspace.crmWorkspaceTrigger';
	const given = { pollTimes, events: allEvents, options: {}, ...parameters };
	const credentials = { crmWorkspaceApi: { id: credential, name: 'any' } };
	return await n8n.createWorkflow({
		name: `Polling ${crypto.randomUUID()}`,
		nodes: [
			node('Trigger', type, 1, given, { credentials }),
			{ ...crmNode('CRM', credential, sendEvent), position: [300, 0] },
		],
		connections: chain('Trigger', 'CRM'),
		settings: editorSettings,
	});
}

/**
 * A service for each test, and workflows that poll it until the test ends. n8n may go on asking for a
 * moment after a workflow is deactivated, so no service is used again.
 */
export function pollingScene() {
	let sandbox: RunningSandbox;
	const active: Array<{ n8n: N8n; workflow: StoredWorkflow }> = [];

	beforeEach(async () => {
		sandbox = await startSandbox(['--requests-per-minute', '0']);
	});
	afterEach(async () => {
		for (const { n8n, workflow } of active.splice(0)) await n8n.deactivate(workflow);
		await sandbox.stop();
	});

	return {
		sandbox: () => sandbox,

		credentialIn: async (n8n: N8n) => await createCredential(n8n, unpaced(sandbox), 'Polling'),

		/**
		 * Activates a workflow, and waits until its first poll has read what is there: contacts come
		 * last. n8n says that a workflow is active a little earlier.
		 */
		async activate(n8n: N8n, workflow: StoredWorkflow): Promise<StoredWorkflow> {
			active.push({ n8n, workflow });
			const reads = async () =>
				(await requestsTo(sandbox, 'GET', '/contacts')).filter(({ status }) => status).length;
			const before = await reads();
			await n8n.activate(workflow);
			await until('the first poll', async () => (await reads()) > before || undefined);
			return workflow;
		},

		/** Expects these and no other events to have been emitted, each in one message, now and later. */
		async expectTold(events: string[]): Promise<void> {
			await untilTold(sandbox, events.length);
			await anotherPoll(sandbox);
			expect(await told(sandbox)).toEqual([...events].sort());
		},
	};
}

/** The subjects of the messages in the inbox, sorted. */
export async function told(sandbox: RunningSandbox): Promise<string[]> {
	const { data } = await sandbox.control('GET', '/inbox');
	return data.map(({ subject }: { subject: string }) => subject).sort();
}

/** Waits until so many messages are in the inbox. */
export async function untilTold(sandbox: RunningSandbox, count: number): Promise<void> {
	await until(`${count} events`, async () => (await told(sandbox)).length >= count || undefined);
}

/** The requests to the service with this method below this path, as far as its log goes. */
export async function requestsTo(sandbox: RunningSandbox, method: string, path: string) {
	const { data } = await sandbox.control('GET', '/requests');
	return data.filter((one: any) => one.method === method && one.path.startsWith(path)) as any[];
}

/**
 * Waits until a poll has begun and ended since. Each asks for the activities once; the first to do
 * so may have begun before, the third shows that the second has ended.
 */
export async function anotherPoll(sandbox: RunningSandbox): Promise<void> {
	const polls = async () => (await requestsTo(sandbox, 'GET', '/activities')).length;
	const before = await polls();
	await until('another poll', async () => (await polls()) >= before + 3 || undefined);
}

/** Changes at the service, one of each kind. @returns the subjects of the messages for them */
export async function oneOfEach(sandbox: RunningSandbox): Promise<string[]> {
	const [known] = (await sandbox.control('GET', '/contacts')).data;
	const made = async (path: string, record: object) =>
		(await sandbox.control('POST', path, record)).data.id as string;
	const email = `${crypto.randomUUID()}@example.com`;
	const jobTitle = `Countess ${crypto.randomUUID()}`;
	await sandbox.control('PATCH', `/contacts/${known.id}`, { jobTitle });
	return [
		`activityAdded ${await made('/records/activities', { type: 'call' })}`,
		`contactCreated ${await made('/contacts', { firstName: 'New', email })}`,
		`contactUpdated ${known.id} jobTitle`,
		`taskOverdue ${await made('/records/tasks', { title: 'Late', dueAt: '2026-01-01' })}`,
	].sort();
}
