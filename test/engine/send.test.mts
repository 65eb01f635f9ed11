import { describe, expect, test } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { runNode, type NodeResult, type NodeRun } from '../support/engine/runNode.mts';
import { people } from '../support/n8n/sending.mts';
import { unpaced } from '../support/sandbox/sandbox.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const sandbox = sandboxInTests();

const send = async (
	parameters: INodeParameters,
	more: Partial<NodeRun> = {},
): Promise<NodeResult> =>
	await runNode({
		parameters: { operation: 'sendTransactionalEmail', ...parameters },
		credential: unpaced(sandbox),
		...more,
	});

const list = async (path: string): Promise<any[]> => (await sandbox.control('GET', path)).data;

const recipient = 'ada.lovelace@example.com';
const template = { to: recipient, templateSlug: 'welcome' };
const inline = { to: recipient, content: 'html', subject: 'Hello', html: '<p>Hello</p>' };

describe('every field of the interface can be sent', () => {
	// Interface: SEND-1, SEND-2, SEND-6, SEND-7, SEND-13, SEND-15, SEND-17, SEND-19, SEND-20,
	// SEND-21, SEND-24, SEND-25, WORK-5.
	test('with a template', async () => {
		const channels = await list('/records/channels');
		const [contact] = await list('/contacts');
		const parameters = {
			...template,
			variables: {
				variable: [
					{ name: 'firstName', value: 'Ada' },
					{ name: 'title', value: '={{ "" }}' },
				],
			},
			idempotency: 'custom',
			idempotencyKey: 'welcome-ada',
			additionalFields: {
				channelId: channels[3].id,
				contactId: contact.id,
				fromName: 'Care',
				replyTo: 'care@example.com',
				subject: 'Welcome back',
				text: 'Hello Ada',
			},
		};
		const { error } = await send(parameters);
		expect(error).toBeUndefined();
		const [{ body }] = await list('/requests');
		expect(body).toEqual({
			to: recipient,
			templateSlug: 'welcome',
			// A template may show what it wants of a blank value.
			variables: { firstName: 'Ada', title: '' },
			idempotencyKey: 'welcome-ada',
			...parameters.additionalFields,
		});
	});

	// Interface: SEND-9, SEND-10, SEND-17.
	test('with HTML and variables as JSON', async () => {
		const { error } = await send({
			...inline,
			html: '<p>{{greeting|Hello}} {{name}}</p>',
			variablesInput: 'json',
			variablesJson: '{ "name": "Ada & Co", "count": 2 }',
		});
		expect(error).toBeUndefined();
		const [{ body }] = await list('/requests');
		expect(body).toMatchObject({ variables: { name: 'Ada & Co', count: 2 }, subject: 'Hello' });
		expect((await list('/inbox'))[0].html).toContain('Hello Ada &amp; Co');
	});

	// Interface: SEND-15, SEND-19, SEND-21, SEND-24, SEND-25.
	test('empty optional fields are not sent', async () => {
		await send({
			...template,
			idempotency: 'none',
			additionalFields: { channelId: '', contactId: ' ', replyTo: '', text: '' },
		});
		expect((await list('/requests'))[0].body).toEqual({ to: recipient, templateSlug: 'welcome' });
	});
});

// Interface: SEND-2, SEND-6, SEND-10, SEND-11, SEND-12, SEND-17, SEND-19, SEND-21, SEND-25,
// WORK-4, ERROR-1.
describe('what cannot be right is refused before any request', () => {
	// An empty field of an expression: n8n itself refuses one that is written as empty.
	const nothing = '={{ "" }}';
	const half = 'ü'.repeat(131_072);
	const custom = (idempotencyKey: string) => ({ idempotency: 'custom', idempotencyKey });
	const json = (variablesJson: string) => ({ variablesInput: 'json', variablesJson });

	test.each<[string, INodeParameters]>([
		["'To' is empty", { to: nothing }],
		[
			"'HTML' has 262145 bytes, and the service accepts at most 262144",
			{ ...inline, html: `${half}x` },
		],
		["'Variables (JSON)' isn't an object", json('[1]')],
		["'Variables (JSON)' isn't JSON", json('{ name:')],
		[
			"'Variables' has an entry without a name",
			{ variables: { variable: [{ name: '', value: 'x' }] } },
		],
		["'Reply To' isn't an email address: “care”", { additionalFields: { replyTo: 'care' } }],
		["'Channel ID' isn't a UUID: “orders”", { additionalFields: { channelId: 'orders' } }],
		["'Custom Key' is incomplete", custom(nothing)],
		["'Custom Key' is longer than 255 characters", custom('x'.repeat(256))],
	])('%s', async (message, parameters) => {
		const { error } = await send({ ...template, ...parameters });
		expect(error?.message).toBe(message);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect(await list('/requests')).toEqual([]);
	});

	// Interface: SEND-11.
	test('HTML of exactly the limit is sent', async () => {
		expect((await send({ ...inline, html: half })).error).toBeUndefined();
	});

	test('one item of many that cannot be right keeps the others from being sent', async () => {
		const items = [{ to: recipient }, { to: 'nobody' }, { to: 'grace.hopper@example.com' }];
		const { error } = await send({ ...template, to: '={{ $json.to }}' }, { items });
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(await list('/requests')).toEqual([]);
	});

	test('one custom key for two different messages of a run', async () => {
		const { error } = await send(
			{ ...template, to: '={{ $json.to }}', ...custom('same') },
			{ items: [{ to: recipient }, { to: 'b@example.com' }] },
		);
		expect(error?.message).toBe(
			"'Custom Key' “same” is the same as that of an earlier item with another message",
		);
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(await list('/requests')).toEqual([]);
	});
});

// Interface: KEY-2.
describe('equal messages of one run to one recipient', () => {
	const items = Array.from({ length: 100 }, (_, index) => ({ index }));
	const once = /^99 of 100 items had the same message .* turn on 'Execute Once'/;

	test.each<[string, INodeParameters]>([
		['the execution', {}],
		['the user', { idempotency: 'custom', idempotencyKey: 'same' }],
	])('are sent once under a key of %s, and a warning names Execute Once', async (_whose, key) => {
		const { json, hints } = await send({ ...inline, ...key }, { items });
		const [{ id }] = await list('/inbox');
		expect(await list('/requests')).toHaveLength(1);
		expect(json.map((item) => [item.id, item._result])).toEqual(
			items.map(({ index }) => [id, index === 0 ? 'sent' : 'sentBefore']),
		);
		expect(hints).toMatchObject([{ message: expect.stringMatching(once), type: 'warning' }]);
	});

	test('are tried once if the service refuses them, and each has the error', async () => {
		await sandbox.control('POST', '/faults', { kind: 'status', status: 422, probability: 1 });
		const settings = { onError: 'continueRegularOutput' as const };
		const { json } = await send(inline, { items: items.slice(0, 3), settings });
		expect(await list('/requests')).toHaveLength(1);
		expect(json.map(({ error }) => typeof error)).toEqual(['string', 'string', 'string']);
	});

	test.each<[string, INodeParameters]>([
		['other recipients', { to: '={{ $json.index }}@example.com' }],
		['other content', { subject: '=Hello {{ $json.index }}' }],
		[
			'other variables',
			{ html: '{{index}}', variablesInput: 'json', variablesJson: '={{ $json }}' },
		],
		['no key', { idempotency: 'none' }],
		['custom keys of their own', { idempotency: 'custom', idempotencyKey: '=k{{ $json.index }}' }],
	])('are each sent if they have %s', async (_what, parameters) => {
		const { json, hints } = await send({ ...inline, ...parameters }, { items: items.slice(0, 3) });
		expect(json.map(({ _result }) => _result)).toEqual(['sent', 'sent', 'sent']);
		expect(hints).toEqual([]);
		expect(await list('/inbox')).toHaveLength(3);
	});
});

// Interface: KEY-2.
test('a message that went out before under its custom key says so, and a hint counts such ones', async () => {
	const idempotencyKey = '=welcome-{{ $json.to }}';
	const custom = { ...template, to: '={{ $json.to }}', idempotency: 'custom', idempotencyKey };
	await send(custom, { items: people(9) });
	await sandbox.control('POST', '/clock', { advance: 3_600_000 });
	const { json, hints } = await send(custom, { items: people(10), executionId: '2' });
	expect(json.map(({ to, _result }) => [to, _result])).toEqual(
		people(10).map(({ to }, index) => [to, index < 9 ? 'sentBefore' : 'sent']),
	);
	expect(json[0]).toMatchObject({ id: expect.any(String), status: expect.any(String) });
	expect(hints.map(({ message }) => message)).toEqual([
		'9 of 10 messages had been sent before and were not sent again',
	]);
	expect(await list('/inbox')).toHaveLength(10);
});

describe('a message that the service takes but does not deliver', () => {
	const rejected = { ...template, to: 'reject@example.com' };

	// Interface: MESSAGE-14.
	test('fails the item without a key, too', async () => {
		const { error } = await send({ ...rejected, idempotency: 'none' });
		expect(error?.message).toContain('was not delivered');
	});

	// Interface: MESSAGE-14.
	test('fails the item, and says why and what sends it again', async () => {
		const { error } = await send(rejected);
		const [{ errorReason }] = await list('/messages');
		expect(error?.message).toContain('was not delivered');
		expect(error?.message).toContain(errorReason);
		expect(error?.description).toMatch(
			/^Check the address: with another one in 'To', a retry of the execution sends this message/,
		);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
	});

	// Interface: MESSAGE-15.
	const greylisted = { status: 'sent', error: 'greylisted', deliveredAt: '2026-01-15T12:00:00Z' };
	const notDelivered = `The message to ${recipient} was not delivered: mailbox full`;
	const perhaps = `The message to ${recipient} may not have been delivered: mailbox full`;
	test.each([
		[{ status: 'queued', error: 'mailbox full' }, perhaps, 'unknown'],
		[{ status: 'rejected', errorReason: 'mailbox full' }, notDelivered, 'rejected'],
		[greylisted, undefined, 'sent'],
	])('is output as what it is, if the user wants that: %j', async (record, title, _result) => {
		const body = { data: { id: '1', to: recipient, ...record } };
		await sandbox.control('POST', '/faults', { kind: 'body', status: 200, body, next: 2 });
		expect((await send(template)).error?.message).toBe(title);
		const { json } = await send({ ...template, options: { onRejected: 'output' } });
		expect(json).toMatchObject([{ id: '1', _result }]);
	});

	// Interface: MESSAGE-15.
	test('fails the item also when a failed send is answered as a success', async () => {
		await sandbox.control('PATCH', '/variants', { sendFailureAnswer: 'message' });
		const { error } = await send({ ...template, to: 'fail@example.com' });
		expect(error?.message).toContain('was not delivered');
	});
});

describe('an original that failed', () => {
	const to = 'fail@example.com';
	const failing = { ...template, to, idempotency: 'custom', idempotencyKey: 'k' };

	// Interface: KEY-3, ERROR-3.
	test('is not sent again when the user does not want that', async () => {
		await send(failing);
		const { error } = await send({ ...failing, options: { onOriginalFailed: 'fail' } });
		expect(error?.message).toBe(
			`The message to ${to} wasn't sent: an earlier attempt to send it failed in the service`,
		);
		expect(error).toMatchObject({ httpCode: '409' });
		expect(await list('/messages')).toHaveLength(1);
	});

	test('keeps no other message to its recipient from being tried', async () => {
		const items = [{ subject: 'One' }, { subject: 'Two' }];
		const options = { onOriginalFailed: 'fail', concurrency: 1 };
		const settings = { onError: 'continueRegularOutput' as const };
		const each = { ...inline, to, subject: '={{ $json.subject }}', options };
		await send(each, { items, settings });
		const tried = await list('/messages');
		expect(tried.map(({ subject }) => subject)).toEqual(['One', 'Two']);
	});

	const code = 'IDEMPOTENT_REPLAY';
	const errors = [{ status: '409', title: 'Conflict', meta: { reason: code } }];

	// Interface: KEY-3, KEY-5.
	test.each<[string, object[]]>([
		['as the interface has it', []],
		['in the message', [{ body: { message: `${code}: the original failed` } }]],
		['in JSON of any other shape', [{ body: { errors } }]],
		['in a text', [{ body: `409 ${code}` }]],
	])('is sent again under the next key when its code stands %s', async (_where, faults) => {
		await send(failing);
		await sandbox.control('POST', '/addresses', { address: to, outcome: 'deliver' });
		for (const fault of faults)
			await sandbox.control('POST', '/faults', { kind: 'status', status: 409, ...fault });
		const { json, error } = await send(failing);
		expect(error).toBeUndefined();
		expect(json[0].idempotencyKey).toBe('k:retry-2');
		expect(await list('/inbox')).toHaveLength(1);
	});

	// Interface: KEY-5.
	test('is sent again however often it failed, also under the longest key', async () => {
		const longest = { ...failing, idempotencyKey: 'k'.repeat(255) };
		for (let execution = 0; execution < 3; execution++) await send(longest);
		await sandbox.control('POST', '/addresses', { address: to, outcome: 'deliver' });
		expect((await send(longest)).error).toBeUndefined();
		expect(await list('/inbox')).toHaveLength(1);
	});

	// Interface: KEY-6.
	test('is no other message when that code stands in the message', async () => {
		await send(failing);
		const body = { error: 'Conflict', message: 'IDEMPOTENCY_KEY_REUSED' };
		await sandbox.control('POST', '/faults', { kind: 'status', status: 409, body });
		const { error } = await send(failing);
		expect(error?.message).toContain('with different content');
		expect(error?.description).toContain('The service says: IDEMPOTENCY_KEY_REUSED.');
		expect(await list('/messages')).toHaveLength(1);
	});
});

// Interface: OPEN-2, OPEN-5, OPEN-7, OPEN-8.
test.each([
	{ replayedMessage: 'asAnswered' },
	{ missingValues: 'absent' },
	{ missingValues: 'empty' },
	{ service: 'odd' },
])('a send and its repetition succeed with %j', async (variants) => {
	await sandbox.control('PATCH', '/variants', variants);
	const custom = { ...template, idempotency: 'custom', idempotencyKey: 'once' };
	for (const _try of [1, 2]) {
		const { json, error } = await send(custom);
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ to: recipient, idempotencyKey: 'once' });
	}
	expect(await list('/inbox')).toHaveLength(1);
});

test.each([
	['manual', 'live', 1],
	['manual', 'test', 0],
	['webhook', 'live', 0],
] as const)('a %s run with a %s key: hints that it is a live one: %d', async (by, mode, count) => {
	const apiKey = mode === 'live' ? sandbox.liveKey : sandbox.testKey;
	const credential = { ...unpaced(sandbox), mode, apiKey };
	const { error, hints } = await send(template, { credential, mode: by });
	expect(error).toBeUndefined();
	const message = 'This run used the live key of the credential “CRM Workspace”';
	expect(hints).toEqual(Array(count).fill({ message, type: 'warning', location: 'outputPane' }));
});
