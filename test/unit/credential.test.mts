import { describe, expect, jest, test } from '@jest/globals';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { CrmWorkspaceApi } from '../../credentials/CrmWorkspaceApi.credentials';
import {
	findCredentialProblem,
	findRequestProblem,
	getAuthHeader,
	getBaseUrl,
	markAsOwn,
	readCredential,
	readCredentialOfRun,
	type CrmWorkspaceCredential,
} from '../../nodes/CrmWorkspace/n8n/credential';

const secret = '4f1c9d7e2a';
const testKey = `sk_test_${secret}`;
const liveKey = `sk_live_${secret}`;
const url = 'https://crm.example.com/api/v1/contacts';

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
	const withHttp = { baseUrl: 'http://crm.example.com', mode: 'live', apiKey: liveKey } as const;
	const at = (baseUrl: string) => ({ baseUrl });
	const keyed = (apiKey: unknown) => ({ apiKey: apiKey as string });
	const rates = ['', 0, null, 'fast', -1].flatMap(
		(value): Array<[string, object, RegExp]> => [
			[`with ${value} requests per minute`, { requestsPerMinute: value }, /number of at least 1/],
			[`with ${value} processes`, { processes: value }, /number of at least 1/],
		],
	);

	test.each<[string, Partial<CrmWorkspaceCredential>, RegExp]>([
		['without a base URL', at(' '), /^'Base URL' in the credential isn't the address/],
		['with a host alone', at('crm.example.com'), /^'Base URL'/],
		['with another protocol', at('ftp://crm.example.com'), /^'Base URL'/],
		['with a user in the base URL', at('https://a:b@crm.example.com'), /^'Base URL'/],
		['with a query in the base URL', at('https://crm.example.com/?a=1'), /^'Base URL'/],
		['with http in live mode', withHttp, /unencrypted/],
		...['localhost.example.com', '127.0.0.1.example.com', 'a.localhost'].map(
			(host): [string, object, RegExp] => [
				`with http to ${host} in live mode`,
				{ ...withHttp, baseUrl: `http://${host}` },
				/unencrypted/,
			],
		),
		['without a key', keyed(''), /^'API Key' in the credential isn't a key of the form sk_/],
		['with an object as key', keyed({ a: 1 }), /^'API Key'/],
		['with an invisible character in the key', keyed(`sk_test_\u200b${secret}`), /without quotes/],
		['with a line break in the key', keyed(`${testKey}\nX-Other: 1`), /without quotes/],
		['with Bearer before the key', keyed(`Bearer ${testKey}`), /without Bearer/],
		['with quotes around the key', keyed(`"${testKey}"`), /without quotes/],
		['with a quote after the key', keyed(`${testKey}"`), /without quotes/],
		['with a live key in test mode', keyed(liveKey), /is a live key, but 'Mode' is Test/],
		['with a test key in live mode', { mode: 'live' }, /is a test key, but 'Mode' is Live/],
		['with a key of neither mode', keyed(`pk_${secret}`), /n't a key of the form sk_test_/],
		['with more processes than requests', { processes: 61 }, /more processes than requests/],
		...rates,
	])('%s', (_what, changes, message) => {
		expect(findCredentialProblem(credential(changes))).toMatch(message);
	});
});

describe('a credential is accepted', () => {
	test.each<[string, Partial<CrmWorkspaceCredential>]>([
		['with https', {}],
		['with http in test mode', { baseUrl: 'http://crm.example.com/api/v1' }],
		...['127.0.0.1:8787', 'localhost', '[::1]:1'].map((host): [string, object] => [
			`with http and ${host} in live mode`,
			{ baseUrl: `http://${host}/api/v1`, mode: 'live', apiKey: liveKey },
		]),
		['without a rate limit', { requestsPerMinute: undefined, processes: undefined }],
		['with a rate limit of a variable, which is text', { requestsPerMinute: '60' as never }],
		['with white space around what was pasted', { baseUrl: `\n${url} `, apiKey: ` ${testKey}\n` }],
	])('%s', (_what, changes) => {
		expect(findCredentialProblem(credential(changes))).toBeUndefined();
	});
});

// Interface: HTTP-2.
test.each(['', '//', ' ', '\u200b'])('the base URL may end with “%s”', (end) => {
	const baseUrl = `https://crm.example.com/api/v1${end}`;
	expect(getBaseUrl(credential({ baseUrl }))).toBe('https://crm.example.com/api/v1');
});

test('white space and invisible characters around a pasted key are left out', async () => {
	const pasted = credential({ apiKey: `\u200b ${testKey}\n` });
	expect(getAuthHeader(pasted)).toEqual({ Authorization: `Bearer ${testKey}` });
	// As the rate limit counts by the key.
	const context = { getCredentials: async () => pasted } as unknown as IExecuteFunctions;
	expect(await readCredential(context)).toEqual(credential());
});

test.each([2, 3])('a run whose item %d has another credential is refused', async (other) => {
	const own = (index: number) =>
		index === other - 1 ? credential({ mode: 'live', apiKey: liveKey }) : credential();
	const context = {
		getCredentials: async (_name: string, index: number) => own(index),
		getInputData: () => Array(other),
		getNode: () => ({ credentials: { crmWorkspaceApi: {} } }),
		getMode: () => 'trigger',
		additionalData: { credentialsHelper: { getDecrypted: () => ({ apiKey: '={{ $json.key }}' }) } },
	};
	await expect(readCredentialOfRun(context as unknown as IExecuteFunctions)).rejects.toThrow(
		'differs between the items',
	);
});

describe('the API key', () => {
	const authenticate = async (given: object, request: IHttpRequestOptions = { url }) =>
		await new CrmWorkspaceApi().authenticate(given as ICredentialDataDecryptedObject, request);

	test('is hidden in the form, and for the nodes of this package alone', () => {
		const { properties, restrictToSupportedNodes } = new CrmWorkspaceApi();
		const hidden = properties.filter(({ typeOptions }) => typeOptions?.password);
		expect(hidden.map(({ name }) => name)).toEqual(['apiKey']);
		expect(restrictToSupportedNodes).toBe(true);
	});

	test.each<[string, () => object]>([
		['another node', () => credential()],
		['a mark that was stored as JSON', () => JSON.parse(JSON.stringify(markAsOwn(credential())))],
		[
			'a property with the name of the mark',
			() => ({ ...credential(), 'n8n-nodes-crm-workspace.own': true }),
		],
	])('isn’t for %s', async (_what, given) => {
		await expect(authenticate(given())).rejects.toThrow(
			/^This credential works only with the CRM Workspace nodes: .*HTTP Request with a Header Auth/,
		);
	});

	test('is for another copy of the module, as while n8n updates the package', async () => {
		let other: typeof markAsOwn | undefined;
		await jest.isolateModulesAsync(async () => {
			({ markAsOwn: other } = await import('../../nodes/CrmWorkspace/n8n/credential'));
		});
		expect(other).not.toBe(markAsOwn);
		expect(findRequestProblem(other!(credential()), url)).toBeUndefined();
	});

	// Interface: AUTH-2, AUTH-3.
	test.each<[CrmWorkspaceCredential['authHeader'], object]>([
		['authorization', { Authorization: `Bearer ${testKey}` }],
		['xApiKey', { 'X-API-Key': testKey }],
	])('goes into the header %s, and the request stays as it was', async (authHeader, header) => {
		const request = { url, method: 'POST', headers: { Accept: 'a' }, body: 'b' } as const;
		expect(await authenticate(markAsOwn(credential({ authHeader })), request)).toEqual({
			...request,
			headers: { Accept: 'a', ...header },
			disableFollowRedirect: true,
		});
	});

	test.each([
		'https://other.example.com/api/v1/contacts',
		'http://crm.example.com/api/v1/contacts',
		'https://crm.example.com:8443/api/v1/contacts',
		'https://crm.example.com@other.example.com/',
		'https://crm.example.com.example.org/',
		'https://crm.example.com/api/v10/contacts',
		'https://other.example.com\\@crm.example.com/',
		'//crm.example.com/api/v1/contacts',
		'',
	])('isn’t for another address: %s', async (address) => {
		await expect(authenticate(markAsOwn(credential()), { url: address })).rejects.toThrow(
			/^This credential works only with addresses that begin with https:\/\/crm\.example\.com\/api\/v1\/$/,
		);
	});

	test('isn’t given if the credential must not be used', async () => {
		await expect(authenticate(markAsOwn(credential({ apiKey: liveKey })))).rejects.toThrow(
			'is a live key',
		);
	});
});
