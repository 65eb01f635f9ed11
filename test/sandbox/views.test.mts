import { describe, expect, jest, test } from '@jest/globals';
import { request } from 'undici';

import { RequestLog, type LoggedRequest } from '../../sandbox/control/requestLog.mts';
import { News } from '../../sandbox/news.mts';
import { useService } from './service.mts';

const service = useService(['--requests-per-minute', '0']);
const { call, control, send } = service;
const view = (path: string): Promise<any> => control('GET', `/view${path}`);

describe('messages', () => {
	test('come page by page, the newest first, without their content', async () => {
		for (const number of [1, 2, 3]) await send({ subject: `Message ${number}` });
		const { data, ...page } = await view('/messages?limit=2&page=1');
		expect(data.map(({ subject }: any) => subject)).toEqual(['Message 3', 'Message 2']);
		expect(page).toMatchObject({ page: 1, pages: 2, totalCount: 3 });
		expect(JSON.stringify(data)).not.toContain('<p>Hello</p>');
		expect((await view('/messages?limit=2&page=9')).data).toMatchObject([{ subject: 'Message 1' }]);
	});

	test('are those in the inbox, all, or those that did not arrive', async () => {
		for (const name of ['ada', 'bounce', 'reject', 'fail'])
			await send({ to: `${name}@example.com` });
		const recipients = async (choice: string) =>
			(await view(`/messages?choice=${choice}`)).data.map(({ to }: any) => to.split('@')[0]);
		expect(await recipients('inbox')).toEqual(['ada']);
		expect(await recipients('all')).toEqual(['fail', 'reject', 'bounce', 'ada']);
		expect(await recipients('undelivered')).toEqual(['fail', 'reject', 'bounce']);
	});

	test('are found by recipient, subject and key, in their own workspace', async () => {
		await send({ to: 'grace@example.com', subject: 'One', idempotencyKey: 'k-100%' });
		await send({ subject: 'Two' });
		for (const search of ['GRACE', 'one', 'K-100%25']) {
			expect((await view(`/messages?search=${search}`)).data).toMatchObject([{ subject: 'One' }]);
		}
		expect((await view('/messages?mode=live')).totalCount).toBe(0);
	});

	test('tell when the next of them goes on', async () => {
		await send();
		const { nextChange } = await view('/messages');
		expect(nextChange).toBeGreaterThan(0);
		expect(nextChange).toBeLessThanOrEqual(1000);
		await control('POST', '/clock', { advance: 100_000 });
		expect((await view('/messages')).nextChange).toBeNull();
	});

	test('one shows every request that carried its key, and what came of it', async () => {
		const key = { idempotencyKey: 'k' };
		await send(key);
		await send(key);
		await send({ ...key, subject: 'Other' });
		await send({ idempotencyKey: 'another' });
		await send(key, { key: service.sandbox.liveKey });
		const { data } = await view('/messages?search=k');
		const { requests } = await view(`/messages/${data.at(-1).id}`);
		expect(requests).toMatchObject([
			{ number: 1, status: 200, replayed: false },
			{ number: 2, status: 200, replayed: true },
			{ number: 3, status: 409, code: 'IDEMPOTENCY_KEY_REUSED' },
		]);
		await expect(view('/messages/unknown')).rejects.toThrow(/404/);
	});

	test('a long one is cut, and there in full by itself, where it can do nothing', async () => {
		const html = `<!-- x --><!DOCTYPE html><script>1</script>${'x'.repeat(250_000)}`;
		const { id } = (await send({ html })).body.data;
		const detail = await view(`/messages/${id}`);
		expect(detail.html).toHaveLength(65_536);
		expect(detail.length.html).toBe(html.length);
		for (const form of ['html', 'source']) {
			const { headers, body } = await request(
				`${service.sandbox.controlUrl}/view/messages/${id}/${form}`,
			);
			const dead = html.replace('html>', 'html><base target="_blank">');
			expect(await body.text()).toBe(form === 'html' ? dead : html);
			expect(headers['content-type']).toContain(form === 'html' ? 'text/html' : 'text/plain');
			expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'; /);
			expect(headers['content-security-policy']).not.toMatch(/script-src|allow-|https?:|\*/);
		}
	});
});

test('contacts come page by page, also for anyone who asks for all at once', async () => {
	await control('POST', '/seed', { contacts: 450 });
	const { data, ...page } = await view('/contacts?limit=1000&page=3');
	expect(data).toHaveLength(50);
	expect(page).toEqual({ page: 3, pages: 3, totalCount: 450 });
	const { data: found } = await view('/contacts?search=hopper%20grace');
	expect(found).toMatchObject([{ email: 'grace.hopper@example.com' }]);
	expect(await view(`/contacts/${found[0].id}`)).toEqual(found[0]);
	await control('PATCH', `/contacts/${data[0].id}`, { notes: 'Just now' });
	expect((await view('/contacts?limit=1')).data).toMatchObject([{ notes: 'Just now' }]);
});

describe('records of other collections', () => {
	test('come page by page, the newest first, searched, with whether the service lists them', async () => {
		await control('POST', '/records/tasks', { title: 'Needle', dueAt: '2026-01-01T00:00:00.000Z' });
		await control('POST', '/records/tasks', { title: 'Later', dueAt: '2999-01-01T00:00:00.000Z' });
		const { data, ...page } = await view('/records/tasks?limit=2');
		expect(page).toEqual({ page: 1, pages: 11, totalCount: 22 });
		expect(data).toMatchObject([
			{ record: { title: 'Later' }, listed: false },
			{ record: { title: 'Needle' }, listed: true },
		]);
		const { data: found } = await view('/records/tasks?search=nEEdle');
		expect(found).toEqual([data[1]]);
		expect(await view(`/records/tasks/${found[0].record.id}`)).toEqual(found[0]);
		expect((await view('/records/tasks?mode=live')).totalCount).toBe(20);
		await expect(view('/records/tasks/unknown')).rejects.toThrow(/404/);
		await expect(view('/records/nothing')).rejects.toThrow(/400/);
	});

	test('a template tells its tokens, each with its default, and looks as with those', async () => {
		const html = '<p>{{ name | you }} {{name}} {{a.b|}} {{}} {{name}}</p>';
		const template = { slug: 't', name: 'T', subject: '{{name}}', html, channelId: null };
		const { data } = await control('POST', '/records/templates', template);
		expect((await view(`/templates/${data.id}`)).tokens).toEqual([
			{ name: 'name' },
			{ name: 'name', fallback: ' you ' },
			{ name: 'a.b', fallback: '' },
		]);
		await control('PATCH', '/variants', { emptyToken: 'rejected' });
		expect((await view(`/templates/${data.id}`)).tokens).toContainEqual({ name: '' });
		const { headers, body } = await request(
			`${service.sandbox.controlUrl}/view/templates/${data.id}/html`,
		);
		expect(await body.text()).toContain('<p> you  {{name}}  {{}} {{name}}</p>');
		expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'; /);
	});
});

describe('requests', () => {
	test('are filtered by method, path, status, key and text, and come page by page', async () => {
		await call('GET', '/contacts?search=needle');
		await call('GET', '/widgets', undefined, { key: null });
		await call('GET', '/widgets', undefined, { key: service.sandbox.liveKey });
		await send({ subject: 'In the body' });
		await control('POST', '/faults', { kind: 'dropBefore' });
		await call('GET', '/activities').catch(() => undefined);
		const numbers = async (query: string) =>
			(await view(`/requests?${query}`)).data.map(({ number }: any) => number);
		expect(await numbers('')).toEqual([5, 4, 3, 2, 1]);
		expect(await numbers('method=POST')).toEqual([4]);
		expect(await numbers('path=widg')).toEqual([3, 2]);
		expect(await numbers('status=4xx')).toEqual([2]);
		expect(await numbers('status=200')).toEqual([4, 3, 1]);
		expect(await numbers('status=none')).toEqual([5]);
		expect(await numbers('key=live')).toEqual([3]);
		expect(await numbers('key=none')).toEqual([2]);
		expect(await numbers('text=NEEDLE')).toEqual([1]);
		expect(await numbers('text=in%20the%20body')).toEqual([4]);
		expect(await numbers('text=valid%20API%20key')).toEqual([2]);
		expect(await numbers('limit=2&page=2')).toEqual([3, 2]);
	});

	test('one shows body and answer, and no key', async () => {
		await send({ subject: 'Shown' });
		const shown = await view('/requests/1');
		expect(shown).toMatchObject({ number: 1, body: { subject: 'Shown' }, status: 200 });
		expect(JSON.parse(shown.answer.text).data).toMatchObject({ subject: 'Shown' });
		expect(JSON.stringify([shown, await view('/requests'), await view('')])).not.toMatch(
			/sk_(test|live)_/,
		);
		await expect(view('/requests/2')).rejects.toThrow(/404/);
	});

	test('the log keeps the beginning of an answer, and the answers of the newest thousand', () => {
		const log = new RequestLog();
		const entry = { method: 'GET', path: '/', query: {}, status: 200, at: '', took: 1, key: null };
		const add = (): LoggedRequest => {
			const logged = log.add(entry);
			log.addAnswer(logged, 'é'.repeat(100_000));
			return logged;
		};
		const first = add();
		expect(log.answerTo(first)).toEqual({ text: 'é'.repeat(16_384), length: 100_000 });
		const others = Array.from({ length: 1000 }, add);
		expect(log.answerTo(first)).toBeUndefined();
		expect(others.every((logged) => log.answerTo(logged))).toBe(true);
		expect(log.find(7)?.number).toBe(7);
	});
});

test('thousands of changes are one piece of news to anyone who listens', () => {
	jest.useFakeTimers();
	const news = new News();
	const heard = jest.fn();
	const stop = news.listen(heard);
	for (let change = 0; change < 5000; change++) news.tell();
	jest.advanceTimersByTime(1000);
	expect(heard).toHaveBeenCalledTimes(1);
	news.tell();
	jest.advanceTimersByTime(250);
	expect(heard).toHaveBeenCalledTimes(2);
	stop();
	news.tell();
	jest.advanceTimersByTime(1000);
	expect(heard).toHaveBeenCalledTimes(2);
	jest.useRealTimers();
});
