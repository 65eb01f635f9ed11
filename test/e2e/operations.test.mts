import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { collections, leastSeeded } from '../support/sandbox/collections.mts';
import { playground } from '../support/n8n/playground.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { crmWorkflow, errorOf, outputOf } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let credential: string;

beforeAll(async () => {
	sandbox = await startSandbox(['--contacts', '250', '--requests-per-minute', '0']);
	credential = await createCredential(n8n, unpaced(sandbox), 'Operations');
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.control('POST', '/reset'));

async function run(items: object[], parameters: object, settings?: object) {
	const workflow = crmWorkflow(items, { credential, parameters, settings });
	return n8n.run(await n8n.createWorkflow(workflow), 'Start');
}

/** What the sandbox shows of its contacts, its inbox or the requests it got. */
async function seen(what: 'contacts' | 'inbox' | 'requests'): Promise<any[]> {
	return (await sandbox.control('GET', `/${what}`)).data;
}

const byEmail = { operation: 'sendTransactionalEmail', to: '={{ $json.email }}' };
const people = [
	{ email: 'maya@example.com', name: 'Maya' },
	{ email: 'noor@example.com', name: 'Noor' },
];

describe('Send Transactional Email', () => {
	test('sends a template with variables to each item, in order', async () => {
		const variables = { variable: [{ name: 'firstName', value: '={{ $json.name }}' }] };
		const execution = await run(people, { ...byEmail, templateSlug: 'welcome', variables });

		expect(outputOf(execution).map(({ json }) => json)).toMatchObject([
			{ to: 'maya@example.com', subject: 'Welcome, Maya' },
			{ to: 'noor@example.com', subject: 'Welcome, Noor' },
		]);
		expect(outputOf(execution).map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
		]);
		expect(await seen('inbox')).toHaveLength(2);
	});

	test('sends HTML with tokens, and variables as JSON', async () => {
		const execution = await run(people.slice(0, 1), {
			...byEmail,
			content: 'html',
			subject: 'For {{name}}',
			html: '<p>Hello {{name}}, {{greeting|all is well}}</p>',
			variablesInput: 'json',
			variablesJson: '={{ JSON.stringify({ name: $json.name }) }}',
		});
		expect(outputOf(execution)[0].json.subject).toBe('For Maya');
		const [message] = await seen('inbox');
		expect(message.html).toContain('Hello Maya, all is well');
	});

	test('refuses a token without a value before anything is sent', async () => {
		const html = { content: 'html', subject: 'Hello', html: '<p>{{missing}}</p>' };
		const execution = await run(people.slice(0, 1), { ...byEmail, ...html });
		expect(execution.status).toBe('error');
		expect(errorOf(execution).message).toContain('missing');
		expect(await seen('requests')).toEqual([]);
	});
});

describe('Update Contact', () => {
	const byId = (fields: object) => ({
		operation: 'updateContact',
		contact: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		fields,
	});

	test('writes the mapped fields', async () => {
		const [contact] = await seen('contacts');
		const value = { jobTitle: '={{ $json.title }}', tags: 'vip, new' };
		const fields = { mappingMode: 'defineBelow', value, schema: [], matchingColumns: [] };
		const execution = await run([{ id: contact.id, title: 'Analyst' }], byId(fields));

		expect(outputOf(execution)).toHaveLength(1);
		const after = (await seen('contacts')).find(({ id }) => id === contact.id);
		expect(after).toMatchObject({ jobTitle: 'Analyst', tags: ['vip', 'new'] });
	});

	test('failed items leave by the error output, linked to their inputs', async () => {
		const contacts = await seen('contacts');
		const unknown = '00000000-0000-4000-8000-000000000000';
		const ids = [contacts[0].id, unknown, contacts[1].id];
		const fields = { mappingMode: 'autoMapInputData', value: {}, schema: [], matchingColumns: [] };
		const execution = await run(
			ids.map((id) => ({ id, jobTitle: 'Analyst' })),
			byId(fields),
			{ onError: 'continueErrorOutput' },
		);

		expect(execution.status).toBe('success');
		expect(outputOf(execution).map((one) => one.pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		const failed = outputOf(execution, 'CRM', 1);
		expect(failed.map((one) => one.pairedItem)).toEqual([{ item: 1 }]);
		expect(failed[0].json.error).toContain(unknown);
	});
});

describe('List', () => {
	test.each(Object.entries(collections))('%s', async (collection, { parameters }) => {
		const execution = await run([{}], {
			operation: 'list',
			collection,
			limit: leastSeeded,
			...parameters,
		});
		expect(errorOf(execution)).toBeUndefined();
		const records = outputOf(execution);
		expect(records).toHaveLength(leastSeeded);
		expect(records[0].json.id).toEqual(expect.any(String));
	});

	test('Return All walks all pages, a hundred records each', async () => {
		const execution = await run([{}], { operation: 'list', returnAll: true });
		expect(new Set(outputOf(execution).map(({ json }) => json.id)).size).toBe(250);
		expect(await seen('requests')).toHaveLength(3);
	});

	test('Return All of the articles returns more than one answer holds', async () => {
		const parameters = { collection: 'knowledgeBaseArticles', searchTerm: 'how', returnAll: true };
		const execution = await run([{}], { operation: 'list', ...parameters });
		expect(outputOf(execution).length).toBeGreaterThan(10);
	});
});

test('the contact chooser offers contacts and searches them', async () => {
	const question = {
		path: 'parameters.contact',
		methodName: 'searchContacts',
		nodeTypeAndVersion: { name: 'n8n-nodes-crm-workspace.crmWorkspace', version: 1 },
		currentNodeParameters: { operation: 'updateContact' },
		credentials: { crmWorkspaceApi: { id: credential, name: 'Operations' } },
	};
	const ada = await n8n.lookUp('resource-locator-results', { ...question, filter: 'lovelace' });
	expect(ada.results[0].name).toContain('Ada Lovelace');
});
