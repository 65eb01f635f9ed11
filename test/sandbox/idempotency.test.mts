import { describe, expect, test } from '@jest/globals';

import { useService } from './service.mts';

const service = useService(['--requests-per-minute', '0']);
const { send, inbox, control, variants } = service;
const idempotencyKey = 'order-4711';

describe('an idempotency key', () => {
	// Interface: KEY-2.
	test('with the same payload again brings the first message, and sends nothing', async () => {
		const original = await send({ idempotencyKey });
		const repeated = await send({ idempotencyKey });
		expect(repeated.status).toBe(200);
		expect(repeated.body.data).toEqual(original.body.data);
		expect(await inbox()).toHaveLength(1);
	});

	// Interface: KEY-2.
	test('does so for requests at the same time', async () => {
		const answers = await Promise.all(Array.from({ length: 8 }, () => send({ idempotencyKey })));
		expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
		expect(await inbox()).toHaveLength(1);
	});

	// Interface: KEY-3, ERROR-3.
	test('of a send that failed brings 409 IDEMPOTENT_REPLAY, which names the key', async () => {
		const failed = await send({ to: 'fail@example.com', idempotencyKey });
		expect(failed.status).toBe(502);
		const repeated = await send({ to: 'fail@example.com', idempotencyKey });
		expect(repeated.status).toBe(409);
		expect(repeated.body.error.code).toBe('IDEMPOTENT_REPLAY');
		expect(repeated.body.error.message).toContain(idempotencyKey);
	});

	// Interface: KEY-4.
	test('of a send that failed does not bring its error again', async () => {
		const failed = await send({ to: 'fail@example.com', idempotencyKey });
		const repeated = await send({ to: 'fail@example.com', idempotencyKey });
		expect(repeated.body.error.message).not.toContain(failed.body.error.message);
	});

	// Interface: KEY-5.
	test('of a send that failed sends nothing more, another one does', async () => {
		const to = 'fail@example.com';
		await send({ to, idempotencyKey });
		await control('POST', '/addresses', { address: to, outcome: 'deliver' });
		expect((await send({ to, idempotencyKey })).status).toBe(409);
		expect((await send({ to, idempotencyKey: 'another key' })).status).toBe(200);
		expect(await inbox()).toHaveLength(1);
	});

	// Interface: KEY-6, KEY-7, ERROR-3.
	test.each([
		['recipient', { to: 'grace.hopper@example.com' }],
		['rendered subject', { subject: 'Hello {{name}}', variables: { name: 'Grace' } }],
		['rendered body', { html: '<p>Goodbye</p>' }],
	])('with another %s brings 409 IDEMPOTENCY_KEY_REUSED', async (_what, fields) => {
		const first = { subject: 'Hello {{name}}', variables: { name: 'Ada' }, idempotencyKey };
		await send(first);
		const { status, body } = await send({ ...first, ...fields });
		expect([status, body.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
		expect(await inbox()).toHaveLength(1);
	});

	// Interface: KEY-7, SEND-24.
	test('with the same recipient, subject and body as rendered is the same, whatever else differs', async () => {
		const original = await send({ idempotencyKey });
		const repeated = await send({
			idempotencyKey,
			html: '<p>{{greeting}}</p>',
			variables: { greeting: 'Hello', unused: 'value' },
			text: 'Another text',
			fromName: 'Another name',
			replyTo: 'another@example.com',
		});
		expect(repeated.body.data.id).toBe(original.body.data.id);
		expect(await inbox()).toHaveLength(1);
	});

	// Interface: SEND-24.
	test('that is not there keeps no request from sending', async () => {
		await send();
		await send();
		expect(await inbox()).toHaveLength(2);
	});

	// Interface: SEND-12, ERROR-1.
	test('of a request that was refused for its tokens is still free', async () => {
		expect((await send({ html: '{{name}}', idempotencyKey })).status).toBe(400);
		expect((await send({ html: '{{name|friend}}', idempotencyKey })).status).toBe(200);
	});

	test('is another one in another workspace', async () => {
		await send({ idempotencyKey });
		const live = await send({ idempotencyKey, html: 'Other' }, { key: service.sandbox.liveKey });
		expect(live.status).toBe(200);
	});
});

describe('what the idempotency rules leave open', () => {
	const failing = { to: 'fail@example.com', idempotencyKey };
	const codeOf = async (fields: object) => (await send(fields)).body.error?.code;

	// Interface: MESSAGE-15.
	test('sendFailureAnswer and sendFailureStatus: how a failed send is answered', async () => {
		await variants({ sendFailureStatus: 422 });
		expect((await send({ to: 'fail@example.com' })).status).toBe(422);
		await variants({ sendFailureAnswer: 'message' });
		const { status, body } = await send(failing);
		expect([status, body.data.status]).toEqual([200, 'failed']);
		expect(body.data.error).toMatch(/did not answer/);
		expect(await codeOf(failing)).toBe('IDEMPOTENT_REPLAY');
	});

	test('originalsThatFailed: whether rejected and bounced originals count as failed', async () => {
		const rejected = { to: 'reject@example.com', idempotencyKey: 'rejected' };
		const bounced = { to: 'bounce@example.com', idempotencyKey: 'bounced' };
		await send(rejected);
		await send(bounced);
		await control('POST', '/clock', { advance: 10_000 });
		const codes = async () => [await codeOf(rejected), await codeOf(bounced)];
		expect(await codes()).toEqual([undefined, undefined]);
		await variants({ originalsThatFailed: 'failedOrRejected' });
		expect(await codes()).toEqual(['IDEMPOTENT_REPLAY', undefined]);
		await variants({ originalsThatFailed: 'failedRejectedOrBounced' });
		expect(await codes()).toEqual(['IDEMPOTENT_REPLAY', 'IDEMPOTENT_REPLAY']);
	});

	test('failedAndDifferent: which of the two codes wins', async () => {
		await send(failing);
		const different = { ...failing, subject: 'Different' };
		expect(await codeOf(different)).toBe('IDEMPOTENT_REPLAY');
		await variants({ failedAndDifferent: 'IDEMPOTENCY_KEY_REUSED' });
		expect(await codeOf(different)).toBe('IDEMPOTENCY_KEY_REUSED');
	});

	// Interface: OPEN-5, OPEN-8.
	test('replayStatus and replayedMessage: how the original message is returned', async () => {
		await variants({ sendStatus: 201, replayStatus: 200, replayedMessage: 'asAnswered' });
		const original = await send({ idempotencyKey });
		await control('POST', '/clock', { advance: 10_000 });
		const repeated = await send({ idempotencyKey });
		expect([original.status, repeated.status]).toEqual([201, 200]);
		expect(repeated.body).toEqual(original.body);
	});
});
