import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCredential, credentialName, exampleNames } from '../../playground/examples.mts';
import { type Outcome, runExamples } from '../../playground/runExamples.mts';
import { playground } from '../support/playground.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox.mts';

const { n8n } = playground();
let sandbox: RunningSandbox;
let outcomes: Outcome[];

beforeAll(async () => {
	sandbox = await startSandbox();
	const service = { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey };
	const credential = await createCredential(n8n, service, credentialName);
	outcomes = await runExamples(n8n, sandbox);
	await n8n.call('DELETE', `/rest/credentials/${credential}`);
}, 60_000);
afterAll(() => sandbox.stop());

test.each(exampleNames.map((name, index) => [name, index] as const))('%s', (_name, index) => {
	expect(outcomes[index].problem).toBeUndefined();
	expect(outcomes[index].messages + outcomes[index].contacts).toBeGreaterThan(0);
});

test('nothing else is in the inbox', async () => {
	expect((await sandbox.control('GET', '/inbox')).data).toHaveLength(3);
});
