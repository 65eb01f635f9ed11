import { describe, expect, test } from '@jest/globals';
import type { CrmWorkspaceCredential } from '../../nodes/CrmWorkspace/transport/credential';
import { requestedUrl, requestProblem } from '../../nodes/CrmWorkspace/transport/requestProblem';

const credential: CrmWorkspaceCredential = {
	baseUrl: 'https://crm.example.com/api/v1',
	mode: 'test',
	apiKey: 'sk_test_4f1c9d7e2a',
	authHeader: 'authorization',
	requestsPerMinute: 60,
};
const url = 'https://crm.example.com/api/v1/contacts';
const problemOf = (options: object) => requestProblem({ url, ...options }, credential);

describe('a request that chooses its connection is refused', () => {
	test.each([
		'adapter',
		'agent',
		'agentClass',
		'agents',
		'beforeRedirect',
		'createConnection',
		'dispatcher',
		'host',
		'hostname',
		'httpAgent',
		'httpsAgent',
		'localAddress',
		'lookup',
		'port',
		'socketPath',
		'transport',
		'tunnel',
	])('with %s', (name) => {
		for (const value of ['x', {}, 0, '', true]) {
			expect(problemOf({ [name]: value })).toContain(`chooses its connection itself (${name})`);
		}
		for (const value of [undefined, null, false]) {
			expect(problemOf({ [name]: value })).toBeUndefined();
		}
	});

	test('by options of its agent', () => {
		expect(problemOf({ agentOptions: { ca: 'a', socketPath: '/x' } })).toContain(
			'(agentOptions.socketPath)',
		);
		expect(problemOf({ agentOptions: { host: null, port: false } })).toBeUndefined();
		expect(problemOf({ agentOptions: null })).toBeUndefined();
	});

	test.each(['ca', 'cert', 'key', 'passphrase', 'rejectUnauthorized'])(
		'but not with %s, which keeps it where it was',
		(name) => {
			expect(problemOf({ agentOptions: { [name]: true } })).toBeUndefined();
		},
	);
});

test.each(['TRACE', 'TRACK', 'CONNECT', 'connect', ' track\n'])(
	'a request with the method %j is refused',
	(method) => {
		expect(problemOf({ method })).toContain(`not for the method ${method}`);
	},
);

test.each(['GET', 'POST', 'PUT', undefined])('the method %s is fine', (method) => {
	expect(problemOf({ method })).toBeUndefined();
});

test.each(['https://a@crm.example.com/', 'https://:b@crm.example.com/'])(
	'a name or a password alone is refused, too: %s',
	(address) => {
		expect(problemOf({ url: address })).toContain('contains a user name or password');
	},
);

test.each([null, undefined, [], 'text', 1])('headers that are %j bring none', (headers) => {
	expect(problemOf({ headers })).toBeUndefined();
});

describe('the address of a request', () => {
	test.each([
		['https://a.example/x', { url: 'https://a.example/x', uri: 'https://b.example' }],
		['https://b.example/', { url: null, uri: 'https://b.example' }],
		['https://a.example/v1/x', { baseURL: 'https://a.example/v1', url: 'x' }],
		['https://a.example/v1/x//y', { baseURL: 'https://a.example/v1//', url: '//x//y' }],
		['https://a.example/v1/', { baseURL: 'https://a.example/v1' }],
	])('is %s', (href, options) => {
		expect(requestedUrl(options)?.href).toBe(href);
	});

	test.each([{}, { url: '/contacts' }, { url: 'contacts', baseURL: null }])(
		'is none where nothing says the host: %j',
		(options) => {
			expect(requestedUrl(options)).toBeUndefined();
			expect(requestProblem(options, credential)).toContain('only for crm.example.com');
		},
	);
});
