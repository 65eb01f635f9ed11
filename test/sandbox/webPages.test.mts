import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { request } from 'undici';

import { until } from '../../playground/client.mts';
import { launchBrowser } from '../support/browser/browser.mts';
import { useService } from './service.mts';

// A browser takes its time to start where several tests share a machine.
jest.setTimeout(60_000);

const service = useService();
const { control, send, inbox } = service;

/** Anything in the sandbox, asked or done with these headers. */
async function call(method: string, path: string, headers: Record<string, string>, body?: string) {
	const url = new URL(path, service.sandbox.baseUrl);
	const answer = await request(url, { method, headers, body });
	return { status: answer.statusCode, text: await answer.body.text() };
}

const places = [
	['the service', '/api/v1/contacts'],
	['the controls', '/_sandbox/inbox'],
	['the page for people', '/_sandbox'],
	['a file of the page', '/_sandbox/page/own/main.mjs'],
	['a library of the page', '/_sandbox/page/lit-html/lit-html.js'],
	['the looks of the page', '/_sandbox/page/pico/pico.min.css'],
	['what the page reads', '/_sandbox/view'],
	['the messages that it reads', '/_sandbox/view/messages'],
	['the contacts that it reads', '/_sandbox/view/contacts'],
	['the requests that it reads', '/_sandbox/view/requests'],
	['the templates that it reads', '/_sandbox/view/records/templates'],
	['the keys that it shows', '/_sandbox/keys'],
	['the event stream', '/_sandbox/view/events'],
	['a place that is not there', '/nothing'],
];

describe.each(places)('%s', (_what, path) => {
	// Who asks for JSON is not kept listening to the event stream.
	const withKey = () => ({ 'x-api-key': service.sandbox.testKey, accept: 'application/json' });
	const port = () => new URL(service.sandbox.baseUrl).port;

	test.each([
		'attacker.example',
		'attacker.example:8787',
		'127.0.0.1.attacker.example',
		'[::1]',
		'',
	])('refuses the host %j', async (host) => {
		const { status, text } = await call('GET', path, { host, ...withKey() });
		expect([status, text]).toEqual([403, expect.stringContaining('is for this machine')]);
	});

	test.each(['http://attacker.example', 'null', 'http://localhost', 'http://127.0.0.1:1'])(
		'refuses the origin %s',
		async (origin) => {
			const { status, text } = await call('GET', path, { origin, ...withKey() });
			expect([status, text]).toEqual([403, expect.stringContaining(origin)]);
		},
	);

	test.each(['cross-site', 'same-site'])(
		'refuses a picture or script of a %s page',
		async (site) => {
			const headers = { 'sec-fetch-site': site, 'sec-fetch-dest': 'image', ...withKey() };
			const { status, text } = await call('GET', path, headers);
			expect([status, text]).toEqual([403, expect.stringContaining(site)]);
		},
	);

	test.each(['none', 'same-origin'])('answers as usual to %s', async (site) => {
		const usual = await call('GET', path, withKey());
		const headers = { 'sec-fetch-site': site, ...withKey() };
		expect((await call('GET', path, headers)).status).toBe(usual.status);
	});

	test('knows this machine by both of its names, and its own pages', async () => {
		const usual = await call('GET', path, withKey());
		for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST']) {
			const host = `${name}:${port()}`;
			const headers = { host, origin: `http://${host}`, ...withKey() };
			expect((await call('GET', path, headers)).status).toBe(usual.status);
		}
	});
});

test.each([
	['/_sandbox', 200],
	['/_sandbox/view', 403],
	['/_sandbox/keys', 403],
	['/api/v1/contacts', 403],
])('a link to %s on a page elsewhere is answered with %i', async (path, expected) => {
	const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
	expect((await call('GET', path, headers)).status).toBe(expected);
});

describe('a control does nothing for what a page can send without asking', () => {
	const controls = [
		['POST', '/_sandbox/reset'],
		['POST', '/_sandbox/seed'],
		['POST', '/_sandbox/clock'],
		['POST', '/_sandbox/addresses'],
		['POST', '/_sandbox/faults'],
		['POST', '/_sandbox/changes'],
		['POST', '/_sandbox/contacts'],
		['PATCH', '/_sandbox/variants'],
		['PATCH', '/_sandbox/rate'],
		['PUT', '/_sandbox/contacts'],
		['DELETE', '/_sandbox/inbox'],
		['DELETE', '/_sandbox/faults'],
	];
	const types = [
		undefined,
		'text/plain',
		'text/plain; application/json',
		'application/x-www-form-urlencoded',
		'multipart/form-data; boundary=x',
		'application/jsonp',
	];
	const bodies = [undefined, '{}', '{"every":1,"create":1}'];

	test.each(controls)('%s %s', async (method, path) => {
		await send();
		for (const type of types) {
			for (const body of bodies) {
				const headers: Record<string, string> = type ? { 'content-type': type } : {};
				const { status, text } = await call(method, path, headers, body);
				expect([status, text]).toEqual([415, expect.stringContaining('application/json')]);
			}
		}
		expect(await inbox()).toHaveLength(1);
		expect((await control('GET', '/changes')).plan).toBeNull();
		expect((await control('GET', '/clock')).advanced).toBe(0);
	});

	test('as JSON it acts, with a body and without', async () => {
		for (const body of [undefined, '{}']) {
			await send();
			const headers = { 'content-type': 'application/json; charset=utf-8' };
			expect((await call('POST', '/_sandbox/reset', headers, body)).status).toBe(200);
			expect(await inbox()).toEqual([]);
		}
		const headers = { 'content-type': 'application/json' };
		const { status } = await call('POST', '/_sandbox/reset', headers, '{"contacts":');
		expect(status).toBe(400);
	});
});

describe('in a browser', () => {
	/** A name that an attacker has made to mean this machine. */
	const rebound = 'attacker.example';
	let browser: Browser;
	let elsewhere: Server;

	beforeAll(async () => {
		elsewhere = createServer((_request, response) =>
			response.setHeader('content-type', 'text/html').end('<title>Elsewhere</title>'),
		);
		await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
		browser = await launchBrowser(
			`--host-resolver-rules=MAP ${rebound} 127.0.0.1`,
			// Of newer browsers only: the sandbox has to do without.
			'--disable-features=LocalNetworkAccessChecks',
		);
	});
	afterAll(async () => {
		await browser.close();
		elsewhere.close();
	});

	test('a page of another origin neither resets the sandbox nor reads its keys', async () => {
		await send();
		const { port } = elsewhere.address() as AddressInfo;
		const page = await browser.newPage();
		await page.goto(`http://127.0.0.1:${port}/`);
		expect(await page.title()).toBe('Elsewhere');
		const seen = await attack(page, service.sandbox.controlUrl);
		expect(await inbox()).toHaveLength(1);
		expect(seen).not.toMatch(/sk_(test|live)_/);
		await page.close();
	});

	test('nor does one whose own name means this machine', async () => {
		await send();
		const { port } = new URL(service.sandbox.controlUrl);
		const page = await browser.newPage();
		const own = `http://${rebound}:${port}/`;
		await page.route(own, (route) =>
			route.fulfill({ contentType: 'text/html', body: '<title>Attack</title>' }),
		);
		await page.goto(own);
		expect(await page.title()).toBe('Attack');
		const seen = await attack(page, `http://${rebound}:${port}/_sandbox`);
		expect(await inbox()).toHaveLength(1);
		expect(seen).toContain('is for this machine');
		expect(seen).not.toMatch(/sk_(test|live)_/);
		await page.close();
	});

	test('the page for people opens under both names, with the inbox', async () => {
		await send({ subject: 'For people' });
		for (const name of ['127.0.0.1', 'localhost']) {
			const page = await browser.newPage();
			const answer = await page.goto(service.sandbox.controlUrl.replace('127.0.0.1', name));
			expect(answer?.status()).toBe(200);
			await page.locator('.rows a', { hasText: 'For people' }).waitFor();
			await page.close();
		}
	});

	/**
	 * All the ways in which a page can have something sent.
	 * @returns what the page was given to read
	 */
	async function attack(page: Page, controls: string): Promise<string> {
		let underWay = 0;
		page.on('request', () => underWay++);
		page.on('requestfinished', () => underWay--);
		page.on('requestfailed', () => underWay--);
		const seen = await page.evaluate(sendEverything, controls);
		await until('what was sent to arrive', 15, async () => underWay === 0 || undefined);
		return seen;
	}
});

/** What runs in the attacker's page. */
async function sendEverything(controls: string): Promise<string> {
	const { document, navigator } = globalThis as any;
	const post = { method: 'POST', body: '{}' };
	const json = { 'content-type': 'application/json' };
	const read = [
		await ask('/reset', { method: 'POST' }),
		await ask('/reset', { method: 'POST', mode: 'no-cors' }),
		await ask('/reset', { ...post, mode: 'no-cors' }),
		await ask('/reset', { ...post, mode: 'no-cors', keepalive: true }),
		await ask('/reset', { ...post, headers: json }),
		await ask('/inbox', { method: 'DELETE', headers: json }),
		await ask('/inbox', {}),
		await ask('/keys', {}),
		await ask('/keys', { mode: 'no-cors' }),
		await ask('', {}),
	];
	navigator.sendBeacon(`${controls}/reset`, '{}');
	navigator.sendBeacon(`${controls}/reset`);
	const types = ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded'];
	for (const type of types) await submit(type);
	return read.join('\n');

	async function ask(path: string, options: object): Promise<string> {
		try {
			return await (await fetch(controls + path, options)).text();
		} catch (error) {
			return String(error);
		}
	}

	async function submit(enctype: string): Promise<void> {
		const [form, frame] = ['form', 'iframe'].map((name) => document.createElement(name));
		frame.name = enctype;
		Object.assign(form, { method: 'post', enctype, target: enctype, action: `${controls}/reset` });
		form.innerHTML = `<input name='{"seed":1,"x":"' value='"}'>`;
		document.body.append(frame, form);
		const answered = new Promise((resolve) => (frame.onload = resolve));
		form.submit();
		await answered;
	}
}
