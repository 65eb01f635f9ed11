import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { INode, INodeParameters } from 'n8n-workflow';
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
	const got = async () => (await sandbox.control('GET', '/requests')).data;
	while ((await got()).length < requests) await pause(5);
	stop.abort();
	const result = await ended;
	// The service finishes what it has begun.
	while ((await got()).some(({ took }: any) => took === null)) await pause(5);
	return result;
}

const more: Partial<NodeRun> = { items: people(12) };
const parameters = { ...welcome, options: { concurrency: 2 } };

// docs/send-email.md says so.
test.each<[Partial<INode>, number]>([
	[{ onError: 'stopWorkflow' }, 12],
	[{ onError: 'stopWorkflow', ...retryOnFail }, 0],
	[{ onError: 'continueRegularOutput' }, 0],
	[{ onError: 'continueErrorOutput' }, 0],
])('a run with %j that n8n cancels: its retry outputs %i of 12 items', async (settings, items) => {
	const stopped = await cancelled(parameters, 6, { ...more, settings });
	const before = await delivered(sandbox);
	expect(Object.keys(before).length).toBeLessThan(12);
	const retryOf = { data: stopped.data, outputs: stopped.outputs, json: [], hints: [] };
	const retried = await run(parameters, { ...more, settings, executionId: '2', retryOf });
	expect(retried.json).toHaveLength(items);
	expect(await delivered(sandbox)).toEqual(items === 12 ? onceEach(people(12)) : before);
});
