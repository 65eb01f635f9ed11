import { randomUUID } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import {
	failedBefore,
	killed,
	runNode,
	runOutsideExecutions,
	type NodeResult,
	type NodeRun,
} from '../support/engine/runNode.mts';
import {
	delivered,
	onceEach,
	people,
	retryOnFail,
	welcome as sendWelcome,
} from '../support/n8n/sending.mts';
import { isSince } from '../../playground/installed.mts';
import { unpaced } from '../support/sandbox/sandbox.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const sandbox = sandboxInTests();

const welcome = { to: 'ada@example.com', templateSlug: 'welcome' };

const runOf = (parameters: INodeParameters): NodeRun => ({
	parameters: { operation: 'sendTransactionalEmail', ...welcome, ...parameters },
	credential: unpaced(sandbox),
});

const list = async (path: string): Promise<any[]> => (await sandbox.control('GET', path)).data;
const inbox = async () => (await list('/inbox')).map(({ to, subject }) => `${to}: ${subject}`);
const fault = async (given: object) => await sandbox.control('POST', '/faults', given);

describe('the idempotency key of a message', () => {
	const keyOf = async (more: Partial<NodeRun> = {}): Promise<string> => {
		expect((await runNode({ ...runOf({}), ...more })).error).toBeUndefined();
		return (await list('/requests')).at(-1).body.idempotencyKey;
	};
	const ofCredential = (id: string) => ({
		settings: { credentials: { crmWorkspaceApi: { id, name: 'CRM Workspace' } } },
	});

	const toGrace = runOf({ to: 'grace@example.com' });
	// What n8n gives the node in another instance, and in another workflow.
	const elsewhere = { getInstanceId: 'another', getWorkflow: { id: 'another' } };

	test.each<[string, Partial<NodeRun>, '' | keyof typeof elsewhere]>([
		['n8n instance', {}, 'getInstanceId'],
		['workflow', {}, 'getWorkflow'],
		['execution', { executionId: '2' }, ''],
		['credential', ofCredential('2'), ''],
		['recipient', toGrace, ''],
	])('is another one for another %s, not for another node ID', async (_part, more, changed) => {
		const key = await keyOf();
		expect(key).toMatch(/^n8n-[0-9a-f]{32}$/);
		expect(await keyOf({ settings: { id: 'another' } })).toBe(key);
		if (changed) {
			const spy = jest.spyOn(ExecuteContext.prototype, changed);
			spy.mockReturnValue(elsewhere[changed] as any);
		}
		const other = await keyOf(more).finally(() => jest.restoreAllMocks());
		expect(other).toMatch(/^n8n-[0-9a-f]{32}$/);
		expect(other).not.toBe(key);
	});

	test('stays the same in a retry with another credential for the same workspace', async () => {
		await fault({ kind: 'dropAfter', next: 5 });
		const failed = await runNode(runOf({}));
		expect(failed.error?.message).toMatch('may already have been sent');
		const retry = { ...runOf({}), ...ofCredential('2'), executionId: '2', retryOf: failed };
		expect((await runNode(retry)).error).toBeUndefined();
		expect(await inbox()).toHaveLength(1);
	});
});

describe('a node that n8n runs outside of any execution', () => {
	test('sends in each call', async () => {
		for (const _call of [1, 2]) {
			const [json] = await runOutsideExecutions(runOf({}));
			expect(json.idempotencyKey).toMatch(/^n8n-/);
		}
		expect(await inbox()).toHaveLength(2);
	});

	test("repeats a call under the same key if 'Retry On Fail' tries it again", async () => {
		const call = { ...runOf({}), items: [{}] };
		await fault({ kind: 'dropAfter', next: 5 });
		await expect(runOutsideExecutions(call)).rejects.toThrow('may already have been sent');
		await runOutsideExecutions(call);
		expect(await inbox()).toHaveLength(1);
	});
});

describe('the retry of an execution that n8n did not survive, without a token of it', () => {
	const items = ['ada@example.com', 'grace@example.com'].map((to) => ({ to }));
	const two = (): NodeRun => ({ ...runOf({ to: '={{ $json.to }}' }), items });
	const retryOf = async (before: NodeResult, more: INodeParameters = {}) => {
		const parameters = { ...two().parameters, ...more };
		return await runNode({ ...two(), parameters, executionId: '2', retryOf: before });
	};

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

	// Before 1.91, n8n doesn't count the runs of an execution.
	const notes = isSince('1.91') ? [true, false] : [true];
	test.each(notes)('sends nothing where it had not begun (noted: %s)', async (isNoted) => {
		const before = killed(two(), false);
		if (!isNoted) before.data.resultData.runData = {};
		const { error } = await retryOf(before);
		expect(error?.message).toMatch('n8n crashed during the original execution');
		expect(await inbox()).toEqual([]);
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
	const to = 'fail@example.com';
	const ofSubject = (subject: string) => runOf({ to, additionalFields: { subject } });
	const setOutcome = async (outcome: string) =>
		await sandbox.control('POST', '/addresses', { address: to, outcome });
	const retryCorrected = async (failed: NodeResult) => {
		expect(failed.error).toBeDefined();
		await setOutcome('deliver');
		return await runNode({ ...ofSubject('Second'), executionId: '2', retryOf: failed });
	};

	test.each(['IDEMPOTENT_REPLAY', 'IDEMPOTENCY_KEY_REUSED'])(
		'is sent with its content corrected: %s',
		async (failedAndDifferent) => {
			await sandbox.control('PATCH', '/variants', { failedAndDifferent });
			const { error } = await retryCorrected(await runNode(ofSubject('First')));
			expect(error).toBeUndefined();
			expect(await inbox()).toEqual([`${to}: Second`]);
		},
	);

	test('because the service rejected it is sent with its content corrected', async () => {
		await setOutcome('reject');
		const { error } = await retryCorrected(await runNode(ofSubject('First')));
		expect(error).toBeUndefined();
		expect(await inbox()).toEqual([`${to}: Second`]);
	});

	const otherContent = `The message to ${to} wasn't sent: a message with different content was sent or tried earlier`;

	const lost = [
		{ kind: 'dropAfter', next: 1 },
		{ kind: 'dropBefore', next: 4 },
	];
	test.each<[string, object[]]>([
		['whose answer is an error', [{ kind: 'status', status: 422, after: true }]],
		['whose answer is lost', lost],
	])(
		'%s is not sent with other content, and the error claims no more than is known',
		async (_what, faults) => {
			await sandbox.control('PATCH', '/variants', { failedAndDifferent: 'IDEMPOTENCY_KEY_REUSED' });
			for (const one of faults) await fault(one);
			const { error } = await retryCorrected(await runNode(ofSubject('First')));
			expect(error?.message).toBe(otherContent);
			expect(await inbox()).toEqual([]);
		},
	);
});

/** Delivered by a second attempt after an error: the record says so, or leaves it open. */
test.each([
	[
		{ status: 'delivered', attemptCount: 2, deliveredAt: '2026-01-01T00:00:00Z' },
		/^The message to fail@example.com wasn't sent: the service failed/,
		/^The message to ada@example.com was already sent with different content$/,
	],
	[
		{ attemptCount: 1 },
		/^The message to ada@example.com may not have been delivered: 451 greylisted$/,
		/^The message to ada@.* wasn't sent: a message with different content was sent or tried earlier$/,
	],
])(
	'a message that is delivered, with the error of an earlier attempt, is not sent a second time with other content: %j',
	async (record, firstError, lastError) => {
		const data = { id: randomUUID(), to: 'ada@example.com', ...record, error: '451 greylisted' };
		await fault({ kind: 'body', status: 200, after: true, body: { data } });
		const items = [{ to: 'ada@example.com' }, { to: 'fail@example.com' }];
		const changing = { additionalFields: { subject: '={{ $execution.id }}' } };
		const parameters = { ...changing, to: '={{ $json.to }}', options: { concurrency: 1 } };
		const run = { ...runOf(parameters), items };
		const first = await runNode(run);
		const second = await runNode({ ...run, executionId: '2', retryOf: first });
		const third = await runNode({ ...run, executionId: '3', retryOf: second });
		expect(first.error?.message).toMatch(firstError);
		expect(third.error?.message).toMatch(lastError);
		expect(await inbox()).toEqual(['ada@example.com: 1']);
	},
);

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
		expect(error?.message).toMatch(/^The message to ada@example.com may already have been sent: /);
		expect(error?.description).toMatch(/^To send it safely, retry this execution/);
		expect(error?.description).not.toContain('Nothing was sent');
	},
);

test.each(['execution', 'none'])(
	'messages to one recipient arrive in the order of their items: %s',
	async (idempotency) => {
		await fault({ kind: 'delay', delayMs: 200, next: 1 });
		const items = ['1', '2', '3'].map((subject) => ({ subject }));
		const additionalFields = { subject: '={{ $json.subject }}' };
		const { error } = await runNode({ ...runOf({ idempotency, additionalFields }), items });
		expect(error).toBeUndefined();
		expect(await inbox()).toEqual(items.map(({ subject }) => `ada@example.com: ${subject}`));
	},
);

test('a custom key used for another recipient is never taken for sent', async () => {
	const items = ['ada@example.com', 'fail@example.com'].map((to) => ({ to }));
	const custom = { idempotency: 'custom', idempotencyKey: '={{ $json.to }}' };
	const options = { onContentChanged: 'output' };
	const run = (to: string): NodeRun => ({ ...runOf({ to, ...custom, options }), items });
	const failed = await runNode(run('={{ $json.to }}'));
	const other = run('={{ $json.to.replace("ada", "grace") }}');
	const { error, json } = await runNode({ ...other, executionId: '2', retryOf: failed });
	expect(error?.message).toMatch(
		/^The message to grace@.* wasn't sent: the idempotency key “ada@.* different content$/,
	);
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
		expect(error?.message).toBe(
			'The message to ada@example.com was already sent with different content',
		);
		expect(error?.description).toContain('If Already Sent With Different Content');
		expect(await inbox()).not.toContain('ada@example.com: 2');
	});

	test('a message sent with other content is output as sentBefore, if the user wants that', async () => {
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

describe('with the error output', () => {
	/** Of recipients and subjects, such as `ada 1, grace 1`. */
	const rows = (list: string) =>
		list.split(', ').map((row) => {
			const [name, subject] = row.split(' ');
			return { to: `${name}@example.com`, subject };
		});
	const sentRows = (list: string) => rows(list).map(({ to, subject }) => `${to}: ${subject}`);
	const welcomes = {
		to: '={{ $json.to }}',
		additionalFields: { subject: '={{ $json.subject }}' },
		options: { concurrency: 1 },
	};

	/** What each run of the node outputs: the items that are done, and those that failed. */
	const run = async (items: IDataObject[], { parameters, ...more }: Partial<NodeRun> = {}) => {
		const settings = { onError: 'continueErrorOutput' as const };
		const one = { ...runOf({ ...welcomes, ...parameters }), items, settings };
		const { data } = await runNode({ ...one, ...more });
		return data.resultData.runData['CRM Workspace'].map((one) => {
			const [done = [], failed = []] = (one.data?.main ?? []).map((output) =>
				(output ?? []).map(({ json }) => json),
			);
			return { done, failed };
		});
	};

	describe('looped back to the node,', () => {
		const data = { id: '1', status: 'queued', error: '451 greylisted' };

		test.each<[string, object]>([
			['whose response is lost', { kind: 'dropAfter', next: 5 }],
			['that is rejected', { kind: 'status', status: 422 }],
			['that a later attempt may deliver', { kind: 'body', after: true, body: { data } }],
		])('a message %s is sent once', async (_what, given) => {
			await fault({ ...given, match: '"grace@' });
			const [first, second] = await run(rows('ada 1, grace 1, alan 1'), { loopedBack: 1 });
			expect([first.done.length, first.failed.length]).toEqual([2, 1]);
			expect([second.done.length, second.failed.length]).toEqual([1, 0]);
			expect((await inbox()).toSorted()).toEqual(sentRows('ada 1, alan 1, grace 1'));
		});

		test.each([
			['equal', 'grace 1, grace 1', 'grace 1'],
			['different', 'grace 1, grace 2', 'grace 1, grace 2'],
			['differently spelled', 'grace 1, Grace 2', 'Grace 2, grace 1'],
		])('two %s messages to one recipient are each sent once: %s', async (_what, two, sent) => {
			await fault({ kind: 'dropAfter', next: 5, match: '"grace@' });
			await run(rows(two), { loopedBack: 1 });
			expect((await inbox()).toSorted()).toEqual(sentRows(sent));
		});
	});

	const loopBack =
		'To send it safely, loop the item back to this node: a new execution would send it again.';
	const custom = { idempotency: 'custom', idempotencyKey: 'welcome-1' };

	test.each<[string, INodeParameters]>([
		[loopBack, {}],
		['To send it safely, retry the execution or run the item again, with the same key.', custom],
	])('an error says what sends nothing twice: %s', async (retrying, parameters) => {
		await fault({ kind: 'body', status: 200, body: 'Hi', probability: 1 });
		const [{ failed }] = await run(rows('ada 1'), { parameters });
		expect(failed[0].error).toMatch(
			/^The message to ada@example.com may already have been sent: the service .*: Hi\. /,
		);
		expect(failed[0].error).toContain(`. ${retrying}`);
	});

	// docs/send-email.md says so.
	test.each([
		['the first item', 'grace 1, ada 1', { done: 2, failed: 0 }],
		['another one', 'ada 1, grace 1', { done: 1, failed: 1 }],
	])('and Retry On Fail, %s is tried again or not', async (_which, items, expected) => {
		await fault({ kind: 'status', status: 422, next: 1, match: '"grace@' });
		const settings = { ...retryOnFail, onError: 'continueErrorOutput' as const };
		const [{ done, failed }] = await run(rows(items), { settings });
		// Older ones output what the first try gave.
		const output = isSince('1.100') ? expected : { done: 1, failed: 1 };
		expect({ done: done.length, failed: failed.length }).toEqual(output);
		expect(await inbox()).toHaveLength(expected.done);
	});
});

// docs/send-email.md says so.
describe('a retry', () => {
	const row = ({ to }: { to: string }, index: number) => ({ to, index });
	const items = people(20).map(row);
	const rows = (parameters: INodeParameters = {}): NodeRun => ({
		...runOf({ to: '={{ $json.to }}', options: { concurrency: 1 }, ...parameters }),
		items,
	});
	const failAt14 = async () => {
		await fault({ kind: 'status', status: 422, next: 1, match: '"person14@' });
		return await runNode(rows());
	};

	test.each(['at once', 'on the next day, when the service has forgotten its keys'])(
		'%s requests only missing messages, and outputs all as sent',
		async (when) => {
			const failed = await failAt14();
			expect(Object.keys(await delivered(sandbox))).toHaveLength(13);
			const before = await list('/messages');
			if (when !== 'at once') await sandbox.control('POST', '/reset');
			else await sandbox.control('POST', '/clock', { advance: 3_600_000 });
			const asked = (await list('/requests')).length;
			const { json, hints } = await runNode({ ...rows(), executionId: '2', retryOf: failed });
			expect((await list('/requests')).slice(asked)).toHaveLength(7);
			expect(json.map(({ to, _result }) => ({ to, _result }))).toEqual(
				items.map(({ to }) => ({ to, _result: 'sent' })),
			);
			expect(new Set(json.slice(0, 13).map(({ id }) => id))).toEqual(
				new Set(before.map(({ id }) => id)),
			);
			expect(hints).toEqual([]);
		},
	);

	test.each<[string, INodeParameters]>([
		['Reply To', { additionalFields: { replyTo: 'care@example.com' } }],
		['Plain Text', { additionalFields: { text: 'Hello' } }],
		['From Name', { additionalFields: { fromName: 'Care' } }],
		['Contact', { additionalFields: { contactId: randomUUID() } }],
	])('with another %s does not say that it was sent with that', async (_field, changed) => {
		const failed = await failAt14();
		const { error } = await runNode({ ...rows(changed), executionId: '2', retryOf: failed });
		expect(error?.message).toBe(
			'The message to person1@example.com was already sent with different content',
		);
		expect(await delivered(sandbox)).toEqual(onceEach(items.slice(0, 13)));
	});
});

// Interface: KEY-3.
test('a message whose send has failed is not sent by any retry if the user does not want that', async () => {
	const run = runOf({ to: 'fail@example.com', options: { onOriginalFailed: 'fail' } });
	let last = await runNode(run);
	await sandbox.control('POST', '/addresses', { address: 'fail@example.com', outcome: 'deliver' });
	for (const executionId of ['2', '3']) {
		last = await runNode({ ...run, executionId, retryOf: last });
		expect(last.error?.message).toBe(
			"The message to fail@example.com wasn't sent: an earlier attempt to send it failed in the service",
		);
	}
	expect(await inbox()).toEqual([]);
});

// docs/send-email.md says so.
test.each<[Partial<INode>, number]>([
	[{ onError: 'stopWorkflow' }, 12],
	[{ onError: 'stopWorkflow', ...retryOnFail }, 0],
	[{ onError: 'continueErrorOutput' }, 0],
])('a run with %j that n8n cancels: its retry outputs %i of 12 items', async (settings, count) => {
	const items = people(12);
	// These two are sent, and it's stopped before it learns so.
	for (const match of ['person7@', 'person8@']) {
		await fault({ kind: 'delay', delayMs: 20_000, after: true, next: 1, match });
	}
	const run = { ...runOf({ ...sendWelcome, options: { concurrency: 2 } }), items, settings };
	const stop = new AbortController();
	const ended = runNode({ ...run, stop: stop.signal });
	while ((await inbox()).length < 8) await pause(5);
	stop.abort();
	const stopped = await ended;
	const before = await delivered(sandbox);
	expect(Object.keys(before)).toHaveLength(8);
	const retried = await runNode({ ...run, executionId: '2', retryOf: stopped });
	expect(retried.json).toHaveLength(count);
	expect(await delivered(sandbox)).toEqual(count === 12 ? onceEach(items) : before);
});
