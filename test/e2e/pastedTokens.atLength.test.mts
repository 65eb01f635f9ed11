import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { type Editor, largePage, openEditor } from '../support/browser/browser.mts';
import { playground } from '../support/n8n/playground.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { crmWorkflow } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let editor: Editor;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	editor = await openEditor({ viewport: largePage });
	await editor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(async () => {
	await editor?.close();
	await sandbox?.stop();
});

// Interface: SEND-12, SEND-17.
test('a text with tokens that is pasted into an empty field is sent with its values', async () => {
	const credential = await createCredential(n8n, unpaced(sandbox), 'CRM Workspace account');
	const parameters = {
		operation: 'sendTransactionalEmail',
		to: '={{ $json.email }}',
		content: 'html',
		variables: { variable: [{ name: 'orderNumber', value: '={{ $json.order }}' }] },
		additionalFields: { text: '' },
	};
	const items = [{ email: 'ada.lovelace@example.com', order: 1042 }];
	const { id } = await n8n.createWorkflow(crmWorkflow(items, { credential, parameters }));
	await editor.openNode(id, 'CRM');

	await paste('subject', 'Order {{orderNumber}}');
	await paste(
		'html',
		'<p>Hello {{firstName|there}}, your order {{orderNumber}} is on its way.</p>',
	);
	await paste('text', 'Hello {{firstName|there}}: {{orderNumber}}');
	const { page } = editor;
	await page.getByTestId('node-execute-button').click();
	const output = page.getByTestId('output-panel');
	await output.getByText('ada.lovelace@example.com').first().waitFor();

	const { data: messages } = await sandbox.control('GET', '/inbox');
	expect(messages).toMatchObject([
		{
			subject: 'Order 1042',
			html: '<p>Hello there, your order 1042 is on its way.</p>',
			text: 'Hello there: 1042',
		},
	]);
	await output.getByText('{{firstName|there}}').first().waitFor();
});

/** Pastes into an empty field that is set to Fixed. n8n makes an expression of what has braces. */
async function paste(field: string, text: string) {
	const { page } = editor;
	const input = page.getByTestId(`parameter-input-${field}`);
	await input.locator('input, textarea').first().click();
	await page.evaluate((copied) => (globalThis as any).navigator.clipboard.writeText(copied), text);
	await page.keyboard.press('ControlOrMeta+V');
	await input.locator('.cm-content').getByText(text.slice(-12)).waitFor();
}
