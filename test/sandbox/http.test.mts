import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';

import { collections } from '../support/sandbox/collections.mts';
import { inlineMessage, unknownId, useService } from './service.mts';

const service = useService({ requestsPerMinute: 60 });
const { call, control, send } = service;

/** Each operation, with a body that it accepts. */
const operations = [
	{ method: 'POST', path: '/transactional/send', body: inlineMessage },
	{ method: 'PUT', path: '/contacts/{id}', body: {} },
	...Object.values(collections).map(({ path }) => ({ method: 'GET', path, body: undefined })),
];

// Interface: HTTP-1, HTTP-2, HTTP-3, HTTP-5, AUTH-1, SEND-1, UPDATE-1, LIST-12, WORK-2.
test.each(operations)(
	'$method $path responds in JSON, below the version, to a key',
	async ({ method, path, body }) => {
		const [{ id }] = await service.contacts();
		const ask = (prefix: string, key?: null) =>
			call(method, prefix + path.replace('{id}', id), body, { key });
		const answer = await ask('');
		expect(answer.status).toBe(200);
		expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
		expect(answer.body).toMatchObject({ data: expect.anything() });
		const rejected = await ask('', null);
		expect([rejected.status, rejected.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
		expect(new URL(service.sandbox.baseUrl).pathname).toBe('/api/v1');
		expect((await ask('/../..')).status).toBe(404);
	},
);

describe('the API key', () => {
	const withHeaders = async (headers: Record<string, string>) =>
		(await call('GET', '/widgets', undefined, { key: null, headers })).status;

	// Interface: AUTH-1, AUTH-2, AUTH-3.
	test('may come in either header, and has to be a key of the service', async () => {
		const { testKey } = service.sandbox;
		expect(await withHeaders({ authorization: `Bearer ${testKey}` })).toBe(200);
		expect(await withHeaders({ authorization: `bearer ${testKey}` })).toBe(200);
		expect(await withHeaders({ 'x-api-key': testKey })).toBe(200);
		expect(await withHeaders({ 'x-api-key': `${testKey}x` })).toBe(401);
		expect(await withHeaders({ authorization: `Basic ${testKey}` })).toBe(401);
	});

	// Interface: AUTH-4, AUTH-5, WORK-1, CONTACT-1.
	test('with sk_live_ is for live data, with sk_test_ for test data', async () => {
		const { testKey, liveKey } = service.sandbox;
		expect([testKey.slice(0, 8), liveKey.slice(0, 8)]).toEqual(['sk_test_', 'sk_live_']);
		await send({}, { key: liveKey });
		expect([(await service.inbox('live')).length, (await service.inbox()).length]).toEqual([1, 0]);
		const companies = await Promise.all(
			[testKey, liveKey].map(async (key) => {
				const { body } = await call('GET', '/contacts?limit=1', undefined, { key });
				return body.data[0].companyId;
			}),
		);
		expect(new Set(companies).size).toBe(2);
	});
});

describe('the rate limit', () => {
	// Interface: AUTH-6, LIMIT-1, LIMIT-2.
	test('is 60 requests a minute for each key, and all operations count', async () => {
		const all = Array.from({ length: 60 }, () => call('GET', '/widgets'));
		expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(60).fill(200));
		for (const { method, path, body } of operations) {
			expect((await call(method, path.replace('{id}', unknownId), body)).status).toBe(429);
		}
		expect(await service.inbox()).toEqual([]);
		expect((await send({}, { key: service.sandbox.liveKey })).status).toBe(200);
	});

	// Interface: OPEN-18.
	test.each(['fixedWindow', 'slidingWindow', 'tokenBucket'])(
		'accepts a request after the wait that it asked for (%s)',
		async (limiter) => {
			await service.variants({ limiter });
			await control('PATCH', '/rate', { requestsPerMinute: 1 });
			await call('GET', '/widgets');
			const { headers } = await call('GET', '/widgets');
			await control('POST', '/clock', { advance: Number(headers['retry-after']) * 1000 });
			expect((await call('GET', '/widgets')).status).toBe(200);
		},
	);
});

describe('bad input results in an error of the service', () => {
	// Interface: HTTP-1.
	test.each(['{"to":', 'no json', '', '{"__proto__":{"to":"a@example.com"}}'])(
		'malformed JSON %j',
		async (body) => {
			const headers = { 'content-type': 'application/json' };
			const answer = await call('POST', '/transactional/send', body, { headers });
			expect([answer.status, answer.body.error.code]).toEqual([400, 'MALFORMED_REQUEST']);
		},
	);

	test.each(['[]', 'null', '"text"', undefined])('JSON that is no object: %s', async (body) => {
		const { status, body: answer } = await call('POST', '/transactional/send', body);
		expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR']);
		expect((await call('PUT', `/contacts/${unknownId}`, body)).status).toBe(400);
	});

	// Interface: HTTP-4.
	test('another content type', async () => {
		const headers = { 'content-type': 'application/x-www-form-urlencoded' };
		const { status, body } = await call('POST', '/transactional/send', 'x', { headers });
		expect([status, body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
	});

	test('JSON of 10,000 levels, which the log survives', async () => {
		const deep = '['.repeat(10_000) + ']'.repeat(10_000);
		const body = `{"to":"ada@example.com","subject":"s","html":"h","variables":${deep}}`;
		const answer = await call('POST', '/transactional/send', body);
		expect([answer.status, answer.body.error.code]).toEqual([400, 'MALFORMED_REQUEST']);
		expect((await control('GET', '/requests')).data).toMatchObject([{ bodyLost: true }]);
		const body500 = JSON.parse('['.repeat(500) + ']'.repeat(500));
		const fault = control('POST', '/faults', { kind: 'body', body: body500 });
		await expect(fault).rejects.toThrow('The JSON is nested more than 500 levels');
	});

	test('a body of more than a mebibyte', async () => {
		const { status, body } = await send({ text: 'x'.repeat(1024 * 1024) });
		expect([status, body.error.code]).toEqual([413, 'BODY_TOO_LARGE']);
	});

	// Interface: HTTP-5.
	test('an unknown path, and another method', async () => {
		const { status, body } = await call('GET', '/opportunities?page=1');
		expect([status, body.error.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
		const { status: wrong, headers } = await call('DELETE', '/contacts');
		expect([wrong, headers.allow]).toEqual([405, expect.stringContaining('GET')]);
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
