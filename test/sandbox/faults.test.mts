import { describe, expect, test } from '@jest/globals';
import pWaitFor from 'p-wait-for';

import { useService } from './service.mts';

const service = useService();
const { call, control, send, inbox } = service;

const fault = (fields: object) => control('POST', '/faults', fields);
const statuses = async (times: number) => {
	const found: number[] = [];
	for (let asked = 0; asked < times; asked++) found.push((await call('GET', '/widgets')).status);
	return found;
};
const logged = async () => (await control('GET', '/requests')).data;

describe('a fault', () => {
	const html = { 'content-type': 'text/html' };
	const location = 'http://127.0.0.2:1/elsewhere';

	test.each<[object, object]>([
		[{ kind: 'status' }, { status: 500, body: { error: { code: 'ERROR_500' } } }],
		[{ kind: 'status', status: 503, headers: { 'retry-after': '2' } }, { status: 503 }],
		[
			{ kind: 'body', body: { data: null } },
			{ status: 200, body: { data: null } },
		],
		[
			{ kind: 'body', status: 202, body: '<p>', headers: html },
			{ status: 202, body: '<p>' },
		],
		[
			{ kind: 'redirect', location },
			{ status: 302, headers: { location } },
		],
		[{ kind: 'malformed' }, { status: 200, body: expect.any(String) }],
	])('%j answers one request', async (fields: { headers?: object }, expected) => {
		await fault(fields);
		const { headers, ...answer } = await call('GET', '/widgets');
		expect({ ...answer, headers }).toMatchObject({ headers: fields.headers ?? {}, ...expected });
		expect(await statuses(1)).toEqual([200]);
	});

	test.each([
		['dropBefore', 0],
		['dropAfter', 1],
		['truncated', 1],
	])('%s ends the connection after %d messages', async (kind, messages) => {
		await fault({ kind });
		await expect(send()).rejects.toThrow();
		expect(await inbox()).toHaveLength(messages);
		expect(await logged()).toMatchObject([{ fault: kind }]);
	});

	test.each([
		['status', false, 0],
		['status', true, 1],
		['body', false, 0],
		['body', true, 1],
		['malformed', false, 1],
	])('%s with after: %s shows when %d messages are sent', async (kind, after, messages) => {
		await fault({ kind, after, status: 500 });
		await send({ idempotencyKey: 'k' });
		expect(await inbox()).toHaveLength(messages);
		expect((await send({ idempotencyKey: 'k' })).status).toBe(200);
		expect(await inbox()).toHaveLength(1);
	});

	test('delay takes that long, in real time', async () => {
		await fault({ kind: 'delay', delayMs: 200 });
		const started = performance.now();
		expect((await call('GET', '/widgets')).status).toBe(200);
		expect(performance.now() - started).toBeGreaterThan(190);
	});

	test('delay ends with a reset, and the work is never done', async () => {
		await fault({ kind: 'delay', delayMs: 60_000 });
		const delayed = expect(send()).rejects.toThrow();
		// It is logged when it comes, and delayed a moment later.
		await pWaitFor(async () => (await logged())[0]?.fault === 'delay');
		await control('POST', '/reset');
		await delayed;
		expect(await inbox()).toEqual([]);
	});

	test('with method, path or match affects only such requests', async () => {
		await fault({ kind: 'status', method: 'get', path: '/contacts' });
		await fault({ kind: 'status', status: 502, match: 'grace' });
		expect((await call('GET', '/widgets')).status).toBe(200);
		expect((await send()).status).toBe(200);
		expect((await send({ to: 'grace.hopper@example.com' })).status).toBe(502);
		expect((await call('GET', '/contacts')).status).toBe(500);
		expect(await control('GET', '/faults')).toEqual({ data: [] });
	});

	test('with a probability is drawn from a seed, so that a run can be repeated', async () => {
		const run = async () => {
			await control('POST', '/reset');
			await fault({ kind: 'status', probability: 0.3, seed: 7 });
			return await statuses(40);
		};
		const first = await run();
		expect(await run()).toEqual(first);
		expect(new Set(first)).toEqual(new Set([200, 500]));
	});

	test('hits before later ones, as often as it says, until all are cleared', async () => {
		await fault({ kind: 'status', status: 500, next: 2 });
		await fault({ kind: 'status', status: 503, next: 9 });
		expect(await statuses(3)).toEqual([500, 500, 503]);
		expect(await control('GET', '/faults')).toMatchObject({ data: [{ left: 8 }] });
		await control('DELETE', '/faults');
		expect(await statuses(1)).toEqual([200]);
	});

	test('counts toward the rate limit unless it is a 429', async () => {
		await control('PATCH', '/rate', { requestsPerMinute: 10 });
		for (const status of [429, 500]) await fault({ kind: 'status', status });
		expect(await statuses(2)).toEqual([429, 500]);
		expect((await control('GET', '/rate')).test.remaining).toBe(9);
	});
});

test('changes come before every n-th GET /contacts, until they are told to stop', async () => {
	const before = await service.contacts();
	await control('POST', '/changes', { every: 2, create: 3, delete: 1, update: 1, seed: 5 });
	const count = async () => (await call('GET', '/contacts')).body.meta.pagination.totalCount;
	expect([await count(), await count(), await count(), await count()]).toEqual([40, 42, 42, 44]);
	const { made } = await control('GET', '/changes');
	await control('DELETE', '/changes');
	expect([await count(), await count()]).toEqual([44, 44]);
	const after = new Map((await service.contacts()).map((contact) => [contact.id, contact]));
	expect(made).toHaveLength(2);
	for (const { created, deleted } of made) {
		expect(created.map((id: string) => after.has(id))).toEqual([true, true, true]);
		expect(deleted.map((id: string) => after.has(id))).toEqual([false]);
	}
	const [updated] = made[0].updated;
	expect(after.get(updated)?.notes).not.toBe(before.find(({ id }) => id === updated)?.notes);
});
