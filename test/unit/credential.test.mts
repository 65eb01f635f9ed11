import { describe, expect, test } from '@jest/globals';
import { CrmWorkspaceApi } from '../../credentials/CrmWorkspaceApi.credentials';
import {
	computeAllowance,
	getAuthHeader,
	findCredentialProblem,
	isLoopback,
	maxKeyLength,
	getBaseUrl,
	getOrigin,
	withoutSlashesAtEnd,
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

// Interface: AUTH-4, AUTH-5.
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
			'with a user name in the base URL',
			{ baseUrl: 'https://a@crm.example.com' },
			/only the address/,
		],
		[
			'with a password alone in the base URL',
			{ baseUrl: 'https://:b@crm.example.com' },
			/only the address/,
		],
		[
			'with a query in the base URL',
			{ baseUrl: 'https://crm.example.com/?a=1' },
			/only the address/,
		],
		['with nothing after a #', { baseUrl: 'https://crm.example.com/api/v1#' }, /only the address/],
		['with nothing after a ?', { baseUrl: 'https://crm.example.com/api/v1?' }, /only the address/],
		['with a list as base URL', { baseUrl: [[]] as never }, /^Base URL is missing/],
		['with an object as key', { apiKey: { a: 1 } as never }, /^API Key is missing/],
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
		[
			'with a header that is none of the two',
			{ authHeader: 'constructor' as never },
			/Authentication Header in the credential has to be/,
		],
		['with a mode that is none of the two', { mode: 'both' as never }, /Mode .* Test or Live$/],
		['with a key without end', { apiKey: `sk_test_${'x'.repeat(500)}` }, /longer than any/],
		['with nothing but the beginning of a key', { apiKey: 'sk_test_' }, /only the beginning/],
		['with a key of neither kind', { apiKey: 'pk_4f1c9d7e2a' }, /neither sk_test_ nor sk_live_/],
		[
			'with http in live mode',
			{ baseUrl: 'http://crm.example.com', mode: 'live', apiKey: liveKey },
			/unencrypted/,
		],
		['with a rate of zero', { requestsPerMinute: 0 }, /Requests per Minute/],
		['for no process', { processes: 0 }, /n8n Processes/],
		[
			'for more processes than requests',
			{ processes: 61 },
			/more n8n Processes \(61\) than Requests per Minute \(60\)/,
		],
		[
			'with a rate that is no number',
			{ requestsPerMinute: 'many' as never },
			/Requests per Minute/,
		],
	])('%s', (_name, changes, message) => {
		const problem = findCredentialProblem(credential(changes));
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
		['with the longest key there is', { apiKey: testKey.padEnd(maxKeyLength, 'x') }],
		['with as many processes as requests', { processes: 60 }],
		['that was saved before there was a choice of headers', { authHeader: undefined }],
		[
			'with white space around what was pasted',
			{ baseUrl: ' https://crm.example.com/api/v1/ ', apiKey: ` ${testKey} ` },
		],
	])('%s', (_name, changes) => {
		expect(findCredentialProblem(credential(changes))).toBeUndefined();
	});
});

// Interface: HTTP-2.
test.each([
	'https://crm.example.com/api/v1',
	'https://crm.example.com/api/v1//',
	' https://crm.example.com/api/v1/ ',
	'\ufeffhttps://crm.example.com/api/v1\u200b',
	'https://crm.example.com/\u00adapi/v1/\u200e',
	'https:crm.example.com\\api/v1',
	'HTTPS://CRM.example.com:443/x/../api/v1',
])('the base URL may end with a slash: “%s”', (baseUrl) => {
	expect(getBaseUrl(credential({ baseUrl }))).toBe('https://crm.example.com/api/v1');
});

test('only slashes at the end of an address are left out', () => {
	expect(withoutSlashesAtEnd('https://a.example//b///')).toBe('https://a.example//b');
});

test('white space around a pasted key is left out', () => {
	expect(getAuthHeader(credential({ apiKey: ` ${testKey}\n` }))).toEqual({
		Authorization: `Bearer ${testKey}`,
	});
});

describe('the service of a credential', () => {
	test.each([
		['https://CRM.example.com./api/v1', 'https://crm.example.com:'],
		['https://crm.example.com:8443/other', 'https://crm.example.com:8443'],
		['http://127.0.0.1:8787/api', 'http://localhost:8787'],
		['http://[::1]:8787/api', 'http://localhost:8787'],
	])('%s is %s', (baseUrl, service) => {
		expect(getOrigin(credential({ baseUrl }))).toBe(service);
	});
});

test.each([
	'localhost',
	'localhost.',
	'127.0.0.1',
	'127.255.10.200',
	'0.0.0.0',
	'[::1]',
	'[::]',
	'[::ffff:7f00:1]',
	'[::ffff:7fff:abcd]',
])('%s is this machine', (hostname) => {
	expect(isLoopback(hostname)).toBe(true);
});

test.each([
	'localhost.example.com',
	'notlocalhost',
	'127.0.0.1.example.com',
	'1127.0.0.1',
	'128.0.0.1',
	'10.0.0.1',
	'[::2]',
	'[::ffff:8000:1]',
])('%s is another machine', (hostname) => {
	expect(isLoopback(hostname)).toBe(false);
});

// Interface: LIMIT-1.
test.each([
	[60, undefined, 60],
	[60, 7, 8],
	[3, 2, 1],
	[1, 1, 1],
	[0.5, 1, 1],
])('of %d requests a minute, each of %s processes has %d', (requestsPerMinute, processes, own) => {
	expect(computeAllowance(credential({ requestsPerMinute, processes }))).toBe(own);
});

// Interface: LIMIT-1.
test('a new credential has the allowance that a key has by default', () => {
	const { properties } = new CrmWorkspaceApi();
	const allowance = properties.find(({ name }) => name === 'requestsPerMinute');
	expect(allowance?.default).toBe(60);
});
