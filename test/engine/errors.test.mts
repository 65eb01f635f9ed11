import { beforeEach, describe, expect, test } from '@jest/globals';
import { everythingOf, logged } from '../support/keys/everythingOf.mts';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Variants } from '../../sandbox/variants.mts';
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
		expect(everythingOf(result) + logged()).not.toContain(secretOf(key));
	},
);

// Interface: OPEN-16.
describe('the body of an error', () => {
	const words = `There is no contact ${unknownContact}`;

	/** What the service says in a body, as the description shows it. */
	async function saidWith(variants: Partial<Variants>): Promise<string> {
		await sandbox.control('POST', '/reset', { seed: tests, variants });
		const { error } = await run(oneRequestEach['Update Contact']);
		expect(error?.name).toBe('NodeApiError');
		return String(error?.description).split('The service ').at(-1)!;
	}

	test.each([
		['nested', `says: CONTACT_NOT_FOUND: ${words}.`],
		['flat', `says: CONTACT_NOT_FOUND: ${words}.`],
		['html', 'says: a web page titled “Error 404”'],
		['empty', 'gives no reason (HTTP 404).'],
	] as const)('of the form %s', async (errorBody, expected) => {
		expect(await saidWith({ errorBody })).toContain(expected);
	});

	test.each([[{ refusals: 'other' }, `says: CONTACT_NOT_FOUND: ${words}.`]] as const)(
		'with %j',
		async (variants, expected) => {
			expect(await saidWith(variants)).toBe(expected);
		},
	);
});

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

/** Enough of a key to know it by, also where it was cut. */
function secretOf(key: string): string {
	const { length } = 'sk_test_';
	return key.slice(length, length + 6);
}

test.each<[number, string]>([
	[400, 'the service rejected the request'],
	[401, 'the service rejected the API key'],
	[403, "the service doesn't allow it with this API key"],
	[404, 'the service responded with “not found”'],
	[409, 'the service rejected the request'],
	[418, 'the service rejected the request'],
	[501, 'the service failed to process the request'],
	[520, 'the service failed to process the request'],
])('a response of %d is not retried, and the error says what it means', async (status, reason) => {
	await sandbox.control('POST', '/faults', { kind: 'status', status, probability: 1 });
	const { error } = await run(oneRequestEach.List);
	expect(error).toMatchObject({
		name: 'NodeApiError',
		message: `Contacts weren't read: ${reason}`,
		description: expect.stringContaining(
			`The service says: ERROR_${status}: The service answered ${status}.`,
		),
		httpCode: String(status),
		context: { itemIndex: 0, data: { statusCode: status, code: `ERROR_${status}` } },
	});
	expect((await sandbox.control('GET', '/requests')).data).toHaveLength(1);
});

test.each([500, 502, 503, 504, 408])(
	'a response of %d is retried four times, and the error says so',
	async (status) => {
		await sandbox.control('POST', '/faults', { kind: 'status', status, next: 9 });
		const { error } = await run(oneRequestEach['List in one piece']);
		expect(error).toMatchObject({ httpCode: String(status), context: { itemIndex: 0 } });
		expect(error?.description).toContain(`After 5 attempts, the service says: ERROR_${status}: `);
		expect((await sandbox.control('GET', '/requests')).data).toHaveLength(5);
	},
	40_000,
);

describe('an update that is rejected', () => {
	const newEmail = {
		...oneRequestEach['Update Contact'],
		fields: { ...oneRequestEach['Update Contact'].fields, value: { email: 'new@example.com' } },
	};
	const rejected = 'the service rejected the update';
	const unknown = "the service doesn't know it";

	test.each<[number, object | string, string, string]>([
		[401, { message: 'API key not found' }, 'the service rejected the API key', 'Check that the'],
		[
			403,
			{ message: 'Plan does not exist' },
			"the service doesn't allow it with this API key",
			'Check what the key',
		],
		[404, { message: 'Cannot PUT /contacts' }, unknown, "check 'Base URL'"],
		[410, { error: 'Gone' }, unknown, 'It may be deleted'],
		[409, { message: 'The contact was changed meanwhile' }, rejected, 'change that contact first'],
		[
			422,
			{ message: ['The email is already in use'] },
			rejected,
			'Another contact may have this email address',
		],
	])('with %d and %j', async (status, body, reason, advice) => {
		await sandbox.control('POST', '/faults', { kind: 'status', status, body });
		const { error } = await run(newEmail);
		expect(error).toMatchObject({
			message: `The contact ${unknownContact} wasn't updated: ${reason}`,
			httpCode: String(status),
		});
		expect(error?.description).toContain(advice);
		expect(error?.description).toContain('The service says:');
	});
});

describe('a send that is rejected', () => {
	const send = oneRequestEach['Send Transactional Email'];

	test.each<[number, object | string]>([
		[404, { message: 'No such template' }],
		[404, '<html><title>404</title></html>'],
		[409, { message: 'Try later' }],
		[413, { message: 'html is larger than 256000 bytes' }],
	])('with %d and %j', async (status, body) => {
		await sandbox.control('POST', '/faults', { kind: 'status', status, body, next: 5 });
		const { error } = await run(send);
		expect(error?.message).toBe(`The message to ${send.to} wasn't sent: the service rejected it`);
	});
});

// Interface: OPEN-18.
describe('the rate limit', () => {
	const dateIn = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
	const inAnHour = String(Math.ceil(Date.now() / 1000) + 3600);

	test.each<[string, number, () => object]>([
		['seconds', 429, () => ({ 'retry-after': '1' })],
		['a date', 503, () => ({ 'retry-after': dateIn(1) })],
		['nothing', 429, () => ({})],
		['nothing', 503, () => ({})],
		['the time of its reset alone', 429, () => ({ 'x-ratelimit-reset': inAnHour })],
	])('with %s (%d): the request is retried', async (_how, status, headers) => {
		await sandbox.control('POST', '/faults', { kind: 'status', status, headers: headers() });
		const { json, error } = await run(oneRequestEach.List);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(10);
	});

	test.each<[string, number, () => object]>([
		['seconds', 429, () => ({ 'retry-after': '3610' })],
		['a date', 503, () => ({ 'retry-after': dateIn(3610) })],
	])('with %s (%d) that ask for an hour: the error says so', async (_how, status, headers) => {
		await sandbox.control('POST', '/faults', { kind: 'status', status, headers: headers() });
		const { error } = await run(oneRequestEach.List);
		expect(error?.httpCode).toBe(String(status));
		expect(error?.description).toContain('The service asks to wait 60 min');
		expect((await sandbox.control('GET', '/requests')).data).toHaveLength(1);
	});
});
