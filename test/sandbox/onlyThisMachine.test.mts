import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { request } from 'undici';

import { useService } from './service.mts';

const service = useService();

/** Anything in the sandbox, requested with the key and these headers. */
async function get(path: string, given: Record<string, string>) {
	const url = new URL(path, service.sandbox.baseUrl);
	const headers = { 'x-api-key': service.sandbox.testKey, ...given };
	const answer = await request(url, { headers });
	return { status: answer.statusCode, text: await answer.body.text() };
}

test('the sandbox listens on 127.0.0.1 alone', async () => {
	const port = Number(new URL(service.sandbox.baseUrl).port);
	// Every address of 127.0.0.0/8 leads to a server that listens on all.
	const socket = connect({ port, host: '127.0.0.2', timeout: 1000 });
	socket.once('timeout', () => socket.destroy(new Error('no answer')));
	await expect(once(socket, 'connect')).rejects.toThrow();
});

/** What a page of another website makes a browser send; the host is one of DNS rebinding. */
const foreign: Array<Record<string, string>> = [
	{ host: 'attacker.example:8787' },
	{ host: '127.0.0.1.attacker.example' },
	{ host: '[::1]' },
	{ origin: 'http://attacker.example' },
	{ origin: 'null' },
	{ origin: 'http://127.0.0.1:1' },
	{ 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
	{ 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'script' },
];

test.each(['/api/v1/contacts', '/_sandbox', '/_sandbox/page/page.js', '/_sandbox/keys'])(
	'%s is not for other websites',
	async (path) => {
		for (const headers of foreign) {
			const { status, text } = await get(path, headers);
			const refused = [headers, 403, expect.stringContaining('is for this machine')];
			expect([headers, status, text]).toEqual(refused);
		}
		for (const name of ['127.0.0.1', 'LOCALHOST']) {
			const host = `${name}:${new URL(service.sandbox.baseUrl).port}`;
			const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
			expect((await get(path, own)).status).toBe(200);
		}
	},
);

test.each([
	['/_sandbox', 200],
	['/_sandbox/keys', 403],
	['/api/v1/contacts', 403],
])('a link of another website to %s: %d', async (path, status) => {
	const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
	expect((await get(path, link)).status).toBe(status);
});

test('no website can show the page inside of its own, and it loads nothing from elsewhere', async () => {
	const { headers } = await request(service.sandbox.controlUrl);
	expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
	const policy = headers['content-security-policy'];
	expect(policy).toContain("frame-ancestors 'none'");
	expect(policy).not.toMatch(/unsafe|\*|https?:/);
});

test.each([{ 'content-type': 'text/plain; application/json' }, {}])(
	'a control does nothing for what a browser sends without asking: %j',
	async (headers: object) => {
		await service.send();
		for (const method of ['POST', 'PUT', 'DELETE']) {
			const url = `${service.sandbox.controlUrl}/inbox`;
			const { statusCode, body } = await request(url, { method, headers } as object);
			expect([statusCode, await body.text()]).toEqual([415, expect.stringContaining('json')]);
		}
		expect(await service.inbox()).toHaveLength(1);
	},
);
