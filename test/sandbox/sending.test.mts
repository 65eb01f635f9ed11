import { describe, expect, test } from '@jest/globals';

import { unknownId, useService } from './service.mts';

const service = useService();
const { send, call, inbox, control } = service;

const template = (fields: object) =>
	call('POST', '/transactional/send', { to: 'ada.lovelace@example.com', ...fields });

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const messageFields = [
	...['id', 'status', 'to', 'subject', 'templateSlug', 'from', 'fromName', 'replyTo', 'messageId'],
	...['idempotencyKey', 'source', 'attemptCount', 'error', 'errorReason', 'bounceType'],
	...['createdAt', 'sentAt', 'deliveredAt', 'bouncedAt', 'complainedAt'],
];

async function channelNamed(name: string): Promise<any> {
	const { data } = await control('GET', '/records/channels');
	return data.find((channel: any) => channel.name === name);
}

describe('Transactional email', () => {
	// Interface: SEND-1, SEND-2, SEND-3, SEND-7, MESSAGE-4, MESSAGE-5.
	test('one message to one recipient, built from a stored template', async () => {
		const { status, body } = await template({ templateSlug: 'welcome' });
		expect(status).toBe(200);
		expect(body.data).toMatchObject({ templateSlug: 'welcome', subject: 'Welcome, friend' });
		expect(await inbox()).toMatchObject([{ to: 'ada.lovelace@example.com' }]);
	});

	// Interface: SEND-3, SEND-9.
	test('or from inline HTML', async () => {
		const { body } = await send({ html: '<p>Inline</p>' });
		expect(body.data).toMatchObject({ subject: 'A small message', templateSlug: null });
		expect(await inbox()).toMatchObject([{ html: '<p>Inline</p>' }]);
	});

	// Interface: SEND-4, SEND-5, MESSAGE-21, MESSAGE-22.
	test('to someone who complained, too, and without a header to unsubscribe', async () => {
		const complaining = { to: 'complain@example.com', idempotencyKey: 'k' };
		await send(complaining);
		await control('POST', '/clock', { advance: 60_000 });
		const { data } = (await send(complaining)).body;
		expect(data).toMatchObject({
			status: 'complained',
			complainedAt: expect.stringMatching(dateTime),
		});
		await send({ to: 'complain@example.com' });
		expect(await inbox()).toHaveLength(2);
		expect(JSON.stringify(await inbox())).not.toMatch(/unsubscribe/i);
	});
});

describe('what a send brings', () => {
	// Interface: SEND-26, MESSAGE-1, MESSAGE-2, MESSAGE-3, MESSAGE-4, MESSAGE-5, MESSAGE-6,
	// MESSAGE-7, MESSAGE-8, MESSAGE-9, MESSAGE-10, MESSAGE-11, MESSAGE-12, MESSAGE-13, MESSAGE-14,
	// MESSAGE-16, MESSAGE-17, MESSAGE-18, MESSAGE-19, MESSAGE-20, MESSAGE-21.
	test('is in `data`, with its fields and no others', async () => {
		const { body } = await send();
		expect(Object.keys(body)).toEqual(['data']);
		expect(Object.keys(body.data)).toEqual(messageFields);
		expect(body.data).toMatchObject({
			id: expect.stringMatching(uuid),
			createdAt: expect.stringMatching(dateTime),
			source: 'api',
			attemptCount: 1,
		});
	});

	// Interface: MESSAGE-3, MESSAGE-6, MESSAGE-7, MESSAGE-8, MESSAGE-9, MESSAGE-10, SEND-19,
	// SEND-20.
	test('to, subject, from, fromName, replyTo, messageId and idempotencyKey are those of the message', async () => {
		const fields = { fromName: 'Charles', replyTo: 'charles@example.com', idempotencyKey: 'key-1' };
		const { data } = (await send(fields)).body;
		expect(data).toMatchObject({ ...fields, to: 'ada.lovelace@example.com' });
		const { messageId, from } = data;
		expect(await inbox()).toMatchObject([{ ...fields, messageId, from }]);
	});

	// Interface: MESSAGE-18, MESSAGE-19, MESSAGE-22.
	test('the timestamps sentAt and deliveredAt are set when the message gets there', async () => {
		const original = (await send({ idempotencyKey: 'k' })).body.data;
		expect(original).toMatchObject({ status: 'queued', sentAt: null, deliveredAt: null });
		await control('POST', '/clock', { advance: 1000 });
		const sent = (await send({ idempotencyKey: 'k' })).body.data;
		expect(sent).toMatchObject({ status: 'sent', deliveredAt: null });
		expect(sent.sentAt).toMatch(dateTime);
		await control('POST', '/clock', { advance: 60_000 });
		const delivered = (await send({ idempotencyKey: 'k' })).body.data;
		expect(delivered.status).toBe('delivered');
		expect(delivered.deliveredAt > delivered.sentAt).toBe(true);
	});

	// Interface: MESSAGE-2, MESSAGE-13, MESSAGE-14, MESSAGE-15.
	test('status may be `rejected`, with error and errorReason', async () => {
		const { status, body } = await send({ to: 'reject@example.com' });
		const reasons = { error: expect.any(String), errorReason: expect.any(String) };
		expect([status, body.data]).toMatchObject([200, { status: 'rejected', ...reasons }]);
		expect(await inbox()).toEqual([]);
	});

	// Interface: MESSAGE-16, MESSAGE-20, MESSAGE-22.
	test('bounceType may be `Permanent`, with bouncedAt', async () => {
		const first = await send({ to: 'bounce@example.com', idempotencyKey: 'k' });
		expect(first.body.data).toMatchObject({ status: 'queued', bounceType: null });
		await control('POST', '/clock', { advance: 5000 });
		const later = await send({ to: 'bounce@example.com', idempotencyKey: 'k' });
		expect(later.body.data).toMatchObject({ status: 'bounced', bounceType: 'Permanent' });
		expect(later.body.data.bouncedAt).toMatch(dateTime);
		expect(await inbox()).toEqual([]);
	});
});

describe('POST /transactional/send', () => {
	// Interface: SEND-2, SEND-6.
	test.each([
		...[undefined, null, 5, '', 'ada', '@example.com', 'ada lovelace@example.com'],
		...[['ada@example.com'], 'ada@example.com, grace@example.com'],
	])('to is one email address, not %j', async (to) => {
		expect((await send({ to })).status).toBe(400);
		expect(await inbox()).toEqual([]);
	});

	// Interface: SEND-3, SEND-7, SEND-8, SEND-14, WORK-5.
	test('either templateSlug or html is needed, not both', async () => {
		const { status, body } = await send({ templateSlug: 'welcome' });
		expect(status).toBe(400);
		expect(body.error.message).toMatch(/templateSlug and html/);
		expect((await template({})).status).toBe(400);
		expect((await template({ templateSlug: 7 })).status).toBe(400);
		expect((await template({ templateSlug: 'no-such-template' })).status).toBe(404);
	});

	// Interface: SEND-10.
	test('html requires subject', async () => {
		const { status, body } = await send({ subject: undefined });
		expect(status).toBe(400);
		expect(body.error.message).toMatch(/subject/);
	});

	// Interface: SEND-11.
	test('html has 256 KB at most, in bytes of UTF-8', async () => {
		expect((await send({ html: 'é'.repeat(131_072) })).status).toBe(200);
		expect((await send({ html: 'é'.repeat(131_072) + '.' })).status).toBe(413);
		expect(await inbox()).toHaveLength(1);
	});

	// Interface: SEND-12, ERROR-1.
	test('a `{{token}}` without value and default is refused, and nothing is sent', async () => {
		const html = '{{first}} {{second}} {{third|default}} {{fourth}}';
		const refused = await send({ html, variables: { second: 'two', fourth: null } });
		expect(refused.status).toBe(400);
		expect(refused.body.error.message).toMatch(/: first, fourth$/);
		expect(await inbox()).toEqual([]);
		await send({ html, variables: { first: 1, second: '', fourth: true } });
		expect(await inbox()).toMatchObject([{ html: '1  default true' }]);
	});

	// Interface: SEND-13.
	test('subject takes the place of the template’s', async () => {
		const variables = { firstName: 'Ada' };
		const subject = 'Hello {{firstName}}';
		const { body } = await template({ templateSlug: 'welcome', subject, variables });
		expect(body.data.subject).toBe('Hello Ada');
	});

	// Interface: SEND-15.
	test('text is the alternative in plain text', async () => {
		await send({ text: 'Plain {{name}}', variables: { name: '<Ada>' } });
		expect(await inbox()).toMatchObject([{ text: 'Plain <Ada>' }]);
	});

	// Interface: SEND-16.
	test('text is made from the HTML where there is none', async () => {
		await send({ html: '<p>One</p><p>Two &amp; <b>three</b></p>' });
		expect(await inbox()).toMatchObject([{ text: 'One\n\nTwo & three' }]);
	});

	// Interface: SEND-16.
	test('HTML of 10,000 nested tables is sent; its text ends where it gets too deep', async () => {
		const html = `<p>Above</p>${'<table>'.repeat(10_000)}Below`;
		expect((await send({ html })).status).toBe(200);
		expect(await inbox()).toMatchObject([{ html, text: expect.stringMatching(/^Above\n\n/) }]);
	});

	// Interface: SEND-18.
	test('values of variables are HTML-escaped in the body, not in the subject', async () => {
		const name = `<b>"Ada" & 'co'</b>`;
		await send({ html: '<p>{{name}}</p>', subject: 'For {{name}}', variables: { name } });
		expect(await inbox()).toMatchObject([
			{
				html: '<p>&lt;b&gt;&quot;Ada&quot; &amp; &#39;co&#39;&lt;/b&gt;</p>',
				subject: `For ${name}`,
			},
		]);
	});

	// Interface: SEND-17.
	test.each([['text'], [['list']], [{ nested: { object: true } }]])(
		'variables is an object of values, not %j',
		async (variables) => {
			expect((await send({ variables })).status).toBe(400);
		},
	);

	test('defaults may be empty, null and inherited names are no values, and {{}} is text', async () => {
		const html = '[{{nothing|}}] {{constructor|default}} {{name|there}} {{}}';
		await send({ html, variables: { name: null } });
		expect(await inbox()).toMatchObject([{ html: '[] default there {{}}' }]);
	});

	// Interface: SEND-7, SEND-13, SEND-15, SEND-19, SEND-20, SEND-21, SEND-24, SEND-25, WORK-4,
	// WORK-5.
	test.each([
		...['fromName', 'text', 'idempotencyKey', 'subject'].map((field) => [field, 7]),
		...['replyTo', 'channelId', 'contactId'].map((field) => [field, 'text']),
	])('%s has its own type, and is not %j', async (field, value) => {
		expect((await send({ [field]: value })).status).toBe(400);
	});

	// Interface: SEND-21, WORK-4, MESSAGE-6, MESSAGE-7.
	test('channelId: the message is sent through that channel', async () => {
		const channel = await channelNamed('Example Support');
		const { body } = await send({ channelId: channel.id });
		expect(body.data).toMatchObject({ from: channel.fromEmail, fromName: 'Example Support' });
	});

	// Interface: SEND-22.
	test('without channelId, the template’s channel is taken', async () => {
		const variables = { resetUrl: 'https://example.com/reset' };
		const { body } = await template({ templateSlug: 'password-reset', variables });
		expect(body.data.fromName).toBe('Example Support');
	});

	// Interface: SEND-23.
	test('without that, the oldest verified channel is taken', async () => {
		const { data } = await control('GET', '/records/channels');
		expect(data[0].verified).toBe(false);
		expect((await send()).body.data.from).toBe(data[1].fromEmail);
		expect((await template({ templateSlug: 'welcome' })).body.data.from).toBe(data[1].fromEmail);
	});

	// Interface: WORK-3.
	test('a message is sent through a verified channel of the workspace', async () => {
		const { id } = await channelNamed('Example Archive');
		const unverified = await send({ channelId: id });
		expect([unverified.status, unverified.body.error.code]).toEqual([400, 'CHANNEL_NOT_VERIFIED']);
		expect((await send({ channelId: unknownId })).body.error.code).toBe('CHANNEL_NOT_FOUND');
		const live = (await control('GET', '/records/channels?mode=live')).data[1];
		expect((await send({ channelId: live.id })).status).toBe(404);
		await control('PUT', '/records/channels', { records: [] });
		expect((await send()).body.error.code).toBe('NO_VERIFIED_CHANNEL');
	});

	// Interface: SEND-25, WORK-1.
	test('contactId links the message to a contact of the same company', async () => {
		const [ada] = await service.contacts();
		expect((await send({ contactId: ada.id })).status).toBe(200);
		expect((await inbox())[0].contactId).toBe(ada.id);
		const live = (await control('GET', '/contacts?mode=live')).data[0];
		const refused = await send({ contactId: live.id });
		expect([refused.status, refused.body.error.code]).toEqual([404, 'CONTACT_NOT_FOUND']);
	});

	test('fields that the API description does not name are ignored', async () => {
		expect((await send({ cc: 'grace@example.com' })).status).toBe(200);
	});
});

describe('an idempotency key', () => {
	const idempotencyKey = 'order-4711';

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

	// Interface: SEND-24.
	test('is optional: without one, each request sends', async () => {
		await send();
		await send();
		expect(await inbox()).toHaveLength(2);
	});

	// Interface: SEND-12, ERROR-1.
	test('of a request that was rejected for its tokens is still free', async () => {
		expect((await send({ html: '{{name}}', idempotencyKey })).status).toBe(400);
		expect((await send({ html: '{{name|friend}}', idempotencyKey })).status).toBe(200);
	});

	test('is another one in another workspace', async () => {
		await send({ idempotencyKey });
		const live = await send({ idempotencyKey, html: 'Other' }, { key: service.sandbox.liveKey });
		expect(live.status).toBe(200);
	});
});
