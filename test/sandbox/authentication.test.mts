import { describe, expect, test } from '@jest/globals';

import { collections } from '../support/sandbox/collections.mts';
import { useService } from './service.mts';

const service = useService(['--requests-per-minute', '0']);
const { call, control, variants, send } = service;

const operations = [
	['POST', '/transactional/send'],
	['PUT', '/contacts/00000000-0000-4000-8000-000000000000'],
	...Object.values(collections).map(({ path }) => ['GET', path]),
];

describe('Authentication', () => {
	// Interface: AUTH-1.
	test.each(operations)('no operation does without a key: %s %s', async (method, path) => {
		const body = method === 'GET' ? undefined : {};
		const { status, body: answer } = await call(method, path, body, { key: null });
		expect([status, answer.error.code]).toEqual([401, 'UNAUTHORIZED']);
	});

	// Interface: AUTH-2.
	test('the key may come in the header Authorization', async () => {
		for (const scheme of ['Bearer', 'bearer']) {
			const headers = { authorization: `${scheme} ${service.sandbox.testKey}` };
			expect((await call('GET', '/widgets', undefined, { key: null, headers })).status).toBe(200);
		}
	});

	// Interface: AUTH-3.
	test('the key may come in the header X-API-Key', async () => {
		const headers = { 'x-api-key': service.sandbox.testKey };
		expect((await call('GET', '/widgets', undefined, { key: null, headers })).status).toBe(200);
	});

	// Interface: AUTH-1.
	test('a key that is not one of the two is refused', async () => {
		for (const key of ['sk_test_wrong', 'nothing', `${service.sandbox.testKey}x`]) {
			expect((await call('GET', '/widgets', undefined, { key })).status).toBe(401);
		}
		const headers = { authorization: `Basic ${service.sandbox.testKey}` };
		expect((await call('GET', '/widgets', undefined, { key: null, headers })).status).toBe(401);
	});

	// Interface: AUTH-4, AUTH-5, WORK-1, CONTACT-1.
	test('a key with sk_live_ is for live data, one with sk_test_ for test data', async () => {
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

	// Interface: AUTH-6.
	test('each key has a rate limit of its own', async () => {
		await control('PATCH', '/rate', { requestsPerMinute: 1 });
		const { liveKey } = service.sandbox;
		const statuses = [
			(await call('GET', '/widgets')).status,
			(await call('GET', '/widgets')).status,
			(await call('GET', '/widgets', undefined, { key: liveKey })).status,
		];
		expect(statuses).toEqual([200, 429, 200]);
	});

	// Interface: OPEN-17.
	test('authenticationStatus: failures for missing or invalid keys', async () => {
		await variants({ authenticationStatus: 403 });
		expect((await call('GET', '/widgets', undefined, { key: null })).status).toBe(403);
	});
});
