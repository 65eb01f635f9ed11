import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Socket } from 'node:net';
import { CrmWorkspaceApi } from '../../credentials/CrmWorkspaceApi.credentials';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';
import type { CrmWorkspaceCredential } from '../../nodes/CrmWorkspace/n8n/credential';
import { testCredential } from '../support/engine/testCredential.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const secret = '4f1c9d7e2a';
const key = `sk_test_${secret}`;

const tested = async (values: Partial<CrmWorkspaceCredential>) =>
	await testCredential({ apiKey: key, ...values });

test('n8n tests the credential with the node’s own test', () => {
	const [credential] = new CrmWorkspace().description.credentials!;
	expect(credential.testedBy).toBe('testCredential');
	expect(new CrmWorkspaceApi()).not.toHaveProperty('test');
});

describe('against the service', () => {
	const sandbox = sandboxInTests();

	// Interface: AUTH-2, AUTH-3, LIST-12.
	test.each(['authorization', 'xApiKey'] as const)(
		'a key in %s is accepted with one request',
		async (authHeader) => {
			const { baseUrl, testKey } = sandbox;
			expect(await tested({ baseUrl, apiKey: testKey, authHeader })).toMatchObject({
				status: 'OK',
			});
			expect((await sandbox.control('GET', '/requests')).data).toMatchObject([
				{ method: 'GET', path: '/contacts', query: { page: '1', limit: '1' } },
			]);
		},
	);

	// Interface: AUTH-1, OPEN-17.
	test.each(['nested', 'html', 'empty'])(
		"a key that the service doesn't know is not (%s)",
		async (errorBody) => {
			await sandbox.control('PATCH', '/variants', { errorBody });
			const { status, message } = await tested({ baseUrl: sandbox.baseUrl });
			expect(status).toBe('Error');
			expect(message).toMatch(
				/^The test of the credential failed: the service rejected the API key\. .*mode \(Test\)/,
			);
			expect(message).not.toContain(secret);
		},
	);
});

// Interface: LIST-2, LIST-3.
describe('what is no list of contacts is not accepted, and is said', () => {
	let server: RawServer;
	let answer: (socket: Socket) => void;

	beforeAll(async () => {
		server = await startRawServer((socket) => answer(socket));
	});
	afterAll(async () => await server.stop());

	const page = '<!DOCTYPE html><html><head><title>Log in</title></head></html>';
	const other = 'JSON that lacks the requested data';

	test.each<[string, string, Parameters<typeof httpAnswer>[1], string | RegExp]>([
		['a login page', page, { headers: { 'content-type': 'text/html' } }, 'page titled “Log in”'],
		['another object', '{"status":"ok"}', {}, other],
		['a list of something else', '{"data":[{"sku":"A-7"}]}', {}, other],
		['an error in disguise', '{"error":"no such tenant"}', {}, 'no such tenant'],
		[
			'403',
			'{"error":"not you"}',
			{ status: 403 },
			/the service doesn't allow it.*firewall.*not you/,
		],
		[
			'a redirect',
			'',
			{ status: 302, headers: { location: 'https://login.example.com/' } },
			/redirects to https:\/\/login\.example\.com\/.*no other address/,
		],
	])('%s', async (_what, body, head, says) => {
		answer = (socket) => socket.end(httpAnswer(body, head));
		const before = server.requests.length;
		const { status, message } = await tested({ baseUrl: server.baseUrl });
		expect(status).toBe('Error');
		if (typeof says === 'string') expect(message).toContain(says);
		else expect(message).toMatch(says);
		expect(message).not.toContain(secret);
		expect(server.requests.slice(before)).toEqual([
			expect.stringContaining('GET /api/v1/contacts?page=1&limit=1 '),
		]);
	});
});

describe('what a run refuses, the test refuses before any request', () => {
	const baseUrl = 'http://127.0.0.1:9/api/v1';
	test.each<[string, Partial<CrmWorkspaceCredential>, RegExp]>([
		['a live key in test mode', { baseUrl, apiKey: `sk_live_${secret}` }, /live key/],
		['no key', { baseUrl, apiKey: '' }, /'API Key' in the credential isn't a key/],
		['no values at all', { apiKey: undefined }, /'Base URL' in the credential isn't the address/],
	])('%s', async (_what, values, says) => {
		const { status, message } = await tested(values);
		expect(status).toBe('Error');
		expect(message).toMatch(says);
		expect(message).not.toContain(secret);
	});
});
