import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { createCredential } from '../../playground/examples.mts';
import { atLength } from '../support/atLength.mts';
import { openEditor, type Editor } from '../support/browser/browser.mts';
import { playground } from '../support/n8n/playground.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { crmWorkflow } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let credential: string;
let editor: Editor;

/** Writes down what is asked of it: a picture that is fetched is seen here. */
let stranger: Server;
let strangerUrl: string;
const asked: string[] = [];

beforeAll(async () => {
	stranger = createServer((request, response) => {
		asked.push(request.url ?? '');
		response.end();
	}).listen(0, '127.0.0.1');
	await once(stranger, 'listening');
	strangerUrl = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	credential = await createCredential(n8n, unpaced(sandbox), 'Foreign text');
	editor = await openEditor();
});
afterAll(async () => {
	await editor?.close();
	await sandbox?.stop();
	stranger.close();
});
beforeEach(async () => {
	asked.length = 0;
	await sandbox.control('POST', '/reset');
});

/** Text that would be a picture or a link as HTML, and how it is shown. */
const hostile = () => [
	[`<img src=${strangerUrl}/tag>`, `‹img src=${strangerUrl}/tag›`],
	[`<a href="${strangerUrl}/link">here</a>`, `‹a href="${strangerUrl}/link"›here‹/a›`],
	[`${strangerUrl}/bare`, `${strangerUrl}/bare`],
];

/** Opens a node in the editor and runs it; gives the ID of its workflow. */
async function execute(parameters: object, row: object): Promise<string> {
	const workflow = crmWorkflow([row], { credential, parameters });
	const { id } = await n8n.createWorkflow(workflow);
	await editor.openNode(id, 'CRM');
	await editor.page.getByTestId('node-execute-button').click();
	return id;
}

async function expectPlain(place: Locator): Promise<void> {
	await place.waitFor();
	await editor.page.waitForLoadState('networkidle');
	expect(asked).toEqual([]);
	const text = await place.innerText();
	for (const [, shown] of hostile()) expect(text).toContain(shown);
	expect(await place.locator('a, img, input, table, b').count()).toBe(0);
}

const update = {
	operation: 'updateContact',
	contact: { __rl: true, mode: 'email', value: 'ada.lovelace@example.com' },
	fields: { mappingMode: 'autoMapInputData', value: null },
};

atLength(
	'names of columns are shown in a hint as text, and nothing is fetched for them',
	async () => {
		const columns = Object.fromEntries(hostile().map(([name]) => [name, 'x']));
		await execute(update, { jobTitle: 'Analyst', ...columns });
		await expectPlain(
			editor.page.getByTestId('node-hint').filter({ hasText: 'Columns of the input' }),
		);
	},
);

atLength(
	'what the service says is shown in an error as text, and nothing is fetched for it',
	async () => {
		const message = hostile()
			.map(([text]) => text)
			.join(' ');
		await sandbox.control('POST', '/faults', {
			kind: 'status',
			status: 400,
			body: { message },
			next: 20,
		});
		await execute(update, { jobTitle: 'Analyst' });
		await expectPlain(editor.page.getByTestId('node-error-description'));
	},
);

test('why a message was rejected is shown as text, also in the note that n8n pops up', async () => {
	const errorReason = hostile()
		.map(([text]) => text)
		.join(' ');
	const body = { data: { id: '1', status: 'rejected', errorReason } };
	await sandbox.control('POST', '/faults', { kind: 'body', body, next: 20 });
	const send = {
		operation: 'sendTransactionalEmail',
		to: 'a@example.com',
		templateSlug: 'welcome',
	};
	const id = await execute(send, {});
	const { page } = editor;
	await expectPlain(page.getByTestId('node-error-message'));
	// The note is for those who do not have the node open.
	await page.goto(`${n8n.url}/workflow/${id}`);
	await page.getByTestId('canvas-node').filter({ hasText: 'CRM' }).waitFor();
	await page.getByTestId('execute-workflow-button').click();
	await expectPlain(page.getByRole('alert').filter({ hasText: 'Problem in node' }));
});
