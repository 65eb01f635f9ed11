import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as playwright, selectors, type Browser, type Page } from 'playwright-core';
import { playground } from './playground.mts';

/** A page of the real editor, logged in, in a headless Chromium. */
export interface Editor {
	page: Page;
	/** Opens a stored workflow and one of its nodes. */
	openNode(workflowId: string, nodeName: string): Promise<void>;
	/** Keeps what the page shows as docs/<name>.png, when PICTURES is set. */
	picture(name: string): Promise<void>;
	close(): Promise<void>;
}

/** Opens the editor of the n8n that all end-to-end tests share. */
export async function openEditor(): Promise<Editor> {
	const { n8n } = playground();
	selectors.setTestIdAttribute('data-test-id');
	const browser = await launchBrowser();
	const context = await browser.newContext({
		viewport: { width: 1280, height: 800 },
		deviceScaleFactor: 1,
	});
	const [name, value] = n8n.cookie.split(/=(.*)/s);
	await context.addCookies([{ name, value, url: n8n.url }]);
	const page = await context.newPage();
	return {
		page,
		async openNode(workflowId, nodeName) {
			await page.goto(`${n8n.url}/workflow/${workflowId}`);
			await page.getByTestId('canvas-node').filter({ hasText: nodeName }).dblclick();
			await page.getByTestId('parameter-input').first().waitFor();
		},
		async picture(name) {
			if (process.env.PICTURES) await page.screenshot({ path: `docs/${name}.png` });
		},
		close: async () => await browser.close(),
	};
}

/** A headless Chromium. @param flags further ones for its command line */
export async function launchBrowser(...flags: string[]): Promise<Browser> {
	const quiet = ['--disable-gpu', '--disable-background-networking', '--disable-sync'];
	return await playwright.launch({
		executablePath: await chromiumPath(),
		env: { ...process.env, LD_LIBRARY_PATH: join(tmpdir(), 'al2023', 'lib') },
		args: ['--no-sandbox', ...quiet, ...flags],
	});
}

/**
 * Where Chromium is. It comes from an npm package, so that no system package is needed; the package
 * unpacks the libraries that Chromium wants only where it takes the machine for the cloud service
 * that it was made for.
 */
async function chromiumPath(): Promise<string> {
	process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x';
	const { default: chromium } = await import('@sparticuz/chromium');
	return await chromium.executablePath();
}
