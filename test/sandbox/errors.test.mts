import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';

import { inlineMessage, unknownId, useService } from './service.mts';

const service = useService(['--requests-per-minute', '0']);
const { call, send, control, variants } = service;

describe('bad input: always an error in the service’s shape, never a stack trace', () => {
	// Interface: HTTP-1.
	test.each(['{"to":', 'no json', '', '[1,', '{"__proto__":{"to":"a@example.com"}}'])(
		'malformed JSON %j',
		async (body) => {
			const headers = { 'content-type': 'application/json' };
			const answer = await call('POST', '/transactional/send', body, { headers });
			expect([answer.status, answer.body.error.code]).toEqual([400, 'MALFORMED_REQUEST']);
		},
	);

	test.each(['[]', 'null', '"text"', '5'])('JSON that is no object: %s', async (body) => {
		expect((await call('POST', '/transactional/send', body)).status).toBe(400);
		expect((await call('PUT', `/contacts/${unknownId}`, body)).status).toBe(400);
	});

	test('no body at all', async () => {
		const { status, body } = await call('POST', '/transactional/send');
		expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
	});

	// Interface: HTTP-4.
	test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
		'content type %s',
		async (type) => {
			const headers = { 'content-type': type };
			const { status, body } = await call('POST', '/transactional/send', 'x', { headers });
			expect([status, body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
		},
	);

	test.each(['[', '{"a":'])('JSON of 10,000 nested %s, which the log survives', async (open) => {
		const deep = open.repeat(10_000) + '1' + (open === '[' ? ']' : '}').repeat(10_000);
		const inField = `{"to":"ada@example.com","subject":"s","html":"h","variables":${deep}}`;
		for (const body of [deep, inField]) {
			const answer = await call('POST', '/transactional/send', body);
			expect([answer.status, answer.body.error.code]).toEqual([400, 'MALFORMED_REQUEST']);
		}
		expect((await control('GET', '/requests')).data).toHaveLength(2);
		expect(await control('GET', '/view/requests/1')).toMatchObject({ bodyLost: true });
	});

	test('JSON of 500 levels is none too deep, in a request or for a control', async () => {
		const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
		const fault = (levels: number) =>
			control('POST', '/faults', { kind: 'body', body: nested(levels - 1) });
		expect((await send({ other: nested(499) })).status).toBe(200);
		expect((await send({ other: nested(500) })).status).toBe(400);
		await fault(500);
		await expect(fault(501)).rejects.toThrow('400 {"error":"The JSON is nested more than 500');
	});

	test('a body of more than a mebibyte', async () => {
		const { status, body } = await send({ text: 'x'.repeat(1024 * 1024) });
		expect([status, body.error.code]).toEqual([413, 'BODY_TOO_LARGE']);
	});

	// Interface: HTTP-5.
	test('an unknown route, inside the version segment and outside', async () => {
		const { status, body } = await call('GET', '/opportunities?page=1');
		expect([status, body.error.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
		expect(body.error.message).toBe('There is no GET /opportunities');
		expect((await call('GET', '/../../v2/contacts')).status).toBe(404);
	});

	// Interface: HTTP-5.
	test.each([
		['DELETE', '/contacts', 'GET'],
		['POST', '/contacts', 'GET'],
		['GET', '/transactional/send', 'POST'],
		['PATCH', `/contacts/${unknownId}`, 'PUT'],
		['PUT', '/widgets', 'GET'],
	])('wrong method %s %s', async (method, path, allowed) => {
		const { status, body, headers } = await call(method, path);
		expect([status, body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
		expect(headers.allow).toContain(allowed);
	});

	test('a query parameter that comes twice', async () => {
		expect((await call('GET', '/contacts?page=1&page=2')).status).toBe(400);
	});

	test('something that is not HTTP', async () => {
		const socket = connect(Number(new URL(service.sandbox.baseUrl).port), '127.0.0.1');
		socket.write('this is not HTTP\r\n\r\n');
		const [answer] = await once(socket, 'data');
		expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
		socket.destroy();
		expect((await call('GET', '/widgets')).status).toBe(200);
	});
});

describe('the body of an error', () => {
	const reuse = async () => {
		await send({ idempotencyKey: 'k' });
		return await send({ idempotencyKey: 'k', subject: 'Another' });
	};
	const code = 'IDEMPOTENCY_KEY_REUSED';
	const message = expect.stringContaining("'k'");
	const line = expect.stringMatching(/^IDEMPOTENCY_KEY_REUSED: .*'k'/);

	// Interface: OPEN-16.
	test.each([
		['nested', { error: { code, message } }],
		['flat', { code, message }],
		['string', { error: line }],
		['array', { errors: [{ code, message }] }],
		['problem', { type: 'about:blank', title: message, status: 409, detail: message, code }],
		['text', line],
		['html', expect.stringMatching(/^<!DOCTYPE html>[^]*IDEMPOTENCY_KEY_REUSED: .*&#39;k&#39;/)],
		['empty', ''],
		['nest', { statusCode: 409, message, error: 'Conflict', code }],
		['fastApi', { detail: { code, message } }],
		['spring', expect.objectContaining({ status: 409, error: 'Conflict', message, code })],
		['rails', { status: 409, error: line }],
		['laravel', { message, code }],
		['aspNet', expect.objectContaining({ title: 'Conflict', status: 409, detail: message, code })],
	])('errorBody %s', async (errorBody, expected) => {
		await variants({ errorBody });
		const { status, body } = await reuse();
		expect(status).toBe(409);
		expect(body).toEqual(expected);
	});

	const invalid = 'VALIDATION_ERROR';
	const words = expect.stringContaining('to');

	// Interface: OPEN-16.
	test.each([
		['nest', { statusCode: 400, message: [words], error: 'Bad Request', code: invalid }],
		[
			'fastApi',
			{
				detail: [
					expect.objectContaining({ loc: ['body'], msg: expect.stringMatching(/^VALI.*to/) }),
				],
			},
		],
		[
			'spring',
			expect.objectContaining({
				message: expect.stringContaining('Validation failed'),
				errors: [expect.objectContaining({ defaultMessage: words, code: invalid })],
			}),
		],
		['rails', { base: [expect.stringMatching(/^VALIDATION_ERROR: .*to/)] }],
		['laravel', { message: words, errors: { request: [words] }, code: invalid }],
		['aspNet', expect.objectContaining({ status: 400, errors: { '': [words] }, code: invalid })],
	])('errorBody %s of an invalid request', async (errorBody, expected) => {
		await variants({ errorBody });
		const { status, body } = await send({ to: 'nobody' });
		expect(status).toBe(400);
		expect(body).toEqual(expected);
	});

	test.each([
		['problem', 'application/problem+json'],
		['text', 'text/plain'],
		['html', 'text/html'],
	])('errorBody %s has the content type %s', async (errorBody, type) => {
		await variants({ errorBody });
		expect((await reuse()).headers['content-type']).toContain(type);
	});

	// Interface: ERROR-3.
	test('errorCodes: only the two codes that the interface names are always there', async () => {
		await variants({ errorCodes: 'lowerCase' });
		expect((await send({ to: 'nobody' })).body.error.code).toBe('validation_error');
		expect((await reuse()).body.error.code).toBe(code);
		await variants({ errorCodes: 'absent' });
		expect((await send({ to: 'nobody' })).body.error).not.toHaveProperty('code');
		expect((await reuse()).body.error.code).toBe(code);
	});
});

describe('failures of which the answer is open', () => {
	const [email, grace] = [inlineMessage.to, 'grace.hopper@example.com'];
	const updateAda = async (fields: object) => {
		const contacts = await service.contacts();
		const { id } = contacts.find((contact) => contact.email === email);
		return await call('PUT', `/contacts/${id}`, fields);
	};

	// Interface: OPEN-14, OPEN-15, OPEN-17.
	test.each([
		['validationStatus', [400, 422], () => send({ to: 'nobody' })],
		['missingTokenStatus', [400, 422], () => send({ html: '{{name}}' })],
		['unknownContactStatus', [404, 400, 403], () => call('PUT', `/contacts/${unknownId}`, {})],
		['unknownReferenceStatus', [404, 400, 422], () => send({ contactId: unknownId })],
		['emailTakenStatus', [409, 400, 422], () => updateAda({ email: grace })],
		['htmlLimitStatus', [413, 400, 422], () => send({ html: 'x'.repeat(262_145) })],
		['sendFailureStatus', [502, 500, 503, 422], () => send({ to: 'fail@example.com' })],
	])('%s', async (name, statuses, ask) => {
		for (const status of statuses) {
			await variants({ [name]: status });
			expect((await ask()).status).toBe(status);
		}
	});

	test('htmlLimitBytes: 256 KB may mean 256,000 bytes', async () => {
		await variants({ htmlLimitBytes: 256_000 });
		expect((await send({ html: 'x'.repeat(256_000) })).status).toBe(200);
		expect((await send({ html: 'x'.repeat(256_001) })).status).toBe(413);
	});

	// Interface: OPEN-2, MESSAGE-2.
	test('messageStatusAtSend and statusWords: the states of a message and their names', async () => {
		const status = async (fields = {}) => (await send(fields)).body.data.status;
		await variants({ messageStatusAtSend: 'sent' });
		expect(await status()).toBe('sent');
		await variants({ messageStatusAtSend: 'delivered', statusWords: 'upperCase' });
		expect(await status()).toBe('DELIVERED');
		await variants({ statusWords: 'unusual' });
		expect(await status()).toBe('arrived');
		expect(await status({ to: 'reject@example.com' })).toBe('rejected');
	});
});
