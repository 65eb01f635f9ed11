import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { type Editor, largePage, openEditor } from '../support/browser/browser.mts';
import { takesPictures } from '../support/browser/pictures.mts';
import { playground } from '../support/n8n/playground.mts';
import { createPolling } from '../support/n8n/pollingWorkflow.mts';
import { startSandbox, type RunningSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { crmWorkflow } from '../support/n8n/crmWorkflow.mts';

/* What the editor shows beyond editor.test.mts, and the pictures of the documents. */

const { n8n } = playground();
let sandbox: RunningSandbox;
let editor: Editor;
let credential: string;

beforeAll(async () => {
	// In a picture, the service is where `npm run sandbox` starts it.
	sandbox = await startSandbox([
		'--requests-per-minute',
		'0',
		'--port',
		takesPictures ? '8787' : '0',
	]);
	const service = { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey };
	credential = await createCredential(n8n, service, 'CRM Workspace account');
	editor = await openEditor({ viewport: largePage });
	await editor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(async () => {
	await editor?.close();
	await sandbox?.stop();
});
beforeEach(() => sandbox.control('POST', '/reset', { contacts: 3 }));

const [ada, grace, alan] = ['ada.lovelace', 'grace.hopper', 'alan.turing'].map(
	(name) => `${name}@example.com`,
);

const contacts = async (): Promise<any[]> => (await sandbox.control('GET', '/contacts')).data;
const requests = async (): Promise<any[]> => (await sandbox.control('GET', '/requests')).data;

/** Update Contact for the input's column 'email', with the fields mapped from the columns. */
const byColumns = (options: object = {}) => ({
	operation: 'updateContact',
	contact: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
	fields: { mappingMode: 'autoMapInputData', value: null },
	options,
});

/** Opens a node in the editor. */
async function open(items: object[], parameters: object): Promise<string> {
	const workflow = crmWorkflow(items, { credential, parameters });
	const pinData = { Items: items.map((json) => ({ json })) };
	const { id } = await n8n.createWorkflow({ ...workflow, ...(items.length > 0 && { pinData }) });
	await editor.openNode(id, 'CRM');
	return id;
}

/** Runs the opened node. @returns the panel with its output */
async function execute() {
	await editor.page.getByTestId('node-execute-button').click();
	return editor.page.getByTestId('output-panel');
}

test('the editor offers each event and each operation when a node is added', async () => {
	const { page } = editor;
	await page.goto(`${n8n.url}/workflow/new`);
	await page.getByTestId('canvas-add-button').click();
	await page.getByTestId('node-creator-search-bar').fill('crm workspace');
	const creator = page.getByTestId('node-creator');
	await creator.getByText('CRM Workspace', { exact: true }).click();
	await creator.getByText('Actions (3)').click();
	await creator.getByText('List records', { exact: true }).waitFor();
	const offered = await creator.getByTestId('node-creator-item-name').allInnerTexts();
	expect(offered.map((one) => one.trim())).toEqual([
		'On activity added',
		'On contact created',
		'On contact updated',
		'On task became overdue',
		'List records',
		'Send transactional email',
		'Update contact',
	]);
});

test('the editor shows the trigger, and a test event', async () => {
	const { id } = await createPolling(n8n, credential, {
		pollTimes: { item: [{ mode: 'everyMinute' }] },
		events: ['contactCreated', 'contactUpdated'],
		options: { maxEvents: 50 },
	});
	const { page, openNode, picture, showJson } = editor;
	await openNode(id, 'Trigger');
	for (const label of ['Poll Times', 'Trigger On', 'Simplify', 'Max Events per Poll']) {
		await page.getByText(label, { exact: true }).first().waitFor();
	}
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('output-panel').getByText('contactCreated').first().waitFor();
	await showJson();
	await picture('trigger');
});

test('the output panel shows how many rows were updated', async () => {
	const rows = [
		{ email: ada, jobTitle: 'Chief Analyst' },
		{ email: grace, jobTitle: 'Rear Admiral' },
		{ email: alan, jobTitle: 'Mathematician' },
	];
	await open(rows, byColumns({ skipUnchanged: true }));
	const output = await execute();
	await output.getByText('1 updated, 2 unchanged, 0 failed').waitFor();
	await output.getByTestId('radio-button-table').click();
	await editor.picture('hint', { around: [output], downTo: [output.locator('table').last()] });
});

test('an error says what happened, and what became of the contact', async () => {
	const before = await contacts();
	const fields = {
		mappingMode: 'defineBelow',
		value: { email: '={{ $json.newEmail }}' },
		schema: [],
	};
	await open([{ email: ada, newEmail: grace }], { ...byColumns(), fields });
	const output = await execute();
	const message = `The contact ${ada} wasn't updated: the service rejected the update`;
	await output.getByTestId('node-error-message').getByText(message).waitFor();
	await output
		.getByTestId('node-error-description')
		.getByText('Another contact may have')
		.waitFor();
	await editor.picture('error', {
		around: [output],
		downTo: [output.locator('.node-error-view__header')],
	});
	expect(await contacts()).toEqual(before);
});

test('the dialog of a credential says that its test succeeded, and shows no key', async () => {
	const { page, picture } = editor;
	await page.setViewportSize({ width: 1160, height: 1300 });
	await page.goto(`${n8n.url}/home/credentials/${credential}`);
	const dialog = page.getByTestId('editCredential-modal');
	await dialog.getByText('Connection tested successfully').waitFor();
	const key = dialog.getByTestId('parameter-input-apiKey').locator('input');
	expect(await key.getAttribute('type')).toBe('password');
	expect(await page.content()).not.toContain(sandbox.testKey);
	await picture('credential', {
		around: [dialog],
		downTo: [dialog.getByTestId('parameter-input-requestsPerMinute')],
		// Within its round corners.
		margin: -8,
	});
	await page.setViewportSize(largePage);
});

test('the settings of n8n offer to install the package by its name', async () => {
	const { page } = editor;
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.goto(`${n8n.url}/settings/community-nodes`);
	await page
		.getByRole('button', { name: /^Install/ })
		.first()
		.click();
	await page.getByPlaceholder('e.g. n8n-nodes-').fill('n8n-nodes-crm-workspace');
	const install = page.getByTestId('install-community-package-button');
	expect(await install.isDisabled()).toBe(true);
	await page.getByTestId('user-agreement-checkbox').click();
	await editor.picture('install', {
		around: [page.locator('.el-dialog:visible')],
		downTo: undefined,
		margin: 0,
	});
	expect(await install.isEnabled()).toBe(true);
	await page.setViewportSize(largePage);
});

test('fields mapped by hand: only added fields with a value are written', async () => {
	const rows = [
		{ email: ada, jobTitle: 'Countess', tags: 'vip, maths' },
		{ email: grace, jobTitle: 'Rear Admiral', tags: ['navy'] },
	];
	const { operation, contact } = byColumns();
	await open(rows, { operation, contact });
	const { page } = editor;
	for (const field of ['Job Title', 'Source', 'Tags', 'Notes']) {
		await page.getByTestId('add-fields-select').getByRole('button').click();
		await page.getByRole('menuitem', { name: field, exact: true }).click();
	}
	await enterExpression('jobTitle', '$json.jobTitle', 'Countess');
	await enterExpression('tags', '$json.tags', 'vip, maths');
	await page.getByTestId('parameter-input-source').click();
	await page.getByRole('option', { name: 'Referral' }).click();
	const output = await execute();
	await output.getByText('2 updated, 0 unchanged, 0 failed').waitFor();
	await editor.picture('map-fields', { around: [page.locator('.node-settings')] });

	const written = (await requests()).filter(({ method }) => method === 'PUT');
	expect(written.map(({ body }) => body)).toEqual([
		{ jobTitle: 'Countess', source: 'referral', tags: ['vip', 'maths'] },
		{ jobTitle: 'Rear Admiral', source: 'referral', tags: ['navy'] },
	]);
});

/**
 * A value that begins with = makes the field an expression, which another input is for. n8n may
 * replace the input and drop the text, so it is entered until it is there.
 * @param preview the value that the editor shows for the expression
 */
async function enterExpression(field: string, expression: string, preview: string) {
	const { page } = editor;
	const input = page.getByTestId(`parameter-input-${field}`);
	await input.locator('input, textarea').first().press('=');
	const hint = page.getByTestId('node-parameters').getByTestId('parameter-input-hint');
	const shown = hint.getByText(preview, { exact: true });
	await until(`${expression} to be ${preview}`, async () => {
		await input.locator('.cm-content').fill(`{{ ${expression} }}`);
		const isShown = shown.waitFor({ timeout: 2000 }).then(() => true);
		return await isShown.catch(() => undefined);
	});
}

// From here on, the editor shows output as JSON.
test.each([
	['update', byColumns({ skipUnchanged: true }), 'Chief Analyst'],
	[
		'list',
		{ operation: 'list', returnAll: true, filters: { search: 'example.com' } },
		'grace.hopper@example.com',
	],
])('the editor shows the operation, and runs it: %s', async (name, parameters, result) => {
	await sandbox.control('POST', '/reset', { contacts: 2 });
	await open([{ email: ada, firstName: 'Ada', jobTitle: 'Chief Analyst' }], parameters);
	const output = await execute();
	await output.getByText(result).first().waitFor();
	await editor.showJson();
	await editor.picture(name);
});

test('a dry run of 10,000 rows shows in the editor what would change, and writes nothing', async () => {
	const count = 10_000;
	const contact = (index: number) => ({
		email: `person.${index}@example.com`,
		jobTitle: 'Analyst',
		createdAt: '2026-01-01T00:00:00Z',
	});
	await sandbox.control('PUT', '/contacts', {
		contacts: Array.from({ length: count }, (_, index) => contact(index)),
	});
	// Under its rate limit, nothing waits.
	const unlimited = await createCredential(n8n, unpaced(sandbox), 'CRM Workspace account');
	const workflow = crmWorkflow([], { credential: unlimited, parameters: byColumns() });
	// Every fiftieth row has another job title than its contact.
	workflow.nodes[1].parameters = {
		jsCode: `return Array.from({ length: ${count} }, (_, index) => ({
	email: 'person.' + index + '@example.com',
	jobTitle: index % 50 === 0 ? 'Team Lead' : 'Analyst',
}));`,
	};
	const { page } = editor;
	await editor.openNode((await n8n.createWorkflow(workflow)).id, 'CRM');
	await page.getByPlaceholder('Add Option').click();
	await page.getByRole('option', { name: 'Dry Run', exact: true }).click();
	await page.getByTestId('parameter-input-dryRun').waitFor();
	const output = await execute();
	const hint = 'Dry run, nothing was written: 200 would be updated, 9800 unchanged, 0 failed';
	await page.getByText(hint).waitFor({ timeout: 240_000 });
	await output.getByTestId('radio-button-json').click();
	await output.getByText('wouldUpdate').first().waitFor({ timeout: 240_000 });
	await editor.picture('dry-run', {
		downTo: [page.locator('.parameter-input-list-wrapper').first()],
	});
	expect((await requests()).filter(({ method }) => method !== 'GET')).toEqual([]);
});
