import { writeFileSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { N8n } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import type { Playground } from '../../playground/start.mts';
import { playground, startAnotherN8n } from '../support/playground.mts';
import { chain, node } from '../support/production.mts';
import { proxied, startProxy, type RecordingProxy } from '../support/proxy.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox.mts';
import { startSecureService, type SecureService } from '../support/secureService.mts';
import { crmWorkflow, errorOf, outputOf } from '../support/workflow.mts';

let sandbox: RunningSandbox;
let proxy: RecordingProxy;
let secure: SecureService;

beforeAll(async () => {
	[sandbox, proxy, secure] = await Promise.all([
		startSandbox(['--requests-per-minute', '0']),
		startProxy(),
		startSecureService(),
	]);
});
afterAll(async () => {
	await Promise.all([sandbox.stop(), proxy.stop(), secure.stop()]);
});

/** n8n's HTTP Request node with the credential for a service, and whatever else it is set to. */
async function httpRequest(n8n: N8n, service: { baseUrl: string; apiKey: string }, more: object) {
	const id = await createCredential(n8n, service, 'Exposed');
	const parameters = {
		url: `${service.baseUrl}/contacts`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'crmWorkspaceApi',
		...more,
	};
	const credentials = { crmWorkspaceApi: { id, name: 'Exposed' } };
	const workflow = await n8n.createWorkflow({
		name: 'HTTP Request',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Ask', 'n8n-nodes-base.httpRequest', 4.2, parameters, { credentials }),
		],
		connections: chain('Start', 'Ask'),
	});
	return await n8n.run(workflow, 'Start');
}

const requests = async () => (await sandbox.control('GET', '/requests')).data.length;
const inSandbox = () => ({ baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey });
const inSecure = () => ({ baseUrl: secure.baseUrl, apiKey: sandbox.testKey });

describe("n8n's HTTP Request node with the credential", () => {
	const { n8n } = playground();
	const headers = (...parameters: object[]) => ({
		sendHeaders: true,
		headerParameters: { parameters },
	});
	const jsonHeaders = (json: object) => ({
		sendHeaders: true,
		specifyHeaders: 'json',
		jsonHeaders: JSON.stringify(json),
	});

	test.each<[string, () => object, RegExp]>([
		['a proxy', () => ({ options: { proxy: proxy.url } }), /Remove the option Proxy/],
		[
			'a header Host',
			() => headers({ name: 'hOsT', value: 'other.example.com' }),
			/header Host.* Remove it/,
		],
		[
			'a header Host in capitals',
			() => ({ ...headers({ name: 'HOST', value: 'x' }), options: { lowercaseHeaders: false } }),
			/header Host/,
		],
		[
			'a header Host for one method',
			() => jsonHeaders({ get: { Host: 'other.example.com' } }),
			/header Host/,
		],
		[
			'another key',
			() => headers({ name: 'X-API-Key', value: 'sk_live_other' }),
			/header x-api-key of its own/,
		],
		[
			'a login in the address',
			() => ({ url: sandbox.baseUrl.replace('//', '//a:b@') }),
			/user name or password/,
		],
	])('sends nothing with %s', async (_what, more, says) => {
		const before = await requests();
		const execution = await httpRequest(n8n, inSandbox(), more());
		expect(errorOf(execution, 'Ask').message).toMatch(says);
		expect(JSON.stringify(execution)).not.toContain(sandbox.testKey);
		expect(await requests()).toBe(before);
		expect(proxy.seen()).not.toContain(sandbox.testKey);
	});

	test('sends nothing to the next address that an answer names, if it is elsewhere', async () => {
		const nextURL = secure.baseUrl;
		const pagination = {
			paginationMode: 'responseContainsNextURL',
			nextURL,
			paginationCompleteWhen: 'other',
			completeExpression: '={{ false }}',
		};
		const execution = await httpRequest(n8n, inSandbox(), {
			options: { pagination: { pagination } },
		});
		expect(errorOf(execution, 'Ask').message).toMatch(/only for 127.0.0.1/);
		expect(secure.seen()).toBe('');
	});

	test.each<[string, object, RegExp]>([
		['whose certificate is not proven', {}, /SSL Issue/],
		[
			'whose certificate it would not look at',
			{ options: { allowUnauthorizedCerts: true } },
			/Switch off the option Ignore SSL Issues/,
		],
	])('sends nothing to a service %s', async (_what, more, says) => {
		const execution = await httpRequest(n8n, inSecure(), more);
		expect(errorOf(execution, 'Ask').message).toMatch(says);
		expect(secure.seen()).toBe('');
	});

	test('sends what is left', async () => {
		const more = headers({ name: 'X-Trace', value: 'one' });
		const [{ json }] = outputOf(await httpRequest(n8n, inSandbox(), more), 'Ask');
		expect(json.data).toHaveLength(20);
	});
});

describe('in an n8n with a proxy in its environment', () => {
	let other: Playground;

	beforeAll(async () => {
		const trusted = join(mkdtempSync(join(tmpdir(), 'certificate-')), 'certificate.pem');
		writeFileSync(trusted, secure.certificate);
		const environment = { ...proxied(proxy.url), NODE_EXTRA_CA_CERTS: trusted };
		other = await startAnotherN8n(environment);
	}, 120_000);
	afterAll(async () => await other.stop());

	const listed = async (service: { baseUrl: string; apiKey: string }) => {
		const credential = await createCredential(other.n8n, service, 'Listed');
		const parameters = { operation: 'list', limit: 1 };
		const workflow = await other.n8n.createWorkflow(crmWorkflow([{}], { credential, parameters }));
		return outputOf(await other.n8n.run(workflow, 'Start'));
	};

	test.each(['127.0.0.1', 'localhost'])(
		'a service on this machine gets the key past it: %s',
		async (host) => {
			const { baseUrl, apiKey } = inSandbox();
			const service = { baseUrl: baseUrl.replace('127.0.0.1', host), apiKey };
			const [{ json }] = outputOf(await httpRequest(other.n8n, service, {}), 'Ask');
			expect(json.data).toHaveLength(20);
			expect(await listed(service)).toHaveLength(1);
			const id = await createCredential(other.n8n, service, 'Tested');
			expect(await other.n8n.testCredential(id)).toMatchObject({ status: 'OK' });
			expect(proxy.seen()).not.toContain(apiKey);
		},
	);

	test('one over https gets it sealed, through it', async () => {
		expect(await listed(inSecure())).toHaveLength(1);
		expect(secure.seen()).toContain(sandbox.testKey);
		const { host } = new URL(secure.baseUrl);
		expect(proxy.requests()).toContain(`CONNECT ${host} HTTP/1.1`);
		expect(proxy.seen()).not.toContain(sandbox.testKey);
	});
});
