import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { createCredential } from '../../playground/examples.mts';
import { type Editor, largePage, openEditor } from '../support/browser/browser.mts';
import { playground } from '../support/n8n/playground.mts';
import { chain, node } from '../support/n8n/productionWorkflow.mts';
import { startSandbox, type RunningSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { welcome } from '../support/n8n/sending.mts';
import { crmWorkflow } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let credential: string;
let editor: Editor;

/** Another site, which writes down what it is asked for: a picture that is fetched is seen here. */
let stranger: Server;
const asked: string[] = [];

beforeAll(async () => {
	stranger = createServer((request, response) => {
		asked.push(request.url ?? '');
		response.end();
	}).listen(0, '127.0.0.1');
	await once(stranger, 'listening');
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	credential = await createCredential(n8n, unpaced(sandbox), 'CRM Workspace account');
	editor = await openEditor({ viewport: largePage });
});
afterAll(async () => {
	await editor?.close();
	await sandbox?.stop();
	stranger.close();
});
beforeEach(() => sandbox.control('POST', '/reset', { contacts: 1 }));

/** Welcomes the person of an item. */
const byColumns = {
	...welcome,
	to: '={{ $json.email }}',
	variables: { variable: [{ name: 'firstName', value: '={{ $json.firstName }}' }] },
};

async function expectLabels(...labels: string[]): Promise<void> {
	for (const label of labels) {
		await editor.page.getByText(label, { exact: true }).first().waitFor();
	}
}

test('the editor shows a node that sends, and runs it', async () => {
	const ada = { email: 'ada.lovelace@example.com', firstName: 'Ada', jobTitle: 'Chief Analyst' };
	const { id } = await n8n.createWorkflow(
		crmWorkflow([ada], { credential, parameters: byColumns }),
	);
	const { page, openNode, picture, showJson } = editor;
	await openNode(id, 'CRM');
	await expectLabels('Operation', 'To', 'Content', 'Template Slug', 'Specify Variables');
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('output-panel').getByText('welcome').first().waitFor();
	await showJson();
	await picture('send', { downTo: [page.getByTestId('parameter-input-idempotency')] });
});

// Interface: SEND-12.
test('a text of several lines is entered in the editor, and its lines arrive', async () => {
	const order = { email: 'ada.lovelace@example.com', firstName: 'Ada', order: 1042 };
	const { id } = await n8n.createWorkflow(
		crmWorkflow([order], { credential, parameters: byColumns }),
	);
	const { page, openNode, picture, showJson } = editor;
	await openNode(id, 'CRM');
	await page.getByTestId('parameter-input-content').click();
	await page.getByRole('option', { name: 'Text Write plain text' }).click();
	await page.getByTestId('parameter-input-subject').locator('input').fill('Your order has shipped');
	const input = page.getByTestId('parameter-input-text');
	// n8n makes an expression of what has braces.
	await input
		.locator('textarea')
		.fill('Hi {{firstName|there}},\n\nYour order {{ $json.order }}:\n  1 × Lamp\n  2 × Bulb');
	await input.locator('.cm-content').getByText('Bulb').waitFor();
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('output-panel').getByText('Your order has shipped').first().waitFor();
	await showJson();
	await picture('send-text', { downTo: [page.getByRole('button', { name: 'Add Variable' })] });
	const { data } = await sandbox.control('GET', '/inbox');
	const lines = 'Hi Ada,<br><br>Your order 1042:<br>&nbsp; 1 × Lamp<br>&nbsp; 2 × Bulb';
	const html = `<div style="white-space: pre-wrap">${lines}</div>`;
	expect(data).toMatchObject([{ to: order.email, html }]);
});

test('the contacts to choose from open, go on when scrolled, and can be searched', async () => {
	await sandbox.control('POST', '/reset', { contacts: 250 });
	const workflow = crmWorkflow([{}], {
		credential,
		parameters: { operation: 'updateContact', contact: { __rl: true, mode: 'list', value: '' } },
	});
	await editor.openNode((await n8n.createWorkflow(workflow)).id, 'CRM');
	const { page } = editor;
	const items = page.getByTestId('rlc-item');
	await page.getByTestId('rlc-input').click();
	await items.nth(49).waitFor({ state: 'attached' });
	expect(await items.first().textContent()).toMatch(/^\s*\S+ \S+ · \S+@\S+ · \S/);
	await items.last().hover();
	await page.mouse.wheel(0, 5000);
	await items.nth(99).waitFor({ state: 'attached' });

	await page.getByTestId('rlc-search').fill('mar');
	await items.nth(49).waitFor({ state: 'detached' });
	await items.first().waitFor();
	const found = await items.allTextContents();
	expect(found.length).toBeGreaterThan(0);
	expect(found).toEqual(found.map(() => expect.stringMatching(/mar/i)));
	await items.first().click();
	await items.first().waitFor({ state: 'detached' });
	expect(await page.getByTestId('rlc-input').inputValue()).toBe(found[0].trim());
});

test('HTML in an error of the service is shown as text, also in the notification', async () => {
	const site = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
	const errorReason = `<img src=${site}/tag> <a href="${site}/link">here</a> ${site}/bare`;
	const shown = `‹img src=${site}/tag› ‹a href="${site}/link"›here‹/a› ${site}/bare`;
	const body = { data: { id: '1', status: 'rejected', errorReason } };
	await sandbox.control('POST', '/faults', { kind: 'body', body, next: 20 });

	const parameters = { ...welcome, to: 'a@example.com' };
	const { id } = await n8n.createWorkflow(crmWorkflow([{}], { credential, parameters }));
	const { page, openWorkflow } = editor;
	const expectPlain = async (place: Locator) => {
		await place.waitFor();
		await page.waitForLoadState('networkidle');
		expect(asked).toEqual([]);
		expect(await place.innerText()).toContain(shown);
		expect(await place.locator('a, img, input, table, b').count()).toBe(0);
	};

	// The notification is for those who don't have the node open.
	await openWorkflow(id);
	await page.getByTestId('execute-workflow-button').click();
	await expectPlain(page.getByRole('alert').filter({ hasText: 'Problem in node' }));
	await page.getByTestId('canvas-node').filter({ hasText: 'CRM' }).dblclick();
	await expectPlain(page.getByTestId('node-error-message'));
});

/** A canary: if n8n shows it as text one day, errors may have these signs. */
test('n8n renders HTML in the description of an error', async () => {
	const code =
		"() => { throw Object.assign(new Error('No'), { description: 'A <b>bold</b> word' }) }";
	const { id } = await n8n.createWorkflow({
		name: 'Canary',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Probe', 'CUSTOM.probe', 1, { code, text: '', url: '' }),
		],
		connections: chain('Start', 'Probe'),
	});
	const { page, openNode } = editor;
	await openNode(id, 'Probe');
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('output-panel').locator('b').getByText('bold').waitFor();
});
