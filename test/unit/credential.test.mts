import { describe, expect, test } from '@jest/globals';
import type { IHttpRequestOptions, IRequestOptions } from 'n8n-workflow';
import { CrmWorkspaceApi } from '../../credentials/CrmWorkspaceApi.credentials';
import {
	allowanceOf,
	authenticationHeader,
	credentialProblem,
	isLoopback,
	longestKey,
	normalizedBaseUrl,
	serviceOf,
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
		['with the longest key there is', { apiKey: testKey.padEnd(longestKey, 'x') }],
		['with as many processes as requests', { processes: 60 }],
		['that was saved before there was a choice of headers', { authHeader: undefined }],
		[
			'with white space around what was pasted',
			{ baseUrl: ' https://crm.example.com/api/v1/ ', apiKey: ` ${testKey} ` },
		],
	])('%s', (_name, changes) => {
		expect(credentialProblem(credential(changes))).toBeUndefined();
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
	expect(normalizedBaseUrl(credential({ baseUrl }))).toBe('https://crm.example.com/api/v1');
});

test('only slashes at the end of an address are left out', () => {
	expect(withoutSlashesAtEnd('https://a.example//b///')).toBe('https://a.example//b');
});

test('white space around a pasted key is left out', () => {
	expect(authenticationHeader(credential({ apiKey: ` ${testKey}\n` }))).toEqual({
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
		expect(serviceOf(credential({ baseUrl }))).toBe(service);
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
	expect(allowanceOf(credential({ requestsPerMinute, processes }))).toBe(own);
});

// Interface: LIMIT-1.
test('a new credential has the allowance that a key has by default', () => {
	const { properties } = new CrmWorkspaceApi();
	const allowance = properties.find(({ name }) => name === 'requestsPerMinute');
	expect(allowance?.default).toBe(60);
});

describe('the key', () => {
	const authenticate = async (changes: Partial<CrmWorkspaceCredential>, url: string) =>
		await new CrmWorkspaceApi().authenticate({ ...credential(changes) }, { url });
	const authenticated = async (request: object) =>
		await new CrmWorkspaceApi().authenticate({ ...credential() }, request as IHttpRequestOptions);
	const host = 'https://crm.example.com';
	const ownUrl = `${host}/api/v1/contacts`;

	// Interface: AUTH-2, AUTH-3.
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

	test('is sent to the very address that was looked at', async () => {
		const request = {
			url: 'HTTPS://crm.example.com\\@other.example.com/\tx',
			uri: 'https://other.example.com/',
			baseURL: 'https://other.example.com/',
		};
		const href = 'https://crm.example.com/@other.example.com/x';
		const sent = await new CrmWorkspaceApi().authenticate({ ...credential() }, request);
		expect(sent).toMatchObject({ url: href, uri: href, baseURL: undefined });
	});

	test.each<[string, Partial<IRequestOptions>]>([
		['https://crm.example.com/a', { uri: 'https://crm.example.com/a' }],
		['https://crm.example.com/api/a', { baseURL: 'https://crm.example.com/api/', url: '/a' }],
		['https://crm.example.com/a', { baseURL: 'https://other.example.com', url: `${host}/a` }],
		['https://crm.example.com/other.example.com', { baseURL: host, url: '//other.example.com' }],
	])('goes to %s, as the request says', async (href, request) => {
		expect(await authenticated(request)).toMatchObject({ url: href });
	});

	test('follows no redirect', async () => {
		expect(await authenticate({}, ownUrl)).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
			maxRedirects: 0,
		});
	});

	test.each<[string, object, RegExp]>([
		['a proxy as text', { proxy: 'http://proxy.example.com:3128' }, /Remove the option Proxy/],
		['a proxy in parts', { proxy: { host: 'proxy', port: 1 } }, /Remove the option Proxy/],
		['no look at the certificate', { rejectUnauthorized: false }, /Switch off .*Ignore SSL Issues/],
		['its newer name', { skipSslCertificateValidation: true }, /certificate of crm.example.com/],
		['its name of an agent', { agentOptions: { rejectUnauthorized: false } }, /certificate of/],
		['its oldest name', { strictSSL: false }, /certificate of/],
		['an agent', { agent: {} }, /\(agent\)/],
		['an agent for https', { httpsAgent: {} }, /\(httpsAgent\)/],
		['a socket', { socketPath: '/run/other.sock' }, /\(socketPath\)/],
		['a way to look up names', { lookup: () => '127.0.0.1' }, /\(lookup\)/],
		['another host for the connection', { agentOptions: { host: 'x' } }, /\(agentOptions.host\)/],
		[
			'another name on the certificate',
			{ agentOptions: { servername: 'x' } },
			/\(agentOptions.servername\)/,
		],
		['a header Host', { headers: { Host: 'other.example.com' } }, /header Host.*Remove it/],
		['a header host with a space', { headers: { 'hOST ': 'x' } }, /header Host/],
		['a header Host for one method', { headers: { get: { Host: 'x' } } }, /header Host/],
		['a header Host for all', { headers: { common: { host: 'x' } } }, /header Host/],
		[
			'a header host of its prototype',
			JSON.parse('{"headers":{"__proto__":{"host":"x"}}}'),
			/Host/,
		],
		['a key of its own', { headers: { 'x-api-key': liveKey } }, /header x-api-key of its own/],
		['another Authorization', { headers: { authorization: 'Basic eDp5' } }, /authorization of/],
		['a login', { auth: { user: 'a', pass: 'b' } }, /a login of its own/],
		['a login in the address', { url: 'https://a:b@crm.example.com/' }, /user name or password/],
		['an object URL', { url: 'blob:https://crm.example.com/a' }, /only for crm.example.com/],
		['no address', { url: '' }, /only for crm.example.com/],
		['a method that repeats headers', { method: 'trace' }, /not for the method trace/],
	])('is not sent with %s', async (_what, request, problem) => {
		for (const url of ['url', 'uri']) {
			const sent = authenticated({ [url]: ownUrl, ...request });
			await expect(sent).rejects.toThrow(problem);
			await expect(sent).rejects.not.toThrow(/4f1c9d7e2a|8b3e6a0d5c/);
		}
	});

	test('is sent as n8n asks on its own, and with certificates of the user', async () => {
		const request = {
			url: ownUrl,
			method: 'POST',
			headers: { accept: 'application/json', 'x-proxy': 'a' },
			rejectUnauthorized: true,
			proxy: undefined,
			agentOptions: { ca: 'a', cert: 'b', key: 'c', passphrase: 'd', servername: undefined },
			sendCredentialsOnCrossOriginRedirect: true,
			allowedDomains: undefined,
		} as const;
		const { headers } = await authenticated(request);
		expect(headers).toEqual({ ...request.headers, Authorization: `Bearer ${testKey}` });
	});

	test.each([
		['http://127.1:8787/api/v1', { protocol: 'http', host: '127.0.0.1', port: 8787 }],
		['http://localhost/api/v1', { protocol: 'http', host: 'localhost', port: 80 }],
		['http://[::1]:8787', { protocol: 'http', host: '[::1]', port: 8787 }],
		['https://localhost:8787', undefined],
		['http://crm.example.com', undefined],
	])('goes past proxies of the environment only on this machine: %s', async (baseUrl, proxy) => {
		const sent = await authenticate({ baseUrl }, `${baseUrl}/contacts`);
		expect(sent.proxy).toEqual(proxy);
	});

	test('of a refused credential goes nowhere', async () => {
		await expect(authenticate({ apiKey: liveKey }, ownUrl)).rejects.toThrow('live key');
	});
});
