import { expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { playground } from '../support/n8n/playground.mts';
import { crmNode, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { delivered, items, onceEach, people, welcome } from '../support/n8n/sending.mts';

const count = Number(process.env.CHAOS_ITEMS ?? 200);
const seed = 20261120;

/** A fifth of the requests is disturbed. Throttled ones slow everything down, so there are fewer of them. */
const faults = [
	{ kind: 'dropBefore', probability: 0.05 },
	{ kind: 'dropAfter', probability: 0.05 },
	{ kind: 'status', status: 500, probability: 0.04 },
	{ kind: 'status', status: 503, probability: 0.03 },
	{ kind: 'delay', delayMs: 1500, probability: 0.02 },
	{ kind: 'status', status: 429, probability: 0.01 },
	// One message meets a fault that outlasts all attempts, so at least one execution fails.
	{ kind: 'status', status: 502, match: '"person7@', next: 5 },
];

test(`${count} messages to a service that disturbs every fifth request: each is sent once`, async () => {
	const { n8n } = playground();
	const sandbox = await startSandbox(['--requests-per-minute', '0']);
	const credential = await createCredential(n8n, unpaced(sandbox), 'Chaos');
	const parameters = { ...welcome, options: { timeout: 1, concurrency: 10 } };
	const nodes = [items(people(count)), crmNode('CRM', credential, parameters)];
	const workflow = await ProductionWorkflow.activate(n8n, nodes);
	for (const [index, fault] of faults.entries()) {
		await sandbox.control('POST', '/faults', { ...fault, seed: seed + index });
	}
	let execution = await n8n.ended(await workflow.begin(), 1800);
	expect(execution.status).toBe('error');
	for (let retry = 0; execution.status !== 'success' && retry < 50; retry++) {
		execution = await n8n.retry(execution.id, retry % 2 === 0 ? 'original' : 'current');
	}
	expect(execution.status).toBe('success');
	expect(await delivered(sandbox)).toEqual(onceEach(people(count)));
	await sandbox.stop();
}, 3_600_000);
