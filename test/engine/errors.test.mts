import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { everythingOf, logged } from '../support/keys/everythingOf.mts';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readingDefinitions, type ReadingName, type Readings } from '../../sandbox/readings.mts';
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

/** What the service can be seen to say in an answer. */
interface Said {
	code?: string;
	message?: string;
}

/** One way to fail that the interface leaves open, and what the node makes of it. */
interface Situation {
	/** The reading that decides the status; each of its values is tried. */
	status: ReadingName | 409;
	readings?: Partial<Readings>;
	parameters: INodeParameters;
	items: IDataObject[];
	/** The index of the item that fails. */
	fails: number;
	apiKey?: string;
	/** What the service means to say. */
	code: string;
	words: string;
	/** The node's message. */
	message: (status: number, said: Said) => string;
	/** The status in the end, where the node asks once more. */
	finally?: (status: number, said: Said) => number;
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

const refusedKey = (request: string) => (status: number) =>
	status === 401
		? 'The service refused the API key'
		: `The service refused ${request} with this API key`;
const rejectedSend = (status: number) =>
	status === 413 ? `The service finds ${sending} too large` : `The service rejected ${sending}`;
const unknown =
	(what: 'template' | 'channel', value: string) =>
	(status: number, { code = '', message = '' }: Said) => {
		if (status !== 404) return rejectedSend(status);
		return `${code} ${message}`.toLowerCase().includes(what)
			? `The service does not know the ${what} “${value}”`
			: `The service answered ${sending} with “not found”`;
	};
const missing = 'No value and no default for: resetUrl';
const keyOf = 'order-1042';

const situations: Record<string, () => Situation> = {
	...Object.fromEntries(
		Object.entries(oneRequestEach).map(([operation, parameters]) => [
			`a refused key: ${operation}`,
			(): Situation => ({
				status: 'authenticationStatus',
				parameters,
				items: [{}],
				fails: 0,
				apiKey: wrongKey,
				code: 'UNAUTHORIZED',
				words: 'A valid API key is required',
				message: refusedKey(requestOf[operation as keyof typeof requestOf]),
			}),
		]),
	),
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
		words: missing,
		message: (status, { message }) =>
			message?.endsWith(missing) ? 'The message has tokens without a value' : rejectedSend(status),
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
		message: unknown('template', 'none'),
	}),
	'an unknown channel': () => ({
		status: 'unknownReferenceStatus',
		parameters: { ...send, additionalFields: { channelId: unknownContact } },
		items: [fine],
		fails: 0,
		code: 'CHANNEL_NOT_FOUND',
		words: `There is no channel ${unknownContact}`,
		message: unknown('channel', unknownContact),
	}),
	'a larger page than the service takes': () => ({
		status: 'htmlLimitStatus',
		readings: { htmlLimitBytes: 256_000 },
		parameters: { ...send, content: 'html', subject: 'Hello', html: '={{ $json.html }}' },
		items: [
			{ ...fine, html: '<p>Hello</p>' },
			{ ...person, html: 'x'.repeat(260_000) },
		],
		fails: 1,
		code: 'HTML_TOO_LARGE',
		words: 'html is larger than 256000 bytes',
		message: rejectedSend,
	}),
	'a send that fails, not answered as passing': () => ({
		status: 'sendFailureStatus',
		parameters: send,
		items: [fine, { to: 'fail@example.com' }],
		fails: 1,
		code: 'SEND_FAILED',
		words: 'The mail server did not answer',
		message: (status, { code }) =>
			status === 422
				? rejectedSend(status)
				: code
					? 'The service failed to send this message'
					: 'The service reports a conflict for this message, and does not say which',
		finally: (status, { code }) => (status === 422 || code ? status : 409),
	}),
	'a key used for another message': () => ({
		status: 409,
		parameters: { ...send, idempotency: 'custom', idempotencyKey: keyOf },
		items: [person],
		fails: 0,
		code: 'IDEMPOTENCY_KEY_REUSED',
		words: `The idempotency key '${keyOf}' was used before for a message with other content`,
		message: (_status, { code }) =>
			code
				? `A message with the idempotency key “${keyOf}” was sent or tried before, with other content`
				: 'The service reports a conflict for this message, and does not say which',
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
		message: (status, { code = '', message = '' }) => {
			const isTold = /contact.not.found|no contact/i.test(`${code} ${message}`);
			if (isTold || (status === 404 && !code && !message)) {
				return `The service knows no contact with the ID ${unknownContact}`;
			}
			const request = requestOf['Update Contact'];
			if (status === 404) return `The service answered ${request} with “not found”`;
			return status === 403 ? refusedKey(request)(status) : `The service rejected ${request}`;
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
			message: (status, { code = '', message = '' }) => {
				const isTold = /taken|already/i.test(`${code} ${message}`);
				if (isTold) return `The email address ${email} is already used by another contact`;
				return status === 409
					? `The service reports a conflict for PUT /contacts/${id}`
					: `The service rejected PUT /contacts/${id}`;
			},
		};
	},
	'a search without the term': () => ({
		status: 'validationStatus',
		readings: { articleSearchParameter: 'term', articleSearchWithoutTerm: 'rejected' },
		parameters: oneRequestEach['List of articles'],
		items: [{}],
		fails: 0,
		code: 'VALIDATION_ERROR',
		words: 'The parameter term is required',
		message: () => `The service rejected ${requestOf['List of articles']}`,
	}),
};

// Interface: OPEN-14, OPEN-15, OPEN-16, OPEN-17.
describe.each(readingDefinitions.errorBody.allowed)('an error body of the form %s', (errorBody) => {
	test.each(readingDefinitions.errorCodes.allowed)('with codes %s', async (errorCodes) => {
		for (const [name, situation] of Object.entries(situations)) {
			const { status } = situation();
			const values =
				typeof status === 'number'
					? [status]
					: (readingDefinitions[status].allowed as readonly number[]);
			// A failed send that is tried again costs a wait: one way to write codes is enough.
			const isSlow = status === 'sendFailureStatus' && errorCodes !== 'upperCase';
			for (const value of isSlow ? [422] : values) {
				const seen = await seenOf(name, situation(), value, { errorBody, errorCodes });
				expect(seen.actual).toEqual(seen.expected);
			}
		}
	});
});

/** What the user gets in a situation, and what they should. */
async function seenOf(
	name: string,
	situation: Situation,
	status: number,
	readings: Pick<Readings, 'errorBody' | 'errorCodes'>,
) {
	const { parameters, items, fails } = situation;
	const key = situation.apiKey ?? apiKey;
	const statusReading = typeof situation.status === 'string' ? { [situation.status]: status } : {};
	await sandbox.control('POST', '/reset', {
		seed: tests,
		readings: { ...readings, ...statusReading, ...situation.readings },
	});
	await situation.before?.();
	const result = await run(parameters, items, key);
	const said = saidIn(situation, status, readings);
	const message = situation.message(status, said);
	const statusCode = situation.finally?.(status, said) ?? status;
	const { error } = result;
	const where = `${name}, ${status}`;
	const everything = everythingOf(result) + logged();
	return {
		actual: {
			where,
			type: error?.name,
			message: error?.message,
			httpCode: error?.httpCode,
			data: error?.context?.data,
			item: error?.context?.itemIndex,
			says: says(said, statusCode).filter((words) => !error?.description?.includes(words)),
			progress: /\d+ of \d+ items/.exec(String(error?.description))?.[0],
			isLogged: logged().includes(String(error?.message)),
			key: everything.includes(secretOf(key)),
		},
		expected: {
			where,
			type: 'NodeApiError',
			message,
			httpCode: String(statusCode),
			data: { statusCode, ...said },
			item: fails,
			says: [],
			progress: items.length > 1 ? `${fails} of ${items.length} items` : undefined,
			// Older ones keep the errors of a service to themselves.
			isLogged: isSince('2.30'),
			key: false,
		},
	};
}

/** What can be read from the body in which the sandbox says it. */
function saidIn(
	{ code: name, words, status: decidedBy }: Situation,
	status: number,
	{ errorBody, errorCodes }: Pick<Readings, 'errorBody' | 'errorCodes'>,
): Said {
	const isNamed = decidedBy === 409;
	const isCode = isNamed || errorCodes === 'upperCase';
	const code = isCode ? name : errorCodes === 'lowerCase' ? name.toLowerCase() : undefined;
	// A single word in small letters before a colon may be any word.
	const isWord = code !== undefined && /^[a-z]+$/.test(code);
	const fromLine = isWord ? { message: `${code}: ${words}` } : { code, message: words };
	const isInvalid = status === 400 || status === 422;
	switch (errorBody) {
		case 'empty':
			return {};
		case 'html': {
			// In a page only a code of several words in capitals can be told from other words.
			const message = `a web page titled “Error ${status}”`;
			return { code: isCode && name.includes('_') ? name : undefined, message };
		}
		case 'string':
		case 'text':
		case 'rails':
			return fromLine;
		case 'fastApi':
			if (!isInvalid) return { code, message: words };
			return { message: code ? `${code}: ${words}` : words };
		case 'spring': {
			const announced = `Validation failed for object='request'. Error count: 1: ${words}`;
			return { code, message: isInvalid ? announced : words };
		}
		case 'laravel':
			return { code, message: isInvalid ? `request ${words}` : words };
		case 'aspNet': {
			const announced = `One or more validation errors occurred. ${words}`;
			return { code, message: isInvalid ? announced : words };
		}
		default:
			return { code, message: words };
	}
}

/** The parts of the description that repeat the service. */
function says({ code, message }: Said, status: number): string[] {
	if (!message) return [`The service gave no reason (HTTP ${status}).`];
	return [`The service says: ${[code, message].filter(Boolean).join(': ')}`];
}

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

describe.each(Object.keys(oneRequestEach) as Array<keyof typeof oneRequestEach>)('%s', (name) => {
	const parameters = oneRequestEach[name];

	test.each<[number, string]>([
		[400, 'rejected'],
		[401, 'The service refused the API key'],
		[402, 'rejected'],
		[403, `The service refused ${requestOf[name]} with this API key`],
		[404, `The service answered ${requestOf[name]} with “not found”`],
		[405, 'rejected'],
		[407, `A proxy on the way to the service refused ${requestOf[name]}: it wants a login`],
		[409, 'conflict'],
		[410, ''],
		[413, `The service finds ${requestOf[name]} too large`],
		[415, 'rejected'],
		[418, 'rejected'],
		[422, 'rejected'],
		[501, `The service failed to answer ${requestOf[name]}`],
		[520, `The service failed to answer ${requestOf[name]}`],
	])('an answer of %d names the request, the status and what the service says', async (...one) => {
		const [status, words] = one;
		await sandbox.control('POST', '/faults', { kind: 'status', status, probability: 1 });
		const { error } = await run(parameters);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining(words),
			description: expect.stringContaining(
				`The service says: ERROR_${status}: The service answered ${status}.`,
			),
			httpCode: String(status),
			context: { itemIndex: 0, data: { statusCode: status, code: `ERROR_${status}` } },
		});
		// A service may find a hundred articles too many: fewer are asked for then.
		const asksForFewer = name === 'List of articles' && [400, 422].includes(status);
		const { data } = await sandbox.control('GET', '/requests');
		expect(data).toHaveLength(asksForFewer ? 3 : 1);
	});

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
	])('the key that the service repeats %s is taken out', async (_where, fault) => {
		const text = JSON.stringify(fault).replaceAll('KEY', apiKey);
		await sandbox.control('POST', '/faults', { ...JSON.parse(text), next: 20 });
		const stopped = await run(parameters);
		const onward = await run(parameters, [{}], apiKey, { onError: 'continueRegularOutput' });
		expect(stopped.error?.name).toBe('NodeApiError');
		const { message, description } = stopped.error!;
		expect(onward.json[0].error).toBe(`${message}. ${description}`);
		const everything = everythingOf(stopped) + everythingOf(onward) + logged();
		expect(everything.split(secretOf(apiKey)).length - 1).toBe(0);
	});
});

describe('a headline claims only what the answer proves', () => {
	const newEmail = {
		...oneRequestEach['Update Contact'],
		fields: { ...oneRequestEach['Update Contact'].fields, value: { email: 'new@example.com' } },
	};
	const updating = requestOf['Update Contact'];

	test.each<[string, number, object | string, string]>([
		['a key', 401, { message: 'API key not found' }, 'The service refused the API key'],
		[
			'a plan',
			403,
			{ message: 'Plan does not exist' },
			`The service refused ${updating} with this API key`,
		],
		[
			'another record',
			422,
			{ code: 'ACCOUNT_NOT_FOUND', message: 'There is no account for this contact' },
			`The service rejected ${updating}`,
		],
		[
			'another record that is not there',
			404,
			{ code: 'ACCOUNT_NOT_FOUND', message: 'No account' },
			`The service answered ${updating} with “not found”`,
		],
		[
			'an address that leads nowhere',
			404,
			{ message: `Cannot ${updating}` },
			`The service answered ${updating} with “not found”`,
		],
		['a tag', 400, { message: 'duplicate tag' }, `The service rejected ${updating}`],
		[
			'a version',
			409,
			{ code: 'VERSION_CONFLICT', message: 'The contact was changed meanwhile' },
			`The service reports a conflict for ${updating}`,
		],
		[
			'an address, in a list of words',
			400,
			{ message: ['The email is already in use'] },
			'The email address new@example.com is already used by another contact',
		],
		[
			'nothing but that something is missing',
			404,
			{ error: 'Not Found' },
			`The service knows no contact with the ID ${unknownContact}`,
		],
	])('an update that is refused because of %s (%d)', async (_what, status, body, message) => {
		await sandbox.control('POST', '/faults', { kind: 'status', status, body });
		const { error } = await run(newEmail);
		expect(error).toMatchObject({ message, httpCode: String(status) });
		expect(error?.description).toContain('The service says:');
	});

	test.each<[string, number, object | string, string]>([
		['a template', 404, { message: 'No such template' }, 'does not know the template'],
		['an address', 404, { message: `Cannot ${sending}` }, `answered ${sending} with “not found”`],
		['a page', 404, '<html><title>404</title></html>', `answered ${sending} with “not found”`],
		['another conflict', 409, { message: 'Try later' }, 'reports a conflict for this message'],
		['a wait', 408, 'Timeout', `gave up waiting for ${sending}`],
		[
			'a code that only a script of the page knows',
			409,
			'<html><script>retry("IDEMPOTENT_REPLAY")</script></html>',
			'reports a conflict for this message',
		],
	])(
		'a send that is refused because of %s (%d)',
		async (_what, status, body, words) => {
			await sandbox.control('POST', '/faults', { kind: 'status', status, body, next: 5 });
			const { error } = await run(oneRequestEach['Send Transactional Email']);
			expect(error?.message).toContain(words);
		},
		40_000,
	);

	test.each([500, 422])(
		'the word for a failed original in an answer of %d',
		async (status) => {
			const body = { code: 'IDEMPOTENT_REPLAY', message: 'Not this one' };
			await sandbox.control('POST', '/faults', { kind: 'status', status, body, next: 5 });
			const { error } = await run(oneRequestEach['Send Transactional Email']);
			expect(error?.message).toMatch(/^The service (failed to answer|rejected) POST/);
			const keys = (await sandbox.control('GET', '/requests')).data.map(
				(request: { body: IDataObject }) => request.body.idempotencyKey,
			);
			expect(new Set(keys).size).toBe(1);
		},
		40_000,
	);

	test('a status that is neither success nor error leads nowhere', async () => {
		await sandbox.control('POST', '/faults', { kind: 'status', status: 304 });
		const { error } = await run(oneRequestEach.List);
		expect(error?.message).toBe(
			'The service answered GET /contacts with HTTP 304, which leads nowhere',
		);
	});
});

test.each<[string, INodeParameters, string]>([
	['what is no JSON', oneRequestEach.List, 'KEY'],
	[
		'the title of a page',
		{ ...oneRequestEach['Send Transactional Email'], idempotency: 'none' },
		'<html><title>KEY</title></html>',
	],
])('the key that comes with success in %s is taken out', async (_where, parameters, text) => {
	const body = text.replace('KEY', apiKey);
	await sandbox.control('POST', '/faults', { kind: 'body', body, next: 20 });
	const result = await run(parameters);
	expect(result.error?.message).toContain('The service answered');
	expect((everythingOf(result) + logged()).includes(secretOf(apiKey))).toBe(false);
});

describe('an answer that the service fails to give', () => {
	test.each([500, 502, 503, 504, 408])(
		'%d is tried five times, and the error says so',
		async (status) => {
			await sandbox.control('POST', '/faults', { kind: 'status', status, next: 9 });
			const { error } = await run(oneRequestEach['List in one piece']);
			expect(error).toMatchObject({ httpCode: String(status), context: { itemIndex: 0 } });
			expect(error?.description).toMatch(/Tried 5 times over \d+ s\./);
			expect((await sandbox.control('GET', '/requests')).data).toHaveLength(5);
		},
		40_000,
	);
});

test.each([429, 500, 503])(
	'a header that tells when the limit is reset does not keep a request waiting (%d)',
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
	const statuses = readingDefinitions.rateLimitStatus.allowed;
	const answers = readingDefinitions.rateLimitAnswer.allowed;
	const headerOf: Record<Readings['rateLimitAnswer'], (seconds: number) => object> = {
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

	test.each(cases)('answered by %d, %s: the request is made again', async (status, answer) => {
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
			expect(error?.message).toMatch(/The service (allows no more|takes no) requests for now/);
			expect(error?.description).toContain('It asks to wait 1 h');
			expect((await sandbox.control('GET', '/requests')).data).toHaveLength(1);
		},
	);
});
