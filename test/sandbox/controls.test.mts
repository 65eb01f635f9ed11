import { describe, expect, test } from '@jest/globals';

import { useService } from './service.mts';

const service = useService();
const { call, control, send, inbox } = service;

test('a reset puts everything back as at the start, with the same IDs', async () => {
	const fresh = await service.contacts();
	const message = (await send()).body.data.id;
	const changes = [
		['PUT', '/contacts', { contacts: [] }],
		['PATCH', '/variants', { listOrder: 'unspecified' }],
		['PATCH', '/rate', { requestsPerMinute: 3 }],
		['POST', '/faults', { kind: 'status' }],
		['POST', '/changes', { every: 1, create: 1 }],
		['POST', '/clock', { advance: 1000 }],
		['POST', '/addresses', { address: 'a@example.com', outcome: 'fail' }],
		['POST', '/reset', undefined],
	] as const;
	for (const [method, path, body] of changes) await control(method, path, body);
	expect(await service.contacts()).toEqual(fresh);
	for (const path of ['/inbox', '/messages', '/requests', '/faults']) {
		expect(await control('GET', path)).toEqual({ data: [] });
	}
	expect(await control('GET', '/changes')).toEqual({ plan: null, made: [] });
	expect(await control('GET', '/addresses')).toEqual({ data: {} });
	expect((await control('GET', '/clock')).advanced).toBe(0);
	expect((await control('GET', '/variants')).listOrder).toBe('createdAscending');
	expect((await control('GET', '/rate')).requestsPerMinute).toBe(0);
	expect((await send()).body.data.id).toBe(message);
});

test('a reset with another seed has other keys and data, as many as it asks for', async () => {
	const [ada] = await service.contacts();
	const other = await control('POST', '/reset', { seed: 2, contacts: 3, requestsPerMinute: 1 });
	expect(other.testKey).not.toBe(service.sandbox.testKey);
	expect(await control('GET', '/keys')).toEqual({ test: other.testKey, live: other.liveKey });
	expect((await control('GET', '/rate')).requestsPerMinute).toBe(1);
	const contacts = await service.contacts();
	expect(contacts).toHaveLength(3);
	expect(contacts[0]).toMatchObject({ firstName: 'Ada', email: 'ada.lovelace@example.com' });
	expect(contacts[0].id).not.toBe(ada.id);
});

test('the inbox has what was delivered, in order, and messages are all there', async () => {
	const names = ['ada', 'bounce', 'reject', 'fail', 'alan'];
	for (const name of names) await send({ to: `${name}@example.com` });
	await control('POST', '/clock', { advance: 10_000 });
	const states = (await control('GET', '/messages')).data.map(({ state }: any) => state);
	expect(states).toEqual(['delivered', 'bounced', 'rejected', 'failed', 'delivered']);
	expect((await inbox()).map(({ to }) => to)).toEqual(['ada@example.com', 'alan@example.com']);
	await control('DELETE', '/inbox');
	expect(await inbox()).toEqual([]);
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

describe("what a control can't do, it refuses in words", () => {
	test.each([
		['GET', '/nothing', undefined, /404.*no control/],
		['GET', '/inbox?mode=production', undefined, /400/],
		['POST', '/reset', { contact: 5 }, /additional properties/],
		['POST', '/faults', { kind: 'status', status: 99 }, />= 200/],
		['POST', '/faults', { kind: 'redirect' }, /needs a 'location'/],
		['POST', '/faults', { kind: 'delay' }, /needs 'delayMs'/],
		['POST', '/faults', { kind: 'status', path: 'contacts' }, /begins with a slash/],
		['POST', '/changes', { every: 0 }, /400/],
		['PUT', '/contacts', { contacts: [{ surname: 'X' }] }, /400/],
		['PATCH', '/variants', { toString: 1 }, /additional properties/],
		['POST', '/reset', { variants: { clockOffset: 5 } }, /clockOffset.*allowed values/],
	] as const)('%s %s %j', async (method, path, body, expected) => {
		await send();
		await expect(control(method, path, body)).rejects.toThrow(expected);
		expect(await inbox()).toHaveLength(1);
		expect(await control('GET', '/faults')).toEqual({ data: [] });
	});
});
