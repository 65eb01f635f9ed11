/**
 * The two ends of a request: what comes back, and what the user reads. In between it is decided
 * whether to retry, and the API key is taken out.
 */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { INode } from 'n8n-workflow';
import { listContacts } from '../../nodes/CrmWorkspace/api/endpoints';
import type { Client } from '../../nodes/CrmWorkspace/client/request';
import { parseRetryAfter } from '../../nodes/CrmWorkspace/client/attempt';
import { parseThrown } from '../../nodes/CrmWorkspace/n8n/http';
import { toNodeError } from '../../nodes/CrmWorkspace/n8n/errors';
import { trySending } from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/deliver';
import { ContactWriter } from '../../nodes/CrmWorkspace/operations/updateContact/contactWriter';
import { redact } from '../../nodes/CrmWorkspace/common/text';
import { computed } from '../support/engine/cpuTime.mts';
import { connectionTo, ended, type Answer } from '../support/simulated/connections.mts';

const node = {
	id: '1',
	name: 'CRM',
	type: 'crm',
	typeVersion: 1,
	parameters: {},
} as unknown as INode;
const id = '7c9a1d52-6b1f-4f0e-9b1d-0c2f5a7e4d33';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

async function send(to: Client, idempotencyKey?: string) {
	const message = { to: 'ada@example.com', templateSlug: 'welcome', idempotencyKey };
	const response = await trySending(to, message);
	if (response instanceof Error) throw response;
	return response;
}

const requests = {
	list: async (to: Client) => await listContacts(to, { page: 1, limit: 1 }),
	send: async (to: Client) => await send(to, 'k'),
	'send without key': async (to: Client) => await send(to),
	update: async (to: Client) =>
		await new ContactWriter(to, []).write({ id }, { email: 'ada@example.com' }, 'leave'),
};

type Name = keyof typeof requests;

/** What the user reads after a request, and how often it was made. */
async function errorOf(name: Name, answer: Answer) {
	const { connection, asked } = connectionTo(() => answer, { requestsPerMinute: 1000 });
	const error = await ended<unknown>(requests[name](connection)).then(
		() => undefined,
		(thrown: unknown) => toNodeError(node, thrown),
	);
	connection.close();
	return { message: error?.message, description: error?.description, attempts: asked.length };
}

const page = '<!doctype html><title>502 Bad Gateway</title><p>nginx';

describe('what came back → title, description, attempts', () => {
	test.each<[Name, string, Answer, RegExp, RegExp, number]>([
		// Network failures.
		[
			'list',
			'no host',
			{ fault: 'ENOTFOUND' },
			/^Contacts weren't read: crm\.example\.com could not be reached$/,
			/'Base URL'.*After 5 attempts, the network error was ENOTFOUND\.$/,
			5,
		],
		[
			'list',
			'a broken connection',
			{ fault: 'ECONNRESET' },
			/^Contacts weren't read: no response came from [\w.]+$/,
			/^If the service is slow, raise the option 'Timeout.* After 5 attempts, the network error was ECONNRESET\.$/,
			5,
		],
		[
			'list',
			'a wrong certificate',
			{ fault: 'CERT_HAS_EXPIRED' },
			/^Contacts weren't read: crm\.example\.com offers no secure connection$/,
			/certificate.* network error was CERT_HAS_EXPIRED\.$/,
			1,
		],
		[
			'send',
			'a broken connection',
			{ fault: 'ECONNRESET' },
			/^The message to ada@example.com may already have been sent: no response came/,
			/'Timeout \(Seconds\)'/,
			5,
		],
		// Statuses that a retry may help.
		[
			'list',
			'408',
			{ status: 408 },
			/^Contacts weren't read: the service failed to process/,
			/After 5 attempts, the service gives no reason \(HTTP 408\)\.$/,
			5,
		],
		[
			'list',
			'500',
			{ status: 500 },
			/^Contacts weren't read: the service failed to process the request$/,
			/Try again later/,
			5,
		],
		[
			'list',
			'502',
			{ status: 502, body: page },
			/failed to process/,
			/After 5 attempts, the service says: a web page titled “502 Bad Gateway”\.$/,
			5,
		],
		['list', '503', { status: 503 }, /failed to process/, /After 5 attempts/, 5],
		['list', '504', { status: 504 }, /failed to process/, /After 5 attempts/, 5],
		[
			'list',
			'429 and an hour to wait',
			{ status: 429, headers: { 'retry-after': '3600' } },
			/accepts no more requests/,
			/'Requests per Minute'.*asks to wait 60 min/,
			1,
		],
		[
			'list',
			'503 and an hour to wait',
			{ status: 503, headers: { 'retry-after': '3600' } },
			/failed to process the request$/,
			/asks to wait 60 min/,
			1,
		],
		// Statuses that no retry helps.
		['list', '501', { status: 501 }, /failed to process/, /HTTP 501/, 1],
		[
			'list',
			'400',
			{ status: 400, body: { message: 'No' } },
			/^Contacts weren't read: the service rejected the request$/,
			/^The service says: No\.$/,
			1,
		],
		[
			'list',
			'401',
			{ status: 401 },
			/^Contacts weren't read: the service rejected the API key$/,
			/complete and still valid.*mode \(Test\)/,
			1,
		],
		[
			'list',
			'403',
			{ status: 403 },
			/^Contacts weren't read: the service doesn't allow it/,
			/what the key in the credential may be used for/,
			1,
		],
		['list', '404', { status: 404 }, /“not found”$/, /version segment/, 1],
		[
			'send',
			'404',
			{ status: 404, body: { error: { code: 'TEMPLATE_NOT_FOUND' } } },
			/^The message to ada@example.com wasn't sent: the service rejected it$/,
			/'Template Slug'.*TEMPLATE_NOT_FOUND/,
			1,
		],
		[
			'send',
			'422',
			{ status: 422, body: { error: { message: 'Unknown channel' } } },
			/^The message to ada@example.com wasn't sent: the service rejected it$/,
			/'Template Slug'.*Unknown channel/,
			1,
		],
		[
			'send',
			'409 without a code',
			{ status: 409 },
			/ wasn't sent: the service rejected it$/,
			/^Check 'Template Slug'.*no reason \(HTTP 409\)\.$/,
			1,
		],
		[
			'update',
			'404',
			{ status: 404 },
			new RegExp(`^The contact ${id} wasn't updated: the service doesn't know it$`),
			/^It may be deleted.*'Base URL'/,
			1,
		],
		[
			'update',
			'409',
			{ status: 409, body: { message: 'Taken' } },
			/ wasn't updated: the service rejected the update$/,
			/^Another contact may have this email address: change.*Taken/,
			1,
		],
		['update', '401', { status: 401 }, /rejected the API key$/, /^Check that the/, 1],
		['update', '403', { status: 403 }, /doesn't allow it/, /^Check what the key/, 1],
		['update', '410', { status: 410 }, /the service doesn't know it$/, /^It may be deleted/, 1],
		['update', '422', { status: 422 }, /rejected the update$/, /^Another contact may have/, 1],
		['send', '404 with a page', { status: 404, body: page }, /rejected it$/, /502 Bad/, 1],
		['send', '413', { status: 413 }, /sent: the service rejected it$/, /HTTP 413/, 1],
		['list', '409', { status: 409 }, /the service rejected the request$/, /HTTP 409/, 1],
		['list', '418', { status: 418 }, /the service rejected the request$/, /HTTP 418/, 1],
		['list', '520', { status: 520 }, /failed to process the request$/, /HTTP 520/, 1],
		[
			'list',
			'JSON nested too deep',
			{ body: `${'['.repeat(200)}${']'.repeat(200)}` },
			/text instead of JSON/,
			/Tried 5 times|After 5 attempts/,
			5,
		],
	])('%s: %s', async (name, _what, answer, title, description, attempts) => {
		const error = await errorOf(name, answer);
		expect(error.message).toMatch(title);
		expect(error.description).toMatch(description);
		expect(error.attempts).toBe(attempts);
	});
});

// Interface: OPEN-16.
describe('the service’s own code and message, whatever the shape of the body', () => {
	const [code, message] = ['BAD_EMAIL', 'The address is bad'];
	test.each<[object | string, string]>([
		[{ error: { code, message } }, 'BAD_EMAIL: The address is bad.'],
		[{ code, message }, 'BAD_EMAIL: The address is bad.'],
		[{ error: { message, details: [{ field: 'to' }] } }, 'The address is bad.'],
		[{ error: message }, '{"error":"The address is bad"}.'],
		[{ errors: ['One', 'Two'] }, '{"errors":["One","Two"]}.'],
		[
			{ message: ['to is bad'], error: 'Bad Request' },
			'{"message":["to is bad"],"error":"Bad Request"}.',
		],
		[{ title: 'No', detail: message }, '{"title":"No","detail":"The address is bad"}.'],
		[{ email: ['is taken'] }, '{"email":["is taken"]}.'],
		['No such contact', 'No such contact.'],
		['<b>bold</b>', 'a web page.'],
		[{ message: '<img src=x>\n  two' }, '‹img src=x› two.'],
	])('%j', async (body, words) => {
		const { description } = await errorOf('list', { status: 400, body });
		expect(description).toBe(`The service says: ${words}`);
	});

	test('shortened', async () => {
		const body = { message: 'x'.repeat(100_000) };
		const { description } = await errorOf('list', { status: 400, body });
		expect(description).toBe(`The service says: ${'x'.repeat(500)}…`);
	});
});

describe('the API key is in no error', () => {
	const key = 'sk_test_4f1c9d7e2a';
	const escaped = [...key].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join('');
	test.each([
		['as it is', key],
		['in other case', key.toUpperCase()],
		['percent-encoded', [...key].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('')],
		['escaped as in JSON', escaped],
		['escaped twice', escaped.replaceAll('\\', '\\\\')],
		['with an escaped underscore', key.replaceAll('_', '\\_')],
	])('%s', (_how, text) => {
		expect(redact(`before ${text} after`, key)).toBe('before [API key] after');
	});

	test('a text of backslashes takes no time', () => {
		const before = computed();
		redact('\\'.repeat(1_000_000), key);
		expect(computed() - before).toBeLessThan(1000);
	});
});

describe('errors of n8n and of its HTTP client', () => {
	test.each<[object, object]>([
		[{ code: 'ECONNREFUSED', syscall: 'connect' }, { kind: 'unreachable' }],
		[{ code: 'ETIMEDOUT', syscall: 'connect' }, { kind: 'unreachable' }],
		[{ code: 'ECONNABORTED' }, { kind: 'noResponse' }],
		[{ httpCode: 'ECONNRESET' }, { kind: 'noResponse' }],
		[{ cause: { code: 'CERT_HAS_EXPIRED' } }, { kind: 'untrusted' }],
		[
			{ message: 'blocked', httpCode: '403' },
			{ kind: 'notSent', detail: 'blocked' },
		],
	])('%j', (error, expected) => {
		expect(parseThrown(error)).toMatchObject(expected);
	});
});

// Interface: OPEN-18.
test('Retry-After is a number of seconds or a date', () => {
	expect(parseRetryAfter({ 'retry-after': '2.5' })).toBe(2500);
	expect(parseRetryAfter({ 'retry-after': 'soon' })).toBeUndefined();
	expect(parseRetryAfter({ 'retry-after': '' })).toBeUndefined();
	expect(parseRetryAfter({})).toBeUndefined();
	expect(parseRetryAfter({ 'x-ratelimit-reset': '2', 'ratelimit-reset': '2' })).toBeUndefined();
	expect(parseRetryAfter({ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })).toBe(0);
	const date = new Date(Date.now() + 60_000).toUTCString();
	expect(parseRetryAfter({ 'retry-after': date })).toBeGreaterThan(55_000);
});
