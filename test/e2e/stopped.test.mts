import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { isSince } from '../../playground/installed.mts';
import { playground } from '../support/n8n/playground.mts';
import { crmNode, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { startSandbox, type RunningSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { delivered, items, onceEach, people, welcome } from '../support/n8n/sending.mts';
import { crmWorkflow } from '../support/n8n/crmWorkflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;

afterEach(async () => await sandbox.stop());

test('an execution that exceeded its timeout is completed by a retry', async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	await sandbox.control('POST', '/faults', { kind: 'delay', delayMs: 2000, probability: 1 });
	// Two at a time: twelve seconds, of which the timeout leaves five.
	const list = people(12);
	const credential = await createCredential(n8n, unpaced(sandbox), 'Timeout');
	const send = crmNode('CRM', credential, { ...welcome, options: { concurrency: 2 } });
	const workflow = await ProductionWorkflow.activate(n8n, [items(list), send], undefined, {
		executionTimeout: 5,
	});
	const { id, status } = await workflow.run();
	expect(status).toBe('canceled');
	await sandbox.control('DELETE', '/faults');
	const count = async () => Object.keys(await delivered(sandbox)).length;
	expect(await count()).toBeLessThan(list.length);

	await workflow.replace([], { settings: { executionTimeout: 60 } });
	expect((await n8n.retry(id, 'current')).status).toBe('success');
	// Older ones lose what is left to do.
	if (!isSince('2.40')) expect(await count()).toBeLessThan(list.length);
	else expect(await delivered(sandbox)).toEqual(onceEach(list));
});

test('an execution that waits for the rate limit ends at once when stopped, and sends nothing more', async () => {
	sandbox = await startSandbox();
	const requestCount = async () => (await sandbox.control('GET', '/requests')).data.length;
	const service = { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey, requestsPerMinute: 20 };
	const credential = await createCredential(n8n, service, 'Stopped');
	const workflow = crmWorkflow(people(60), { credential, parameters: welcome });
	const execution = await n8n.start(await n8n.createWorkflow(workflow), 'Start');
	await until('the first request', async () => (await requestCount()) > 0 || undefined);

	const begun = performance.now();
	await n8n.stop(execution);
	const { status } = await n8n.ended(execution);
	expect(status).toBe('canceled');
	// The execution would take two minutes.
	expect(performance.now() - begun).toBeLessThan(30_000);

	// Of twenty a minute, the next one would be sent within three seconds.
	const sent = await requestCount();
	await pause(4000);
	expect(await requestCount()).toBe(sent);
});
