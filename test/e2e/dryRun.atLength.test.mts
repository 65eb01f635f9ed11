import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { type Editor, largePage, openEditor } from '../support/browser/browser.mts';
import { playground } from '../support/n8n/playground.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import {
	automaticUpdate,
	byEmail,
	countRequests,
	countResults,
	storeContacts,
	storedContacts,
} from '../support/engine/updates.mts';
import { crmWorkflow, outputOf } from '../support/n8n/crmWorkflow.mts';

const rowCount = 10_000;

const { n8n } = playground();
let sandbox: RunningSandbox;
let editor: Editor;
let credential: string;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0', '--variant', 'missingValues=absent']);
	credential = await createCredential(n8n, unpaced(sandbox), 'CRM Workspace account');
	editor = await openEditor({ viewport: largePage });
}, 180_000);
afterAll(async () => {
	await editor?.close();
	await sandbox?.stop();
});

const email = (index: number) => `person.${index}@example.com`;

/** Every fiftieth row has another job title than its contact. */
const rows = `return Array.from({ length: ${rowCount} }, (_, index) => ({
	email: 'person.' + index + '@example.com',
	jobTitle: index % 50 === 0 ? 'Team Lead' : 'Analyst',
}));`;

test('a dry run that is added takes 100 requests for 10,000 rows, writes nothing, and lists the changes', async () => {
	const contacts = Array.from({ length: rowCount }, (_, index) => ({
		email: email(index),
		jobTitle: 'Analyst',
		createdAt: '2026-01-01T00:00:00Z',
	}));
	const before = await storeContacts(sandbox, contacts);
	const workflow = crmWorkflow([], {
		credential,
		parameters: automaticUpdate(byEmail),
	});
	workflow.nodes[1].parameters = { jsCode: rows };
	const { id } = await n8n.createWorkflow(workflow);

	const { page } = editor;
	await editor.openNode(id, 'CRM');
	// Added is on.
	await page.getByPlaceholder('Add Option').click();
	await page.getByRole('option', { name: 'Dry Run', exact: true }).click();
	await page.getByTestId('parameter-input-dryRun').waitFor();
	await page.getByTestId('node-execute-button').click();
	const output = page.getByTestId('output-panel');
	await page
		.getByText('Dry run, nothing was written: 200 would be updated, 9800 unchanged, 0 failed')
		.waitFor({ timeout: 240_000 });
	await output.getByTestId('radio-button-json').click();
	await output.getByText('wouldUpdate').first().waitFor({ timeout: 240_000 });
	await editor.picture('dry-run', {
		downTo: [page.locator('.parameter-input-list-wrapper').first()],
	});

	const [{ id: executionId }] = await n8n.executions(id);
	const items = outputOf(await n8n.ended(executionId)).map(({ json }) => json);
	expect(countResults(items)).toEqual({ wouldUpdate: 200, unchanged: 9800 });
	expect(items[50]).toMatchObject({
		...{ email: email(50), jobTitle: 'Team Lead', _result: 'wouldUpdate' },
		_changes: { jobTitle: { old: 'Analyst', new: 'Team Lead' } },
	});
	expect(await countRequests(sandbox)).toMatchObject({ all: 100, pages: 100, writes: 0 });
	expect(await storedContacts(sandbox)).toEqual(before);
}, 300_000);
