import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { freePort } from '../../playground/ports.mts';
import { playground } from '../support/n8n/playground.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { welcome } from '../support/n8n/sending.mts';
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

describe('Send Transactional Email', () => {
	const people = [
		{ to: 'maya@example.com', name: 'Maya' },
		{ to: 'noor@example.com', name: 'Noor' },
	];

	test('sends a template with variables to each item, in order', async () => {
		const variables = { variable: [{ name: 'firstName', value: '={{ $json.name }}' }] };
		const execution = await run(people, { ...welcome, variables });
		expect(outputOf(execution)).toMatchObject([
			{ json: { to: 'maya@example.com', subject: 'Welcome, Maya' }, pairedItem: { item: 0 } },
			{ json: { to: 'noor@example.com', subject: 'Welcome, Noor' }, pairedItem: { item: 1 } },
		]);
		expect(await seen('inbox')).toHaveLength(2);
	});

	// Interface: SEND-12, SEND-17.
	test('sends HTML with tokens, and variables as JSON', async () => {
		const execution = await run(people.slice(0, 1), {
			...welcome,
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

	test('rejects a token without a value before anything is sent', async () => {
		const html = { content: 'html', subject: 'Hello', html: '<p>{{missing}}</p>' };
		const execution = await run(people.slice(0, 1), { ...welcome, ...html });
		expect(execution.status).toBe('error');
		expect(errorOf(execution).message).toContain('missing');
		expect(await seen('requests')).toEqual([]);
	});
});

describe('Update Contact', () => {
	const byId = (fields: object) => ({
		operation: 'updateContact',
		contact: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		fields: { schema: [], matchingColumns: [], ...fields },
	});

	test('writes the mapped fields', async () => {
		const [contact] = await seen('contacts');
		const value = { jobTitle: '={{ $json.title }}', tags: 'vip, new' };
		const parameters = byId({ mappingMode: 'defineBelow', value });
		const execution = await run([{ id: contact.id, title: 'Analyst' }], parameters);
		expect(outputOf(execution)).toHaveLength(1);
		const after = (await seen('contacts')).find(({ id }) => id === contact.id);
		expect(after).toMatchObject({ jobTitle: 'Analyst', tags: ['vip', 'new'] });
	});

	test('failed items leave by the error output, linked to their input items', async () => {
		const contacts = await seen('contacts');
		const unknown = '00000000-0000-4000-8000-000000000000';
		const ids = [contacts[0].id, unknown, contacts[1].id];
		const execution = await run(
			ids.map((id) => ({ id, jobTitle: 'Analyst' })),
			byId({ mappingMode: 'autoMapInputData', value: {} }),
			{ onError: 'continueErrorOutput' },
		);
		expect(execution.status).toBe('success');
		expect(outputOf(execution).map((one) => one.pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		const failed = outputOf(execution, 'CRM', 1);
		expect(failed).toMatchObject([
			{ json: { id: unknown, jobTitle: 'Analyst' }, pairedItem: { item: 1 } },
		]);
		expect(failed[0].json.error).toContain(unknown);
	});

	test('the list of contacts to choose from can be searched', async () => {
		const found = await n8n.lookUp('resource-locator-results', {
			path: 'parameters.contact',
			methodName: 'searchContacts',
			nodeTypeAndVersion: { name: 'n8n-nodes-crm-workspace.crmWorkspace', version: 1 },
			currentNodeParameters: { operation: 'updateContact' },
			credentials: { crmWorkspaceApi: { id: credential, name: 'Operations' } },
			filter: 'lovelace',
		});
		expect(found.results[0].name).toContain('Ada Lovelace');
	});
});

describe('List', () => {
	test('Return All reads all pages, of a hundred contacts each', async () => {
		const execution = await run([{}], { operation: 'list', returnAll: true });
		expect(new Set(outputOf(execution).map(({ json }) => json.id)).size).toBe(250);
		expect(await seen('requests')).toHaveLength(3);
	});

	test('Return All of articles returns more than the usual page holds', async () => {
		const parameters = { collection: 'knowledgeBaseArticles', searchTerm: 'how', returnAll: true };
		const execution = await run([{}], { operation: 'list', ...parameters });
		expect(outputOf(execution).length).toBeGreaterThan(10);
	});
});

test('a service that is down is named in the error', async () => {
	const baseUrl = `http://127.0.0.1:${await freePort()}/api/v1`;
	const nowhere = await createCredential(n8n, { baseUrl, apiKey: 'sk_test_none' }, 'Nowhere');
	const parameters = { ...welcome, to: 'ada@example.com', idempotency: 'none' };
	const workflow = crmWorkflow([{}], { credential: nowhere, parameters });
	const execution = await n8n.run(await n8n.createWorkflow(workflow), 'Start');
	expect(errorOf(execution).message).toBe(
		`The message to ada@example.com wasn't sent: ${new URL(baseUrl).host} could not be reached`,
	);
});
