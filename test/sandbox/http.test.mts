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
		expect(answer).toMatchObject({ status: 200, body: { data: expect.anything() } });
		expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
		const unauthorized = { status: 401, body: { error: { code: 'UNAUTHORIZED' } } };
		expect(await ask('', null)).toMatchObject(unauthorized);
		expect(new URL(service.sandbox.baseUrl).pathname).toBe('/api/v1');
		expect((await ask('/../..')).status).toBe(404);
	},
);

describe('the API key', () => {
	// Interface: AUTH-1, AUTH-2, AUTH-3.
	test.each([
		['authorization', 'Bearer KEY', 200],
		['authorization', 'bearer KEY', 200],
		['authorization', 'Basic KEY', 401],
		['x-api-key', 'KEY', 200],
		['x-api-key', 'KEYx', 401],
	])('in the header %s as %s: %d', async (header, value, status) => {
		const headers = { [header]: value.replace('KEY', service.sandbox.testKey) };
		const answer = await call('GET', '/widgets', undefined, { key: null, headers });
		expect(answer.status).toBe(status);
	});

	// Interface: AUTH-4, AUTH-5, WORK-1, CONTACT-1.
	test('with sk_live_ is for live data, with sk_test_ for test data', async () => {
		const { testKey, liveKey } = service.sandbox;
		expect([testKey.slice(0, 8), liveKey.slice(0, 8)]).toEqual(['sk_test_', 'sk_live_']);
		await send({}, { key: liveKey });
		expect([(await service.inbox('live')).length, (await service.inbox()).length]).toEqual([1, 0]);
		const { body } = await call('GET', '/contacts?limit=1', undefined, { key: liveKey });
		expect(body.data[0].companyId).not.toBe((await service.contacts())[0].companyId);
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
		expect(await control('GET', '/rate')).toMatchObject({
			test: { admitted: 60, refused: operations.length, remaining: 0 },
			live: { admitted: 1, refused: 0, remaining: 59 },
		});
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

const sending = 'POST /transactional/send';

// Interface: HTTP-1, HTTP-4, HTTP-5.
test.each([
	['JSON that ends early', sending, '{"to":', 400, 'MALFORMED_REQUEST'],
	['JSON with a prototype', sending, '{"__proto__":{}}', 400, 'MALFORMED_REQUEST'],
	['JSON that is a list', sending, '[]', 400, 'VALIDATION_ERROR'],
	['JSON that is null', `PUT /contacts/${unknownId}`, 'null', 400, 'VALIDATION_ERROR'],
	['a body of more than a mebibyte', sending, ' '.repeat(2 ** 20 + 1), 413, 'BODY_TOO_LARGE'],
	['an unknown path', 'GET /opportunities?page=1', undefined, 404, 'ROUTE_NOT_FOUND'],
])('%s is refused', async (_what, operation, body, status, code) => {
	const [method, path] = operation.split(' ');
	const answer = await call(method, path, body);
	expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});

// Interface: HTTP-4.
test('a body of another content type is refused', async () => {
	const headers = { 'content-type': 'application/x-www-form-urlencoded' };
	const { status, body } = await call('POST', '/transactional/send', 'x', { headers });
	expect([status, body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
});
