import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import {
	createExampleCredentials,
	type ExampleCredentials,
	exampleFile,
	exampleNames,
	importExample,
} from '../../playground/examples.mts';
import type { StoredWorkflow } from '../../playground/client.mts';
import { type Outcome, runExamples } from '../../playground/runExamples.mts';
import { playground } from '../support/n8n/playground.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox/sandbox.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let credentials: ExampleCredentials;
let outcomes: Outcome[];

beforeAll(async () => {
	sandbox = await startSandbox();
	const service = { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey };
	credentials = await createExampleCredentials(n8n, service);
	outcomes = await runExamples(n8n, sandbox, credentials);
});
afterAll(async () => {
	// It would go on asking a service that is no longer there.
	await n8n.deactivate(await stored('Welcome email for a new contact'));
	await sandbox.stop();
});

async function stored(example: string): Promise<StoredWorkflow> {
	const workflows = await n8n.call('GET', '/rest/workflows');
	return workflows.find(({ name }: StoredWorkflow) => name === example);
}

const inbox = async () => (await sandbox.control('GET', '/inbox')).data;

test.each(exampleNames.map((name, index) => [name, index] as const))('%s', (_name, index) => {
	expect(outcomes[index].problem).toBeUndefined();
	expect(outcomes[index].messages + outcomes[index].contacts).toBeGreaterThan(0);
});

test('the report of the nightly sync says which row failed, and why', () => {
	const { effects } = outcomes[exampleNames.indexOf('schedule-to-contact-updates')];
	const report = effects.find(({ what }) => what === 'message sent');
	expect(report?.details).toContain('Contact sync: rows that failed: 1');
	expect(report?.details).toContain(
		'nobody@example.com: No contact with the email nobody@example.com was found. Nothing was written for this item.',
	);
});

test('each message is sent once, and shows no value that is not there', async () => {
	const effects = outcomes.flatMap((outcome) => outcome.effects);
	const messages = effects.filter(({ what }) => what === 'message sent');
	expect(messages).toHaveLength(4);
	for (const { details } of messages) expect(details).not.toMatch(/undefined|null|\[object|\{\{/);
	expect(await inbox()).toHaveLength(4);
});

test("a test run of the trigger's example sends nothing, and ends where the example says so", async () => {
	const example = JSON.parse(readFileSync(exampleFile('new-contact-to-welcome-email'), 'utf8'));
	const workflow = await n8n.createWorkflow({ ...example, name: 'Imported and tested' });
	const { data } = await n8n.run(workflow, 'New Contact');
	expect(Object.keys(data.resultData.runData)).toEqual([
		...['New Contact', 'Real Event?', 'A Test Click Ends Here'],
	]);
	expect(await inbox()).toHaveLength(4);
});

test('the webhook sends nothing for a caller who does not know its secret', async () => {
	const event = { contact: { email: 'stranger@example.com', firstName: 'Buy now', owner: 'x' } };
	const guessed = { 'x-event-secret': 'guessed' };
	await expect(n8n.webhook('crm-event', event, guessed)).rejects.toThrow(/^403/);
	expect(await inbox()).toHaveLength(4);
});

test("the webhook can't be published while n8n has no secret for it", async () => {
	await n8n.deactivate(await stored('Email for an event in the CRM'));
	await n8n.call('DELETE', `/rest/credentials/${credentials.eventCredential}`);
	const imported = await importExample(n8n, 'webhook-to-inline-email');
	await expect(n8n.activate(imported)).rejects.toThrow(
		/Cannot publish.*CRM Event.*Credential not configured: httpHeaderAuth/,
	);
});

describe.each(exampleNames)('%s', (name) => {
	const { nodes } = JSON.parse(readFileSync(exampleFile(name), 'utf8'));

	test('says who may have it send, if others than its owner may', () => {
		const note = nodes.find(({ type }: any) => type.endsWith('stickyNote')).parameters.content;
		const openToOthers = /\.(webhook|formTrigger|crmWorkspaceTrigger)$/;
		const isOpen = nodes.some(({ type }: any) => openToOthers.test(type));
		expect(/^\*\*Access:\*\* .+$/m.test(note)).toBe(isOpen);
	});

	test('writes no value into HTML by an expression, because only variables are escaped', () => {
		const html = nodes.map(({ parameters }: any) => parameters.html ?? '');
		expect(html.filter((text: string) => text.startsWith('='))).toEqual([]);
	});
});
