import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { playground } from '../support/n8n/playground.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox/sandbox.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.control('POST', '/reset'));

/** What n8n says when the credential is tested, and how many requests that made. */
async function tested(values: object) {
	const service = { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey };
	const id = await createCredential(n8n, { ...service, ...values }, 'Tested');
	const result = await n8n.testCredential(id);
	const { data: requests } = await sandbox.control('GET', '/requests');
	return { ...result, requests: requests.length };
}

test.each<[string, () => object]>([
	['in the header Authorization', () => ({})],
	['in the header X-API-Key', () => ({ authHeader: 'xApiKey' })],
	['of live mode, over http on this machine', () => ({ mode: 'live', apiKey: sandbox.liveKey })],
])('the test of a credential accepts the right key %s', async (_what, values) => {
	expect(await tested(values())).toMatchObject({ status: 'OK', requests: 1 });
});

test('the test of a credential accepts no key that the service rejects, and does not show it', async () => {
	const { status, message } = await tested({ apiKey: 'sk_test_unknown' });
	expect(status).toBe('Error');
	expect(message).not.toContain('sk_test_unknown');
});
