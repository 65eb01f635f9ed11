import { describe, expect, test } from '@jest/globals';
import { CrmWorkspaceApi } from '../../credentials/CrmWorkspaceApi.credentials';
import {
	credentialProblem,
	normalizedBaseUrl,
	type CrmWorkspaceCredential,
} from '../../nodes/CrmWorkspace/transport/credential';

const testKey = 'sk_test_4f1c9d7e2a';
const liveKey = 'sk_live_8b3e6a0d5c';

const credential = (changes: Partial<CrmWorkspaceCredential> = {}): CrmWorkspaceCredential => ({
	baseUrl: 'https://crm.example.com/api/v1',
	mode: 'test',
	apiKey: testKey,
	authHeader: 'authorization',
	requestsPerMinute: 60,
	...changes,
});

describe('a credential is refused before any request', () => {
	test.each<[string, Partial<CrmWorkspaceCredential>, RegExp]>([
		['without a base URL', { baseUrl: ' ' }, /^Base URL is missing/],
		['with a base URL that is none', { baseUrl: 'crm.example.com' }, /not a web address/],
		[
			'with a base URL of another protocol',
			{ baseUrl: 'ftp://crm.example.com' },
			/not a web address/,
		],
		[
			'with a password in the base URL',
			{ baseUrl: 'https://a:b@crm.example.com' },
			/only the address/,
		],
		[
			'with a query in the base URL',
			{ baseUrl: 'https://crm.example.com/?a=1' },
			/only the address/,
		],
		['without a key', { apiKey: '' }, /^API Key is missing/],
		[
			'with a key that has a sign that nobody sees',
			{ apiKey: `${testKey}\u200b` },
			/copy it again/i,
		],
		['with a key cut by a line break', { apiKey: `${testKey}\nX-Other: 1` }, /white space/],
		[
			'with a live key in test mode',
			{ apiKey: liveKey },
			/Mode: Test, but its API key is a live key/,
		],
		['with a test key in live mode', { mode: 'live' }, /Mode: Live, but its API key is a test key/],
		['with a key of neither kind', { apiKey: 'pk_4f1c9d7e2a' }, /neither sk_test_ nor sk_live_/],
		[
			'with http in live mode',
			{ baseUrl: 'http://crm.example.com', mode: 'live', apiKey: liveKey },
			/unencrypted/,
		],
		['with a rate of zero', { requestsPerMinute: 0 }, /Requests per Minute/],
		[
			'with a rate that is no number',
			{ requestsPerMinute: 'many' as never },
			/Requests per Minute/,
		],
	])('%s', (_name, changes, message) => {
		const problem = credentialProblem(credential(changes));
		expect(problem).toMatch(message);
		expect(problem).not.toContain('4f1c9d7e2a');
		expect(problem).not.toContain('8b3e6a0d5c');
	});
});

describe('a credential is accepted', () => {
	test.each<[string, Partial<CrmWorkspaceCredential>]>([
		['with https', {}],
		['with http in test mode', { baseUrl: 'http://crm.example.com/api/v1' }],
		[
			'with http on loopback in live mode',
			{ baseUrl: 'http://127.0.0.1:8787/api/v1', mode: 'live', apiKey: liveKey },
		],
		[
			'with http on localhost in live mode',
			{ baseUrl: 'http://localhost:8787', mode: 'live', apiKey: liveKey },
		],
		[
			'with white space around what was pasted',
			{ baseUrl: ' https://crm.example.com/api/v1/ ', apiKey: ` ${testKey} ` },
		],
	])('%s', (_name, changes) => {
		expect(credentialProblem(credential(changes))).toBeUndefined();
	});
});

test.each([
	'https://crm.example.com/api/v1',
	'https://crm.example.com/api/v1//',
	' https://crm.example.com/api/v1/ ',
	'\ufeffhttps://crm.example.com/api/v1\u200b',
	'https://crm.example.com/\u00adapi/v1/\u200e',
])('the base URL may end with a slash: “%s”', (baseUrl) => {
	expect(normalizedBaseUrl(credential({ baseUrl }))).toBe('https://crm.example.com/api/v1');
});

describe('the key', () => {
	const authenticate = async (changes: Partial<CrmWorkspaceCredential>, url: string) =>
		await new CrmWorkspaceApi().authenticate({ ...credential(changes) }, { url });
	const ownUrl = 'https://crm.example.com/api/v1/contacts';

	test('goes into the header that the credential names', async () => {
		expect((await authenticate({}, ownUrl)).headers).toEqual({
			Authorization: `Bearer ${testKey}`,
		});
		expect((await authenticate({ authHeader: 'xApiKey' }, ownUrl)).headers).toEqual({
			'X-API-Key': testKey,
		});
	});

	test.each([
		'https://other.example.com/api/v1/contacts',
		'http://crm.example.com/api/v1/contacts',
		'https://crm.example.com:8443/api/v1/contacts',
		'https://crm.example.com@other.example.com/',
	])('never goes to another host: %s', async (url) => {
		await expect(authenticate({}, url)).rejects.toThrow('only for crm.example.com');
	});

	test('follows no redirect', async () => {
		expect(await authenticate({}, ownUrl)).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});

	test('of a refused credential goes nowhere', async () => {
		await expect(authenticate({ apiKey: liveKey }, ownUrl)).rejects.toThrow('live key');
	});
});
