import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { type Editor, largePage, openEditor } from '../support/browser/browser.mts';
import { takesPictures } from '../support/browser/pictures.mts';
import { playground } from '../support/n8n/playground.mts';
import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';
import {
	automaticUpdate,
	byEmail,
	manualUpdate,
	storedContacts,
} from '../support/engine/updates.mts';
import { crmWorkflow } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let editor: Editor;
let credential: string;

beforeAll(async () => {
	// In a picture, the service is where `npm run sandbox` starts it.
	sandbox = await startSandbox(['--port', takesPictures ? '8787' : '0']);
	const service = { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey };
	credential = await createCredential(n8n, service, 'CRM Workspace account');
	editor = await openEditor({ viewport: largePage });
});
afterAll(async () => {
	await editor?.close();
	await sandbox?.stop();
});
beforeEach(() => sandbox.control('POST', '/reset', { contacts: 3 }));

const [ada, grace, alan] = ['ada.lovelace', 'grace.hopper', 'alan.turing'].map(
	(name) => `${name}@example.com`,
);

/** Runs a node in the editor. */
async function execute(items: object[], parameters: object) {
	const { id } = await n8n.createWorkflow(crmWorkflow(items, { credential, parameters }));
	await editor.openNode(id, 'CRM');
	await editor.page.getByTestId('node-execute-button').click();
	return editor.page.getByTestId('output-panel');
}

test('the output panel sums up what came of the rows', async () => {
	const rows = [
		{ email: ada, jobTitle: 'Chief Analyst' },
		{ email: grace, jobTitle: 'Rear Admiral' },
		{ email: alan, jobTitle: 'Mathematician' },
	];
	const output = await execute(rows, automaticUpdate(byEmail, { skipUnchanged: true }));
	await output.getByText('1 updated, 2 unchanged, 0 failed').waitFor();
	await editor.picture('hint', {
		around: [output],
		downTo: [output.locator('table').last()],
	});
});

test('an error says what happened and what became of the contact', async () => {
	const before = await storedContacts(sandbox);
	const row = { email: ada, newEmail: grace };
	const parameters = await manualUpdate(byEmail, { email: '={{ $json.newEmail }}' });
	const output = await execute([row], parameters);
	const message = 'The service rejected the update of the contact';
	await output.getByTestId('node-error-message').getByText(message).waitFor();
	await output.getByTestId('node-error-description').getByText('Nothing was changed').waitFor();
	await editor.picture('error', {
		around: [output],
		downTo: [output.locator('.node-error-view__header')],
	});
	expect(await storedContacts(sandbox)).toEqual(before);
});

test('the dialog of a credential says that its test succeeded, and shows no key', async () => {
	const { page, picture } = editor;
	await page.setViewportSize({ width: 1160, height: 1300 });
	await page.goto(`${n8n.url}/home/credentials/${credential}`);
	const dialog = page.getByTestId('editCredential-modal');
	await dialog.getByText('Connection tested successfully').waitFor();
	const key = dialog.getByTestId('parameter-input-apiKey').locator('input');
	expect(await key.getAttribute('type')).toBe('password');
	expect(await key.inputValue()).not.toContain(sandbox.testKey);
	expect(await page.content()).not.toContain(sandbox.testKey);
	await picture('credential', {
		around: [dialog],
		downTo: [dialog.getByTestId('parameter-input-requestsPerMinute')],
		// Within its round corners.
		margin: -8,
	});
});
