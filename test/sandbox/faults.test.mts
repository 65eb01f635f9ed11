import { describe, expect, test } from '@jest/globals';

import { useService } from './service.mts';

const service = useService();
const { call, control, send, inbox } = service;

const fault = (fields: object) => control('POST', '/faults', fields);
const statuses = async (times: number, ask = () => call('GET', '/widgets')) => {
	const found: number[] = [];
	for (let asked = 0; asked < times; asked += 1) found.push((await ask()).status);
	return found;
};
const logged = async () => (await control('GET', '/requests')).data;

describe('faults', () => {
	test('a status, for the next N requests, in the error shape of the variants', async () => {
		await fault({ kind: 'status', status: 503, headers: { 'retry-after': '2' }, next: 2 });
		const first = await call('GET', '/widgets');
		expect(first).toMatchObject({ status: 503, body: { error: { code: 'ERROR_503' } } });
		expect(first.headers['retry-after']).toBe('2');
		expect(await statuses(3)).toEqual([503, 200, 200]);
	});

	test('one request by default, and no work is done', async () => {
		await fault({ kind: 'status', status: 500 });
		expect([(await send()).status, (await send()).status]).toEqual([500, 200]);
		expect(await inbox()).toHaveLength(1);
	});

	test('after: the work is done before the fault shows', async () => {
		await fault({ kind: 'status', status: 500, after: true });
		expect((await send({ idempotencyKey: 'k' })).status).toBe(500);
		expect(await inbox()).toHaveLength(1);
		expect((await send({ idempotencyKey: 'k' })).status).toBe(200);
		expect(await inbox()).toHaveLength(1);
	});

	test.each([
		['dropBefore', 0],
		['dropAfter', 1],
	])('%s: the connection ends after %d messages', async (kind, messages) => {
		await fault({ kind });
		await expect(send()).rejects.toThrow();
		expect(await inbox()).toHaveLength(messages);
		expect(await logged()).toMatchObject([{ fault: kind, status: null }]);
	});

	test('malformed and truncated: the body is no JSON, or ends in the middle', async () => {
		await fault({ kind: 'malformed' });
		const { status, headers, body } = await call('GET', '/widgets');
		expect([status, typeof body]).toEqual([200, 'string']);
		expect(headers['content-type']).toContain('json');
		await fault({ kind: 'truncated' });
		await expect(call('GET', '/widgets')).rejects.toThrow();
	});

	test('redirect: another place', async () => {
		await fault({ kind: 'redirect', location: 'http://127.0.0.2:1/elsewhere', status: 307 });
		const { status, headers } = await call('GET', '/widgets');
		expect([status, headers.location]).toEqual([307, 'http://127.0.0.2:1/elsewhere']);
	});

	test('body: any body with any status', async () => {
		await fault({ kind: 'body', body: { data: null } });
		expect(await call('GET', '/widgets')).toMatchObject({ status: 200, body: { data: null } });
		const headers = { 'content-type': 'text/html' };
		await fault({ kind: 'body', status: 202, body: '<p>Log in</p>', headers });
		const page = await call('GET', '/widgets');
		expect(page).toMatchObject({ status: 202, body: '<p>Log in</p>' });
		expect(page.headers['content-type']).toBe('text/html');
	});

	test('delay: the request takes that long, in real time', async () => {
		await fault({ kind: 'delay', delayMs: 200 });
		const started = performance.now();
		expect((await call('GET', '/widgets')).status).toBe(200);
		expect(performance.now() - started).toBeGreaterThan(190);
	});

	test('a reset ends a delayed request, and its work is never done', async () => {
		await fault({ kind: 'delay', delayMs: 60_000 });
		const delayed = expect(send()).rejects.toThrow();
		// It is logged when it comes, and delayed a moment later.
		while ((await logged())[0]?.fault !== 'delay');
		await control('POST', '/reset');
		await delayed;
		expect(await inbox()).toEqual([]);
	});

	test('method, path and match: only some requests', async () => {
		await fault({ kind: 'status', method: 'get', path: '/contacts' });
		await fault({ kind: 'status', status: 502, match: 'grace' });
		expect((await call('GET', '/widgets')).status).toBe(200);
		expect((await send()).status).toBe(200);
		expect((await send({ to: 'grace.hopper@example.com' })).status).toBe(502);
		expect((await call('GET', '/contacts')).status).toBe(500);
		expect(await control('GET', '/faults')).toEqual({ data: [] });
	});

	test('probability: drawn from a seed, so that a run can be repeated', async () => {
		const run = async () => {
			await control('POST', '/reset');
			await fault({ kind: 'status', probability: 0.3, seed: 7 });
			return await statuses(40);
		};
		const first = await run();
		expect(await run()).toEqual(first);
		expect(new Set(first)).toEqual(new Set([200, 500]));
	});

	test('the first fault that matches hits, and clearing ends them', async () => {
		await fault({ kind: 'status', status: 500, next: 9 });
		await fault({ kind: 'status', status: 503, next: 9 });
		expect(await statuses(2)).toEqual([500, 500]);
		expect(await control('GET', '/faults')).toMatchObject({ data: [{ left: 7 }, { left: 9 }] });
		await control('DELETE', '/faults');
		expect(await statuses(1)).toEqual([200]);
	});

	test('a faulted request counts toward the rate limit unless the fault is a 429', async () => {
		const remaining = async () => (await control('GET', '/rate')).test.remaining;
		await control('PATCH', '/rate', { requestsPerMinute: 10 });
		await fault({ kind: 'status', status: 429 });
		await call('GET', '/widgets');
		expect(await remaining()).toBe(10);
		await fault({ kind: 'status', status: 500 });
		await call('GET', '/widgets');
		expect(await remaining()).toBe(9);
	});

	test.each([
		[{}, /kind/],
		[{ kind: 'status', status: 99 }, />= 200/],
		[{ kind: 'status', unknown: 1 }, /additional properties/],
		[{ kind: 'redirect' }, /needs a 'location'/],
		[{ kind: 'delay' }, /needs 'delayMs'/],
		[{ kind: 'status', path: 'contacts' }, /begins with a slash/],
	])('%j says what is wrong with it', async (given, expected) => {
		await expect(fault(given)).rejects.toThrow(expected);
		expect(await control('GET', '/faults')).toEqual({ data: [] });
	});
});

describe('changes to the contacts during a walk', () => {
	const firstPage = () => call('GET', '/contacts?limit=100');

	test('before every n-th GET /contacts, so many creations, deletions and updates', async () => {
		const before = await service.contacts();
		await control('POST', '/changes', { every: 2, create: 3, delete: 1, update: 1, seed: 5 });
		const counts: number[] = [];
		for (let page = 0; page < 4; page += 1) {
			counts.push((await firstPage()).body.meta.pagination.totalCount);
		}
		expect(counts).toEqual([40, 42, 42, 44]);
		const { made } = await control('GET', '/changes');
		expect(made).toHaveLength(2);
		const after = new Map((await service.contacts()).map((contact) => [contact.id, contact]));
		for (const { created, deleted } of made) {
			expect(created).toHaveLength(3);
			for (const id of deleted) expect(after.has(id)).toBe(false);
		}
		const [updated] = made[0].updated;
		expect(after.get(updated)?.notes).not.toBe(before.find(({ id }) => id === updated)?.notes);
	});

	test('they stop when told to', async () => {
		await control('POST', '/changes', { every: 1, delete: 1 });
		await firstPage();
		await control('DELETE', '/changes');
		await firstPage();
		expect(await service.contacts()).toHaveLength(39);
		await expect(control('POST', '/changes', { every: 0 })).rejects.toThrow(/400/);
	});
});
