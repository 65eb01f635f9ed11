import { describe, expect, test } from '@jest/globals';

import { barriers, overhang, page, row, usePage } from './page.mts';
import { useService } from './service.mts';

const service = useService(['--requests-per-minute', '0']);
const { call, control } = service;
const { open, go } = usePage(service);

const detail = () => page.locator('.detail');
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const fill = async (fields: Record<string, string>): Promise<void> => {
	for (const [name, value] of Object.entries(fields)) {
		await detail().getByLabel(name, { exact: true }).fill(value);
	}
};
const contactNamed = async (firstName: string) =>
	(await service.contacts()).find((contact) => contact.firstName === firstName);

/** A day later by the sandbox's clock, which is not this machine's. */
async function moveClock(): Promise<number> {
	const { now } = await control('POST', '/clock', { advance: 86_400_000 });
	return Date.parse(now);
}

describe('a contact', () => {
	test('is created by clicking, opened, and dated by the clock of the sandbox', async () => {
		const now = await moveClock();
		await open('contacts?search=nobody');
		await page.getByRole('link', { name: 'New contact' }).click();
		await page.locator('.detail h2:focus', { hasText: 'New contact' }).waitFor();
		await fill({ 'First name': 'Nelly', Email: 'nelly@example.com', Notes: 'One\nTwo' });
		await fill({ 'Tags, with commas between': 'vip, , new one ' });
		await page.getByLabel('Source').selectOption('website');
		await press('Create');
		await page.locator('.detail h2:focus', { hasText: 'Nelly' }).waitFor();
		await page.getByText('The contact is created.').waitFor();
		await row('nelly@example.com').waitFor();
		const contact = await contactNamed('Nelly');
		expect(contact).toMatchObject({
			email: 'nelly@example.com',
			notes: 'One\nTwo',
			tags: ['vip', 'new one'],
			source: 'website',
			lastName: null,
		});
		expect(Date.parse(contact.createdAt)).toBeGreaterThanOrEqual(now);
	});

	test('is changed in what was touched, whatever else becomes of it in the meantime', async () => {
		const { id } = await contactNamed('Ada');
		await control('PATCH', `/contacts/${id}`, { phone: '1', notes: ' a\r\nb ' });
		const now = await moveClock();
		await open(`contacts/${id}`);
		await page.getByText('Change', { exact: true }).click();
		await fill({ 'Job title': 'Countess', Company: '' });
		await control('PATCH', `/contacts/${id}`, { phone: '2' });
		await press('Save');
		await page.getByText('The contact is changed.').waitFor();
		const contact = await contactNamed('Ada');
		expect(contact).toMatchObject({
			jobTitle: 'Countess',
			company: null,
			phone: '2',
			notes: ' a\r\nb ',
			tags: ['vip', 'newsletter'],
			source: 'referral',
		});
		expect(Date.parse(contact.updatedAt)).toBeGreaterThanOrEqual(now);
		expect(await detail().getByLabel('Job title').inputValue()).toBe('Countess');
	});

	test('is deleted when that is meant, and the list has the focus', async () => {
		const { id } = await contactNamed('Ada');
		await open(`contacts/${id}?search=ada`);
		await detail().getByRole('button', { name: 'Delete' }).waitFor();
		page.once('dialog', (dialog) => dialog.dismiss());
		await press('Delete');
		expect(await contactNamed('Ada')).toBeDefined();
		page.once('dialog', (dialog) => dialog.accept());
		await press('Delete');
		await page.getByText('The contact is deleted.').waitFor();
		expect(await contactNamed('Ada')).toBeUndefined();
		await page.locator('.rows:focus').waitFor();
		expect(page.url()).toMatch(/#\/contacts\?search=ada$/);
	});

	test('that cannot be so is shown beside the form, and what was typed stays', async () => {
		await open('contacts/new');
		await fill({ 'First name': 'Other', Email: 'ada.lovelace@example.com' });
		await press('Create');
		const problem = page.getByRole('form', { name: 'New contact' }).getByRole('alert');
		await problem.getByText('ada.lovelace@example.com is already used').waitFor();
		expect(await page.locator('.said').textContent()).toBe('');
		expect(await detail().getByLabel('First name').inputValue()).toBe('Other');
		expect([await barriers(), await overhang()]).toEqual([[], 0]);
		await fill({ Email: 'other@example.com' });
		await press('Create');
		await page.getByText('The contact is created.').waitFor();
	});

	test('is of the workspace that is looked at', async () => {
		await open('contacts/new?mode=live');
		await fill({ 'First name': 'Nelly' });
		await press('Create');
		await page.locator('.detail h2', { hasText: 'Nelly' }).waitFor();
		expect(await contactNamed('Nelly')).toBeUndefined();
		expect((await control('GET', '/contacts?mode=live')).data).toHaveLength(41);
	});
});

test('an activity is added by clicking, for a contact', async () => {
	const { id } = await contactNamed('Ada');
	const now = await moveClock();
	await open(`contacts/${id}`);
	await detail().getByText('New activity').click();
	await page.locator('.detail h2:focus', { hasText: 'New activity' }).waitFor();
	await detail().getByLabel('Type').selectOption('call');
	await fill({ Summary: 'She called' });
	await press('Add');
	await page.locator('.detail h2:focus', { hasText: 'She called' }).waitFor();
	await row('She called').waitFor();
	const { data } = (await call('GET', '/activities')).body;
	const activity = data.find(({ summary }: any) => summary === 'She called');
	expect(activity).toMatchObject({ type: 'call', contactId: id });
	expect(Date.parse(activity.createdAt)).toBeGreaterThanOrEqual(now);
	await detail().getByText('Its contact').click();
	await page.locator('.detail h2:focus', { hasText: 'Ada' }).waitFor();
});

describe('a task', () => {
	const overdue = async (): Promise<string[]> =>
		(await call('GET', '/tasks/overdue')).body.data.map(({ title }: any) => title);

	test('is overdue at once as the form offers it, by the clock of the sandbox', async () => {
		await moveClock();
		await open('tasks/new');
		await fill({ Title: 'Call back' });
		await press('Add');
		await row('Call back').getByText('overdue').waitFor();
		expect(await overdue()).toContain('Call back');
		expect((await control('GET', '/records/tasks')).data.at(-1).completedAt).toBeNull();
	});

	test('that is due later is overdue when the clock is moved there', async () => {
		await open('tasks/new');
		const due = new Date(Date.now() + 7_200_000).toISOString().slice(0, 16);
		await fill({ Title: 'Call back', 'Due, in UTC': due });
		await press('Add');
		await row('Call back').waitFor();
		expect(await row('Call back').getByText('overdue').count()).toBe(0);
		expect(await overdue()).not.toContain('Call back');
		await control('POST', '/clock', { advance: 7_200_000 });
		await row('Call back').getByText('overdue').waitFor();
		expect(await overdue()).toContain('Call back');
	});

	test('without a title is not added', async () => {
		await open('tasks/new');
		await press('Add');
		expect(
			await detail()
				.getByLabel('Title')
				.evaluate((one: any) => one.matches(':invalid')),
		).toBe(true);
		expect((await control('GET', '/records/tasks')).data).toHaveLength(20);
	});
});

test('templates are shown with their tokens, and as they are without any variables', async () => {
	await open('templates');
	await row('order-confirmation').click();
	await page.locator('.detail h2:focus', { hasText: 'order-confirmation' }).waitFor();
	const tokens = await detail().getByRole('listitem').allInnerTexts();
	expect(tokens.map((text) => text.replace(/\s+/g, ' '))).toEqual([
		'orderNumber needs a value',
		'firstName otherwise “dear customer”',
		'total needs a value',
	]);
	const preview = page.frameLocator('iframe');
	await preview.getByText('Thank you, dear customer.').waitFor();
	await preview.getByText('Your order {{orderNumber}} over {{total}}').waitFor();
});

test('a hostile template and hostile records run nothing and break nothing', async () => {
	const bad = `<img src="http://127.0.0.1:1/x.png" onerror="top.hit = 1"><script>top.hit = 1</script>\u202e${'y'.repeat(500)}`;
	const createdAt = '2026-07-01T00:00:00.000Z';
	const template = { id: 'a/b?c', createdAt, slug: bad, name: bad, subject: bad, html: bad };
	await control('PUT', '/records/templates', { records: [template] });
	for (const collection of ['activities', 'tasks']) {
		const record = { id: 'a/b?c', createdAt, title: bad, summary: bad, dueAt: 5, more: { bad } };
		await control('POST', `/records/${collection}`, record);
	}
	const strange = await open('templates', { viewport: { width: 360, height: 740 } });
	for (const view of ['templates', 'activities', 'tasks']) {
		await go(view);
		await go(`${view}/${encodeURIComponent('a/b?c')}`);
		await detail().locator('h2', { hasText: 'onerror' }).waitFor();
		expect([view, await overhang()]).toEqual([view, 0]);
	}
	expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false);
	// The browser tells of what it refused to load, too.
	expect(strange.filter((what) => !what.startsWith('http://127.0.0.1:1/'))).toEqual([]);
});
