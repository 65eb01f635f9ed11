import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import {
	failedBefore,
	killed,
	runNode,
	runOutsideExecutions,
	type NodeResult,
	type NodeRun,
} from '../support/engine/runNode.mts';
import { startSandbox, type RunningSandbox } from '../support/sandbox/sandbox.mts';

// Five attempts take some seconds of real time.
jest.setTimeout(30_000);

let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.control('POST', '/reset'));

const welcome = { to: 'ada@example.com', templateSlug: 'welcome' };

const runOf = (parameters: INodeParameters): NodeRun => ({
	parameters: { operation: 'sendTransactionalEmail', ...welcome, ...parameters },
	credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.testKey, requestsPerMinute: 100_000 },
});

const list = async (path: string): Promise<any[]> => (await sandbox.control('GET', path)).data;
const inbox = async () => (await list('/inbox')).map(({ to, subject }) => `${to}: ${subject}`);
const fault = async (given: object) => await sandbox.control('POST', '/faults', given);

describe('a node that n8n runs outside of any execution', () => {
	test('sends in each call', async () => {
		for (const _call of [1, 2]) {
			const [json] = await runOutsideExecutions(runOf({}));
			expect(json.idempotencyKey).toMatch(/^n8n-/);
		}
		expect(await inbox()).toHaveLength(2);
	});

	test('repeats a lost answer under the same key', async () => {
		await fault({ kind: 'dropAfter', next: 2 });
		await runOutsideExecutions(runOf({}));
		expect(await inbox()).toHaveLength(1);
	});

	test('says that no one can tell, where no answer comes', async () => {
		await fault({ kind: 'dropAfter', next: 5 });
		await expect(runOutsideExecutions(runOf({}))).rejects.toMatchObject({
			description: expect.stringContaining('The message may already have been sent'),
		});
	});
});

describe('the retry of an execution that n8n did not survive, without a token of it', () => {
	const items = ['ada@example.com', 'grace@example.com'].map((to) => ({ to }));
	const two = (): NodeRun => ({ ...runOf({ to: '={{ $json.to }}' }), items });
	const retryOf = async (before: NodeResult, parameters: INodeParameters = {}) =>
		await runNode({
			...two(),
			executionId: '2',
			retryOf: before,
			parameters: { ...two().parameters, ...parameters },
		});

	test('sends nothing where the node had begun, and says what to do', async () => {
		const retried = await retryOf(killed(two(), true));
		expect(retried.error?.message).toMatch('n8n crashed during the original execution');
		expect(retried.error?.description).toMatch('This retry sent nothing, to avoid duplicates');
		expect(await inbox()).toEqual([]);

		// Nor does a retry of that, in which n8n hands on the node's memory.
		const again = await runNode({ ...two(), executionId: '3', retryOf: retried });
		expect(again.error?.message).toBe(retried.error?.message);
		expect(await inbox()).toEqual([]);
	});

	test.each([
		{ idempotency: 'none' },
		{ idempotency: 'custom', idempotencyKey: '={{ $json.to }}' },
	])('sends where it is asked for otherwise: %j', async (parameters) => {
		const { error, hints } = await retryOf(killed(two(), true), parameters);
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		expect(await inbox()).toHaveLength(2);
	});

	test.each([true, false])('sends where it had not begun (noted: %s)', async (isNoted) => {
		const before = killed(two(), false);
		if (!isNoted) Object.values(before.data.resultData.runData)[0].shift();
		const { error } = await retryOf(before);
		expect(error).toBeUndefined();
		expect(await inbox()).toHaveLength(2);
	});

	test('each retry of an execution in which another node failed sends what is missing', async () => {
		const before = failedBefore(two());
		for (const executionId of ['2', '3']) {
			const { error } = await runNode({ ...two(), executionId, retryOf: before });
			expect(error).toBeUndefined();
		}
		expect(await inbox()).toHaveLength(2);
	});
});

describe('an original that failed', () => {
	const failing = { to: 'fail@example.com', additionalFields: { subject: 'First' } };
	const corrected = { to: 'fail@example.com', additionalFields: { subject: 'Second' } };

	const retry = async (failed: NodeResult, parameters: INodeParameters) =>
		await runNode({ ...runOf(parameters), executionId: '2', retryOf: failed });

	const setOutcome = async (outcome: string) =>
		await sandbox.control('POST', '/addresses', { address: failing.to, outcome });

	test.each(
		['IDEMPOTENT_REPLAY', 'IDEMPOTENCY_KEY_REUSED']
			.flatMap((failedAndDifferent) =>
				[502, 500, 503, 422].map((sendFailureStatus) => ({
					failedAndDifferent,
					sendFailureStatus,
				})),
			)
			.slice(0, -1),
	)('is sent with its content corrected: %j', async (variants) => {
		await sandbox.control('PATCH', '/variants', variants);
		const failed = await runNode(runOf(failing));
		expect(failed.error).toBeDefined();
		await setOutcome('deliver');
		const { error } = await retry(failed, corrected);
		expect(error).toBeUndefined();
		expect(await inbox()).toEqual(['fail@example.com: Second']);
	});

	test('that was rejected and is now refused as other content ends in an error that leaves it open', async () => {
		const variants = { failedAndDifferent: 'IDEMPOTENCY_KEY_REUSED', sendFailureStatus: 422 };
		await sandbox.control('PATCH', '/variants', variants);
		const failed = await runNode(runOf(failing));
		await setOutcome('deliver');
		const { error } = await retry(failed, corrected);
		expect(error?.message).toMatch(/^A message to fail@example.com was sent or tried earlier/);
	});

	test('is sent with its recipient corrected', async () => {
		const failed = await runNode(runOf(failing));
		const { error } = await retry(failed, { ...failing, to: 'grace@example.com' });
		expect(error).toBeUndefined();
		expect(await inbox()).toEqual(['grace@example.com: First']);
	});

	test('whose answer is lost is not sent with other content, and the error claims no more than is known', async () => {
		await sandbox.control('PATCH', '/variants', { failedAndDifferent: 'IDEMPOTENCY_KEY_REUSED' });
		await fault({ kind: 'dropAfter', next: 1 });
		await fault({ kind: 'dropBefore', next: 4 });
		const failed = await runNode(runOf(failing));
		await setOutcome('deliver');
		const { error } = await retry(failed, corrected);
		expect(error?.message).toMatch(/^A message to fail@example.com was sent or tried earlier/);
		expect(await inbox()).toEqual([]);
	});

	test('counts once for each try, however its attempts ended', async () => {
		await fault({ kind: 'dropAfter', next: 1 });
		await fault({ kind: 'status', status: 429, next: 1, headers: { 'retry-after': '0' } });
		const { error } = await runNode(runOf(failing));
		expect(error?.message).toBe('The service failed to send this message');
		expect(await list('/messages')).toHaveLength(1);
	});
});

/** Delivered by the second attempt, which the record tells in this way at the first one's answer. */
describe.each([
	[{ status: 'delivered', attemptCount: 2, deliveredAt: '2026-01-01T00:00:00Z' }, true],
	[{ status: 'queued', attemptCount: 1 }, false],
	[{ attemptCount: 1 }, false],
])('a message that is delivered, with the error of an earlier attempt: %j', (record, isKnown) => {
	const data = { id: randomUUID(), to: 'ada@example.com', ...record, error: '451 greylisted' };
	const answerWith = async () =>
		await fault({ kind: 'body', status: 200, after: true, body: { data } });

	test('is not sent a second time, although its content is another one in each try', async () => {
		const again = { additionalFields: { subject: '={{ $execution.id }}' } };
		const items = [{ to: 'ada@example.com' }, { to: 'fail@example.com' }];
		const run = {
			...runOf({ ...again, to: '={{ $json.to }}', options: { concurrency: 1 } }),
			items,
		};
		await answerWith();
		const first = await runNode(run);
		const second = await runNode({ ...run, executionId: '2', retryOf: first });
		const third = await runNode({ ...run, executionId: '3', retryOf: second });
		expect(first.error?.message).toMatch(
			isKnown
				? /^The service failed/
				: /^The message to ada@example.com may not have been delivered: 451 greylisted$/,
		);
		expect(third.error?.message).toMatch(/with different content$/);
		expect(await inbox()).toEqual(['ada@example.com: 1']);
	});
});

test.each([
	{ kind: 'status', status: 422, next: 1 },
	{ kind: 'dropBefore', next: 5 },
])(
	'a message that an earlier attempt may have sent: the retry says so, whatever it meets: %j',
	async (met) => {
		await fault({ kind: 'dropAfter', next: 5 });
		const failed = await runNode(runOf({}));
		await fault(met);
		const { error } = await runNode({ ...runOf({}), executionId: '2', retryOf: failed });
		expect(error?.description).toContain('The message may already have been sent. To retry safely');
		expect(error?.description).not.toContain('Nothing was sent');
	},
);

test.each(['execution', 'custom', 'none'])(
	'messages to one recipient arrive in the order of their items: %s',
	async (idempotency) => {
		await fault({ kind: 'delay', delayMs: 200, next: 1 });
		const items = ['1', '2', '3'].map((subject) => ({ subject }));
		const { error } = await runNode({
			...runOf({
				idempotency,
				idempotencyKey: '={{ $json.subject }}',
				additionalFields: { subject: '={{ $json.subject }}' },
			}),
			items,
		});
		expect(error).toBeUndefined();
		expect(await inbox()).toEqual(items.map(({ subject }) => `ada@example.com: ${subject}`));
	},
);

test('a custom key used for another recipient is never taken for sent', async () => {
	const items = ['ada@example.com', 'fail@example.com'].map((to) => ({ to }));
	const run = (to: string): NodeRun => ({
		...runOf({
			to,
			idempotency: 'custom',
			idempotencyKey: '={{ $json.to }}',
			options: { onContentChanged: 'output' },
		}),
		items,
	});
	const failed = await runNode(run('={{ $json.to }}'));
	const other = run('={{ $json.to.replace("ada", "grace") }}');
	const { error, json } = await runNode({ ...other, executionId: '2', retryOf: failed });
	expect(error?.message).toMatch(/^A message with the idempotency key “ada@.* different content$/);
	expect(json).toEqual([]);
});

describe('content that is another one in each try', () => {
	const ticket = { additionalFields: { subject: '={{ $execution.id }}' } };
	const twice = async (more: INodeParameters) => {
		const items = [{ to: 'ada@example.com' }, { to: 'fail@example.com' }];
		const run = { ...runOf({ ...ticket, to: '={{ $json.to }}', ...more }), items };
		const failed = await runNode(run);
		await sandbox.control('POST', '/addresses', { address: items[1].to, outcome: 'deliver' });
		return await runNode({ ...run, executionId: '2', retryOf: failed });
	};

	test('is not sent a second time, and the error says what to do', async () => {
		const { error } = await twice({});
		expect(error?.message).toBe('This message was already sent with different content');
		expect(error?.description).toContain('If Already Sent With Different Content');
		expect(await inbox()).not.toContain('ada@example.com: 2');
	});

	test('is known of a message whose first response was lost and that a retry confirmed', async () => {
		const items = [{ to: 'ada@example.com' }, { to: 'fail@example.com' }];
		const run = (subject: string) => ({
			...runOf({
				to: '={{ $json.to }}',
				additionalFields: { subject },
				options: { concurrency: 1 },
			}),
			items,
		});
		await fault({ kind: 'dropAfter', next: 5, match: 'ada@' });
		const first = await runNode(run('Hello'));
		const second = await runNode({ ...run('Hello'), executionId: '2', retryOf: first });
		const third = await runNode({ ...run('Bye'), executionId: '3', retryOf: second });
		expect(third.error?.message).toBe('This message was already sent with different content');
	});

	test('counts as done if the user wants that', async () => {
		const { json, error, hints } = await twice({ options: { onContentChanged: 'output' } });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ to: 'ada@example.com', _result: 'sentBefore' },
			{ to: 'fail@example.com', subject: '2' },
		]);
		expect(hints.map(({ message }) => message)).toEqual([
			'1 of 2 messages had been sent before and were not sent again',
		]);
		expect(await inbox()).toEqual(['ada@example.com: 1', 'fail@example.com: 2']);
	});
});
