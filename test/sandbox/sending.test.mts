import { describe, expect, test } from '@jest/globals';

import { unknownId, useService } from './service.mts';

const service = useService();
const { send, inbox, control } = service;

const idempotencyKey = 'order-4711';
const template = (fields: object) => send({ html: undefined, subject: undefined, ...fields });
const channels = async () => (await control('GET', '/records/channels')).data;
const pass = (seconds: number) => control('POST', '/clock', { advance: seconds * 1000 });

const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('a message', () => {
	// Interface: SEND-1, SEND-2, SEND-3, SEND-7, SEND-13, MESSAGE-4, MESSAGE-5.
	test('is built from a template, whose subject another one may replace', async () => {
		const variables = { firstName: 'Ada' };
		const { status, body } = await template({ templateSlug: 'welcome' });
		expect([status, body.data.templateSlug]).toEqual([200, 'welcome']);
		await template({ templateSlug: 'welcome', subject: 'Hello {{firstName}}', variables });
		const subjects = (await inbox()).map(({ subject }) => subject);
		expect(subjects).toEqual(['Welcome, friend', 'Hello Ada']);
	});

	// Interface: SEND-4, SEND-26, MESSAGE-1, MESSAGE-2, MESSAGE-3, MESSAGE-6, MESSAGE-7, MESSAGE-8,
	// MESSAGE-9, MESSAGE-10, MESSAGE-11, MESSAGE-12, MESSAGE-17, SEND-5, SEND-19, SEND-20, SEND-25.
	test('has its fields and no others, and no header to unsubscribe', async () => {
		const [{ id: contactId }] = await service.contacts();
		const fields = { fromName: 'Charles', replyTo: 'charles@example.com', idempotencyKey };
		const { body } = await send({ ...fields, contactId, cc: 'grace@example.com' });
		expect(body).toEqual({
			data: {
				...fields,
				id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
				...{ status: 'queued', to: 'ada.lovelace@example.com', subject: 'A small message' },
				...{
					templateSlug: null,
					from: 'hello@mail.test.example.com',
					messageId: expect.any(String),
				},
				...{ source: 'api', attemptCount: 1, error: null, errorReason: null, bounceType: null },
				...{ createdAt: dateTime, sentAt: null, deliveredAt: null },
				...{ bouncedAt: null, complainedAt: null },
			},
		});
		expect(await inbox()).toMatchObject([{ ...fields, contactId, messageId: body.data.messageId }]);
		expect(JSON.stringify(await inbox())).not.toMatch(/unsubscribe/i);
	});

	// Interface: MESSAGE-2, MESSAGE-13, MESSAGE-14, MESSAGE-15, MESSAGE-16, MESSAGE-18, MESSAGE-19,
	// MESSAGE-20, MESSAGE-21, MESSAGE-22, SEND-4.
	test.each([
		['ada', 0, { status: 'queued', sentAt: null, deliveredAt: null }, 1],
		['ada', 1, { status: 'sent', sentAt: dateTime, deliveredAt: null }, 1],
		['ada', 60, { status: 'delivered', deliveredAt: dateTime }, 1],
		['complain', 60, { status: 'complained', complainedAt: dateTime }, 1],
		['bounce', 0, { status: 'queued', bounceType: null, bouncedAt: null }, 0],
		['bounce', 5, { status: 'bounced', bounceType: 'Permanent', bouncedAt: dateTime }, 0],
		[
			'reject',
			0,
			{ status: 'rejected', error: expect.any(String), errorReason: expect.any(String) },
			0,
		],
	])('to %s@ after %d s: %j', async (name, seconds, expected, delivered) => {
		const fields = { to: `${name}@example.com`, idempotencyKey };
		await send(fields);
		await pass(seconds);
		expect((await send(fields)).body.data).toMatchObject(expected);
		expect(await inbox()).toHaveLength(delivered);
	});

	// Interface: SEND-9, SEND-12, SEND-15, SEND-16, SEND-17, SEND-18.
	test.each([
		[
			'values are HTML-escaped in the body',
			{ html: '{{a}}' },
			{ html: '&lt;b&gt;&quot; &amp; &#39;' },
		],
		['values are as they are in the subject', { subject: '{{a}}' }, { subject: `<b>" & '` }],
		['values are as they are in the text', { text: '{{a}}' }, { text: `<b>" & '` }],
		['values may be numbers and empty', { html: '{{b}}{{c}}|' }, { html: '1|' }],
		['defaults stand for null and what is missing', { html: '{{d|x}}{{e|}}|' }, { html: 'x|' }],
		['inherited names are no values', { html: '{{constructor|x}}' }, { html: 'x' }],
		['braces alone are text', { html: '{{}}' }, { html: '{{}}' }],
		['text is made of HTML', { html: '<p>One</p><p>Two &amp;</p>' }, { text: 'One\n\nTwo &' }],
		['HTML may be deep', { html: `<p>Up</p>${'<table>'.repeat(10_000)}` }, { text: 'Up\n\n...' }],
	])('%s', async (_rule, fields, expected) => {
		await send({ ...fields, variables: { a: `<b>" & '`, b: 1, c: '', d: null } });
		expect(await inbox()).toMatchObject([expected]);
	});

	// Interface: SEND-21, SEND-22, SEND-23, WORK-4.
	test('goes through its channel, else that of the template, else the oldest verified one', async () => {
		const [unverified, oldest, , support] = await channels();
		expect(unverified.verified).toBe(false);
		const variables = { resetUrl: 'https://example.com/reset' };
		const sent = [
			await send({ channelId: support.id }),
			await template({ templateSlug: 'password-reset', variables }),
			await template({ templateSlug: 'welcome' }),
			await send(),
		];
		const { fromEmail } = support;
		const expected = [fromEmail, fromEmail, oldest.fromEmail, oldest.fromEmail];
		expect(sent.map(({ body }) => body.data.from)).toEqual(expected);
	});
});

describe('a send is refused, and nothing is sent', () => {
	const wrongTypes = [
		...['templateSlug', 'fromName', 'text', 'idempotencyKey', 'subject'].map((name) => [name, 7]),
		...['replyTo', 'channelId', 'contactId', 'variables'].map((name) => [name, 'text']),
	].map(([name, value]) => ({ [name]: value }));

	// Interface: SEND-2, SEND-3, SEND-6, SEND-7, SEND-8, SEND-10, SEND-11, SEND-12, SEND-13, SEND-14,
	// SEND-15, SEND-17, SEND-19, SEND-20, SEND-21, SEND-24, SEND-25, WORK-4, WORK-5, ERROR-1.
	test.each<[number, string, object]>([
		[400, 'VALIDATION_ERROR', { to: null }],
		[400, 'VALIDATION_ERROR', { to: 'ada' }],
		[400, 'VALIDATION_ERROR', { to: '@example.com' }],
		[400, 'VALIDATION_ERROR', { to: 'ada lovelace@example.com' }],
		[400, 'VALIDATION_ERROR', { to: 'ada@example.com, grace@example.com' }],
		[400, 'VALIDATION_ERROR', { to: ['ada@example.com'] }],
		[400, 'VALIDATION_ERROR', { html: undefined }],
		[400, 'VALIDATION_ERROR', { templateSlug: 'welcome' }],
		[400, 'VALIDATION_ERROR', { subject: undefined }],
		[400, 'VALIDATION_ERROR', { variables: { nested: {} } }],
		...wrongTypes.map((fields) => [400, 'VALIDATION_ERROR', fields] as [number, string, object]),
		[400, 'MISSING_VARIABLES', { html: '{{a}} {{b|default}}', variables: { a: null } }],
		[404, 'TEMPLATE_NOT_FOUND', { html: undefined, templateSlug: 'no-such-template' }],
		[404, 'CHANNEL_NOT_FOUND', { channelId: unknownId }],
		[404, 'CONTACT_NOT_FOUND', { contactId: unknownId }],
	])('with %d %s: %j', async (status, code, fields) => {
		const refused = await send(fields);
		expect([refused.status, refused.body.error.code]).toEqual([status, code]);
		expect(await inbox()).toEqual([]);
	});

	// Interface: SEND-11.
	test('with more than 256 KB of HTML, in bytes of UTF-8', async () => {
		const html = 'é'.repeat(131_072);
		expect((await send({ html: `${html}.` })).body.error.code).toBe('HTML_TOO_LARGE');
		expect((await send({ html })).status).toBe(200);
		expect(await inbox()).toHaveLength(1);
	});

	// Interface: WORK-1, WORK-3, SEND-25.
	test('without a verified channel, or with a channel or contact of another workspace', async () => {
		const [{ id: unverified }] = await channels();
		const [, { id: channelId }] = (await control('GET', '/records/channels?mode=live')).data;
		const [{ id: contactId }] = (await control('GET', '/contacts?mode=live')).data;
		const refused = [await send({ channelId: unverified }), await send({ channelId })];
		refused.push(await send({ contactId }));
		await control('PUT', '/records/channels', { records: [] });
		refused.push(await send());
		const codes = ['CHANNEL_NOT_VERIFIED', 'CHANNEL_NOT_FOUND', 'CONTACT_NOT_FOUND'];
		expect(refused.map(({ body }) => body.error.code)).toEqual([...codes, 'NO_VERIFIED_CHANNEL']);
	});
});

describe('an idempotency key', () => {
	// Interface: KEY-2.
	test('with the same payload returns the first message and sends nothing, at once too', async () => {
		const answers = await Promise.all(Array.from({ length: 8 }, () => send({ idempotencyKey })));
		expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
		expect(await inbox()).toHaveLength(1);
	});

	// Interface: KEY-3, KEY-4, KEY-5, ERROR-3.
	test('of a failed send returns 409 IDEMPOTENT_REPLAY with the key, and another one sends', async () => {
		const to = 'fail@example.com';
		const failed = await send({ to, idempotencyKey });
		expect(failed.status).toBe(502);
		await control('POST', '/addresses', { address: to, outcome: 'deliver' });
		const { status, body } = await send({ to, idempotencyKey });
		expect([status, body.error.code]).toEqual([409, 'IDEMPOTENT_REPLAY']);
		expect(body.error.message).toContain(idempotencyKey);
		expect(body.error.message).not.toContain(failed.body.error.message);
		expect((await send({ to, idempotencyKey: 'another key' })).status).toBe(200);
		expect(await inbox()).toHaveLength(1);
	});

	// Interface: KEY-6, KEY-7, ERROR-3.
	test.each([
		['recipient', { to: 'grace.hopper@example.com' }],
		['rendered subject', { subject: 'Hello {{name}}', variables: { name: 'Grace' } }],
		['rendered body', { html: '<p>Goodbye</p>' }],
	])('with another %s returns 409 IDEMPOTENCY_KEY_REUSED', async (_what, fields) => {
		const first = { subject: 'Hello {{name}}', variables: { name: 'Ada' }, idempotencyKey };
		await send(first);
		const { status, body } = await send({ ...first, ...fields });
		expect([status, body.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
		expect(await inbox()).toHaveLength(1);
	});

	// Interface: KEY-7, SEND-24.
	test('compares recipient, rendered subject and rendered body, and nothing else', async () => {
		const original = await send({ idempotencyKey });
		const html = '<p>{{greeting}}</p>';
		const variables = { greeting: 'Hello', unused: 'value' };
		const others = { text: 'Another text', fromName: 'Another', replyTo: 'another@example.com' };
		const repeated = await send({ idempotencyKey, html, variables, ...others });
		expect(repeated.body.data.id).toBe(original.body.data.id);
		expect(await inbox()).toHaveLength(1);
	});

	// Interface: SEND-12, SEND-24, ERROR-1.
	test('is optional, is free after a refusal, and is another one in another workspace', async () => {
		const { liveKey: key } = service.sandbox;
		expect((await send({ html: '{{name}}', idempotencyKey })).status).toBe(400);
		for (const fields of [{}, {}, { idempotencyKey }]) await send(fields);
		await send({ idempotencyKey, html: 'Other' }, { key });
		expect([(await inbox()).length, (await inbox('live')).length]).toEqual([3, 1]);
	});
});
