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

const shown = async (text: string) => await editor.page.getByText(text).first().waitFor();

/** Opens a node that sends HTML to the item's address, and pastes a text into each field. */
async function pasteInto(fields: Record<string, string>, item: object = { order: 1042 }) {
	const credential = await createCredential(n8n, unpaced(sandbox), 'CRM Workspace account');
	const parameters = {
		operation: 'sendTransactionalEmail',
		to: '={{ $json.email }}',
		content: 'html',
		subject: 'Your order',
		variables: { variable: [{ name: 'orderNumber', value: '={{ $json.order }}' }] },
		additionalFields: { text: '' },
	};
	const items = [{ email: 'ada.lovelace@example.com', ...item }];
	for (const field of Object.keys(fields)) Object.assign(parameters, { [field]: '' });
	const { id } = await n8n.createWorkflow(crmWorkflow(items, { credential, parameters }));
	await sandbox.control('POST', '/reset');
	await editor.openNode(id, 'CRM');
	for (const [field, text] of Object.entries(fields)) await paste(field, text);
	await shown("The preview doesn't know tokens such as");
	await editor.page.getByTestId('node-execute-button').click();
}

const delivered = async (): Promise<unknown> => (await sandbox.control('GET', '/inbox')).data;

// Interface: SEND-12, SEND-17.
test('a text with tokens that is pasted into an empty field is sent with its values', async () => {
	await pasteInto({
		subject: 'Order {{orderNumber}}',
		html: '<p>Hello {{firstName|there}}, your order {{orderNumber}} is on its way.</p>',
	});
	const output = editor.page.getByTestId('output-panel');
	await output.getByText('ada.lovelace@example.com').first().waitFor();
	expect(await delivered()).toMatchObject([
		{ subject: 'Order 1042', html: '<p>Hello there, your order 1042 is on its way.</p>' },
	]);
});

const css = '<style>@media(min-width:480px){.c{width:100%!important;color:{{color|#036}}}}</style>';

test('a template of MJML arrives as it is, with its tokens filled', async () => {
	const body = '<!--[if mso | IE]><table><![endif]--><h1>Order {{orderNumber}}</h1>';
	await pasteInto({ html: `${css}${body}<p>Hello {{firstName|there}}</p>` });
	const output = editor.page.getByTestId('output-panel');
	await output.getByText('ada.lovelace@example.com').first().waitFor();
	const filled = `${css}${body}`
		.replace('{{color|#036}}', '#036')
		.replace('{{orderNumber}}', '1042');
	expect(await delivered()).toMatchObject([{ html: `${filled}<p>Hello there</p>` }]);
});

test.each([
	['{{#if vip}}Thanks{{/if}} {{orderNumber}}', '{{#if vip}}'],
	[
		'Hello {{ first_name | default: "there" }}, {{orderNumber}}',
		'{{ first_name | default: "there" }}',
	],
])("another tool's template is refused by the piece: %s", async (html, piece) => {
	await pasteInto({ html });
	await shown(`HTML has ${piece}, which is neither a token nor code that n8n knows`);
	expect(await delivered()).toEqual([]);
});

test('an item without the field that the text names is refused, and the error names the field', async () => {
	await pasteInto(
		{ html: '<p>Pay {{ $json.amount }} for {{orderNumber}}</p>' },
		{ order: 7, Amount: 5 },
	);
	await shown("'HTML' is incomplete");
	await shown('the item has “Amount”, not “amount”');
	expect(await delivered()).toEqual([]);
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
