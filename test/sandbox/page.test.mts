import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../support/browser/browser.mts';
import { useService } from './service.mts';

const service = useService();

test('the page shows a message and its request, uses controls, and runs nothing of what it shows', async () => {
	const { controlUrl } = service.sandbox;
	const browser = await launchBrowser();
	try {
		const viewport = { width: 1000, height: 560 };
		const page = await browser.newPage({ viewport, deviceScaleFactor: 2 });
		const strange: string[] = [];
		page.on('pageerror', (error) => strange.push(error.message));
		page.on('request', (asked) => {
			if (!asked.url().startsWith(controlUrl)) strange.push(asked.url());
		});
		await page.goto(controlUrl);

		for (const firstName of ['Alan', 'Grace', 'Ada', 'Ada']) {
			const { email: to } = (await service.contacts()).find((one) => one.firstName === firstName);
			const idempotencyKey = `welcome-${firstName.toLowerCase()}`;
			const variables = { firstName };
			const welcome = { to, templateSlug: 'welcome', variables, idempotencyKey };
			await service.send({ ...welcome, html: undefined, subject: undefined });
		}
		await service.control('POST', '/clock', { advance: 60_000 });

		const row = (text: string) => page.locator('.rows a', { hasText: text });
		const detail = (text: string) => page.locator('.detail').getByText(text).first().waitFor();
		await row('ada.lovelace').click();
		await page.frameLocator('iframe').getByText('Hello Ada').waitFor();
		await detail('original returned');
		// The picture for the documents.
		if (process.env.PICTURES) await page.screenshot({ path: 'docs/sandbox-inbox.png' });

		const hostile = '<img src="x" onerror="top.hit = 1"><script>top.hit = 1</script>';
		await service.send({ to: 'maya@example.com', subject: hostile, html: hostile });
		await row('onerror').click();
		await page.frameLocator('iframe').locator('img').waitFor({ state: 'attached' });
		await row('ada.lovelace').click();
		await page.getByRole('link', { name: 'Request 4' }).click();
		await detail('"idempotencyKey": "welcome-ada"');

		await isAccessible(page);

		// A control works however late the script is.
		await page.route('**/page.js', (route) => void setTimeout(() => route.continue(), 1000));
		await page.getByRole('link', { name: 'Controls' }).click();
		await page.getByLabel('listOrder').selectOption('unspecified');
		await page.getByText('changed').waitFor();
		await page.getByText('Add a fault').first().click();
		await page.getByRole('button', { name: 'Add a fault' }).click();
		await page.getByText('"left":1').waitFor();
		expect((await service.control('GET', '/variants')).listOrder).toBe('unspecified');
		await isAccessible(page);

		expect(strange).toEqual([]);
		expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false);
	} finally {
		await browser.close();
	}
});

async function isAccessible(page: Page) {
	const axe = new AxeBuilder({ page }).exclude('iframe').options({ iframes: false });
	const { violations } = await axe.setLegacyMode().analyze();
	expect(violations.map(({ id, nodes }) => [id, nodes[0].html])).toEqual([]);
}
