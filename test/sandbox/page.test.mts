import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { launchBrowser } from '../support/browser/browser.mts';
import { useService } from './service.mts';

const service = useService();
const { call, control, send, inbox, contacts } = service;

// A browser takes its time to start where several tests share a machine.
jest.setTimeout(60_000);
let browser: Browser;
let page: Page;
beforeAll(async () => void (browser = await launchBrowser()));
afterEach(() => page.context().close());
afterAll(() => browser.close());

/** Opens a view. @returns requests to elsewhere and errors, as they happen */
async function open(place: string, options: BrowserContextOptions = {}): Promise<string[]> {
	const viewport = { width: 1280, height: 800 };
	page = await (await browser.newContext({ viewport, ...options })).newPage();
	const strange: string[] = [];
	page.on('request', (asked) => {
		if (!asked.url().startsWith(service.sandbox.controlUrl)) strange.push(asked.url());
	});
	page.on('pageerror', (error) => strange.push(error.message));
	await go(place);
	await page.locator('h1').waitFor();
	return strange;
}

const go = (place: string) => page.goto(`${service.sandbox.controlUrl}#/${place}`);
const row = (text: string) => page.locator('.rows a', { hasText: text });
const detail = (text: string) => page.locator('.detail').getByText(text).first().waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const said = (text: string) => page.getByRole('status').getByText(text).waitFor();

test('shows what workflows send and request, by itself', async () => {
	const strange = await open('inbox');
	await send({ subject: 'For Ada', idempotencyKey: 'once' });
	await row('For Ada').click();
	await detail('once');
	await page.frameLocator('iframe').getByText('Hello').waitFor();
	await send({ subject: 'For Ada', idempotencyKey: 'once' });
	await detail('original returned');
	await page.getByRole('link', { name: 'Request 2' }).click();
	await detail('"idempotencyKey": "once"');
	await send({ to: 'reject@example.com', subject: 'For nobody' });
	await page.getByRole('link', { name: 'Inbox' }).click();
	await page.getByLabel('Which messages').selectOption('Not delivered');
	await row('For Ada').waitFor({ state: 'detached' });
	await row('For nobody').waitFor();
	await page.getByLabel('Search').fill('somewhere');
	await row('For nobody').waitFor({ state: 'detached' });
	expect(strange).toEqual([]);
});

test('creates, finds, changes and deletes a contact', async () => {
	await open('contacts?mode=live');
	await page.getByRole('button', { name: 'New contact' }).click();
	await page.getByLabel('firstName').fill('Emmy');
	await page.getByLabel('tags').fill('vip, new');
	await press('Create');
	await said('Done');
	await detail('vip,new');
	await page.getByText('Change', { exact: true }).click();
	await page.getByLabel('firstName').fill('');
	await page.getByLabel('lastName').fill('Noether');
	await press('Save');
	await page.getByRole('heading', { name: 'Noether' }).waitFor();
	const stored = async () => (await control('GET', '/contacts?mode=live')).data.at(-1);
	expect(await stored()).toMatchObject({
		firstName: null,
		lastName: 'Noether',
		tags: ['vip', 'new'],
	});
	await page.getByLabel('Search').fill('noether');
	await row('Noether').waitFor();
	await press('Delete');
	await detail('Not found.');
	expect((await stored()).lastName).not.toBe('Noether');
});

test('sets variants and uses controls, and shows what they reject', async () => {
	await open('controls');
	await page.getByLabel('clockOffset').selectOption('3600');
	await said('Done');
	expect((await control('GET', '/variants')).clockOffset).toBe(3600);
	await press('Take the service down');
	await page.getByText('"probability":1').waitFor();
	expect((await call('GET', '/widgets')).status).toBe(503);
	await press('End all faults');
	await page.getByText('"probability":1').waitFor({ state: 'detached' });
	await page.locator('summary').getByText('Add a fault').click();
	const fault = page.getByRole('form', { name: 'Add a fault' });
	await fault.getByLabel('kind').selectOption('delay');
	await fault.getByRole('button').click();
	await said("A delay needs 'delayMs'");
	await fault.getByLabel('delayMs').fill('1');
	await page.waitForResponse('**/view');
	expect(await fault.getByLabel('delayMs').inputValue()).toBe('1');
	await fault.getByRole('button').click();
	await said('Done');
	expect((await control('GET', '/faults')).data).toMatchObject([{ kind: 'delay', delayMs: 1 }]);
});

test('can be used by everyone, on narrow screens too', async () => {
	for (const name of ['ada.lovelace', 'bounce', 'fail']) {
		await send({ to: `${name}@example.com`, idempotencyKey: 'x'.repeat(200) });
	}
	const { id } = (await control('GET', '/messages')).data[0];
	const contact = (await contacts())[0].id;
	await open('inbox', { viewport: { width: 360, height: 740 } });
	for (const place of [`inbox/${id}`, `contacts/${contact}`, 'requests/1', 'controls']) {
		await go(place);
		await page.locator(place === 'controls' ? 'table' : '.panes').waitFor();
		const axe = new AxeBuilder({ page }).exclude('iframe').options({ iframes: false });
		const { violations } = await axe.setLegacyMode().analyze();
		expect([place, violations.map(({ id, nodes }) => [id, nodes[0].html])]).toEqual([place, []]);
		const width = await page.evaluate('document.documentElement.scrollWidth');
		expect([place, width]).toEqual([place, 360]);
	}
});

test('what a message contains runs nothing, loads nothing and leads nowhere', async () => {
	const loaded: string[] = [];
	const elsewhere = createServer(({ url }, response) => {
		loaded.push(url!);
		response.end();
	});
	await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
	const out = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
	const { controlUrl } = service.sandbox;
	const html = `<script>parent.hit = 1; fetch('${controlUrl}/reset', { method: 'POST' })</script>
		<img src="${out}/image.png" onerror="top.hit = 1"><svg onload="top.hit = 1">
		<meta http-equiv="refresh" content="0;url=${out}/"><iframe src="${controlUrl}"></iframe>
		<form action="${controlUrl}/reset" method="post"><button>Press</button></form>
		<a href="${out}/" target="_top">Out</a>`;
	const subject = '<img src=x onerror="hit = 1">\u202e';
	await send({ subject, html, fromName: '</bdi></main><script>hit = 1</script>' });
	const { id } = (await control('GET', '/messages')).data[0];
	const strange = await open(`inbox/${id}`);
	const frame = page.frameLocator('iframe');
	await frame.getByText('Press').click();
	await frame.getByText('Out').click();
	await go('requests/1');
	await detail('onerror');
	expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false);
	expect(await page.locator('main img').count()).toBe(0);
	expect(loaded).toEqual([]);
	// The browser reports requests that it blocked, too.
	expect(strange.filter((what) => !what.startsWith(out))).toEqual([]);
	elsewhere.close();
	expect(await inbox()).toHaveLength(1);
});

test('the picture for the documents', async () => {
	for (const firstName of ['Alan', 'Grace', 'Ada', 'Ada']) {
		const to = (await contacts()).find((contact) => contact.firstName === firstName).email;
		const welcome = { to, templateSlug: 'welcome', variables: { firstName } };
		const idempotencyKey = `welcome-${firstName.toLowerCase()}`;
		await call('POST', '/transactional/send', { ...welcome, idempotencyKey });
	}
	await control('POST', '/clock', { advance: 60_000 });
	const { id } = (await control('GET', '/messages')).data.at(-1);
	await open(`inbox/${id}`, { deviceScaleFactor: 2, viewport: { width: 1000, height: 560 } });
	await page.frameLocator('iframe').getByText('Hello').waitFor();
	const path = process.env.PICTURES ? 'docs/sandbox-inbox.png' : undefined;
	expect((await page.screenshot({ path })).length).toBeLessThan(300_000);
});
