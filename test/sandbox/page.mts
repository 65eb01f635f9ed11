import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, beforeAll, jest } from '@jest/globals';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

import { launchBrowser } from '../support/browser/browser.mts';
import type { Service } from './service.mts';

/** The sandbox's page as it was opened last. */
export let page: Page;

/** What a test does with the page of a sandbox. */
export interface SandboxPage {
	/** Opens it at a view; what it asks for elsewhere, its errors and its questions are returned. */
	open(place: string, options?: BrowserContextOptions): Promise<string[]>;
	/** Goes to a view, or to what is open in it, and waits until the page shows that. */
	go(place: string): Promise<void>;
}

/** One browser for the tests of a file, and the page again for each of them. */
export function usePage(service: Service): SandboxPage {
	// A browser takes its time to start where several tests share a machine.
	jest.setTimeout(60_000);
	let browser: Browser;
	beforeAll(async () => {
		browser = await launchBrowser();
	});
	afterEach(() => page?.context().close());
	afterAll(() => browser?.close());
	return {
		async open(place, options = {}) {
			const context = await browser.newContext({
				viewport: { width: 1280, height: 800 },
				permissions: ['clipboard-read', 'clipboard-write'],
				...options,
			});
			page = await context.newPage();
			const strange: string[] = [];
			page.on('request', (asked) => {
				if (!asked.url().startsWith(service.sandbox.controlUrl)) strange.push(asked.url());
			});
			page.on('pageerror', (error) => strange.push(error.message));
			page.on('dialog', (dialog) => strange.push(dialog.message()));
			await page.goto(`${service.sandbox.controlUrl}#/${place}`);
			await page.getByText('connected', { exact: true }).waitFor();
			return strange;
		},
		async go(place) {
			await page.goto(`${service.sandbox.controlUrl}#/${place}`);
			const [view, opened] = place.split('/');
			const link = page.locator('.views a[aria-current]', { hasText: new RegExp(view, 'i') });
			await link.waitFor();
			if (opened) await page.locator('.detail h2').first().waitFor();
		},
	};
}

/** An entry of the list. */
export const row = (text: string): Locator => page.locator('.rows a', { hasText: text });

/** What was copied last. */
export async function clipboard(): Promise<string> {
	return await page.evaluate(() => (globalThis as any).navigator.clipboard.readText());
}

/** Whether what is there has the focus. */
export async function hasFocus(what: Locator): Promise<boolean> {
	return await what.evaluate((one: any) => one.matches(':focus'));
}

/** What keeps people from using the page as it is now: the rules, each with the first place. */
export async function barriers(): Promise<string[][]> {
	// What a message holds is not of the page, and axe would wait long for a frame without scripts.
	const axe = { iframes: false, preload: false, resultTypes: ['violations' as const] };
	const { violations } = await new AxeBuilder({ page })
		.exclude('iframe')
		.options(axe)
		.setLegacyMode()
		.analyze();
	return violations.map(({ id, nodes }) => [id, nodes[0].html]);
}

/** How much wider than the screen the page is, or than its place anything that scrolls, in pixels. */
export async function overhang(): Promise<number> {
	return await page.evaluate(() => {
		const { document, innerWidth, getComputedStyle } = globalThis as any;
		const scrolling = [...document.querySelectorAll('main, main *')].filter((element) =>
			/auto|scroll/.test(getComputedStyle(element).overflowX),
		);
		const beyond = scrolling.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
		return Math.max(0, document.documentElement.scrollWidth - innerWidth, ...beyond);
	});
}
