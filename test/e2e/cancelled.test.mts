import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { request } from 'undici';
import { until } from '../../playground/client.mts';
import { createCredential } from '../../playground/examples.mts';
import { testSince } from '../support/n8n/testSince.mts';
import { playground } from '../support/n8n/playground.mts';
import { crmNode, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { startSandbox, type RunningSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import {
	delivered,
	items,
	onceEach,
	people,
	retryOnFail,
	welcome,
} from '../support/n8n/sending.mts';
import { errorOf, outputOf } from '../support/n8n/crmWorkflow.mts';

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

/** Thirty, two at a time: six seconds. */
const list = people(30).map((person, index) => ({
	...person,
	slug: index === 25 ? 'none' : 'welcome',
}));
const known = list.filter(({ slug }) => slug === 'welcome');

const send = async (settings: object, ofWorkflow: object = {}, rows: object[] = list) =>
	await ProductionWorkflow.activate(
		n8n,
		[
			items(rows),
			crmNode(
				'CRM',
				credential,
				{ ...welcome, templateSlug: '={{ $json.slug }}', options: { concurrency: 2 } },
				settings,
			),
		],
		undefined,
		ofWorkflow,
	);

const timeout = { executionTimeout: 3 };

/** How many were sent until the execution was cancelled; the service is not slow any more then. */
async function sentUntilNow(): Promise<number> {
	await sandbox.control('DELETE', '/faults');
	return Object.keys(await delivered(sandbox)).length;
}

const onErrors = ['continueRegularOutput', 'continueErrorOutput'] as const;

describe.each(onErrors)('a run that has %s', (onError) => {
	/** What leaves by the first output, and by the error output. */
	const outputs = { continueRegularOutput: [30, 0], continueErrorOutput: [29, 1] }[onError];

	test.each(['original', 'current'] as const)(
		'and is longer than its timeout is ended by a retry with the %s workflow',
		async (version) => {
			const workflow = await send({ onError }, timeout);
			const cancelled = await workflow.run();
			expect(cancelled.status).toBe('canceled');
			expect(outputOf(cancelled)).toEqual([]);
			expect(errorOf(cancelled)).toMatchObject({
				message: 'The execution was stopped',
				description: expect.stringContaining(`/executions/${cancelled.id}/retry`),
			});
			expect(await sentUntilNow()).toBeLessThan(25);

			const retried = await n8n.retry(cancelled.id, version);
			expect(retried.status).toBe('success');
			expect([0, 1].map((output) => outputOf(retried, 'CRM', output).length)).toEqual(outputs);
			expect(await delivered(sandbox)).toEqual(onceEach(known));
			const { nodes } = await n8n.workflow(workflow.stored.id);
			expect(nodes.find(({ name }) => name === 'CRM')).toMatchObject({ onError });
		},
	);

	test('and is stopped by hand is ended by a retry', async () => {
		const execution = await (await send({ onError })).begin();
		const isSending = async () => Object.keys(await delivered(sandbox)).length > 3 || undefined;
		await until('the first messages', 30, isSending);
		await n8n.stop(execution);
		await n8n.ended(execution);
		expect(await sentUntilNow()).toBeLessThan(25);

		// n8n keeps showing the retry of a stopped execution as failed, so its status tells nothing.
		const retried = await n8n.retry(execution, 'original');
		expect([0, 1].map((output) => outputOf(retried, 'CRM', output).length)).toEqual(outputs);
		expect(await delivered(sandbox)).toEqual(onceEach(known));
	});
});

test("'Retry On Fail' does not keep a run that was longer than its timeout from its retry", async () => {
	const settings = { onError: 'stopWorkflow', ...retryOnFail, waitBetweenTries: 1000 };
	const { id } = await (await send(settings, timeout, known)).run();
	expect(await sentUntilNow()).toBeLessThan(25);
	expect((await n8n.retry(id, 'original')).status).toBe('success');
	expect(await delivered(sandbox)).toEqual(onceEach(known));
});

testSince('1.123', 'has no request for it in its API')(
	"a cancelled execution, for which the editor has no 'Retry', is retried by n8n's API",
	async () => {
		const { id } = await (await send({ onError: 'continueErrorOutput' }, timeout)).run();
		expect(await sentUntilNow()).toBeLessThan(25);
		const key = { label: 'Retry', expiresAt: null, scopes: ['execution:retry'] };
		const { rawApiKey } = await n8n.call('POST', '/rest/api-keys', key);
		const { statusCode, body } = await request(`${n8n.url}/api/v1/executions/${id}/retry`, {
			method: 'POST',
			headers: { 'X-N8N-API-KEY': rawApiKey, 'content-type': 'application/json' },
			body: JSON.stringify({ loadWorkflow: true }),
		});
		expect([statusCode, await body.json()]).toEqual([200, expect.anything()]);
		await until('each message', 30, async () =>
			Object.keys(await delivered(sandbox)).length === known.length ? true : undefined,
		);
		expect(await delivered(sandbox)).toEqual(onceEach(known));
	},
);
