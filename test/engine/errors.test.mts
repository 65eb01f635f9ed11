import { beforeEach, expect, test } from '@jest/globals';
import { logged } from '../support/keys/everythingOf.mts';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { oneRequestEach, unknownContact } from '../support/engine/oneRequestEach.mts';
import { isSince } from '../../playground/installed.mts';
import { runNode, type NodeResult } from '../support/engine/runNode.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const sandbox = sandboxInTests();
let apiKey: string;
let contacts: Array<{ id: string; email: string }>;
let tests = 0;
// The node remembers what it learned of a key, so each test has one of its own.
beforeEach(async () => {
	({ testKey: apiKey } = await sandbox.control('POST', '/reset', { seed: ++tests }));
	contacts = (await sandbox.control('GET', '/contacts')).data;
});

const wrongKey = 'sk_test_ThisKeyIsNotTheOneOfTheSandbox';

/** One way in which the service rejects something, and what the node makes of it. */
interface Situation {
	parameters: INodeParameters;
	items: IDataObject[];
	/** The index of the item that fails. */
	fails: number;
	apiKey?: string;
	/** What the service answers. */
	status: number;
	code: string;
	words: string;
	/** The node's message. */
	message: string;
	/** What the node says to do. */
	advice?: string;
}

const send = {
	...oneRequestEach['Send Transactional Email'],
	to: '={{ $json.to }}',
	options: { concurrency: 1 },
};
const update = {
	...oneRequestEach['Update Contact'],
	contact: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
	fields: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
	options: { concurrency: 1 },
};
const fine = { to: 'ada@example.com' };
const person = { to: 'grace@example.com' };

const situations: Record<string, () => Situation> = {
	'a rejected key': () => ({
		status: 401,
		parameters: send,
		items: [fine],
		fails: 0,
		apiKey: wrongKey,
		code: 'UNAUTHORIZED',
		words: 'A valid API key is required',
		message: "The message to ada@example.com wasn't sent: the service rejected the API key",
		advice: 'its mode (Test)',
	}),
	'a token without a value': () => ({
		status: 400,
		parameters: {
			...send,
			templateSlug: 'password-reset',
			variables: { variable: [{ name: '={{ $json.name }}', value: 'https://example.com' }] },
		},
		items: [
			{ ...fine, name: 'resetUrl' },
			{ ...person, name: 'other' },
		],
		fails: 1,
		code: 'MISSING_VARIABLES',
		words: 'No value and no default for: resetUrl',
		message: "The message to grace@example.com wasn't sent: the service rejected it",
		advice: "'Template Slug' and the variables that its tokens need",
	}),
	'an unknown template': () => ({
		status: 404,
		parameters: { ...send, templateSlug: '={{ $json.slug }}' },
		items: [
			{ ...fine, slug: 'welcome' },
			{ ...person, slug: 'none' },
		],
		fails: 1,
		code: 'TEMPLATE_NOT_FOUND',
		words: "There is no template 'none'",
		message: "The message to grace@example.com wasn't sent: the service rejected it",
		advice: "Correct what the service names, perhaps 'Template Slug'",
	}),
	'a send that fails': () => ({
		status: 502,
		parameters: send,
		items: [fine, { to: 'fail@example.com' }],
		fails: 1,
		code: 'SEND_FAILED',
		words: 'The mail server did not answer',
		message: "The message to fail@example.com wasn't sent: the service failed to send it",
	}),
	'a contact that does not exist': () => ({
		status: 404,
		parameters: update,
		items: [
			{ id: contacts[0].id, jobTitle: 'Analyst' },
			{ id: unknownContact, jobTitle: 'Analyst' },
		],
		fails: 1,
		code: 'CONTACT_NOT_FOUND',
		words: `There is no contact ${unknownContact}`,
		message: `The contact ${unknownContact} wasn't updated: the service doesn't know it`,
	}),
	'an email address that is taken': () => {
		const [{ email }, , { id }] = contacts;
		return {
			status: 409,
			parameters: update,
			items: [
				{ id: contacts[1].id, jobTitle: 'Analyst' },
				{ id, email },
			],
			fails: 1,
			code: 'EMAIL_TAKEN',
			words: `The email ${email} is already used by another contact`,
			message: `The contact ${id} wasn't updated: the service rejected the update`,
			advice: 'Another contact may have this email address: change',
		};
	},
};

// Interface: OPEN-14, OPEN-15, OPEN-17.
test.each(Object.keys(situations))(
	'%s: the error names the item, what to do and what the service says',
	async (name) => {
		const situation = situations[name]();
		const { parameters, items, fails, status, code, words, message, advice = '' } = situation;
		const key = situation.apiKey ?? apiKey;
		const result = await run(parameters, items, key);
		expect(result.error).toMatchObject({
			name: 'NodeApiError',
			message,
			description: expect.stringContaining(advice),
			httpCode: String(status),
			context: { itemIndex: fails, data: { statusCode: status, code, message: words } },
		});
		const description = String(result.error!.description).replace(', after 2 attempts', '');
		expect(description).toContain(`he service says: ${code}: ${words}.`);
		const progress = `${fails} of ${items.length} items were done`;
		expect(description.includes(progress)).toBe(items.length > 1);
		// Earlier versions of n8n don't log the errors of a service.
		expect(logged().includes(message)).toBe(isSince('2.30'));
	},
);

async function run(
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
	key = apiKey,
): Promise<NodeResult> {
	return await runNode({
		parameters,
		items,
		credential: { baseUrl: sandbox.baseUrl, apiKey: key, requestsPerMinute: 100_000 },
	});
}
