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
	['that is rejected', { kind: 'status', status: 422, next: 1 }],
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

describe('the error output looped back to the node', () => {
	test.each(faults)('sends a message %s once', async (_what, given) => {
		await fault({ ...given, match: '"grace@' });
		const [first, second] = await run(rows('ada 1', 'grace 1', 'alan 1'), { loopedBack: 1 });
		expect([first.done.length, first.failed.length]).toEqual([2, 1]);
		expect([second.done.length, second.failed.length]).toEqual([1, 0]);
		expect((await inbox()).toSorted()).toEqual(['ada 1', 'alan 1', 'grace 1']);
	});

	// With the error, the item and so the variables have gained a field, which no token uses.
	test('sends a message once whose variables are the whole item', async () => {
		await fault({ kind: 'dropAfter', next: 5, match: '"grace@' });
		const whole = { variablesInput: 'json', variablesJson: '={{ $json }}' };
		const html = { content: 'html', subject: 'Order {{subject}}', html: '<p>Thank you</p>' };
		const parameters = { ...html, ...whole };
		const [first, second] = await run(rows('grace 1'), { loopedBack: 1, parameters });
		expect([first.failed.length, second.done.length]).toEqual([1, 1]);
		expect(await inbox()).toEqual(['grace Order 1']);
	});

	test.each([
		['equal', ['grace 1', 'grace 1'], ['grace 1']],
		['different', ['grace 1', 'grace 2'], ['grace 1', 'grace 2']],
	])('sends two %s messages to one recipient: %j', async (_what, two, sent) => {
		await fault({ kind: 'dropAfter', next: 5, match: '"grace@' });
		await run(rows(...two, 'ada 1'), { loopedBack: 1 });
		expect((await inbox()).toSorted()).toEqual(['ada 1', ...sent]);
	});

	// No one can tell it from another message of another turn: docs/send-email.md says so.
	test('sends other content only where no custom key forbids it', async () => {
		const subject = '={{ $runIndex < 2 ? $runIndex : 0 }}';
		const lose = async () => await fault({ kind: 'dropAfter', next: 5, match: '"grace@' });
		await lose();
		await run(rows('grace'), { loopedBack: 1, parameters: { additionalFields: { subject } } });
		expect(await inbox()).toEqual(['grace 0', 'grace 1']);

		await sandbox.control('POST', '/reset');
		await lose();
		const custom = { idempotency: 'custom', idempotencyKey: '={{ $json.to }}' };
		const parameters = { ...custom, additionalFields: { subject } };
		const runs = await run(rows('grace'), { loopedBack: 1, parameters });
		expect(runs.map(({ done }) => done.length)).toEqual([0, 0, 1]);
		expect(await inbox()).toEqual(['grace 0']);
	});
});

describe.each<[string, INodeParameters, string]>([
	[
		'from the execution',
		{},
		'To retry safely, use Retry in the Executions tab. A new execution would send it again.',
	],
	[
		'of the user',
		{ idempotency: 'custom', idempotencyKey: 'welcome-1' },
		'Running the item again with the same key is safe.',
	],
])('with a key %s', (_kind, parameters, retrying) => {
	const errorOf = async () => {
		const [{ failed }] = await run(rows('ada 1'), { parameters });
		return failed[0].error;
	};

	test('the error of a message that may have been sent says what sends nothing twice', async () => {
		await fault({ kind: 'body', status: 200, body: 'Hi', next: 1 });
		expect(await errorOf()).toContain(`The message may already have been sent. ${retrying}`);
	});

	test('the error of a send that failed says what sends it again', async () => {
		await sandbox.control('POST', '/addresses', { address: 'ada@example.com', outcome: 'fail' });
		await fault({ kind: 'dropAfter', next: 1 });
		expect(await errorOf()).toMatch(
			/Nothing was delivered under its idempotency key: a retry sends it .* The service says: /,
		);
	});
});

// docs/send-email.md says so.
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
