import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { request } from 'undici';
import { until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { testSince } from '../support/n8n/testSince.mts';
import { playground } from '../support/n8n/playground.mts';
import { crmNode, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { startSandbox, type RunningSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { delivered, items, onceEach, people, welcome } from '../support/n8n/sending.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let credential: string;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	credential = await createCredential(n8n, unpaced(sandbox), 'Cancelled');
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => {
	await sandbox.control('POST', '/reset');
	await sandbox.control('POST', '/faults', { kind: 'delay', delayMs: 400, probability: 1 });
});

/** Two at a time: six seconds, of which the timeout leaves three. */
const list = people(30);

async function ranOutOfTime(): Promise<string> {
	const parameters = { ...welcome, options: { concurrency: 2 } };
	const nodes = [items(list), crmNode('CRM', credential, parameters)];
	const workflow = await ProductionWorkflow.activate(n8n, nodes, undefined, {
		executionTimeout: 3,
	});
	const { id, status } = await workflow.run();
	expect(status).toBe('canceled');
	await sandbox.control('DELETE', '/faults');
	expect(Object.keys(await delivered(sandbox)).length).toBeLessThan(25);
	return id;
}

test.each(['original', 'current'] as const)(
	'a run that was longer than its timeout is completed by a retry with the %s workflow',
	async (version) => {
		const { status } = await n8n.retry(await ranOutOfTime(), version);
		expect(status).toBe('success');
		expect(await delivered(sandbox)).toEqual(onceEach(list));
	},
);

testSince('1.123', 'has no request for it in its API')(
	"a cancelled execution, for which the editor has no 'Retry', is retried by n8n's API",
	async () => {
		const id = await ranOutOfTime();
		const key = { label: 'Retry', expiresAt: null, scopes: ['execution:retry'] };
		const { rawApiKey } = await n8n.call('POST', '/rest/api-keys', key);
		const { statusCode, body } = await request(`${n8n.url}/api/v1/executions/${id}/retry`, {
			method: 'POST',
			headers: { 'X-N8N-API-KEY': rawApiKey, 'content-type': 'application/json' },
			body: JSON.stringify({ loadWorkflow: true }),
		});
		expect([statusCode, await body.json()]).toEqual([200, expect.anything()]);
		await until('each message', 30, async () =>
			Object.keys(await delivered(sandbox)).length === list.length ? true : undefined,
		);
		expect(await delivered(sandbox)).toEqual(onceEach(list));
	},
);
