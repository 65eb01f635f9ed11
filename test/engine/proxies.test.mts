import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { oneRequestEach } from '../support/engine/oneRequestEach.mts';
import { runNode } from '../support/engine/runNode.mts';
import { testCredential } from '../support/engine/testCredential.mts';
import { testSince } from '../support/n8n/testSince.mts';
import { proxied, startProxy, type RecordingProxy } from '../support/sandbox/proxy.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const sandbox = sandboxInTests();
let proxy: RecordingProxy;

/** The environment with the proxy, and without one for what is named. */
function except(names: string): void {
	for (const [name, value] of Object.entries({ ...proxied(proxy.url), NO_PROXY: names })) {
		process.env[name] = value;
		process.env[name.toLowerCase()] = value;
	}
}

beforeAll(async () => {
	proxy = await startProxy();
});
afterAll(async () => {
	await proxy.stop();
});

/** Each operation, and each name of this machine. */
const runs = [
	...Object.entries(oneRequestEach).map(([name, parameters]) => ({
		...{ name, parameters, host: '127.0.0.1' },
	})),
	...['localhost', '127.1'].map((host) => ({
		name: 'List',
		parameters: oneRequestEach.List,
		host,
	})),
];
const credentialAt = (host: string) => ({
	baseUrl: sandbox.baseUrl.replace('127.0.0.1', host),
	apiKey: sandbox.testKey,
	requestsPerMinute: 100_000,
});

const arrived = async () => (await sandbox.control('GET', '/requests')).data.length;

describe('with a proxy in n8n’s environment, and this machine in NO_PROXY,', () => {
	beforeAll(() => except('127.0.0.1,localhost'));

	test.each(runs)(
		'$name to $host is the one request that is made',
		async ({ host, parameters }) => {
			const before = await arrived();
			await runNode({ parameters, credential: credentialAt(host) });
			expect(await arrived()).toBe(before + 1);
			expect(proxy.requests()).toEqual([]);
		},
	);

	test('so is the test of the credential', async () => {
		const before = await arrived();
		expect(await testCredential(credentialAt('127.0.0.1'))).toMatchObject({ status: 'OK' });
		expect(await arrived()).toBe(before + 1);
		expect(proxy.requests()).toEqual([]);
	});
});

describe('with a proxy in n8n’s environment, and an empty NO_PROXY,', () => {
	beforeAll(() => except(''));

	test.each(runs)(
		'$name to $host goes through it and nowhere else',
		async ({ host, parameters }) => {
			const [before, seen] = [await arrived(), proxy.seen().length];
			await runNode({ parameters, credential: credentialAt(host) });
			expect(await arrived()).toBe(before + 1);
			expect(proxy.seen().length).toBeGreaterThan(seen);
		},
	);

	const sealed = testSince('1.98', 'itself shows proxies what it sends by https');

	sealed('what goes by https is sealed for it', async () => {
		const credential = {
			...credentialAt('127.0.0.1'),
			baseUrl: 'https://crm.invalid/api/v1',
			apiKey: 'sk_test_5ea1ed',
		};
		const parameters = { ...oneRequestEach['Send Transactional Email'], idempotency: 'none' };
		await runNode({ parameters, credential });
		expect(proxy.requests().at(-1)).toBe('CONNECT crm.invalid:443 HTTP/1.1');
		expect(proxy.seen()).not.toContain(credential.apiKey);
	});
});
