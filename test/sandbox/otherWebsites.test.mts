import { expect, test } from '@jest/globals';
import { request } from 'undici';

import { useService } from './service.mts';

const service = useService();

/** Anything in the sandbox, requested with these headers. */
async function call(method: string, path: string, headers: Record<string, string>, body?: string) {
	const url = new URL(path, service.sandbox.baseUrl);
	const answer = await request(url, { method, headers, body } as object);
	return { status: answer.statusCode, text: await answer.body.text() };
}

const withKey = () => ({ 'x-api-key': service.sandbox.testKey });

/** What a page of another website makes a browser send; the host is one of DNS rebinding. */
const foreign = [
	{ host: 'attacker.example:8787' },
	{ host: '127.0.0.1.attacker.example' },
	{ host: '[::1]' },
	{ origin: 'http://attacker.example' },
	{ origin: 'null' },
	{ origin: 'http://127.0.0.1:1' },
	{ 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
	{ 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'script' },
] as Array<Record<string, string>>;

test.each([
	'/api/v1/contacts',
	'/_sandbox',
	'/_sandbox/inbox',
	'/_sandbox/page/own/main.mjs',
	'/_sandbox/page/lit-html/lit-html.js',
	'/_sandbox/view',
	'/_sandbox/keys',
])('%s is not for other websites', async (path) => {
	for (const headers of foreign) {
		const { status, text } = await call('GET', path, { ...headers, ...withKey() });
		expect([headers, status]).toEqual([headers, 403]);
		expect(text).toContain('is for this machine');
	}
	for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST']) {
		const host = `${name}:${new URL(service.sandbox.baseUrl).port}`;
		const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
		expect((await call('GET', path, { ...own, ...withKey() })).status).toBe(200);
	}
});

test('another website may link to the page, and to nothing else', async () => {
	const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document', ...withKey() };
	expect((await call('GET', '/_sandbox', headers)).status).toBe(200);
	expect((await call('GET', '/_sandbox/keys', headers)).status).toBe(403);
	expect((await call('GET', '/api/v1/contacts', headers)).status).toBe(403);
});

test('no website can show the page inside of its own, and it loads nothing from elsewhere', async () => {
	const { headers } = await request(service.sandbox.controlUrl);
	expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
	const policy = headers['content-security-policy'];
	expect(policy).toContain("frame-ancestors 'none'");
	expect(policy).not.toMatch(/unsafe|\*|https?:/);
});

test('a control does nothing for what a browser sends without asking', async () => {
	await service.send();
	const types = ['text/plain; application/json', 'multipart/form-data; boundary=x', ''];
	for (const [method, path] of [
		['POST', '/_sandbox/reset'],
		['PUT', '/_sandbox/contacts'],
		['PATCH', '/_sandbox/variants'],
		['DELETE', '/_sandbox/inbox'],
	]) {
		for (const type of types) {
			const headers: Record<string, string> = type ? { 'content-type': type } : {};
			const { status, text } = await call(method, path, headers, type && '{}');
			expect([status, text]).toEqual([415, expect.stringContaining('application/json')]);
		}
	}
	expect(await service.inbox()).toHaveLength(1);
});
