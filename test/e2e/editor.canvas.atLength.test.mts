import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { type Editor, largePage, openEditor } from '../support/browser/browser.mts';
import { playground } from '../support/n8n/playground.mts';
import { chain, crmNode, node } from '../support/n8n/productionWorkflow.mts';
import { startSandbox, type RunningSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { orders } from '../support/n8n/sending.mts';
import { manualUpdate, storedContacts } from '../support/engine/updates.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let editor: Editor;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	editor = await openEditor({ viewport: largePage });
});
afterAll(async () => {
	await editor?.close();
	await sandbox?.stop();
});

test('the editor offers each event and each operation when a node is added', async () => {
	const { page } = editor;
	await page.goto(`${n8n.url}/workflow/new`);
	await page.getByText('Add first step').waitFor();
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
		'Send transactional email',
		'Update contact',
		'List records',
	]);
});

test('a node that is added is named after what it does', async () => {
	const { page } = editor;
	const creator = page.getByTestId('node-creator');
	const add = async (action: string) => {
		await page.getByTestId('node-creator-search-bar').fill('crm workspace');
		await creator.getByText('CRM Workspace', { exact: true }).click();
		const heading = creator.getByText('Actions (3)');
		await heading.waitFor();
		// They are open at once where the workflow has a trigger.
		if (!(await creator.getByText(action, { exact: true }).isVisible())) await heading.click();
		await creator.getByText(action, { exact: true }).click();
		await page.getByTestId('parameter-input').first().waitFor();
		await page.keyboard.press('Escape');
	};

	await page.goto(`${n8n.url}/workflow/new`);
	await page.getByTestId('canvas-add-button').click();
	await add('Send transactional email');
	for (const action of ['Send transactional email', 'List records']) {
		await page.getByTestId('node-creator-plus-button').click();
		await add(action);
	}
	const nodes = page.getByTestId('canvas-node');
	expect(await nodes.evaluateAll((all) => all.map((one) => one.dataset.nodeName))).toEqual([
		'When clicking ‘Execute workflow’',
		'Send transactional email',
		'Send transactional email1',
		'List records',
	]);
});

test('a workflow of trigger and nodes runs in the editor, and the canvas says what came', async () => {
	const credential = await createCredential(n8n, unpaced(sandbox), 'CRM Workspace account');
	const { id } = await n8n.createWorkflow(await welcome(credential));
	const { page, openWorkflow, picture } = editor;
	await openWorkflow(id);
	await page.getByTestId('execute-workflow-button').click();
	await page.getByTestId('canvas-node-status-success').nth(2).waitFor();
	await page.getByText('1 item', { exact: true }).nth(1).waitFor();

	const part = {
		around: [
			page.getByTestId('canvas-node').first(),
			page.getByText('Update Contact', { exact: true }),
			page.getByTestId('canvas-handle-plus'),
		],
		downTo: undefined,
		margin: 48,
	};
	await picture('workflow', part);
	await page.emulateMedia({ colorScheme: 'dark' });
	await page.locator('img[src*="crmWorkspace.dark"]').first().waitFor();
	await picture('workflow-dark', part);

	const { data: inbox } = await sandbox.control('GET', '/inbox');
	const welcomed = (await storedContacts(sandbox)).filter(({ tags }) => tags?.includes('welcomed'));
	expect(inbox).toHaveLength(1);
	expect(welcomed.map(({ email }) => email).sort()).toEqual(inbox.map(({ to }: any) => to).sort());
});

/** What the README shows first: each new contact gets an email, once, and a tag that tells so. */
async function welcome(credential: string) {
	const type = 'n8n-nodes-crm-workspace.crmWorkspaceTrigger';
	const polling = { pollTimes: { item: [{ mode: 'everyHour' }] }, events: ['contactCreated'] };
	const credentials = { crmWorkspaceApi: { id: credential, name: 'any' } };
	const record = '$("New Contact").item.json.record';
	const contact = { mode: 'email', value: `={{ ${record}.email }}` } as const;
	const nodes = [
		node('New Contact', type, 1, polling, { credentials }),
		crmNode('Send Welcome Email', credential, {
			operation: 'sendTransactionalEmail',
			to: '={{ $json.record.email }}',
			templateSlug: 'welcome',
			variables: { variable: [{ name: 'firstName', value: '={{ $json.record.firstName }}' }] },
			idempotency: 'custom',
			idempotencyKey: '={{ "welcome-" + $json.key }}',
		}),
		crmNode(
			'Tag as Welcomed',
			credential,
			await manualUpdate(contact, { tags: 'welcomed' }, { tagMode: 'add' }),
		),
	];
	return {
		name: 'Welcome Email for a New Contact',
		nodes: nodes.map((each, index) => ({ ...each, position: [index * 240, 0] })),
		connections: chain(...nodes.map(({ name }) => name)),
		settings: orders.v1,
	};
}
