import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runNode, type NodeRun } from '../support/engine/runNode.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';

// Five attempts take some seconds of real time.
jest.setTimeout(60_000);

let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.control('POST', '/reset'));

const run = async (
	items: IDataObject[],
	{ parameters, ...more }: Partial<NodeRun> = {},
): Promise<Array<{ done: IDataObject[]; failed: IDataObject[] }>> => {
	const { data } = await runNode({
		parameters: {
			operation: 'sendTransactionalEmail',
			to: '={{ $json.to }}',
			templateSlug: 'welcome',
			additionalFields: { subject: '={{ $json.subject }}' },
			options: { concurrency: 1 },
			...parameters,
		},
		items,
		credential: unpaced(sandbox),
		settings: { onError: 'continueErrorOutput' },
		...more,
	});
	return data.resultData.runData['CRM Workspace'].map((one) => {
		const [done = [], failed = []] = (one.data?.main ?? []).map((output) =>
			(output ?? []).map(({ json }) => json),
		);
		return { done, failed };
	});
};

const fault = async (given: object) => await sandbox.control('POST', '/faults', given);
const inbox = async (): Promise<string[]> => {
	const { data } = await sandbox.control('GET', '/inbox');
	return data.map(({ to, subject }: IDataObject) => `${String(to).split('@')[0]} ${subject}`);
};
const rows = (...list: string[]) =>
	list.map((row) => row.split(' ')).map(([to, subject]) => ({ to: `${to}@example.com`, subject }));

/** What keeps the first message to Grace from being known as sent. */
const faults: Array<[string, object]> = [
	['whose answer is lost', { kind: 'dropAfter', next: 5 }],
	['that never arrives', { kind: 'dropBefore', next: 5 }],
	['that is turned down', { kind: 'status', status: 422, next: 1 }],
	['that is answered with text', { kind: 'body', status: 200, after: true, body: 'Hi', next: 1 }],
	[
		'that is answered with no message',
		{ kind: 'body', status: 200, after: true, body: { status: 'ok' }, next: 1 },
	],
	[
		'that a later attempt may deliver',
		{
			kind: 'body',
			status: 200,
			after: true,
			body: { data: { id: '1', status: 'queued', error: '451 greylisted' } },
			next: 1,
		},
	],
];

describe('the error output led back to the node', () => {
	test.each(faults)('sends a message %s once', async (_what, given) => {
		await fault({ ...given, match: '"grace@' });
		const [first, second] = await run(rows('ada 1', 'grace 1', 'alan 1'), { ledBack: 1 });
		expect([first.done.length, first.failed.length]).toEqual([2, 1]);
		expect([second.done.length, second.failed.length]).toEqual([1, 0]);
		expect((await inbox()).toSorted()).toEqual(['ada 1', 'alan 1', 'grace 1']);
	});

	test.each([
		['equal', ['grace 1', 'grace 1']],
		['different', ['grace 1', 'grace 2']],
	])('sends each of two %s messages to one recipient once', async (_what, two) => {
		await fault({ kind: 'dropAfter', next: 5, match: '"grace@' });
		await run(rows(...two, 'ada 1'), { ledBack: 1 });
		expect((await inbox()).toSorted()).toEqual(['ada 1', ...two]);
	});

	// Nobody can tell it from another message of another turn: docs/sending.md says so.
	test('sends other content only where no custom key forbids it', async () => {
		const subject = '={{ $runIndex < 2 ? $runIndex : 0 }}';
		const lose = async () => await fault({ kind: 'dropAfter', next: 5, match: '"grace@' });
		await lose();
		await run(rows('grace'), { ledBack: 1, parameters: { additionalFields: { subject } } });
		expect(await inbox()).toEqual(['grace 0', 'grace 1']);

		await sandbox.control('POST', '/reset');
		await lose();
		const custom = { idempotency: 'custom', idempotencyKey: '={{ $json.to }}' };
		const parameters = { ...custom, additionalFields: { subject } };
		const runs = await run(rows('grace'), { ledBack: 1, parameters });
		expect(runs.map(({ done }) => done.length)).toEqual([0, 0, 1]);
		expect(await inbox()).toEqual(['grace 0']);
	});
});

/** How the node is set and run, and what sends a message again under its key there. */
const ways: Array<[string, Partial<NodeRun>, string, string]> = [
	['that stops', { settings: {} }, 'a retry of the execution', ''],
	[
		'with an error output',
		{ settings: { onError: 'continueErrorOutput' } },
		'leading the Error output back to this node',
		' A new execution, or other content, would send it again.',
	],
	[
		'that continues',
		{ settings: { onError: 'continueRegularOutput' } },
		'leading items with an error back to this node',
		' A new execution, or other content, would send it again.',
	],
	[
		'that another execution called',
		{ settings: {}, mode: 'integrated', executionId: '7' },
		'a retry of this execution, 7,',
		' A retry of the one that called it begins anew.',
	],
	[
		'that a model calls',
		{ settings: { type: 'n8n-nodes-crm-workspace.crmWorkspaceTool' } },
		'another call with the same message',
		'',
	],
	[
		'with a custom key, whatever it does on errors',
		{
			settings: { onError: 'continueErrorOutput' },
			parameters: { idempotency: 'custom', idempotencyKey: 'welcome-1' },
		},
		'any execution with the same key',
		'',
	],
];

describe.each(ways)('in a node %s', (_what, way, again, otherwise) => {
	const errorOf = async () => {
		const { parameters, ...more } = way;
		const result = await runNode({
			parameters: {
				operation: 'sendTransactionalEmail',
				to: 'ada@example.com',
				templateSlug: 'welcome',
				...parameters,
			} as INodeParameters,
			credential: unpaced(sandbox),
			...more,
		});
		const { message, description } = result.error ?? {};
		return String(result.outputs.flat()[0]?.json.error ?? `${message}. ${description}`);
	};

	test('a message in doubt comes with a way to try it again that can be gone', async () => {
		await fault({ kind: 'body', status: 200, body: 'Hi', next: 1 });
		expect(await errorOf()).toContain(
			`The message may have been sent: ${again} sends nothing twice.${otherwise}`,
		);
	});

	test('so does one whose send has failed', async () => {
		await sandbox.control('POST', '/addresses', { address: 'ada@example.com', outcome: 'fail' });
		await fault({ kind: 'dropAfter', next: 1 });
		expect(await errorOf()).toMatch(
			new RegExp(
				`Nothing was delivered under its key: ${again} sends it again\\. The service says: `,
			),
		);
	});
});

// docs/sending.md says so.
describe('Retry On Fail in a node that goes on after errors', () => {
	test.each([
		['the first item', ['grace 1', 'ada 1'], { done: 2, failed: 0 }],
		['another one', ['ada 1', 'grace 1'], { done: 1, failed: 1 }],
	])('of which %s fails', async (_which, items, expected) => {
		await fault({ kind: 'status', status: 422, next: 1, match: '"grace@' });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const more = { settings: { ...settings, onError: 'continueErrorOutput' as const } };
		const [{ done, failed }] = await run(rows(...items), more);
		expect({ done: done.length, failed: failed.length }).toEqual(expected);
		expect(await inbox()).toHaveLength(expected.done);
	});
});
