import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';

import { atLength, isBrief } from '../support/atLength.mts';
import { barriers, clipboard, hasFocus, overhang, page, row, usePage } from './page.mts';
import { useService } from './service.mts';

const service = useService(['--requests-per-minute', '0']);
const { call, control, send, inbox } = service;
const { open, go } = usePage(service);
const views = [
	...['inbox', 'contacts', 'templates', 'activities', 'tasks'],
	...['requests', 'variants', 'controls'],
];

const body = () => page.locator('body');

/** Something of everything, also of what went wrong. */
async function fill(): Promise<void> {
	for (const name of ['ada.lovelace', 'grace.hopper', 'complain', 'bounce', 'fail', 'reject']) {
		const to = `${name}@example.com`;
		await send({ to, subject: `For ${name}`, idempotencyKey: `key-${name}` });
	}
	await send({
		to: 'ada.lovelace@example.com',
		subject: 'Other',
		idempotencyKey: 'key-ada.lovelace',
	});
	await call('GET', '/contacts?search=ada&limit=2');
	await control('PATCH', '/variants', { errorBody: 'rails', sendStatus: 202 });
	await control('POST', '/faults', { kind: 'status', path: '/transactional', next: 3 });
	await control('POST', '/addresses', { address: 'alan.turing@example.com', outcome: 'bounce' });
}

describe('what is new', () => {
	test('appears by itself, and leaves focus, typed text and what is open alone', async () => {
		for (let number = 0; number < 30; number++) await send({ subject: `Earlier ${number}` });
		await open('inbox');
		await row('Earlier 20').click();
		await page.getByRole('heading', { name: 'Earlier 20' }).waitFor();
		const scrolled = () => page.locator('.rows').evaluate((rows: any) => rows.scrollTop);
		await page.locator('.rows').evaluate((rows: any) => rows.scrollTo(0, 300));
		await send({ subject: 'Just sent' });
		await row('Just sent').waitFor();
		expect(await scrolled()).toBeGreaterThanOrEqual(300);
		expect(await page.locator('h2').textContent()).toContain('Earlier 20');
		expect(await hasFocus(page.locator('.detail h2'))).toBe(true);
	});

	test('leaves a half-filled form alone', async () => {
		await open('controls');
		await page.getByLabel('Address', { exact: true }).fill('half-ty');
		await send();
		await page.getByText('1 admitted').waitFor();
		expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe('half-ty');
		expect(await page.evaluate(() => (globalThis as any).document.activeElement.name)).toBe(
			'address',
		);
	});

	test('leaves a choice alone that is not applied yet', async () => {
		await call('GET', '/widgets');
		await open('requests');
		await row('GET').waitFor();
		await page.clock.install();
		await page.clock.pauseAt(Date.now() + 3_600_000);
		await page.getByLabel('Method').selectOption('POST');
		await send();
		await row('POST').waitFor();
		await page.clock.runFor(1000);
		await row('GET').waitFor({ state: 'detached' });
	});

	test('a message is followed to its end, and what is planned is called so', async () => {
		// The complaint comes a minute later, however long the browser takes.
		const { id } = (await send({ to: 'complain@example.com' })).body.data;
		await open(`inbox/${id}`);
		const timeline = page.locator('.timeline');
		expect(await timeline.textContent()).toMatch(/complained\s+planned/);
		await control('POST', '/clock', { advance: 60_000 });
		await page.locator('.timeline .complained').waitFor();
		expect(await timeline.textContent()).not.toContain('planned');
	});
});

test('a variant that is flipped on the page changes the next answer, and stands out', async () => {
	await open('variants');
	await page.getByLabel('sendStatus').selectOption('202');
	await page.locator('.card.changed').waitFor();
	expect(await page.locator('.card.changed').textContent()).toContain('usually 200');
	expect((await send()).status).toBe(202);
	await page.getByRole('button', { name: 'Take the usual ones' }).click();
	await page.locator('.card.changed').waitFor({ state: 'detached' });
	expect((await send()).status).toBe(200);
});

test('a fault, the clock, the limit, seed and reset work from the page', async () => {
	await open('controls');
	await page.getByRole('button', { name: 'Add the fault' }).click();
	await page.getByText('1 left').waitFor();
	expect((await send()).status).toBe(500);
	await page.getByRole('button', { name: '+ 1 hour' }).click();
	await page.getByText('3600 s ahead').waitFor();
	await page.getByLabel('Requests per minute', { exact: true }).fill('7');
	await page.getByRole('button', { name: 'Limit to this' }).click();
	await page.getByText('The limit is changed.').waitFor();
	expect((await control('GET', '/rate')).requestsPerMinute).toBe(7);
	await page.getByLabel('Contacts', { exact: true }).fill('3');
	await page.getByRole('button', { name: 'Seed', exact: true }).click();
	await page.getByText('The data are made anew.').waitFor();
	expect(await service.contacts()).toHaveLength(3);
	const asked: string[] = [];
	page.once('dialog', (dialog) => (asked.push(dialog.message()), dialog.dismiss()));
	await page.getByRole('button', { name: 'Reset everything' }).click();
	expect(asked).toEqual([expect.stringMatching(/seed.*contacts.*variants.*log.*inbox/is)]);
	expect(await service.contacts()).toHaveLength(3);
	page.once('dialog', (dialog) => dialog.accept());
	await page.getByRole('button', { name: 'Reset everything' }).click();
	await page.getByText('Everything is as at the start.').waitFor();
	expect(await service.contacts()).toHaveLength(40);
	expect((await control('GET', '/clock')).advanced).toBe(0);
});

test('the log is filtered on the page, and a request copied as curl does the same again', async () => {
	const subject = `It's "quoted" $KEY \`x\` \u202e and\nJSON\nnot a line`;
	await send({ subject, idempotencyKey: 'k' });
	await call('GET', '/contacts?search=it%27s&limit=3');
	await open('requests');
	await page.getByLabel('Method').selectOption('POST');
	await row('GET').waitFor({ state: 'detached' });
	await row('POST').click();
	await page.getByRole('button', { name: 'Copy' }).click();
	await page.getByText('Copied.').waitFor();
	const curl = await clipboard();
	expect(curl).not.toMatch(/sk_(test|live)_|\u202e/);
	const env = { ...process.env, KEY: service.sandbox.testKey };
	const { stdout } = await promisify(execFile)('sh', ['-c', curl], { env });
	expect(stdout).toMatch(/^HTTP\/1.1 200/);
	expect(await inbox()).toHaveLength(1);
	expect((await control('GET', '/requests')).data.at(-1)).toMatchObject({ replayed: true });
	await page.goto(`${service.sandbox.controlUrl}#/requests/2`);
	const get = page.getByLabel('As curl');
	await get.filter({ hasText: '/contacts' }).waitFor();
	await promisify(execFile)('sh', ['-c', (await get.textContent())!], { env });
	const [, asked, again] = (await control('GET', '/requests')).data.filter(
		({ method }: any, index: number) => method === 'GET' || index === 0,
	);
	expect(again.query).toEqual(asked.query);
});

test('the keyboard reaches every view and what is in it, and shows where it is', async () => {
	await fill();
	await open('inbox');
	for (const view of views) {
		const link = page.locator('.views a', { hasText: new RegExp(view, 'i') });
		await page.locator('.brand').focus();
		while (!(await hasFocus(link))) await page.keyboard.press('Tab');
		expect(await link.evaluate((one: any) => one.matches(':focus-visible'))).toBe(true);
		await page.keyboard.press('Enter');
		await page.locator('.views a[aria-current]', { hasText: new RegExp(view, 'i') }).waitFor();
		const inside = page.locator('main :focus');
		for (let steps = 0; steps < 20 && (await inside.count()) === 0; steps++) {
			await page.keyboard.press('Tab');
		}
		expect(await inside.evaluate((one: any) => one.matches(':focus-visible'))).toBe(true);
	}
});

// The search for barriers is what takes its time: once for each view, but at length.
describe.each([
	['light', test, true, { colorScheme: 'light' }],
	['dark', atLength, true, { colorScheme: 'dark' }],
	['on a phone', test, !isBrief, { viewport: { width: 360, height: 740 } }],
] as const)('%s', (_name, inTime, isSearched, options) => {
	inTime('every view is accessible and as wide as the screen', async () => {
		await fill();
		await open('inbox', options);
		const { id } = (await control('GET', '/messages')).data[0];
		const [contact] = await service.contacts();
		const template = (await control('GET', '/records/templates')).data[1].id;
		const opened = [`inbox/${id}`, `contacts/${contact.id}`, `templates/${template}`, 'requests/1'];
		const forms = ['contacts/new', 'activities/new', 'tasks/new'];
		for (const view of [...views, ...opened, ...forms]) {
			await go(view);
			if (isSearched) expect([view, await barriers()]).toEqual([view, []]);
			expect([view, await overhang()]).toEqual([view, 0]);
		}
	});
});

test('long words wrap, and a long subject leaves room for the rest', async () => {
	const word = 'w'.repeat(400);
	const [{ id }] = await service.contacts();
	const fields = { tags: [word], phone: word, notes: word, company: word, firstName: word };
	await control('PATCH', `/contacts/${id}`, fields);
	const message = (await send({ subject: word })).body.data.id;
	await open('inbox', { viewport: { width: 360, height: 740 } });
	for (const place of ['inbox', `inbox/${message}`, 'contacts', `contacts/${id}`, 'requests/1']) {
		await go(place);
		expect([place, await overhang()]).toEqual([place, 0]);
		const head = page.locator('.detail article > header');
		if (place.includes('/')) expect((await head.boundingBox())!.height).toBeLessThan(120);
	}
});

test('marks that turn the direction of text are shown, and turn nothing beside them', async () => {
	const [{ id }] = await service.contacts();
	await control('PATCH', `/contacts/${id}`, { firstName: '\u202eab', tags: ['\u202ecd', 'ef'] });
	await send({ html: '<p>turn \u202e here \u2066</p>', subject: ' ' });
	const message = (await control('GET', '/messages')).data[0].id;
	await open(`inbox/${message}?part=text`);
	await page.getByRole('heading', { name: '(no subject)' }).waitFor();
	expect(await page.getByLabel('Content').textContent()).toBe('turn \\u202e here \\u2066');
	await page.goto(`${service.sandbox.controlUrl}#/contacts/${id}`);
	const marked = page.locator('.detail :text("\u202e")');
	await marked.first().waitFor();
	for (const place of await marked.all()) {
		expect(await place.evaluate((one: any) => one.localName)).toBe('bdi');
	}
});

test('what a credential is made of is copied under Controls', async () => {
	const { baseUrl, testKey, liveKey } = service.sandbox;
	await open('controls');
	for (const [name, value] of [
		['Base URL', baseUrl],
		['Test key', testKey],
		['Live key', liveKey],
	]) {
		await page.getByRole('button', { name: `Copy: ${name}` }).click();
		await page.getByRole('status').getByText(`Copied: ${name}.`).waitFor();
		expect(await clipboard()).toBe(value);
	}
	expect((await call('GET', '/widgets', undefined, { key: await clipboard() })).status).toBe(200);
	await control('POST', '/reset', { seed: 2 });
	await page.getByText(testKey).waitFor({ state: 'detached' });
});

test('a browser that does not let anything be copied is shown of, with what to do', async () => {
	await open('controls', { permissions: [] });
	await page.getByRole('button', { name: 'Copy: Test key' }).click();
	await page.getByRole('status').getByText('Select the text').waitFor();
});

test('what was said goes when it is so no more, anyone who has changed it', async () => {
	await open('controls');
	await page.getByRole('button', { name: '+ 1 hour' }).click();
	await page.getByText('The clock is moved.').waitFor();
	await send();
	await page.getByText('1 admitted').waitFor();
	expect(await page.getByText('The clock is moved.').count()).toBe(1);
	await control('POST', '/reset');
	await page.getByText('s ahead').waitFor({ state: 'detached' });
	expect(await page.getByText('The clock is moved.').count()).toBe(0);
});

test('the arrow keys go through a list, Enter opens, Escape leads back', async () => {
	for (const name of ['One', 'Two', 'Three']) await send({ subject: name });
	await open('inbox');
	await row('Three').focus();
	for (const [key, name] of [
		['ArrowDown', 'Two'],
		['ArrowDown', 'One'],
		['ArrowDown', 'One'],
		['ArrowUp', 'Two'],
		['Home', 'Three'],
		['ArrowUp', 'Three'],
		['End', 'One'],
	]) {
		await page.keyboard.press(key);
		expect([key, await hasFocus(row(name))]).toEqual([key, true]);
	}
	await page.keyboard.press('Enter');
	await page.locator('.detail h2:focus', { hasText: 'One' }).waitFor();
	await page.keyboard.press('Escape');
	await page.locator('.rows a:focus', { hasText: 'One' }).waitFor();
	expect(await page.locator('.detail h2').count()).toBe(0);
});

test.each(['light', 'dark'] as const)('%s: hovered is not chosen', async (colorScheme) => {
	for (const name of ['One', 'Two', 'Three']) await send({ subject: name });
	// Colours that fade in would be others on the way.
	await open('inbox', { colorScheme, reducedMotion: 'reduce' });
	await row('One').click();
	await page.locator('.detail h2').waitFor();
	await row('Two').hover();
	const looks = async (name: string): Promise<string> =>
		await row(name).evaluate(
			(one: any) => (globalThis as any).getComputedStyle(one).backgroundColor,
		);
	const [chosen, hovered, usual] = [await looks('One'), await looks('Two'), await looks('Three')];
	expect(new Set([chosen, hovered, usual]).size).toBe(3);
});

test('focus stays near when what had it goes', async () => {
	await control('PATCH', '/variants', { sendStatus: 202, errorBody: 'rails' });
	await open('controls');
	await page.getByRole('button', { name: 'Take the service down' }).click();
	await page.getByRole('button', { name: 'End all faults' }).click();
	await page.getByText('No fault is waiting.').waitFor();
	await page.locator('h2:focus', { hasText: 'Faults' }).waitFor();
	await page.goto(`${service.sandbox.controlUrl}#/variants?choice=changed`);
	await page.getByLabel('sendStatus').focus();
	await page.getByLabel('sendStatus').selectOption('200');
	await page.getByLabel('sendStatus').waitFor({ state: 'detached' });
	await page.locator('h1:focus', { hasText: 'Variants' }).waitFor();
});

test('on a phone the way back leads to where the list was', async () => {
	for (let number = 0; number < 30; number++) await send({ subject: `Earlier ${number}.` });
	await open('inbox', { viewport: { width: 360, height: 740 } });
	await row('Earlier 5.').scrollIntoViewIfNeeded();
	const scrolled = () => page.evaluate(() => (globalThis as any).scrollY);
	const before = await scrolled();
	expect(before).toBeGreaterThan(300);
	await row('Earlier 5.').click();
	await page.locator('.detail h2:focus').waitFor();
	await page.getByText('Back to the list').click();
	await page.locator('.rows a:focus', { hasText: 'Earlier 5.' }).waitFor();
	expect(await scrolled()).toBe(before);
});

test('a body that was not kept is shown, and so is a sandbox that does not answer', async () => {
	await call('POST', '/transactional/send', { to: 'a@example.com' }, { key: null });
	await open('requests/1');
	await page.getByText('The body was not kept, so this command').waitFor();
	await page.goto(`${service.sandbox.controlUrl}#/controls`);
	await page.getByRole('button', { name: '+ 1 hour' }).waitFor();
	await page.route('**/_sandbox/**', (route) => route.abort());
	await page.getByRole('button', { name: '+ 1 hour' }).click();
	await page.getByText('The sandbox does not answer').waitFor();
	await page.unroute('**/_sandbox/**');
	await page.getByRole('button', { name: '+ 1 hour' }).click();
	await page.getByText('The clock is moved.').waitFor();
	// What the page had failed to read is read again after that.
	await page.getByText('does not answer').waitFor({ state: 'detached' });
	await page.route('**/_sandbox/**', (route) => route.abort());
	await page.getByRole('button', { name: '+ 1 hour' }).click();
	await page.getByText('The sandbox does not answer').waitFor();
	await page.unroute('**/_sandbox/**');
	await send();
	await page.getByText('does not answer').waitFor({ state: 'detached' });
});

test('a link in a message does nothing, and the keyboard is seen to be in the message', async () => {
	const html = '<!doctype html><a href="http://127.0.0.1:1/">Away</a>';
	const { id } = (await send({ html })).body.data;
	await open(`inbox/${id}`);
	const link = page.frameLocator('iframe').getByText('Away');
	await link.click();
	await link.press('Enter');
	expect(await link.count()).toBe(1);
	await page.getByText('Links and forms in the message do nothing here.').waitFor();
	await page.locator('iframe.focused').waitFor();
	const outline = await page
		.locator('iframe')
		.evaluate((one: any) => (globalThis as any).getComputedStyle(one).outlineStyle);
	expect(outline).toBe('solid');
});

test('a hostile message runs nothing, loads nothing and does not break the page', async () => {
	const { controlUrl } = service.sandbox;
	const loaded: string[] = [];
	const elsewhere = createServer(({ url }, response) => {
		loaded.push(url!);
		response.end();
	});
	await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
	const out = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
	const html = `<script>parent.hit = 1; fetch('${controlUrl}/reset', { method: 'POST' })</script>
		<img src="${out}/remote.png" onerror="top.hit = 1"><svg onload="top.hit = 1">
		<meta http-equiv="refresh" content="0;url=${out}/">
		<link rel="stylesheet" href="${out}/style.css">
		<iframe src="${controlUrl}"></iframe><iframe src="javascript:top.hit = 1"></iframe>
		<form action="${controlUrl}/reset" method="post"><button>Press</button></form>
		<a href="${out}/" target="_top">Out</a><p>${'x'.repeat(240_000)}</p>`;
	const subject = `<img src=x onerror="hit = 1">\u202e${'y'.repeat(5000)}`;
	await send({
		subject,
		html,
		fromName: '</bdi></main><script>hit = 1</script>',
		idempotencyKey: subject,
	});
	await control('PATCH', `/contacts/${(await service.contacts())[0].id}`, { notes: subject });
	await call('GET', `/contacts?search=${encodeURIComponent(subject)}`);
	const { id } = (await control('GET', '/messages')).data[0];
	const contact = (await service.contacts())[0];
	const strange = await open(`inbox/${id}`, { viewport: { width: 360, height: 740 } });
	const frame = page.frameLocator('iframe');
	await frame.getByText('Press').click();
	await frame.getByText('Out').click();
	for (const place of [
		`inbox/${id}?part=source`,
		`contacts/${contact.id}`,
		'requests',
		'requests/2',
	]) {
		await page.goto(`${controlUrl}#/${place}`);
		await body().getByText('onerror').filter({ visible: true }).first().waitFor();
		expect(await overhang()).toBe(0);
	}
	expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false);
	expect(await page.locator('main img').count()).toBe(0);
	expect(page.url()).toContain(controlUrl);
	expect(loaded).toEqual([]);
	// The browser tells of what it refused to load, too.
	expect(strange.filter((what) => !what.startsWith(out))).toEqual([]);
	elsewhere.close();
	expect(await inbox()).toHaveLength(1);
});

test('the page says what it is, and shows keys under Controls only; no other page can show it', async () => {
	await open('inbox');
	expect(await body().textContent()).toContain('Nothing leaves it');
	for (const view of views) {
		await go(view);
		const shown = (await page.content()).match(/sk_(test|live)_/g) ?? [];
		expect([view, shown.length > 0]).toEqual([view, view === 'controls']);
	}
	const answer = await page.goto(service.sandbox.controlUrl);
	const { 'content-security-policy': policy, ...headers } = answer!.headers();
	expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
	expect(policy).toContain("frame-ancestors 'none'");
	expect(policy).not.toMatch(/unsafe|\*|https?:/);
});

test('the picture for the documents', async () => {
	for (const [to, firstName] of [
		['alan.turing@example.com', 'Alan'],
		['grace.hopper@example.com', 'Grace'],
		['ada.lovelace@example.com', 'Ada'],
		['ada.lovelace@example.com', 'Ada'],
	]) {
		const welcome = { to, templateSlug: 'welcome', variables: { firstName } };
		await call('POST', '/transactional/send', { ...welcome, idempotencyKey: `welcome-${to}` });
	}
	await control('POST', '/clock', { advance: 60_000 });
	const { id } = (await control('GET', '/messages')).data.at(-1);
	await open(`inbox/${id}`, { deviceScaleFactor: 2, viewport: { width: 1000, height: 540 } });
	await page.locator('main').waitFor();
	const path = process.env.PICTURES ? 'docs/sandbox-inbox.png' : undefined;
	expect((await page.screenshot({ path })).length).toBeLessThan(300_000);
});
