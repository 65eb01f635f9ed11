import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

const credentialAt = (host: string) => ({
	baseUrl: sandbox.baseUrl.replace('127.0.0.1', host),
	apiKey: sandbox.testKey,
	requestsPerMinute: 100_000,
});

/** How many requests of some work came to the service, and how much the proxy saw of them. */
async function countRequests(work: () => Promise<unknown>) {
	const arrived = async () => (await sandbox.control('GET', '/requests')).data.length;
	const [before, seen] = [await arrived(), proxy.seen().length];
	await work();
	return { requests: (await arrived()) - before, seenByProxy: proxy.seen().length - seen };
}

const names = Object.keys(oneRequestEach) as Array<keyof typeof oneRequestEach>;

test.each([
	...names.map((name) => [name, '127.0.0.1'] as const),
	['List', 'localhost'] as const,
	['List', '127.1'] as const,
])(
	'%s at %s goes through the proxy of n8n’s environment, unless NO_PROXY has it',
	async (name, host) => {
		const run = async () =>
			await runNode({ parameters: oneRequestEach[name], credential: credentialAt(host) });
		except('127.0.0.1,localhost');
		expect(await countRequests(run)).toEqual({ requests: 1, seenByProxy: 0 });
		except('');
		const { requests, seenByProxy } = await countRequests(run);
		expect(requests).toBe(1);
		expect(seenByProxy).toBeGreaterThan(0);
	},
);

test('the test of the credential does not go through a proxy if NO_PROXY has the host', async () => {
	const check = async () =>
		expect(await testCredential(credentialAt('127.0.0.1'))).toMatchObject({ status: 'OK' });
	except('127.0.0.1,localhost');
	expect(await countRequests(check)).toEqual({ requests: 1, seenByProxy: 0 });
});

const sealed = testSince('1.98', 'itself shows proxies what it sends by https');

sealed('a proxy reads nothing of what goes by https', async () => {
	except('');
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
