import { AxeBuilder } from '@axe-core/playwright';
import { expect, jest, test } from '@jest/globals';

import { launchBrowser } from '../support/browser/browser.mts';
import { useService } from './service.mts';

const service = useService();

// A browser takes its time to start where several tests share a machine.
jest.setTimeout(60_000);

test('the page shows a message and its request, runs nothing of them, and anyone can read it', async () => {
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
		await page.goto(`${controlUrl}#/inbox`);

		const hostile = '<img src="x" onerror="top.hit = 1"><script>top.hit = 1</script>';
		await service.send({ to: 'alan.turing@example.com', subject: hostile, html: hostile });
		for (const firstName of ['Grace', 'Ada', 'Ada']) {
			const { email: to } = (await service.contacts()).find((one) => one.firstName === firstName);
			const idempotencyKey = `welcome-${firstName.toLowerCase()}`;
			const variables = { firstName };
			const welcome = { to, templateSlug: 'welcome', variables, idempotencyKey };
			await service.send({ ...welcome, html: undefined, subject: undefined });
		}
		await service.control('POST', '/clock', { advance: 60_000 });

		const row = (text: string) => page.locator('.rows a', { hasText: text });
		const detail = (text: string) => page.locator('.detail').getByText(text).first().waitFor();
		await row('onerror').click();
		await page.frameLocator('iframe').locator('img').waitFor({ state: 'attached' });
		await row('ada.lovelace').click();
		await page.frameLocator('iframe').getByText('Hello Ada').waitFor();
		await detail('original returned');
		// The picture for the documents.
		if (process.env.PICTURES) await page.screenshot({ path: 'docs/sandbox-inbox.png' });
		await page.getByRole('link', { name: 'Request 4' }).click();
		await detail('"idempotencyKey": "welcome-ada"');

		expect(strange).toEqual([]);
		expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false);
		const axe = new AxeBuilder({ page }).exclude('iframe').options({ iframes: false });
		const { violations } = await axe.setLegacyMode().analyze();
		expect(violations.map(({ id, nodes }) => [id, nodes[0].html])).toEqual([]);
	} finally {
		await browser.close();
	}
});
