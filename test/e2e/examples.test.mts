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
import { openEditor } from '../support/browser/browser.mts';
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
}, 180_000);
afterAll(async () => {
	// It would go on asking a service that is no longer there.
	await n8n.deactivate(await stored('Welcome email for a new contact'));
	await sandbox.stop();
});

async function stored(example: string): Promise<StoredWorkflow> {
	const workflows = await n8n.call('GET', '/rest/workflows');
	return workflows.find(({ name }: StoredWorkflow) => name === example);
}

test.each(exampleNames.map((name, index) => [name, index] as const))('%s', (_name, index) => {
	expect(outcomes[index].problem).toBeUndefined();
	expect(outcomes[index].messages + outcomes[index].contacts).toBeGreaterThan(0);
});

test('the report of the nightly sync says which row failed, and why', () => {
	const { effects } = outcomes[exampleNames.indexOf('schedule-to-contact-updates')];
	const report = effects.find(({ what }) => what === 'message sent');
	expect(report?.details).toContain('Contact sync: rows that failed: 1');
	expect(report?.details).toContain(
		'nobody@example.com: There is no contact with the email nobody@example.com. Nothing was written for this item.',
	);
});

test('no message shows a value that is not there', () => {
	const messages = outcomes.flatMap(({ effects }) =>
		effects.filter(({ what }) => what === 'message sent'),
	);
	expect(messages).toHaveLength(4);
	for (const { details } of messages) expect(details).not.toMatch(/undefined|null|\[object|\{\{/);
});

test('nothing else is in the inbox', async () => {
	expect((await sandbox.control('GET', '/inbox')).data).toHaveLength(4);
});

test('a new contact is welcomed by the event, and the message is linked to it', async () => {
	const { data: contacts } = await sandbox.control('GET', '/contacts');
	const { data: inbox } = await sandbox.control('GET', '/inbox');
	const { id } = contacts.find(({ email }: any) => email === 'wilma@example.com');
	const welcome = inbox.find(({ to }: any) => to === 'wilma@example.com');
	expect(welcome).toMatchObject({ contactId: id, templateSlug: 'welcome' });
	expect(welcome.idempotencyKey).toMatch(/^welcome-contactCreated/);
});

test("clicks on the trigger's example send nothing, and end where it says so", async () => {
	const example = JSON.parse(readFileSync(exampleFile('new-contact-to-welcome-email'), 'utf8'));
	const { id } = await n8n.createWorkflow({ ...example, name: 'Imported and clicked' });
	const { page, openWorkflow, openNode, close } = await openEditor();
	try {
		await openWorkflow(id);
		await page.getByTestId('execute-workflow-button').click();
		const whole = await n8n.nextEnded(id);
		await openNode(id, 'Send Welcome Email');
		await page.getByTestId('node-execute-button').click();
		const step = await n8n.nextEnded(id, [whole.id]);
		expect((await sandbox.control('GET', '/inbox')).data).toHaveLength(4);
		const ran = [whole, step].map(({ data }) => Object.keys(data.resultData.runData));
		const ofBoth = ['New Contact', 'Real Event?'];
		expect(ran).toEqual([[...ofBoth, 'A Test Click Ends Here'], ofBoth]);
	} finally {
		await close();
	}
});

describe('the webhook that sends emails', () => {
	const name = 'Email for an event in the CRM';
	const event = { contact: { email: 'stranger@example.com', firstName: 'Buy now', owner: 'x' } };
	const inbox = async () => (await sandbox.control('GET', '/inbox')).data;

	test.each([
		['no secret', () => ({})],
		['another secret', () => ({ 'x-event-secret': 'guessed' })],
		['another header', () => ({ 'x-secret': Object.values(credentials.eventHeader)[0] })],
	])('sends nothing for a caller with %s', async (_what, header) => {
		await expect(n8n.webhook('crm-event', event, header())).rejects.toThrow(/^403/);
		expect(await n8n.executions((await stored(name)).id)).toHaveLength(1);
		expect(await inbox()).toHaveLength(4);
	});

	test('cannot even be published while n8n has no secret for it', async () => {
		await n8n.deactivate(await stored(name));
		await n8n.call('DELETE', `/rest/credentials/${credentials.eventCredential}`);
		const imported = await importExample(n8n, 'webhook-to-inline-email');
		const refusal = /Cannot publish.*CRM Event.*Credential not configured: httpHeaderAuth/;
		await expect(n8n.activate(imported)).rejects.toThrow(refusal);
	});
});

/** What an example's note says, and what its nodes do with what comes from outside. */
describe.each(exampleNames)('%s', (name) => {
	const { nodes } = JSON.parse(readFileSync(exampleFile(name), 'utf8'));
	const note: string = nodes.find(({ type }: any) => type.endsWith('stickyNote')).parameters
		.content;
	const openToOthers = /\.(webhook|formTrigger|crmWorkspaceTrigger)$/;
	const triggers = nodes.filter(({ type }: any) => openToOthers.test(type));

	test('says who may have something sent by it, where that is not only its owner', () => {
		expect(/^\*\*Access:\*\* .+$/m.test(note)).toBe(triggers.length > 0);
	});

	test('writes no value into HTML by an expression: only variables are escaped', () => {
		const html = nodes.map(({ parameters }: any) => parameters.html ?? '');
		expect(html.filter((text: string) => text.startsWith('='))).toEqual([]);
	});
});
