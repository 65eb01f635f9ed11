/**
 * The two ends of a request: what comes back, and what the user reads. In between it is decided
 * whether to retry, and the API key is taken out.
 */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { INode } from 'n8n-workflow';
import { listContacts } from '../../nodes/CrmWorkspace/api/endpoints';
import type { Client } from '../../nodes/CrmWorkspace/client/request';
import { RequestFailure } from '../../nodes/CrmWorkspace/client/failure';
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

const tried5 = /(?:Tried 5 times|After 5 attempts)/;

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
		[
			'send without key',
			'a broken connection',
			{ fault: 'ECONNRESET' },
			/^The message to ada@example.com may already have been sent: no response came/,
			/'Timeout \(Seconds\)'/,
			1,
		],
		[
			'send without key',
			'no connection',
			{ fault: 'ECONNREFUSED' },
			/^The message to ada@example.com wasn't sent: crm.example.com could not be reached$/,
			/After 5 attempts/,
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
			'send without key',
			'503',
			{ status: 503 },
			/already have been sent: the service failed to process/,
			/HTTP 503/,
			1,
		],
		[
			'list',
			'429 and an hour to wait',
			{ status: 429, headers: { 'retry-after': '3600' } },
			/accepts no more requests/,
			/'Requests per Minute'.*asks to wait 60 min/,
			1,
		],
		// Statuses that no retry helps.
		['list', '501', { status: 501 }, /failed to process/, /HTTP 501/, 1],
		[
			'list',
			'302',
			{ status: 302, headers: { location: 'https://new.example.com/v1' } },
			/^Contacts weren't read: the service redirects to https:\/\/new\.example\.com\/v1$/,
			/sent to no other address/,
			1,
		],
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
			'401',
			{ status: 401 },
			/ wasn't sent: the service rejected the API key$/,
			/still valid/,
			1,
		],
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
			'a token without a value',
			{ status: 400, body: { message: 'Missing variable: name' } },
			/^The message to ada@example.com wasn't sent: the service rejected it$/,
			/^Correct what the service names, .*the variables that its tokens need.*Missing variable: name/,
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
			/^It may be deleted/,
			1,
		],
		[
			'update',
			'409',
			{ status: 409, body: { message: 'Taken' } },
			/ wasn't updated: the service rejected the update$/,
			/^Another contact may have this email.*Taken/,
			1,
		],
		// A 2xx that isn't a success.
		[
			'list',
			'a login page',
			{ body: '<html><title>Log in</title>' },
			/with a web page titled “Log in”$/,
			/'Base URL'/,
			5,
		],
		[
			'list',
			'broken JSON',
			{ body: '{"data":[' },
			/with text instead of JSON: \{"data":\[$/,
			/'Base URL'/,
			5,
		],
		[
			'list',
			'other JSON',
			{ body: { ok: true } },
			/with JSON that lacks the requested data$/,
			/The service says: \{"ok":true\}/,
			1,
		],
		[
			'list',
			'JSON nested too deep',
			{ body: `${'['.repeat(200)}${']'.repeat(200)}` },
			/text instead of JSON/,
			tried5,
			5,
		],
		['send', 'words', { body: 'OK' }, /with text instead of JSON: OK$/, /'Base URL'/, 5],
		['send', 'nothing', { status: 202, body: '' }, /with an empty body$/, tried5, 5],
		['send without key', 'nothing', { status: 204 }, /with an empty body$/, /'Base URL'/, 1],
		['send', 'other JSON', { body: { ok: true } }, /that lacks the requested data$/, /'Base/, 1],
		['update', 'nothing', { status: 204 }, /with an empty body$/, tried5, 5],
		['update', 'other JSON', { body: { success: false } }, /lacks the requested data$/, /'Base/, 1],
		[
			'update',
			'another contact',
			{ body: { data: { id: '2' } } },
			/have been updated: .*lacks/,
			/'Base/,
			1,
		],
		['list', 'a list without meta', { body: { data: [] } }, /lacks the requested/, /'Base/, 1],
		['send', 'a login page', { body: page }, /a web page titled/, tried5, 5],
		['update', 'a login page', { body: page }, /a web page titled/, tried5, 5],
		['update', 'broken JSON', { body: '{"data":{"id":' }, /text instead of JSON/, tried5, 5],
	])('%s: %s', async (name, _what, answer, title, description, attempts) => {
		const error = await errorOf(name, answer);
		expect(error.message).toMatch(title);
		expect(error.description).toMatch(description);
		expect(error.attempts).toBe(attempts);
	});
});

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

	test('wherever the service repeats it', async () => {
		for (const answer of [
			{ status: 400, body: { error: { code: 'KEY', message: 'KEY is bad' }, hint: 'KEY' } },
			{ status: 302, headers: { location: 'https://x.example/?key=KEY' } },
			{ status: 200, body: 'KEY' },
			{ status: 500, body: `<title>KEY</title>` },
		]) {
			const { connection } = connectionTo((_index, _page, _to, apiKey) =>
				JSON.parse(JSON.stringify(answer).replaceAll('KEY', apiKey!)),
			);
			const thrown = await ended(requests.list(connection)).catch((error: unknown) => error);
			const { details } = thrown as RequestFailure;
			expect(JSON.stringify(details)).toContain('[API key]');
			expect(JSON.stringify([details, toNodeError(node, thrown)])).not.toMatch(/sk_test_/);
			connection.close();
		}
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
	const date = new Date(Date.now() + 60_000).toUTCString();
	expect(parseRetryAfter({ 'retry-after': date })).toBeGreaterThan(55_000);
});
