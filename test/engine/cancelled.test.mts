import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { INode, INodeParameters } from 'n8n-workflow';
import { oneRequestEach } from '../support/engine/oneRequestEach.mts';
import { type NodeRun, runNode } from '../support/engine/runNode.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { delivered, onceEach, people, retryOnFail, welcome } from '../support/n8n/sending.mts';

let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => {
	await sandbox.control('POST', '/reset');
	await sandbox.control('POST', '/faults', { kind: 'delay', delayMs: 100, probability: 1 });
});

const run = async (parameters: INodeParameters, more: Partial<NodeRun> = {}) =>
	await runNode({ parameters, credential: unpaced(sandbox), ...more });

/** Runs the node, and has n8n cancel it when the service has got so many requests. */
async function cancelled(parameters: INodeParameters, requests: number, more: Partial<NodeRun>) {
	const stop = new AbortController();
	const ended = run(parameters, { ...more, stop: stop.signal });
	const got = async () => (await sandbox.control('GET', '/requests')).data.length;
	while ((await got()) < requests) await pause(5);
	stop.abort();
	return await ended;
}

const onErrors = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
const settings = onErrors.flatMap(
	(onError): Array<Partial<INode>> => [
		{ onError },
		{ onError, ...retryOnFail },
		{ onError, alwaysOutputData: true },
	],
);

describe.each(settings)('a run that n8n cancels, with %j,', (setting) => {
	test('puts out nothing, and its retry sends what is missing', async () => {
		const more = { items: people(12), settings: setting };
		const parameters = { ...welcome, options: { concurrency: 2 } };
		const { data, outputs } = await cancelled(parameters, 6, more);
		const { nodeExecutionStack } = data.executionData!;
		expect(nodeExecutionStack.map(({ node }) => node)).toEqual([expect.objectContaining(setting)]);
		expect(outputs).toEqual([]);
		const [noted] = data.resultData.runData['CRM Workspace'];
		expect(noted.error).toMatchObject({
			message: 'The execution was stopped',
			description: expect.stringContaining('POST /api/v1/executions/1/retry'),
		});
		expect(Object.keys(await delivered(sandbox)).length).toBeLessThan(12);

		const retryOf = { data, outputs, json: [], hints: [] };
		const retried = await run(parameters, { ...more, executionId: '2', retryOf });
		expect(retried.json.map(({ to }) => to)).toEqual(people(12).map(({ to }) => to));
		expect(await delivered(sandbox)).toEqual(onceEach(people(12)));
	});
});

test.each(Object.entries(oneRequestEach))(
	'%s that is cancelled while it continues on errors is done by a retry',
	async (_operation, parameters) => {
		const more = { settings: { onError: 'continueErrorOutput' } as const };
		const stopped = await cancelled(parameters, 1, more);
		expect(stopped.outputs).toEqual([]);
		await sandbox.control('DELETE', '/faults');
		const retried = await run(parameters, { ...more, executionId: '2', retryOf: stopped });
		const whole = await run(parameters, { ...more, executionId: '3' });
		expect(retried.outputs.map(({ length }) => length)).toEqual(
			whole.outputs.map(({ length }) => length),
		);
	},
);
