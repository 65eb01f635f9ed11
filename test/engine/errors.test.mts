import '../support/keys/everythingOf.mts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { oneRequestEach, unknownContact } from '../support/engine/oneRequestEach.mts';
import { runNode } from '../support/engine/runNode.mts';
import { people } from '../support/n8n/sending.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';

/** What the user reads when the service gives an error: what wasn't done, why, and what to do. */

/** A status, with the message “No” in its body; or the connection ends. */
type Answer = number | 'breaks';

let server: RawServer;
let answers: Answer[];
/** Of each error. */
let body: object | string;
let headers: Record<string, string>;

beforeAll(async () => {
	server = await startRawServer((socket, _request, index) => {
		const answer = answers[index] ?? answers.at(-1)!;
		if (answer === 'breaks') return void socket.destroy();
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		socket.end(answer === 200 ? sent : httpAnswer(text, { status: answer, headers }));
	});
});
afterAll(async () => await server.stop());
beforeEach(() => {
	server.requests.length = 0;
	body = { message: 'No' };
	headers = {};
});

const sent = httpAnswer('{"data":{"id":"1","status":"sent"}}');

const { 'Send Transactional Email': send, 'Update Contact': update, List: list } = oneRequestEach;
const html = { ...send, content: 'html', subject: 'Hello', html: 'Hello' };
const newEmail = { ...update, fields: { ...update.fields, value: { email: 'ada@example.com' } } };

/** The requests of the table. */
const requests = {
	list,
	send,
	'send of HTML': html,
	'send without key': { ...send, idempotency: 'none' },
	update,
	'update of the email': newEmail,
} satisfies Record<string, INodeParameters>;

let keys = 0;

/** Runs the node with a key of its own, of which n8n knows nothing yet. */
async function run(parameters: INodeParameters, given: Answer[], items: IDataObject[] = [{}]) {
	answers = given;
	const apiKey = `sk_test_${++keys}`;
	const credential = { baseUrl: server.baseUrl, apiKey, requestsPerMinute: 100_000 };
	const { error, json } = await runNode({ parameters, items, credential });
	const host = new URL(server.baseUrl).host;
	const [title, description] = [error?.message, error?.description].map((text) =>
		text?.replace(host, 'HOST'),
	);
	return { error, json, title, description, attempts: server.requests.length };
}

// What each title begins with, if nothing was done, and if that isn't known.
const unread = "Contacts weren't read";
const unsent = `The message to ${send.to} wasn't sent`;
const maybeSent = `The message to ${send.to} may already have been sent`;
const notUpdated = `The contact ${unknownContact} wasn't updated`;
const maybeUpdated = `The contact ${unknownContact} may have been updated`;

// Why, as each title ends.
const failed = 'the service failed to process the request';
const noAnswer = 'no response came from HOST';
const rejectsKey = 'the service rejected the API key';
const forbids = "the service doesn't allow it with this API key";
const rejects = 'the service rejected the request';
const rejectsIt = 'the service rejected it';
const rejectsUpdate = 'the service rejected the update';
const notFound = 'the service responded with “not found”';
const unknown = "the service doesn't know it";
const proxyRejects = 'a proxy between n8n and the service rejected the request';
const then = 'an earlier attempt got no clear response, then';

// What to do.
const later = 'Try again later.';
const slow = "If the service is slow, raise the option 'Timeout (Seconds)'.";
const correct = 'Correct what the service names.';
const checkKey =
	'Check that the key in the credential is complete and still valid, and its mode (Test): live and test keys address separate data.';
const checkRights =
	'Check what the key in the credential may be used for, its mode (Test), and that no firewall or proxy rejects requests of n8n.';
const checkVersion =
	"Check that 'Base URL' in the credential includes the version segment, e.g. /api/v1.";
const setProxy =
	'Set the user name and the password of the proxy in HTTP_PROXY or HTTPS_PROXY for n8n, or exclude the host of the service with NO_PROXY.';
const perhaps = 'Correct what the service names, perhaps';
const slug = `${perhaps} 'Template Slug' and the variables that its tokens need`;
const ofData = 'live and test keys address separate data.';
const retrySafely =
	'To send it safely, retry this execution in the Executions tab (arrow icon): a new one would send it again.';
const lookItUp =
	'Check in the service whether the recipient got it: another attempt would send it again.';
const deleted =
	"It may be deleted, or belong to the data of the other mode; if all contacts are unknown, check 'Base URL' in the credential.";
const taken =
	'Another contact may have this email address: change that contact first; to swap two addresses, give one contact a temporary address.';
const safe = 'Updating it again is safe.';

// Interface: OPEN-14, OPEN-15, OPEN-17.
test.each<[keyof typeof requests, Answer | Answer[], string, string, number]>([
	['list', 408, `${unread}: ${failed}`, later, 5],
	['list', 500, `${unread}: ${failed}`, later, 5],
	['list', 501, `${unread}: ${failed}`, later, 1],
	['list', 502, `${unread}: ${failed}`, later, 5],
	['list', 503, `${unread}: ${failed}`, later, 5],
	['list', 504, `${unread}: ${failed}`, later, 5],
	['list', 520, `${unread}: ${failed}`, later, 1],
	['list', 'breaks', `${unread}: ${noAnswer}`, slow, 5],
	['list', 400, `${unread}: ${rejects}`, '', 1],
	['list', 401, `${unread}: ${rejectsKey}`, checkKey, 1],
	['list', 403, `${unread}: ${forbids}`, checkRights, 1],
	['list', 404, `${unread}: ${notFound}`, checkVersion, 1],
	['list', 407, `${unread}: ${proxyRejects}`, setProxy, 1],
	['list', 409, `${unread}: ${rejects}`, '', 1],
	['list', 418, `${unread}: ${rejects}`, '', 1],
	['send', 400, `${unsent}: ${rejectsIt}`, `${slug}: ${ofData}`, 1],
	['send', 401, `${unsent}: ${rejectsKey}`, checkKey, 1],
	['send', 403, `${unsent}: ${forbids}`, checkRights, 1],
	['send', 404, `${unsent}: ${rejectsIt}`, `${slug} or 'Base URL' in the credential: ${ofData}`, 1],
	['send', 407, `${unsent}: ${proxyRejects}`, setProxy, 1],
	['send', 409, `${unsent}: ${rejectsIt}`, `${slug}: ${ofData}`, 1],
	['send', 413, `${unsent}: ${rejectsIt}`, correct, 1],
	['send', 422, `${unsent}: ${rejectsIt}`, `${slug}: ${ofData}`, 1],
	['send', 500, `${maybeSent}: ${failed}`, retrySafely, 5],
	['send', 'breaks', `${maybeSent}: ${noAnswer}`, `${retrySafely} ${slow}`, 5],
	['send', [503, 401], `${maybeSent}: ${then} ${rejectsKey}`, `${retrySafely} ${checkKey}`, 2],
	[
		'send of HTML',
		404,
		`${unsent}: ${rejectsIt}`,
		`${perhaps} 'Base URL' in the credential: ${ofData}`,
		1,
	],
	['send of HTML', 422, `${unsent}: ${rejectsIt}`, correct, 1],
	['send without key', 408, `${maybeSent}: ${failed}`, lookItUp, 1],
	['send without key', 422, `${unsent}: ${rejectsIt}`, `${slug}: ${ofData}`, 1],
	['send without key', 'breaks', `${maybeSent}: ${noAnswer}`, `${lookItUp} ${slow}`, 1],
	['update', 401, `${notUpdated}: ${rejectsKey}`, checkKey, 1],
	['update', 403, `${notUpdated}: ${forbids}`, checkRights, 1],
	['update', 404, `${notUpdated}: ${unknown}`, deleted, 1],
	['update', 410, `${notUpdated}: ${unknown}`, deleted, 1],
	['update', 422, `${notUpdated}: ${rejectsUpdate}`, correct, 1],
	['update', 503, `${maybeUpdated}: ${failed}`, `${safe} ${later}`, 5],
	['update', ['breaks', 404], `${maybeUpdated}: ${then} ${unknown}`, `${safe} ${deleted}`, 2],
	['update', ['breaks', 422], `${maybeUpdated}: ${then} ${rejectsUpdate}`, `${safe} ${correct}`, 2],
	['update of the email', 409, `${notUpdated}: ${rejectsUpdate}`, taken, 1],
	['update of the email', 422, `${notUpdated}: ${rejectsUpdate}`, taken, 1],
])('%s, answered with %s: %s', async (request, answer, title, whatToDo, attempts) => {
	const error = await run(requests[request], [answer].flat());
	const said = answer === 'breaks' ? 'network error was ECONNRESET' : 'service says: No';
	const end = attempts > 1 ? `After ${attempts} attempts, the ${said}.` : `The ${said}.`;
	const description = `${whatToDo} ${end}`.trim();
	expect(error).toMatchObject({ title, description, attempts });
});

test.each([
	[429, 'the service accepts no more requests with this API key for now'],
	[503, failed],
])('after a %d that asks to wait for an hour, the error says so at once', async (status, why) => {
	headers = { 'retry-after': '3600' };
	const { title, description, attempts } = await run(list, [status]);
	expect(title).toBe(`${unread}: ${why}`);
	expect(description).toMatch(/ The service asks to wait 60 min and says: No\.$/);
	expect(attempts).toBe(1);
});

describe('a 429 costs time, and no attempt:', () => {
	const four = (status: Answer) => Array<Answer>(4).fill(status);

	test('four 429s, four 503s and a 200 are a success', async () => {
		const { error, json, attempts } = await run(send, [...four(429), ...four(503), 200]);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id: '1', _result: 'sent' }]);
		expect(attempts).toBe(9);
	});

	test('after a fifth 503, no further attempt is made', async () => {
		const { title, attempts } = await run(send, [...four(429), ...four(503), 503, 200]);
		expect(title).toBe(`${maybeSent}: ${failed}`);
		expect(attempts).toBe(9);
	});
});

test('an error names its item, and has the status, the code and the message apart', async () => {
	body = { code: 'SUPPRESSED', message: 'Never' };
	const each = { ...send, to: '={{ $json.to }}', options: { concurrency: 1 } };
	const { error } = await run(each, [200, 422], people(2));
	expect(error).toMatchObject({
		name: 'NodeApiError',
		httpCode: '422',
		context: { itemIndex: 1, data: { statusCode: 422, code: 'SUPPRESSED', message: 'Never' } },
	});
});

// Interface: OPEN-16.
describe('an error shows the code and the message of the service, whatever the shape of the body', () => {
	const [code, message] = ['BAD_EMAIL', 'The address is bad'];
	test.each<[object | string, string]>([
		[{ error: { code, message } }, 'says: BAD_EMAIL: The address is bad.'],
		[{ code, message }, 'says: BAD_EMAIL: The address is bad.'],
		[{ error: { message, details: [{ field: 'to' }] } }, 'says: The address is bad.'],
		[{ error: message }, 'says: {"error":"The address is bad"}.'],
		[{ errors: ['One', 'Two'] }, 'says: {"errors":["One","Two"]}.'],
		[{ message: ['No'], error: 'Bad Request' }, 'says: {"message":["No"],"error":"Bad Request"}.'],
		[{ title: 'No', detail: message }, 'says: {"title":"No","detail":"The address is bad"}.'],
		[{ email: ['is taken'] }, 'says: {"email":["is taken"]}.'],
		['No such contact', 'says: No such contact.'],
		['\uFEFF{"message":"With a byte order mark"}', 'says: With a byte order mark.'],
		['<b>bold</b>', 'says: a web page.'],
		['<!doctype html><title>Bad Gateway</title>', 'says: a web page titled “Bad Gateway”.'],
		[{ message: '<img src=x>\n  two' }, 'says: ‹img src=x› two.'],
		['', 'gives no reason (HTTP 400).'],
	])('%j', async (given, words) => {
		body = given;
		const { description } = await run(list, [400]);
		expect(description).toBe(`The service ${words}`);
	});
});

test.each([
	['send', `Check 'Template Slug' and the variables that its tokens need: ${ofData} `],
	['send of HTML', ''],
	['update', ''],
] as const)('%s, rejected without a reason: the error names none', async (request, whatToDo) => {
	body = '';
	const { description } = await run(requests[request], [422]);
	expect(description).toBe(`${whatToDo}The service gives no reason (HTTP 422).`);
});
