import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { type Editor, largePage, openEditor } from '../support/browser/browser.mts';
import { playground } from '../support/n8n/playground.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { manualUpdate, storedContacts, type StoredContact } from '../support/engine/updates.mts';
import { crmWorkflow } from '../support/n8n/crmWorkflow.mts';

const rows = [
	{ email: 'ADA.lovelace@example.com', jobTitle: 'Countess', tags: 'vip, maths', score: 7 },
	{ email: 'grace.hopper@example.com', jobTitle: 'Rear Admiral', tags: ['navy'], score: 9 },
];

const { n8n } = playground();
let sandbox: RunningSandbox;
let editor: Editor;
let credential: string;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	credential = await createCredential(n8n, unpaced(sandbox), 'CRM Workspace account');
	editor = await openEditor({ viewport: largePage });
});
afterAll(async () => {
	await editor?.close();
	await sandbox?.stop();
});
beforeEach(async () => {
	await sandbox.control('POST', '/reset');
	const parameters = {
		operation: 'updateContact',
		contact: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
	};
	const { id } = await n8n.createWorkflow({
		...crmWorkflow(rows, { credential, parameters }),
		pinData: { Items: rows.map((json) => ({ json })) },
	});
	await editor.openNode(id, 'CRM');
});

test('fields mapped by hand: only those that are added and filled in are written', async () => {
	const { page } = editor;
	await addFields('Job Title', 'Source', 'Tags', 'Notes');
	await enterExpression('jobTitle', '$json.jobTitle', 'Countess');
	await enterExpression('tags', '$json.tags', 'vip, maths');
	await page.getByTestId('parameter-input-source').click();
	await page.getByRole('option', { name: 'Referral' }).click();
	await execute();
	await editor.picture('map-fields', { around: [page.locator('.node-settings')] });

	const [ada, grace] = await contactsAndBodies();
	expect(ada.body).toEqual({ jobTitle: 'Countess', source: 'referral', tags: ['vip', 'maths'] });
	expect(grace.body).toEqual({ jobTitle: 'Rear Admiral', source: 'referral', tags: ['navy'] });
	expect(ada.contact).toMatchObject(ada.body);
	expect(grace.contact).toMatchObject(grace.body);
});

test('a field that is added and left blank is cleared, where Empty Fields is Clear', async () => {
	const [before] = await storedContacts(sandbox);
	await addFields('Job Title', 'Source', 'Company');
	await chooseOption('Empty Fields', 'emptyValues', 'Clear');
	await enterText('jobTitle', 'Countess');
	await execute();

	const [ada] = await contactsAndBodies();
	expect(before).toMatchObject({ source: 'referral', company: 'Analytical Engines Ltd' });
	expect(ada.body).toMatchObject({ jobTitle: 'Countess', company: '' });
	expect(ada.contact).toMatchObject({ jobTitle: 'Countess', company: '', source: null });
});

test('a tag is added, and the contact keeps the others', async () => {
	const before = await storedContacts(sandbox);
	await addFields('Tags');
	await chooseOption('Tags', 'tags', 'Add');
	await enterText('tags', 'customer');
	await execute();

	const tagged = (await storedContacts(sandbox)).map(({ id, tags }) => ({ id, tags }));
	const isMeant = ({ email }: StoredContact) =>
		rows.some((row) => row.email.toLowerCase() === email);
	expect(tagged).toEqual(
		before.map(({ id, tags, ...one }) => ({
			id,
			tags: isMeant(one as StoredContact) ? [...tags, 'customer'] : tags,
		})),
	);
});

test('fields mapped automatically: columns that are none are named', async () => {
	const { page } = editor;
	await page.getByTestId('mapping-mode-select').click();
	await page.getByRole('option', { name: 'Map Automatically' }).click();
	await execute();
	await page.getByText('No field of a contact has the name of these columns: score').waitFor();

	const [ada, grace] = await contactsAndBodies();
	const email = 'ada.lovelace@example.com';
	expect(ada.body).toEqual({ email, jobTitle: 'Countess', tags: ['vip', 'maths'] });
	expect(grace.contact).toMatchObject({ jobTitle: 'Rear Admiral', tags: ['navy'] });
});

test('a spreadsheet in a dry run, by columns: what is no value is named in its row', async () => {
	const sheet = [
		{ 'E-Mail': 'ada.lovelace@example.com', 'First Name': 'Augusta', Phone: '#N/A' },
		{ 'E-Mail': 'grace.hopper@example.com', 'First Name': 'Grace', Phone: '4.9170123E+11' },
		{ 'E-Mail': 'alan.turing@example.com', 'First Name': 'Alan', Phone: '', Tags: "['vip']" },
		{ 'E-Mail': 'ada.lovelace@example.com', 'First Name': '\u202aAugusta\u202c', Phone: '' },
	];
	const output = await dryRun(sheet, {
		contact: { __rl: true, mode: 'email', value: '={{ $json["E-Mail"] }}' },
		fields: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
	});
	await output.getByText('1 would be updated, 0 unchanged, 3 failed').waitFor();
	await output.getByText("'Phone' is “#N/A”, which isn't a value").waitFor();
	await output
		.getByText("'Tags' is neither a list of texts nor text separated by commas")
		.waitFor();
});

test('a spreadsheet in a dry run, by hand: a misspelled column is named', async () => {
	const output = await dryRun(
		[{ email: 'ada.lovelace@example.com', Phone: '+44 20', title: 'Countess' }],
		await manualUpdate(
			{ mode: 'email', value: '={{ $json.email }}' },
			{ phone: '={{ $json.phone }}', jobTitle: '={{ $json.title }}' },
			{ emptyValues: 'clear' },
		),
	);
	await output.getByText('No item has a value for Phone').waitFor();
	await output.getByText('wouldUpdate', { exact: true }).waitFor();
	await editor.page.getByText('They replace all others of the contact').waitFor();
});

/** What the output panel shows of a dry run. */
async function dryRun(items: object[], update: INodeParameters) {
	const options = { ...(update.options as object), dryRun: true };
	const parameters = { operation: 'updateContact', ...update, options };
	const workflow = crmWorkflow(items, { credential, parameters }) as any;
	const node = workflow.nodes.find(({ name }: { name: string }) => name === 'CRM');
	node.onError = 'continueRegularOutput';
	const { id } = await n8n.createWorkflow(workflow);
	await editor.openNode(id, 'CRM');
	await editor.page.getByTestId('node-execute-button').click();
	return editor.page.getByTestId('output-panel');
}

async function addFields(...fields: string[]) {
	const { page } = editor;
	for (const field of fields) {
		await page.getByTestId('add-fields-select').getByRole('button').click();
		await page.getByRole('menuitem', { name: field, exact: true }).click();
	}
}

/** Adds an option of the node, and chooses one of its values. */
async function chooseOption(option: string, name: string, value: string) {
	const { page } = editor;
	await page.getByPlaceholder('Add Option').click();
	await page.getByRole('option', { name: option, exact: true }).click();
	// A field of the contact may have the same name: options stand below.
	await page.getByTestId(`parameter-input-${name}`).last().click();
	await page.getByRole('option', { name: value }).first().click();
}

/** Enters the text of a field of the contact: last of all, because n8n shows fields again in the meantime. */
async function enterText(field: string, text: string) {
	const input = editor.page.getByTestId(`parameter-input-${field}`).first().locator('input');
	await until(`${field} to be ${text}`, 90, async () => {
		await input.fill(text);
		return (await input.inputValue()) === text || undefined;
	});
}

/**
 * A value that begins with = makes the field an expression, which another editor is for. n8n may
 * put one more in its place, without what was entered: so it is entered until it is there.
 * @param preview what the editor shows the expression to come to
 */
async function enterExpression(field: string, expression: string, preview: string) {
	const { page } = editor;
	const input = page.getByTestId(`parameter-input-${field}`);
	await input.locator('input, textarea').first().press('=');
	const hint = page.getByTestId('node-parameters').getByTestId('parameter-input-hint');
	const shown = hint.getByText(preview, { exact: true });
	await until(`${expression} to come to ${preview}`, 90, async () => {
		await input.locator('.cm-content').fill(`{{ ${expression} }}`);
		const isShown = shown.waitFor({ timeout: 2000 }).then(() => true);
		return await isShown.catch(() => undefined);
	});
}

async function execute() {
	const { page } = editor;
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('output-panel').getByText('updated', { exact: true }).first().waitFor();
}

/** What was written to the contacts of the two rows, and what became of them. */
async function contactsAndBodies() {
	const contacts = await storedContacts(sandbox);
	const { data: requests } = await sandbox.control('GET', '/requests');
	return rows.map(({ email }) => {
		const contact = contacts.find((one) => one.email === email.toLowerCase())!;
		const { body } = requests.find(({ path }: any) => path === `/contacts/${contact.id}`);
		return { contact, body };
	});
}
