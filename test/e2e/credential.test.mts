import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { playground } from '../support/n8n/playground.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox/sandbox.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

/** What n8n says when a credential with this key is tested, which it shows to no one. */
async function tested(apiKey: string) {
	const id = await createCredential(n8n, { baseUrl: sandbox.baseUrl, apiKey }, 'Tested');
	const shown = await n8n.call('GET', `/rest/credentials/${id}?includeData=true`);
	expect(JSON.stringify(shown)).not.toContain(apiKey);
	return await n8n.testCredential(id);
}

test('the test of a credential accepts the right key, with one request', async () => {
	expect(await tested(sandbox.testKey)).toMatchObject({ status: 'OK' });
	expect((await sandbox.control('GET', '/requests')).data).toHaveLength(1);
});

test('the test of a credential accepts no key that the service rejects, and does not show it', async () => {
	const { status, message } = await tested('sk_test_unknown');
	expect(status).toBe('Error');
	expect(message).not.toContain('sk_test_unknown');
});
