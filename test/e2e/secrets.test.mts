import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { playground } from '../support/n8n/playground.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox/sandbox.mts';
import { crmWorkflow } from '../support/n8n/crmWorkflow.mts';

const { n8n, log } = playground();
let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(() => sandbox.stop());

const send = {
	operation: 'sendTransactionalEmail',
	to: 'maya@example.com',
	templateSlug: 'welcome',
};

test.each([
	['a run that succeeds', send, undefined],
	['a template that does not exist', { ...send, templateSlug: 'none' }, undefined],
	['a service that fails', send, { kind: 'status', status: 500, probability: 1 }],
	['a connection that breaks', send, { kind: 'dropBefore', probability: 1 }],
	['a page in place of an answer', send, { kind: 'malformed', probability: 1 }],
	[
		'an answer that repeats what was sent',
		send,
		{ kind: 'status', status: 400, probability: 1, body: { error: 'THE_KEY' } },
	],
])('the key is in no execution and not in the log after %s', async (_what, parameters, fault) => {
	await sandbox.control('POST', '/reset');
	const key = sandbox.testKey;
	if (fault) {
		const text = JSON.stringify(fault).replace('THE_KEY', `no key ${key}`);
		await sandbox.control('POST', '/faults', JSON.parse(text));
	}
	const service = { baseUrl: sandbox.baseUrl, apiKey: key, requestsPerMinute: 6000 };
	const credential = await createCredential(n8n, service, 'Secret');
	const workflow = await n8n.createWorkflow(crmWorkflow([{}], { credential, parameters }));
	const { id } = await n8n.run(workflow, 'Start');

	const stored = JSON.stringify(await n8n.call('GET', `/rest/executions/${id}`));
	expect(stored.includes(key)).toBe(false);
	expect(log().includes(key)).toBe(false);
});
