import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { playground } from '../support/playground.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox.mts';
import { crmWorkflow, errorOf } from '../support/workflow.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;

beforeEach(async () => {
	sandbox = await startSandbox(['--contacts', '2000', '--requests-per-minute', '0']);
});
afterEach(() => sandbox.kill());

test('a service that goes away in the middle of a list is named in the error', async () => {
	const credential = await createCredential(n8n, unpaced(sandbox), 'Unreachable');
	const parameters = { operation: 'list', returnAll: true };
	const workflow = await n8n.createWorkflow(crmWorkflow([{}], { credential, parameters }));

	await sandbox.control('POST', '/faults', { kind: 'delay', delayMs: 300, probability: 1 });
	const execution = await n8n.start(workflow, 'Start');
	await until('the list to begin', 30, async () => {
		const { data: requests } = await sandbox.control('GET', '/requests');
		return requests.some((one: any) => one.status === 200) || undefined;
	});
	await sandbox.kill();

	const ended = await n8n.ended(execution);
	expect(ended.status).toBe('error');
	expect(errorOf(ended).message).toContain(new URL(sandbox.baseUrl).host);
	expect(errorOf(ended).message).toMatch(/could not be reached/);
	expect(await n8n.nodeTypes()).not.toHaveLength(0);
});
