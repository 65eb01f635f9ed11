import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type N8n, until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import type { Playground } from '../../playground/start.mts';
import { startAnotherN8n } from '../support/n8n/playground.mts';
import { crmNode, node, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import {
	automaticUpdate,
	byEmail,
	countRequests,
	countResults,
	storedContacts,
	type StoredContact,
} from '../support/engine/updates.mts';
import { outputOf } from '../support/n8n/crmWorkflow.mts';

const changedCount = 60;

let sandbox: RunningSandbox;
let playground: Playground;
let workflow: ProductionWorkflow;
let rows: StoredContact[];

// It is killed, so it is not the n8n of the other tests.
beforeAll(async () => {
	sandbox = await startSandbox(['--contacts', '600', '--requests-per-minute', '0']);
	playground = await startAnotherN8n();
	const credential = await createCredential(playground.n8n, unpaced(sandbox), 'Sync');
	rows = (await storedContacts(sandbox)).slice(0, 300).map((contact, index) => ({
		...contact,
		...(index < changedCount && { jobTitle: `Promoted ${index}` }),
	}));
	workflow = await ProductionWorkflow.activate(playground.n8n, [
		node('Rows', 'n8n-nodes-base.code', 2, { jsCode: `return ${JSON.stringify(rows)};` }),
		crmNode('CRM', credential, automaticUpdate(byEmail, { skipUnchanged: true })),
	]);
}, 120_000);
afterAll(async () => {
	await playground?.stop();
	await sandbox.stop();
});

beforeEach(async () => {
	await sandbox.control('POST', '/reset');
	// The answers take their time, the work does not: what is in the sandbox is all there will be.
	const slowly = { kind: 'delay', delayMs: 200, after: true, method: 'PUT', probability: 1 };
	await sandbox.control('POST', '/faults', slowly);
});

describe.each([
	['n8n is killed', killed],
	['the execution is stopped', stopped],
])('after %s,', (_how, end) => {
	test('a retry updates only what is still different', async () => {
		const { n8n } = playground;
		const execution = await workflow.begin();
		await until('a third of the updates', 60, async () =>
			(await countRequests(sandbox)).writes >= changedCount / 3 ? true : undefined,
		);
		await end(n8n, execution);
		const left = await stillDifferent();
		expect(left).toBeGreaterThan(0);
		expect(left).toBeLessThan(changedCount);

		await sandbox.control('DELETE', '/requests');
		const retried = await n8n.retry(execution, 'original');
		// n8n keeps showing the retry of a stopped execution as failed, so its status tells nothing.
		const results = countResults(outputOf(retried).map(({ json }) => json));
		expect(results).toEqual({ updated: left, unchanged: rows.length - left });
		expect((await countRequests(sandbox)).writes).toBe(left);
		expect(await stillDifferent()).toBe(0);
	}, 120_000);
});

async function killed(n8n: N8n, execution: string): Promise<void> {
	await playground.kill();
	await playground.start();
	await n8n.ended(execution);
}

async function stopped(n8n: N8n, execution: string): Promise<void> {
	await n8n.stop(execution);
	await n8n.ended(execution);
}

/** How many rows the sandbox's contacts do not show yet. */
async function stillDifferent(): Promise<number> {
	const contacts = await storedContacts(sandbox);
	return rows.filter(
		({ id, jobTitle }) => contacts.find((one) => one.id === id)?.jobTitle !== jobTitle,
	).length;
}
