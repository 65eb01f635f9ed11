import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import '../support/throwAwayUserFolder.mts';
import 'reflect-metadata';
import { CredentialTestContext } from 'n8n-core';
import { CrmWorkspace } from '../../nodes/CrmWorkspace/CrmWorkspace.node';
import { oneRequestEach } from '../support/attempts.mts';
import { runNode } from '../support/engine.mts';
import { testSince } from '../support/n8nUnderTest.mts';
import { proxied, startProxy, type RecordingProxy } from '../support/proxy.mts';
import { startSandbox, type RunningSandbox } from '../support/sandbox.mts';

let sandbox: RunningSandbox;
let proxy: RecordingProxy;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	proxy = await startProxy();
	const environment = proxied(proxy.url);
	for (const [name, value] of Object.entries(environment)) {
		process.env[name] = value;
		process.env[name.toLowerCase()] = value;
	}
});
afterAll(async () => {
	await sandbox.stop();
	await proxy.stop();
});

const hosts = ['127.0.0.1', 'localhost', '127.1'];
const credentialAt = (host: string) => ({
	baseUrl: sandbox.baseUrl.replace('127.0.0.1', host),
	apiKey: sandbox.testKey,
	requestsPerMinute: 100_000,
});

const requests = async () => (await sandbox.control('GET', '/requests')).data;

/** The proxy sees how the node finds out that it is there, and nothing else. */
function expectNoKey() {
	expect(proxy.seen()).not.toContain(sandbox.testKey);
	expect(new Set(proxy.requests())).not.toEqual(new Set());
	for (const request of proxy.requests())
		expect(request).toMatch(/^GET http:\/\/[\w.]+:\d{1,2}\/ /);
}

test.each(
	hosts.flatMap((host) =>
		Object.entries(oneRequestEach).map(([name, parameters]) => ({ name, host, parameters })),
	),
)('$name to $host goes past a proxy of n8n’s environment', async ({ host, parameters }) => {
	const credential = credentialAt(host);
	const before = (await requests()).length;
	await runNode({ parameters, credential });
	expect((await requests()).length).toBe(before + 1);
	expectNoKey();
});

test.each(hosts)('so does the test of the credential for %s', async (host) => {
	const data = { mode: 'test', authHeader: 'authorization', ...credentialAt(host) };
	const { testCredential } = new CrmWorkspace().methods.credentialTest;
	const result = await testCredential.call(new CredentialTestContext(), {
		id: '1',
		name: 'CRM',
		type: 'crmWorkspaceApi',
		data: data as unknown as ICredentialDataDecryptedObject,
	});
	expect(result).toMatchObject({ status: 'OK' });
	expectNoKey();
});

test('it is looked for once under each name of this machine', () => {
	const looks = proxy.requests();
	expect(looks.toSorted()).toEqual([...new Set(looks)].toSorted());
});

const sealed = testSince('1.98', 'itself shows proxies what it sends by https');

sealed('which sees what goes to other hosts', async () => {
	const credential = { ...credentialAt('127.0.0.1'), baseUrl: 'https://crm.invalid/api/v1' };
	const parameters = { ...oneRequestEach['Send Transactional Email'], idempotency: 'none' };
	await runNode({ parameters, credential });
	expect(proxy.requests().at(-1)).toBe('CONNECT crm.invalid:443 HTTP/1.1');
	expect(proxy.seen()).not.toContain(sandbox.testKey);
});
