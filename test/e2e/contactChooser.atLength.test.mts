import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { openEditor, type Editor } from '../support/browser/browser.mts';
import { playground } from '../support/n8n/playground.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox/sandbox.mts';
import { crmWorkflow } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let editor: Editor;
let tests = 0;

beforeAll(async () => {
	sandbox = await startSandbox(['--contacts', '250', '--requests-per-minute', '0']);
	editor = await openEditor();
});
beforeEach(async () => {
	// The node remembers what it learned of a key, so each test has one of its own.
	const { testKey: apiKey } = await sandbox.control('POST', '/reset', { seed: ++tests });
	const service = { baseUrl: sandbox.baseUrl, apiKey, requestsPerMinute: 6000 };
	const credential = await createCredential(n8n, service, 'CRM Workspace account');
	const parameters = {
		operation: 'updateContact',
		contact: { __rl: true, mode: 'list', value: '' },
	};
	const workflow = await n8n.createWorkflow(crmWorkflow([{}], { credential, parameters }));
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
		const pages = requests.map(({ query }: any) => `${query.search ?? ''} ${query.page}`.trim());
		// On a busy machine the editor may ask for the same page twice.
		return [...new Set(pages)];
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
	expect(found.length).toBeGreaterThan(0);
	expect(found).toEqual(found.map(() => expect.stringMatching(/mar/i)));

	await items.first().click();
	await items.first().waitFor({ state: 'detached' });
	expect(await page.getByTestId('rlc-input').inputValue()).toBe(found[0].trim());
});

test.each<[string, object, RegExp]>([
	[
		'refuses the key',
		{ status: 401, body: { message: 'This key was revoked' } },
		/^401 - The service rejected the API key\s*Check that the key.*The service says: This key was revoked\./s,
	],
	[
		'asks to wait',
		{ status: 429, headers: { 'retry-after': '300' } },
		/^(429 - The service accepts no more requests.*asks to wait 5 min\.|GET \/contacts was not sent: )/s,
	],
	[
		'turns everything away',
		{ status: 429, body: { message: 'Slow down' } },
		/^429 - The service accepts no more requests.*The service says: Slow down\. Tried \d+ times\./s,
	],
])('a service that %s: the chooser says so soon, and what to do', async (_what, answer, text) => {
	await sandbox.control('POST', '/faults', { kind: 'status', ...answer, next: 1000 });
	const { page } = editor;
	const begun = performance.now();
	await page.getByTestId('rlc-input').click();
	const error = page.getByTestId('rlc-error-container');
	await error.waitFor({ timeout: 60_000 });
	expect((await error.innerText()).replace('Could not load list', '').trim()).toMatch(text);
	expect(performance.now() - begun).toBeLessThan(20_000);
});
