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

test('the report of the nightly sync says which row failed, and why', () => {
	const { effects } = outcomes[exampleNames.indexOf('schedule-to-contact-updates')];
	const report = effects.find(({ what }) => what === 'message sent');
	expect(report?.details).toContain('Contact sync: rows that failed: 1');
	expect(report?.details).toContain(
		'nobody@example.com: There is no contact with the email nobody@example.com. All contacts were read.',
	);
});

test('no message shows a value that is not there', () => {
	const messages = outcomes.flatMap(({ effects }) =>
		effects.filter(({ what }) => what === 'message sent'),
	);
	expect(messages).toHaveLength(3);
	for (const { details } of messages) expect(details).not.toMatch(/undefined|null|\[object|\{\{/);
});

test('nothing else is in the inbox', async () => {
	expect((await sandbox.control('GET', '/inbox')).data).toHaveLength(3);
});
