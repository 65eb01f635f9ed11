import { describe, expect, test } from '@jest/globals';

import { useService } from './service.mts';

const service = useService();
const { call, control, send, inbox } = service;

describe('reset and seed', () => {
	test('reset puts everything back as at the start', async () => {
		const fresh = await service.contacts();
		await send();
		await control('PUT', '/contacts', { contacts: [] });
		await control('PATCH', '/variants', { listOrder: 'unspecified' });
		await control('PATCH', '/rate', { requestsPerMinute: 3 });
		await control('PATCH', '/latency', { latency: 5 });
		await control('POST', '/faults', { kind: 'status' });
		await control('POST', '/changes', { every: 1, create: 1 });
		await control('POST', '/clock', { advance: 1000 });
		await control('POST', '/addresses', { address: 'a@example.com', outcome: 'fail' });
		await control('POST', '/reset');
		expect(await service.contacts()).toEqual(fresh);
		expect(await inbox()).toEqual([]);
		expect(await control('GET', '/requests')).toEqual({ data: [] });
		expect(await control('GET', '/faults')).toEqual({ data: [] });
		expect(await control('GET', '/changes')).toEqual({ plan: null, made: [] });
		expect(await control('GET', '/addresses')).toEqual({ data: {} });
		expect(await control('GET', '/messages')).toEqual({ data: [] });
		expect((await control('GET', '/clock')).advanced).toBe(0);
		expect((await control('GET', '/variants')).listOrder).toBe('createdAscending');
		expect(await control('GET', '/rate')).toMatchObject({
			requestsPerMinute: 0,
			test: { admitted: 0, refused: 0, remaining: null },
		});
	});

	test('reset takes other values, and returns the addresses and keys', async () => {
		const { baseUrl, controlUrl, testKey } = service.sandbox;
		const other = await control('POST', '/reset', { seed: 2, contacts: 3, requestsPerMinute: 1 });
		expect(other).toMatchObject({ baseUrl, controlUrl });
		expect(other.testKey).not.toBe(testKey);
		expect(await control('GET', '/keys')).toEqual({ test: other.testKey, live: other.liveKey });
		expect(await service.contacts()).toHaveLength(3);
		expect((await control('GET', '/rate')).requestsPerMinute).toBe(1);
	});

	test('the same seed gives the same ids, keys and times; another seed gives others', async () => {
		const first = await service.contacts();
		const message = (await send()).body.data.id;
		await control('POST', '/reset');
		expect(await service.contacts()).toEqual(first);
		expect((await send()).body.data.id).toBe(message);
		await control('POST', '/seed', { seed: 2, contacts: 5 });
		expect((await service.contacts())[4].id).not.toBe(first[4].id);
		expect((await call('GET', '/contacts')).body.data).toHaveLength(5);
	});

	test('the workspace is believable: people one knows, and templates', async () => {
		const contacts = await service.contacts();
		expect(contacts[0]).toMatchObject({ firstName: 'Ada', email: 'ada.lovelace@example.com' });
		const slugs = (await control('GET', '/records/templates')).data.map(({ slug }: any) => slug);
		expect(slugs).toEqual(['welcome', 'order-confirmation', 'password-reset']);
	});
});

describe('contacts and other records', () => {
	test('exact data may break the rules: two contacts with one email', async () => {
		const contacts = [{ email: 'same@example.com' }, { email: 'same@example.com' }];
		expect(await control('PUT', '/contacts', { contacts })).toEqual({ contacts: 2 });
		expect(await control('PUT', '/contacts?mode=live', { contacts: [] })).toEqual({ contacts: 0 });
		expect(await service.contacts()).toHaveLength(2);
	});

	test('any collection can be replaced', async () => {
		const records = [{ id: 'w1', createdAt: '2026-01-01T00:00:00.000Z', anything: [1] }];
		await control('PUT', '/records/widgets', { records });
		expect((await call('GET', '/widgets')).body.data).toEqual(records);
		await expect(control('GET', '/records/nothing')).rejects.toThrow(/400/);
	});
});

describe('inbox, messages and requests', () => {
	test('the inbox has what was delivered, in order, with everything about it', async () => {
		const [ada] = await service.contacts();
		await send({ to: 'bounce@example.com' });
		await send({ subject: 'First', idempotencyKey: 'k', contactId: ada.id });
		await send({ subject: 'Second' });
		const mails = await inbox();
		expect(mails.map(({ subject }) => subject)).toEqual(['First', 'Second']);
		expect(mails[0]).toMatchObject({
			...{ to: ada.email, html: '<p>Hello</p>', text: 'Hello', idempotencyKey: 'k' },
			...{ contactId: ada.id, deliveredAt: expect.any(String) },
		});
		await control('DELETE', '/inbox');
		expect(await inbox()).toEqual([]);
	});

	test('messages are all there, whatever their state', async () => {
		for (const name of ['ada', 'bounce', 'reject', 'fail'])
			await send({ to: `${name}@example.com` });
		await control('POST', '/clock', { advance: 10_000 });
		const { data } = await control('GET', '/messages');
		const states = data.map(({ state }: any) => state);
		expect(states).toEqual(['delivered', 'bounced', 'rejected', 'failed']);
	});

	test('addresses: any address can have any outcome, and another one later', async () => {
		const address = 'Grace.Hopper@example.com';
		await control('POST', '/addresses', { address, outcome: 'fail' });
		expect((await send({ to: 'grace.hopper@example.com' })).status).toBe(502);
		await control('POST', '/addresses', { address, outcome: 'deliver' });
		expect((await send({ to: 'grace.hopper@example.com' })).status).toBe(200);
	});

	test('the request log never has a key or a header', async () => {
		await call('GET', '/contacts?page=2&limit=3');
		await call('GET', '/widgets', undefined, { key: null });
		await send({}, { key: service.sandbox.liveKey });
		const log = await control('GET', '/requests');
		expect(log.data).toMatchObject([
			{ path: '/contacts', query: { page: '2', limit: '3' }, status: 200, key: 'test' },
			{ method: 'GET', path: '/widgets', status: 401, key: null },
			{ method: 'POST', path: '/transactional/send', key: 'live', body: { html: '<p>Hello</p>' } },
		]);
		expect(JSON.stringify(log)).not.toContain('sk_');
		await control('DELETE', '/requests');
		expect((await control('GET', '/requests')).data).toEqual([]);
	});
});

describe('rate and latency', () => {
	test('the rate counters tell what was admitted and what was refused', async () => {
		await control('PATCH', '/rate', { requestsPerMinute: 1 });
		await call('GET', '/widgets');
		await call('GET', '/widgets');
		expect(await control('GET', '/rate')).toEqual({
			requestsPerMinute: 1,
			limiter: 'fixedWindow',
			test: { admitted: 1, refused: 1, remaining: 0 },
			live: { admitted: 0, refused: 0, remaining: 1 },
		});
	});

	test('latency is added to every request to the service', async () => {
		await control('PATCH', '/latency', { latency: 100 });
		const started = performance.now();
		await call('GET', '/widgets');
		expect(performance.now() - started).toBeGreaterThan(95);
	});
});

describe('bad input to the controls', () => {
	test.each([
		['GET', '/nothing', undefined, /404/],
		['POST', '/clock', { advance: 8.64e15 }, /400/],
		['POST', '/reset', { contact: 5 }, /400/],
		['POST', '/addresses', { address: 'a@example.com', outcome: 'vanish' }, /400/],
		['POST', '/seed', { contacts: 200_001 }, /<= 200000/],
		['POST', '/reset', { latency: 600_001 }, /<= 600000/],
		['GET', '/inbox?mode=production', undefined, /400/],
		['PUT', '/contacts', { contacts: [{ surname: 'X' }] }, /400/],
	] as const)('%s %s %j', async (method, path, body, expected) => {
		await expect(control(method, path, body)).rejects.toThrow(expected);
	});

	test('a reset with wrong variants changes nothing', async () => {
		await send();
		await expect(control('POST', '/reset', { variants: { clockOffset: 1 } })).rejects.toThrow();
		expect(await inbox()).toHaveLength(1);
	});
});
