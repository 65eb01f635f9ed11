import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { testSince } from '../support/n8n/testSince.mts';
import { playground } from '../support/n8n/playground.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox/sandbox.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.control('POST', '/reset'));

/** What n8n says when the credential is tested, and how many requests that made. */
async function tested(values: object) {
	const service = { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey };
	const id = await createCredential(n8n, { ...service, ...values }, 'Tested');
	const result = await n8n.testCredential(id);
	const { data: requests } = await sandbox.control('GET', '/requests');
	return { ...result, requests: requests.length };
}

describe('the credential test', () => {
	test.each(['authorization', 'xApiKey'])('accepts the right key in %s', async (authHeader) => {
		expect(await tested({ authHeader })).toMatchObject({ status: 'OK', requests: 1 });
	});

	test('accepts a live key in live mode, over http on this machine', async () => {
		const live = { mode: 'live', apiKey: sandbox.liveKey };
		expect(await tested(live)).toMatchObject({ status: 'OK' });
	});

	test('accepts a base URL with a slash at its end', async () => {
		expect(await tested({ baseUrl: `${sandbox.baseUrl}/` })).toMatchObject({ status: 'OK' });
	});

	test.each<[string, object, string]>([
		[
			'a login page',
			{ kind: 'body', body: '<html><head><title>Log in</title></head></html>' },
			'a web page titled “Log in”',
		],
		[
			'JSON of something else',
			{ kind: 'body', body: { status: 'ok' } },
			'JSON that lacks the requested data',
		],
		['a redirect', { kind: 'redirect', location: 'https://login.example.com/' }, 'redirects to'],
		[
			'a full minute',
			{ kind: 'status', status: 429 },
			'accepts no more requests with this API key',
		],
	])('does not take %s for the service', async (_what, fault, says) => {
		await sandbox.control('POST', '/faults', fault);
		const { status, message } = await tested({});
		expect(status).toBe('Error');
		expect(message).toContain(says);
		expect(message).not.toContain(sandbox.testKey);
	});

	test('says that nothing is at the address', async () => {
		const { status, message } = await tested({ baseUrl: 'http://127.0.0.1:9/api/v1' });
		expect(status).toBe('Error');
		expect(message).toContain('127.0.0.1:9 could not be reached');
	});

	test.each(['crmWorkspace', 'crmWorkspaceTool'])('is offered where %s is set up', async (name) => {
		const types = await n8n.nodeTypes();
		const type = types.find((one) => one.name === `n8n-nodes-crm-workspace.${name}`);
		expect(type.credentials).toMatchObject([{ testedBy: 'testCredential' }]);
	});

	test("refuses a key that the service doesn't know", async () => {
		const unknown = await tested({ apiKey: 'sk_test_unknown' });
		expect(unknown.status).toBe('Error');
		expect(unknown.message).not.toContain('sk_test_unknown');
	});
});

async function refuses(_what: string, values: object, says: RegExp): Promise<void> {
	const { status, message, requests } = await tested(values);
	expect(status).toBe('Error');
	expect(message).toMatch(says);
	expect(message).not.toMatch(/secret/);
	expect(message).not.toContain(sandbox.testKey);
	expect(requests).toBe(0);
}

describe('the credential test refuses, before any request and without showing the key,', () => {
	test.each([
		['a live key in test mode', { apiKey: 'sk_live_secret' }, /live/i],
		['a test key in live mode', { mode: 'live', apiKey: 'sk_test_secret' }, /test/i],
		['a key of neither kind', { apiKey: 'pk_secret' }, /sk_test_/],
		[
			'http in live mode',
			{ mode: 'live', apiKey: 'sk_live_secret', baseUrl: 'http://crm.example.com/api/v1' },
			/https/i,
		],
		['a base URL that is none', { baseUrl: 'crm example' }, /base url/i],
	])('%s', refuses);

	testSince('2.0', 'itself refuses to save such a credential').each([
		['no key', { apiKey: '' }, /key/i],
		['no base URL', { baseUrl: '' }, /base url/i],
	])('%s', refuses);
});
