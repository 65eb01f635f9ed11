import {
	type Execution,
	type N8n,
	type StoredWorkflow,
	until,
} from '../../../playground/client.mts';
import { chain, crmNode, node } from './productionWorkflow.mts';
import type { RunningSandbox } from '../sandbox/sandbox.mts';
import { orders } from './sending.mts';

/** Everything that the trigger can tell. */
export const allEvents = ['contactCreated', 'contactUpdated', 'activityAdded', 'taskOverdue'];

/** Seconds between two polls. A test waits for several. */
const interval = 2;

/**
 * n8n polls no more often than once a minute for each poll time that a trigger has, so it has many,
 * each at its own second of every minute.
 */
const pollTimes = {
	item: Array.from({ length: 60 / interval }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * interval} * * * * *`,
	})),
};

/**
 * What is sent for an event: the subject says which, the key is that of the event. Each has its own
 * recipient, because messages to one recipient go one after another.
 */
const tell = {
	operation: 'sendTransactionalEmail',
	to: '={{ $json.record.id }}@example.com',
	content: 'html',
	subject: '={{ [$json.event, $json.record.id, ...($json.changedFields ?? [])].join(" ") }}',
	html: '<p>An event</p>',
	idempotency: 'custom',
	idempotencyKey: '={{ $json.key }}',
};

/** Stores a workflow that does something for each event: if not told otherwise, sends a message. */
export async function createPolling(
	n8n: N8n,
	credential: string,
	parameters: object = {},
	action: object = tell,
): Promise<StoredWorkflow> {
	const type = 'n8n-nodes-crm-workspace.crmWorkspaceTrigger';
	const given = { pollTimes, events: allEvents, options: {}, ...parameters };
	const credentials = { crmWorkspaceApi: { id: credential, name: 'any' } };
	return await n8n.createWorkflow({
		name: `Polling ${crypto.randomUUID()}`,
		nodes: [
			node('Trigger', type, 1, given, { credentials }),
			{ ...crmNode('CRM', credential, action), position: [300, 0] },
		],
		connections: chain('Trigger', 'CRM'),
		settings: orders.v1,
	});
}

/**
 * Activates a workflow, and waits until its first poll has read what there was before: n8n says that
 * it is active a little earlier.
 */
export async function beginPolling(n8n: N8n, sandbox: RunningSandbox, workflow: StoredWorkflow) {
	// Contacts are what a poll reads last.
	const reads = async () =>
		(await requestsTo(sandbox, 'GET', '/contacts')).filter(({ status }) => status !== null).length;
	const before = await reads();
	await n8n.activate(workflow);
	await until('the first poll', 30, async () => (await reads()) > before || undefined);
}

/** The subjects of the messages in the inbox, in an order of their own. */
export async function told(sandbox: RunningSandbox): Promise<string[]> {
	const { data } = await sandbox.control('GET', '/inbox');
	return data.map(({ subject }: { subject: string }) => subject).sort();
}

/** Waits until so many messages are in the inbox. */
export async function untilTold(sandbox: RunningSandbox, count: number, seconds = 40) {
	return await until(`${count} events to be told`, seconds, async () => {
		const subjects = await told(sandbox);
		return subjects.length >= count ? subjects : undefined;
	});
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
	await until('another poll', 60, async () => (await polls()) >= before + 3 || undefined);
}

/** Waits until all executions of a workflow have ended, and gives them. */
export async function allEnded(n8n: N8n, { id }: StoredWorkflow): Promise<Execution[]> {
	const executions = await n8n.executions(id);
	return await Promise.all(executions.map((one) => n8n.ended(one.id)));
}

/** The editor's 'Fetch Test Event': runs the trigger, and nothing after it. */
export async function fetchTestEvent(n8n: N8n, workflow: StoredWorkflow): Promise<Execution> {
	const { executionId } = await n8n.call('POST', `/rest/workflows/${workflow.id}/run`, {
		workflowData: workflow,
		triggerToStartFrom: { name: 'Trigger' },
		destinationNode: { nodeName: 'Trigger', mode: 'inclusive' },
	});
	return await n8n.ended(executionId);
}

/** Changes at the service, one of each kind, and the subjects of the messages that tell of them. */
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
