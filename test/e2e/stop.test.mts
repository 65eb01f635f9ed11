import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { playground } from '../support/n8n/playground.mts';
import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';
import { crmWorkflow } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '5']);
});
afterAll(async () => await sandbox.stop());

const people = Array.from({ length: 20 }, (_, index) => ({ to: `person${index}@example.com` }));

async function requestCount(): Promise<number> {
	return (await sandbox.control('GET', '/requests')).data.length;
}

test('an execution that waits for the rate limit is gone within a second when stopped', async () => {
	const credential = await createCredential(
		n8n,
		{ baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey, requestsPerMinute: 5 },
		'Stopped',
	);
	const parameters = {
		operation: 'sendTransactionalEmail',
		to: '={{ $json.to }}',
		templateSlug: 'welcome',
	};
	const workflow = await n8n.createWorkflow(crmWorkflow(people, { credential, parameters }));
	const execution = await n8n.start(workflow, 'Start');
	await until('the first request', 30, async () => (await requestCount()) > 0 || undefined);
	await pause(500);
	const sent = await requestCount();

	const begun = performance.now();
	await n8n.stop(execution);
	const { status } = await n8n.ended(execution, 5);
	const took = performance.now() - begun;
	process.stdout.write(
		`stopped while waiting for the rate limit: ${status} in ${took.toFixed(0)} ms\n`,
	);
	expect(status).toBe('canceled');
	expect(took).toBeLessThan(1000);

	// Of five a minute, the next one would go out within twelve seconds.
	await pause(15_000);
	expect(await requestCount()).toBe(sent);
}, 180_000);
