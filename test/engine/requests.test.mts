import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CrmWorkspaceTrigger } from '../../nodes/CrmWorkspace/CrmWorkspaceTrigger.node';
import type { CrmWorkspaceCredential } from '../../nodes/CrmWorkspace/transport/credential';
import { oneRequestEach, requestOf } from '../support/engine/oneRequestEach.mts';
import { runNode } from '../support/engine/runNode.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';

const apiKey = 'sk_test_4f1c9d7e2a';
const names = Object.keys(oneRequestEach) as Array<keyof typeof oneRequestEach>;

let server: RawServer;
beforeAll(async () => {
	// Enough for a list as well as for a send and an update.
	server = await startRawServer((socket, request) => {
		const isList = request.startsWith('GET');
		socket.end(httpAnswer(isList ? '{"data":[]}' : '{"data":{"id":"1"}}'));
	});
});
afterAll(async () => await server.stop());
beforeEach(() => {
	server.requests.length = 0;
});

async function run(name: (typeof names)[number], changes: Partial<CrmWorkspaceCredential> = {}) {
	const { baseUrl } = server;
	const credential = { baseUrl, apiKey, requestsPerMinute: 100_000, ...changes };
	return await runNode({ parameters: oneRequestEach[name], credential });
}

/** The only request that came. */
function request() {
	expect(server.requests).toHaveLength(1);
	const [head, body] = server.requests[0].split('\r\n\r\n');
	const [line, ...headers] = head.split('\r\n');
	return { line, headers, body };
}

describe.each(names)('%s', (name) => {
	// Interface: HTTP-2, HTTP-3, HTTP-5, OPEN-19.
	test.each(['/api/v1', '/api/v2', ''])(
		'goes to its path below the Base URL, …%s',
		async (base) => {
			const { error } = await run(name, { baseUrl: new URL(server.baseUrl).origin + base });
			expect(error).toBeUndefined();
			const [method, path] = requestOf[name].split(' ');
			const [asked, address] = request().line.split(' ');
			expect([asked, address.split('?')[0]]).toEqual([method, base + path]);
		},
	);

	// Interface: AUTH-1, AUTH-2, AUTH-3.
	test.each([
		['authorization', `authorization: Bearer ${apiKey}`],
		['xApiKey', `x-api-key: ${apiKey}`],
	] as const)('has the key in one header: %s', async (authHeader, expected) => {
		await run(name, { authHeader });
		const carrying = request().headers.filter((header) => header.includes(apiKey));
		expect(carrying).toEqual([expect.stringMatching(new RegExp(`^${expected}$`, 'i'))]);
	});

	// Interface: AUTH-4, AUTH-5.
	test.each([
		['test', 'sk_live_8b3e6a0d5c', 'live key'],
		['live', apiKey, 'test key'],
	] as const)('is not made in %s mode with %s', async (mode, otherKey, words) => {
		const { error } = await run(name, { mode, apiKey: otherKey });
		expect(error?.message).toContain(words);
		expect(server.requests).toEqual([]);
	});

	// Interface: OPEN-12.
	test.each(['x', '0123456789abcdef'.repeat(20), 'A-b.c_d~e/f+g='])(
		'has whatever key was issued: sk_test_%s',
		async (rest) => {
			const { error } = await run(name, { apiKey: `sk_test_${rest}` });
			expect(error).toBeUndefined();
			expect(request().headers.join()).toContain(`Bearer sk_test_${rest}`);
		},
	);
});

// Interface: HTTP-1, HTTP-4.
test.each(['Send Transactional Email', 'Update Contact'] as const)(
	'%s has a body of JSON',
	async (name) => {
		await run(name);
		const { headers, body } = request();
		expect(headers.join('\n')).toMatch(/^content-type: application\/json\b/im);
		expect(JSON.parse(body)).toEqual(expect.any(Object));
	},
);

// Interface: OPEN-13.
test('the trigger asks: it waits for no event of the service', () => {
	const { description, ...trigger } = new CrmWorkspaceTrigger();
	expect(description.polling).toBe(true);
	expect(description).not.toHaveProperty('webhooks');
	expect(trigger).not.toHaveProperty('webhook');
});
