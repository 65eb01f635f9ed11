import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { atLength } from '../support/atLength.mts';
import { type Editor, largePage, openEditor } from '../support/browser/browser.mts';
import { playground } from '../support/n8n/playground.mts';
import { createPolling } from '../support/n8n/pollingWorkflow.mts';
import { startSandbox, type RunningSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { crmWorkflow } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let credential: string;
let editor: Editor;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	credential = await createCredential(n8n, unpaced(sandbox), 'CRM Workspace account');
	editor = await openEditor({ viewport: largePage });
});
afterAll(async () => {
	await editor?.close();
	await sandbox?.stop();
});
beforeEach(() => sandbox.control('POST', '/reset', { contacts: 2 }));

const ada = 'ada.lovelace@example.com';

type Shown = [name: string, parameters: object, labels: string[], result: string, end: string];

const shows = 'the editor shows and runs the operation: %s';

async function expectShown(...[name, parameters, labels, result, end]: Shown) {
	const items = [{ email: ada, firstName: 'Ada', jobTitle: 'Chief Analyst' }];
	const workflow = await n8n.createWorkflow(crmWorkflow(items, { credential, parameters }));
	const { page, openNode, picture, showJson } = editor;

	await openNode(workflow.id, 'CRM');
	for (const label of labels) {
		expect(await page.getByText(label, { exact: true }).count()).toBeGreaterThan(0);
	}
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('output-panel').getByText(result).first().waitFor();
	await showJson();
	await picture(name, end ? { downTo: [page.getByTestId(end)] } : {});
}

test.each<Shown>([
	[
		'send',
		{
			operation: 'sendTransactionalEmail',
			to: '={{ $json.email }}',
			templateSlug: 'welcome',
			variables: { variable: [{ name: 'firstName', value: '={{ $json.firstName }}' }] },
		},
		['Operation', 'To', 'Content', 'Template Slug', 'Specify Variables', 'Idempotency Key'],
		'welcome',
		'parameter-input-idempotency',
	],
])(shows, expectShown);

atLength.each<Shown>([
	[
		'update',
		{
			operation: 'updateContact',
			contact: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
			fields: { mappingMode: 'autoMapInputData', value: null },
			options: { skipUnchanged: true },
		},
		['Operation', 'Contact', 'Simplify', 'Skip Unchanged'],
		'Chief Analyst',
		'',
	],
	[
		'list',
		{
			operation: 'list',
			collection: 'contacts',
			returnAll: true,
			filters: { search: 'example.com' },
		},
		['Operation', 'Collection', 'Return All', 'Simplify', 'Filters', 'Search'],
		'grace.hopper@example.com',
		'',
	],
])(shows, expectShown);

test('the editor shows the trigger, and what it would tell', async () => {
	await sandbox.control('POST', '/reset', { contacts: 1 });
	const options = { maxEvents: 50 };
	const workflow = await createPolling(n8n, credential, {
		pollTimes: { item: [{ mode: 'everyMinute' }] },
		events: ['contactCreated', 'contactUpdated'],
		options,
	});
	const { page, openNode, picture, showJson } = editor;

	await openNode(workflow.id, 'Trigger');
	for (const label of ['Poll Times', 'Trigger On', 'Simplify', 'Max Events per Poll']) {
		expect(await page.getByText(label, { exact: true }).count()).toBeGreaterThan(0);
	}
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('output-panel').getByText('contactCreated').first().waitFor();
	await showJson();
	await picture('trigger');
});

atLength('the sandbox page shows what a workflow sends, without being loaded again', async () => {
	const variables = { variable: [{ name: 'firstName', value: 'Ada' }] };
	const parameters = {
		operation: 'sendTransactionalEmail',
		to: ada,
		templateSlug: 'welcome',
		variables,
	};
	const workflow = crmWorkflow([{}], { credential, parameters });
	const page = await editor.page.context().newPage();
	let loads = 0;
	page.on('load', () => loads++);
	await page.goto(`${sandbox.controlUrl}#/inbox`);
	await page.getByText('connected', { exact: true }).waitFor();
	expect(await page.locator('.rows a').count()).toBe(0);

	await n8n.run(await n8n.createWorkflow(workflow), 'Start');
	await page.locator('.rows a', { hasText: ada }).waitFor();
	expect(loads).toBe(1);
	await page.close();
});
