import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { openEditor, type Editor } from '../support/browser.mts';
import { playground } from '../support/playground.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox.mts';
import { crmWorkflow } from '../support/workflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let editor: Editor;

beforeAll(async () => {
	sandbox = await startSandbox(['--contacts', '250', '--requests-per-minute', '0']);
	const service = { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey, requestsPerMinute: 6000 };
	const credential = await createCredential(n8n, service, 'Chooser');
	const parameters = {
		operation: 'updateContact',
		contact: { __rl: true, mode: 'list', value: '' },
	};
	const workflow = await n8n.createWorkflow(crmWorkflow([{}], { credential, parameters }));
	editor = await openEditor();
	await editor.openNode(workflow.id, 'CRM');
});
afterAll(async () => {
	await editor?.close();
	await sandbox?.stop();
});

test('the contact chooser opens, goes on when scrolled, narrows when searched and fills the field', async () => {
	const { page } = editor;
	const items = page.getByTestId('rlc-item');
	const pagesAsked = async () => {
		const { data: requests } = await sandbox.control('GET', '/requests');
		return requests.map(({ query }: any) => `${query.search ?? ''} ${query.page}`.trim());
	};
	await page.getByTestId('rlc-input').click();
	await items.first().waitFor();
	expect(await items.count()).toBe(50);
	expect(await items.first().textContent()).toMatch(/^\s*\S+ \S+ · \S+@\S+ · \S/);
	expect(await pagesAsked()).toEqual(['1']);

	await items.last().hover();
	await page.mouse.wheel(0, 5000);
	await items.nth(99).waitFor({ state: 'attached' });
	expect(await pagesAsked()).toEqual(['1', '2']);

	await page.getByTestId('rlc-search').fill('mar');
	await items.nth(49).waitFor({ state: 'detached' });
	await items.first().waitFor();
	const found = await items.allTextContents();
	expect(found.length).toBeGreaterThan(1);
	expect(found).toEqual(found.map(() => expect.stringMatching(/mar/i)));
	await editor.picture('choose-contact');

	await items.first().click();
	await items.first().waitFor({ state: 'detached' });
	expect(await page.getByTestId('rlc-input').inputValue()).toBe(found[0].trim());
});
