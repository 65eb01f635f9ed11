import { expect, jest, test } from '@jest/globals';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { CrmWorkspaceApi } from '../../credentials/CrmWorkspaceApi.credentials';
import type { CrmWorkspaceCredential } from '../../nodes/CrmWorkspace/transport/credential';
import { markAsOwn, findRequestProblem } from '../../nodes/CrmWorkspace/transport/credential';

const secret = '4f1c9d7e2a';
const credential: CrmWorkspaceCredential = {
	baseUrl: 'https://crm.example.com/api/v1',
	mode: 'test',
	apiKey: `sk_test_${secret}`,
	authHeader: 'authorization',
	requestsPerMinute: 60,
};
const url = 'https://crm.example.com/api/v1/contacts';

const authenticated = async (given: object, request: IHttpRequestOptions = { url }) =>
	await new CrmWorkspaceApi().authenticate(given as ICredentialDataDecryptedObject, request);

test('the credential is for the nodes of this package alone, and n8n is told', () => {
	expect(new CrmWorkspaceApi().restrictToSupportedNodes).toBe(true);
});

test('another node gets no key, and is told what to use instead', async () => {
	const refusal = findRequestProblem(credential, url);
	expect(refusal).toMatch(
		/^This credential is only for the nodes of CRM Workspace: .*HTTP Request/,
	);
	expect(refusal).toContain('Header Auth');
	await expect(authenticated(credential)).rejects.toThrow(refusal);
	expect(refusal).not.toContain(secret);
});

test.each<[string, () => object]>([
	['stored as JSON', () => JSON.parse(JSON.stringify(markAsOwn(credential)))],
	['cloned', () => structuredClone(markAsOwn(credential))],
	['under the name of the mark', () => ({ ...credential, 'n8n-nodes-crm-workspace.own': true })],
	['under another symbol of its name', () => ({ ...credential, [Symbol(mark.description)]: true })],
])('a mark is none once it was %s', async (_how, given) => {
	expect(findRequestProblem(given() as CrmWorkspaceCredential, url)).toMatch(/only for the nodes of/);
});

const [mark] = Object.getOwnPropertySymbols(markAsOwn(credential));

test('the credential that a node has read stays without a mark', () => {
	expect(Object.getOwnPropertySymbols(credential)).toEqual([]);
	expect(markAsOwn(credential)).toMatchObject(credential);
});

test('a request of another copy of the module passes, as while n8n updates the package', async () => {
	let other: typeof markAsOwn | undefined;
	await jest.isolateModulesAsync(async () => {
		({ markAsOwn: other } = await import('../../nodes/CrmWorkspace/transport/credential'));
	});
	expect(other).not.toBe(markAsOwn);
	expect(findRequestProblem(other!(credential), url)).toBeUndefined();
});

// Interface: AUTH-2, AUTH-3.
test.each<[CrmWorkspaceCredential['authHeader'], object]>([
	['authorization', { Authorization: `Bearer ${credential.apiKey}` }],
	['xApiKey', { 'X-API-Key': credential.apiKey }],
])(
	'an own request has the key in the header %s and is otherwise as it was',
	async (name, header) => {
		const request = {
			url,
			method: 'POST',
			headers: { Accept: 'application/json' },
			body: 'a',
		} as const;
		expect(await authenticated(markAsOwn({ ...credential, authHeader: name }), request)).toEqual({
			...request,
			headers: { Accept: 'application/json', ...header },
			disableFollowRedirect: true,
		});
	},
);

test('redirects stay unfollowed, whatever the request says', async () => {
	const request = { url, disableFollowRedirect: false };
	expect(await authenticated(markAsOwn(credential), request)).toMatchObject({
		disableFollowRedirect: true,
	});
});

test.each([
	'https://other.example.com/api/v1/contacts',
	'http://crm.example.com/api/v1/contacts',
	'https://crm.example.com:8443/api/v1/contacts',
	'https://crm.example.com@other.example.com/',
	'https://crm.example.com.example.org/',
	'https://other.example.com\\@crm.example.com/',
	'blob:https://crm.example.com/a',
	'//crm.example.com/api/v1/contacts',
	'',
])('an own request gets no key for another address: %s', async (address) => {
	await expect(authenticated(markAsOwn(credential), { url: address })).rejects.toThrow(
		/^This credential is only for https:\/\/crm\.example\.com, and not for/,
	);
});

test.each([
	'https://crm.example.com',
	'HTTPS://CRM.example.com:443/x',
	'https://crm.example.com/other/path?query',
])('any address of the service is the service: %s', (address) => {
	expect(findRequestProblem(markAsOwn(credential), address)).toBeUndefined();
});

test('a credential that must not be used gives no key to own requests, either', async () => {
	const live = markAsOwn({ ...credential, apiKey: `sk_live_${secret}` });
	await expect(authenticated(live)).rejects.toThrow('is a live key');
});
