import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { CrmWorkspaceApi } from '../../credentials/CrmWorkspaceApi.credentials';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';
import type { CrmWorkspaceCredential } from '../../nodes/CrmWorkspace/n8n/credential';
import { testCredential } from '../support/engine/testCredential.mts';
import {
	emptyList,
	httpAnswer,
	startRawServer,
	type RawServer,
} from '../support/sandbox/rawServer.mts';

const apiKey = 'sk_test_4f1c9d7e2a';

let server: RawServer;
let answer: Buffer;

beforeAll(async () => {
	server = await startRawServer((socket) => socket.end(answer));
});
afterAll(async () => await server.stop());
beforeEach(() => {
	server.requests.length = 0;
	answer = httpAnswer(JSON.stringify(emptyList));
});

const tested = async (values: Partial<CrmWorkspaceCredential> = {}) =>
	await testCredential({ baseUrl: server.baseUrl, apiKey, ...values });

test('n8n tests the credential with the node’s own test', () => {
	const [credential] = new CrmWorkspace().description.credentials!;
	expect(credential.testedBy).toBe('testCredential');
	expect(new CrmWorkspaceApi()).not.toHaveProperty('test');
});

// Interface: AUTH-2, AUTH-3, LIST-12.
test.each([
	['authorization', `Authorization: Bearer ${apiKey}`],
	['xApiKey', `X-API-Key: ${apiKey}`],
] as const)('the test asks for one contact, with the key in %s', async (authHeader, header) => {
	expect(await tested({ authHeader })).toMatchObject({ status: 'OK' });
	const [[line, ...headers], ...others] = server.requests.map((one) => one.split('\r\n'));
	expect(others).toEqual([]);
	expect(line).toBe('GET /api/v1/contacts?page=1&limit=1 HTTP/1.1');
	expect(headers.filter((one) => one.includes(apiKey))).toEqual([header]);
});

const page = '<!DOCTYPE html><html><head><title>Log in</title></head></html>';
const refused = (status: number) => httpAnswer('{"message":"No"}', { status });
const location = 'https://login.example.com/';

// Interface: AUTH-1, LIST-2, LIST-3, OPEN-17.
test.each([
	['401', refused(401), /^the service rejected the API key\. .*mode \(Test\).* says: No\.$/],
	['403', refused(403), /^the service doesn't allow it.*firewall.* says: No\.$/],
	['a login page', httpAnswer(page), /^the service responded with a web page titled “Log in”\. /],
	['another list', httpAnswer('{"data":[{"sku":"A-7"}]}'), /JSON that lacks the requested data/],
	['an error in disguise', httpAnswer('{"error":"no such tenant"}'), /no such tenant/],
	[
		'a redirect',
		httpAnswer('', { status: 302, headers: { location } }),
		/^the service redirects to https:\/\/login\.example\.com\/.*no other address/,
	],
])('the test fails after %s, and says why', async (_what, given, says) => {
	answer = given;
	const { status, message } = await tested();
	const [title, why] = message.split(/ failed: (.*)/);
	expect([status, title]).toEqual(['Error', 'The test of the credential']);
	expect(why).toMatch(says);
	expect(server.requests).toHaveLength(1);
});

test.each<[string, Partial<CrmWorkspaceCredential>, RegExp]>([
	['a live key in test mode', { apiKey: 'sk_live_1' }, /live key/],
	['no key', { apiKey: '' }, /'API Key' in the credential isn't a key/],
	['no values at all', { baseUrl: undefined }, /'Base URL' in the credential isn't the address/],
])('the test refuses %s before any request, as a run does', async (_what, values, says) => {
	expect(await tested(values)).toEqual({ status: 'Error', message: expect.stringMatching(says) });
	expect(server.requests).toEqual([]);
});
