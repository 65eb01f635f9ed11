import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { everythingOf, logged } from '../support/keys/everythingOf.mts';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { variantDefinitions, type VariantName, type Variants } from '../../sandbox/variants.mts';
import { oneRequestEach, requestOf, unknownContact } from '../support/engine/oneRequestEach.mts';
import { isSince } from '../../playground/installed.mts';
import { runNode, type NodeResult } from '../support/engine/runNode.mts';
import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';

let sandbox: RunningSandbox;
let apiKey: string;
let contacts: Array<{ id: string; email: string }>;
let tests = 0;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(async () => await sandbox.stop());
// The node remembers what it learned of a key, so each test has one of its own.
beforeEach(async () => {
	({ testKey: apiKey } = await sandbox.control('POST', '/reset', { seed: ++tests }));
	contacts = (await sandbox.control('GET', '/contacts')).data;
});

const wrongKey = 'sk_test_ThisKeyIsNotTheOneOfTheSandbox';

/** One way to fail that the interface leaves open, and what the node makes of it. */
interface Situation {
	/** The variant that decides the status; each of its values is tried. */
	status: VariantName | 409;
	variants?: Partial<Variants>;
	parameters: INodeParameters;
	items: IDataObject[];
	/** The index of the item that fails. */
	fails: number;
	apiKey?: string;
	/** What the service means to say. */
	code: string;
	words: string;
	/** The node's message. */
	message: (status: number) => string;
	/** What the node says to do. */
	advice?: string;
	before?: () => Promise<void>;
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
const sending = requestOf['Send Transactional Email'];
const fine = { to: 'ada@example.com' };
const person = { to: 'grace@example.com' };

const rejectedKey = (request: string) => (status: number) =>
	status === 401
		? 'The service rejected the API key'
		: `The service doesn't allow ${request} with this API key`;
const rejectedSend = (name: string) => `The service rejected the message to ${name}@example.com`;
const keyOf = 'order-1042';

const situations: Record<string, () => Situation> = {
	'a rejected key': () => ({
		status: 'authenticationStatus',
		parameters: send,
		items: [fine],
		fails: 0,
		apiKey: wrongKey,
		code: 'UNAUTHORIZED',
		words: 'A valid API key is required',
		message: rejectedKey(sending),
		advice: 'Its mode is Test',
	}),
	'a token without a value': () => ({
		status: 'missingTokenStatus',
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
		message: () =>
			'The service rejected the message to grace@example.com, perhaps because of a token or a variable',
		advice: 'Nothing was sent for this item. Each token needs a variable of its name',
	}),
	'an unknown template': () => ({
		status: 'unknownReferenceStatus',
		parameters: { ...send, templateSlug: '={{ $json.slug }}' },
		items: [
			{ ...fine, slug: 'welcome' },
			{ ...person, slug: 'none' },
		],
		fails: 1,
		code: 'TEMPLATE_NOT_FOUND',
		words: "There is no template 'none'",
		message: () =>
			'The service rejected the message to grace@example.com because of the template “none”',
		advice: "Nothing was sent for this item. Check 'Template Slug'",
	}),
	'an unknown channel': () => ({
		status: 'unknownReferenceStatus',
		parameters: { ...send, additionalFields: { channelId: unknownContact } },
		items: [fine],
		fails: 0,
		code: 'CHANNEL_NOT_FOUND',
		words: `There is no channel ${unknownContact}`,
		message: () => rejectedSend('ada'),
		advice: "'Channel ID'",
	}),
	'a larger page than the service takes': () => ({
		status: 'htmlLimitStatus',
		variants: { htmlLimitBytes: 256_000 },
		parameters: { ...send, content: 'html', subject: 'Hello', html: '={{ $json.html }}' },
		items: [
			{ ...fine, html: '<p>Hello</p>' },
			{ ...person, html: 'x'.repeat(260_000) },
		],
		fails: 1,
		code: 'HTML_TOO_LARGE',
		words: 'html is larger than 256000 bytes',
		message: () => rejectedSend('grace'),
	}),
	'a send that fails, not answered as passing': () => ({
		status: 'sendFailureStatus',
		parameters: send,
		items: [fine, { to: 'fail@example.com' }],
		fails: 1,
		code: 'SEND_FAILED',
		words: 'The mail server did not answer',
		message: (status) =>
			status === 422 ? rejectedSend('fail') : 'The service failed to send this message',
	}),
	'a key used for another message': () => ({
		status: 409,
		parameters: { ...send, idempotency: 'custom', idempotencyKey: keyOf },
		items: [person],
		fails: 0,
		code: 'IDEMPOTENCY_KEY_REUSED',
		words: `The idempotency key '${keyOf}' was used before for a message with other content`,
		message: () =>
			`A message with the idempotency key “${keyOf}” was sent or tried earlier with different content`,
		before: async () => {
			const parameters = { ...send, idempotency: 'custom', idempotencyKey: keyOf };
			await run(parameters, [fine]);
		},
	}),
	'a contact that does not exist': () => ({
		status: 'unknownContactStatus',
		parameters: update,
		items: [
			{ id: contacts[0].id, jobTitle: 'Analyst' },
			{ id: unknownContact, jobTitle: 'Analyst' },
		],
		fails: 1,
		code: 'CONTACT_NOT_FOUND',
		words: `There is no contact ${unknownContact}`,
		message: (status) => {
			if (status === 403) return rejectedKey(requestOf['Update Contact'])(status);
			return status === 404
				? `The service doesn't know the contact ${unknownContact}`
				: `The service rejected the update of the contact ${unknownContact}`;
		},
	}),
	'an email address that is taken': () => {
		const [{ email }, , { id }] = contacts;
		return {
			status: 'emailTakenStatus',
			parameters: update,
			items: [
				{ id: contacts[1].id, jobTitle: 'Analyst' },
				{ id, email },
			],
			fails: 1,
			code: 'EMAIL_TAKEN',
			words: `The email ${email} is already used by another contact`,
			message: () => `The service rejected the update of the contact ${id}`,
			advice: `Nothing was changed. An email address that another contact has is a possible reason.`,
		};
	},
	'a search without the term': () => ({
		status: 'validationStatus',
		variants: { articleSearchParameter: 'term', articleSearchWithoutTerm: 'rejected' },
		parameters: oneRequestEach['List of articles'],
		items: [{}],
		fails: 0,
		code: 'VALIDATION_ERROR',
		words: 'The parameter term is required',
		message: () => `The service rejected ${requestOf['List of articles']}`,
	}),
};

// Interface: OPEN-14, OPEN-15, OPEN-17.
test.each(Object.keys(situations))(
	'%s: the error names the item, what to do and what the service says',
	async (name) => {
		const { status } = situations[name]();
		const values =
			typeof status === 'number'
				? [status]
				: (variantDefinitions[status].allowed as readonly number[]);
		for (const value of values) {
			await checkError(situations[name], value);
		}
	},
	40_000,
);

async function checkError(situationOf: () => Situation, status: number): Promise<void> {
	const situation = situationOf();
	const { parameters, items, fails, code, words, advice = '' } = situation;
	const key = situation.apiKey ?? apiKey;
	const statusVariant = typeof situation.status === 'string' ? { [situation.status]: status } : {};
	const variants = { ...statusVariant, ...situation.variants };
	await sandbox.control('POST', '/reset', { seed: tests, variants });
	await situation.before?.();
	const result = await run(parameters, items, key);
	const { error } = result;
	const description = String(error?.description);
	expect({
		status,
		name: error?.name,
		message: error?.message,
		httpCode: error?.httpCode,
		data: error?.context?.data,
		item: error?.context?.itemIndex,
		progress: /\d+ of \d+ items/.exec(description)?.[0],
		says: [advice, `The service says: ${code}: ${words}.`].filter(
			(one) => !description.includes(one),
		),
		// Earlier versions of n8n don't log the errors of a service.
		isLogged: logged().includes(String(error?.message)),
		key: (everythingOf(result) + logged()).includes(secretOf(key)),
	}).toEqual({
		status,
		name: 'NodeApiError',
		message: situation.message(status),
		httpCode: String(status),
		data: { statusCode: status, code, message: words },
		item: fails,
		progress: items.length > 1 ? `${fails} of ${items.length} items` : undefined,
		says: [],
		isLogged: isSince('2.30'),
		key: false,
	});
}

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

	const shapes = variantDefinitions.errorBody.allowed.flatMap((errorBody) =>
		([404, 400] as const).map((status) => [errorBody, status] as const),
	);
	test.each(shapes)('of the form %s with status %d', async (errorBody, unknownContactStatus) => {
		const said = await saidWith({ errorBody, unknownContactStatus });
		const shown: Partial<Record<typeof errorBody, string[]>> = {
			html: [`says: a web page titled “Error ${unknownContactStatus}”`],
			empty: [`gave no reason (HTTP ${unknownContactStatus}).`],
		};
		const expected = shown[errorBody] ?? [words, 'CONTACT_NOT_FOUND'];
		for (const one of expected) expect(said).toContain(one);
	});

	test.each([
		['lowerCase', `says: contact_not_found: ${words}.`],
		['absent', `says: ${words}.`],
	] as const)('with codes %s', async (errorCodes, expected) => {
		expect(await saidWith({ errorCodes })).toBe(expected);
	});
});

async function run(
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
	key = apiKey,
	settings = {},
): Promise<NodeResult> {
	return await runNode({
		parameters,
		items,
		settings,
		credential: { baseUrl: sandbox.baseUrl, apiKey: key, requestsPerMinute: 100_000 },
	});
}

/** Enough of a key to know it by, also where it was cut. */
function secretOf(key: string): string {
	const { length } = 'sk_test_';
	return key.slice(length, length + 6);
}

test.each<[number, string]>([
	[400, 'The service rejected GET /contacts'],
	[401, 'The service rejected the API key'],
	[403, "The service doesn't allow GET /contacts with this API key"],
	[404, 'The service responded to GET /contacts with “not found”'],
	[409, 'The service rejected GET /contacts'],
	[418, 'The service rejected GET /contacts'],
	[501, 'The service failed to process GET /contacts'],
	[520, 'The service failed to process GET /contacts'],
])('a response of %d is not retried, and the error says what it means', async (status, message) => {
	await sandbox.control('POST', '/faults', { kind: 'status', status, probability: 1 });
	const { error } = await run(oneRequestEach.List);
	expect(error).toMatchObject({
		name: 'NodeApiError',
		message,
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
		expect(error?.description).toContain('Tried 5 times.');
		expect((await sandbox.control('GET', '/requests')).data).toHaveLength(5);
	},
	40_000,
);

describe('the API key is redacted', () => {
	const send = oneRequestEach['Send Transactional Email'];
	const secrets = (...results: NodeResult[]) =>
		(results.map(everythingOf).join('') + logged()).split(secretOf(apiKey)).length - 1;

	test.each<[string, object]>([
		['in JSON', { kind: 'status', status: 400, body: { error: { message: 'bad key KEY' } } }],
		['as text', { kind: 'status', status: 400, body: 'Authorization: Bearer KEY' }],
		['in a page', { kind: 'status', status: 400, body: '<html><title>KEY</title></html>' }],
		['cut off', { kind: 'status', status: 400, body: `${'x'.repeat(490)} KEY` }],
		['as a code', { kind: 'status', status: 409, body: { code: 'KEY', message: 'No' } }],
		['in a redirect', { kind: 'redirect', location: 'https://other.example.com/?key=KEY' }],
		[
			'in the wait',
			{ kind: 'status', status: 429, headers: { 'retry-after': '86400' }, body: 'KEY' },
		],
	])('if the service repeats it %s', async (_where, fault) => {
		const text = JSON.stringify(fault).replaceAll('KEY', apiKey);
		await sandbox.control('POST', '/faults', { ...JSON.parse(text), next: 20 });
		const stopped = await run(send);
		const onward = await run(send, [{}], apiKey, { onError: 'continueRegularOutput' });
		expect(stopped.error?.name).toBe('NodeApiError');
		const { message, description } = stopped.error!;
		expect(onward.json[0].error).toBe(`${message}. ${description}`);
		expect(secrets(stopped, onward)).toBe(0);
	});

	test.each<[string, INodeParameters, string]>([
		['in text', oneRequestEach.List, 'KEY'],
		['in text that is shortened', oneRequestEach.List, `${'x'.repeat(480)} KEY`],
		['in the title of a page', { ...send, idempotency: 'none' }, '<html><title>KEY</title></html>'],
		[
			'in the title of a page that is shortened',
			{ ...send, idempotency: 'none' },
			`<html><title>${'x'.repeat(480)} KEY</title></html>`,
		],
	])('if it comes with status 200 %s', async (_where, parameters, text) => {
		const body = text.replace('KEY', apiKey);
		await sandbox.control('POST', '/faults', { kind: 'body', body, next: 20 });
		const result = await run(parameters);
		expect(result.error?.message).toContain('The service responded');
		expect(secrets(result)).toBe(0);
	});
});

describe('an update that is rejected', () => {
	const newEmail = {
		...oneRequestEach['Update Contact'],
		fields: { ...oneRequestEach['Update Contact'].fields, value: { email: 'new@example.com' } },
	};
	const updating = requestOf['Update Contact'];
	const rejected = `The service rejected the update of the contact ${unknownContact}`;
	const unknown = `The service doesn't know the contact ${unknownContact}`;

	test.each<[number, object | string, string, string]>([
		[
			401,
			{ message: 'API key not found' },
			'The service rejected the API key',
			'Check that the key',
		],
		[
			403,
			{ message: 'Plan does not exist' },
			`The service doesn't allow ${updating} with this API key`,
			'Check what the key',
		],
		[404, { message: `Cannot ${updating}` }, unknown, "check 'Base URL'"],
		[410, { error: 'Gone' }, unknown, 'It may be deleted'],
		[409, { message: 'The contact was changed meanwhile' }, rejected, 'Nothing was changed.'],
		[
			422,
			{ message: ['The email is already in use'] },
			rejected,
			'address that another contact has',
		],
	])('with %d and %j', async (status, body, message, advice) => {
		await sandbox.control('POST', '/faults', { kind: 'status', status, body });
		const { error } = await run(newEmail);
		expect(error).toMatchObject({ message, httpCode: String(status) });
		expect(error?.description).toContain(advice);
		expect(error?.description).toContain('The service says:');
	});
});

describe('a send that is rejected', () => {
	const send = oneRequestEach['Send Transactional Email'];

	test.each<[number, object | string, string]>([
		[404, { message: 'No such template' }, 'because of the template “welcome”'],
		[404, '<html><title>404</title></html>', 'The service rejected the message'],
		[409, { message: 'Try later' }, 'reports a conflict for this message'],
	])('with %d and %j', async (status, body, words) => {
		await sandbox.control('POST', '/faults', { kind: 'status', status, body, next: 5 });
		const { error } = await run(send);
		expect(error?.message).toContain(words);
	});

	test('is not called rejected after 408: it may have been sent', async () => {
		await sandbox.control('POST', '/faults', { kind: 'status', status: 408, next: 5 });
		const { error } = await run(send);
		expect(error?.description).toContain('The message may already have been sent');
		expect(error?.message).not.toContain('rejected');
	}, 40_000);

	// Interface: KEY-3.
	test.each([
		[500, 'The service failed to process POST'],
		[422, 'The service rejected the message'],
	])(
		'with %d and the code of a failed original keeps its key',
		async (status, words) => {
			const body = { code: 'IDEMPOTENT_REPLAY', message: 'Not this one' };
			await sandbox.control('POST', '/faults', { kind: 'status', status, body, next: 5 });
			const { error } = await run(send);
			expect(error?.message).toContain(words);
			const keys = (await sandbox.control('GET', '/requests')).data.map(
				(request: { body: IDataObject }) => request.body.idempotencyKey,
			);
			expect(new Set(keys).size).toBe(1);
		},
		40_000,
	);
});

test.each([429, 500, 503])(
	'a header that shows when the limit is reset does not keep a request waiting (%d)',
	async (status) => {
		for (const headers of [
			{ 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 3610) },
			{ 'ratelimit-reset': '3610' },
		]) {
			await sandbox.control('POST', '/faults', { kind: 'status', status, headers });
			const { json, error } = await run(oneRequestEach.List);
			expect(error).toBeUndefined();
			expect(json).toHaveLength(10);
		}
	},
);

// Interface: OPEN-18.
describe('the rate limit', () => {
	const statuses = variantDefinitions.rateLimitStatus.allowed;
	const answers = variantDefinitions.rateLimitAnswer.allowed;
	const headerOf: Record<Variants['rateLimitAnswer'], (seconds: number) => object> = {
		retryAfterSeconds: (seconds) => ({ 'retry-after': String(seconds) }),
		retryAfterDate: (seconds) => ({
			'retry-after': new Date(Date.now() + seconds * 1000).toUTCString(),
		}),
		resetHeader: (seconds) => ({
			'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + seconds),
		}),
		resetSeconds: (seconds) => ({ 'ratelimit-reset': String(seconds) }),
		bare: () => ({}),
	};
	const cases = statuses.flatMap((status) => answers.map((answer) => [status, answer] as const));

	test.each(cases)('answered by %d, %s: the request is retried', async (status, answer) => {
		const headers = headerOf[answer](1);
		await sandbox.control('POST', '/faults', { kind: 'status', status, headers });
		const { json, error } = await run(oneRequestEach.List);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(10);
	});

	test.each(cases.filter(([, answer]) => answer.startsWith('retryAfter')))(
		'answered by %d, %s, with a wait beyond all patience: the error says how long',
		async (status, answer) => {
			const headers = headerOf[answer](3610);
			await sandbox.control('POST', '/faults', { kind: 'status', status, headers });
			const { error } = await run(oneRequestEach.List);
			expect(error?.httpCode).toBe(String(status));
			expect(error?.description).toContain('The service asks to wait 60 min');
			expect((await sandbox.control('GET', '/requests')).data).toHaveLength(1);
		},
	);
});
