import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as playwright, selectors, type Browser, type Page } from 'playwright-core';
import type { N8n } from '../../../playground/client.mts';
import { findBrowser } from './findBrowser.mts';
import { openedNode, type Part, takePicture, takesPictures } from './pictures.mts';
import { playground } from '../n8n/playground.mts';

/** A page of the real editor, logged in, in a headless Chromium. */
export interface Editor {
	page: Page;
	/** Opens a stored workflow. */
	openWorkflow(workflowId: string): Promise<void>;
	/** Opens a stored workflow and one of its nodes. */
	openNode(workflowId: string, nodeName: string): Promise<void>;
	/** Has the output of the opened node shown as JSON. */
	showJson(): Promise<void>;
	/** Keeps the opened node, or the part that is given, as docs/<name>.png, if pictures are taken. */
	picture(name: string, part?: Partial<Part>): Promise<void>;
	close(): Promise<void>;
}

/** A page on which an opened node shows all that it has, and its output without a cut. */
export const largePage = { width: 1560, height: 1300 };

/**
 * Opens the editor of an n8n: of the one that all end-to-end tests share, by default.
 * @param viewport the page's size
 */
export async function openEditor({
	n8n = playground().n8n as N8n,
	viewport = { width: 1280, height: 800 },
} = {}): Promise<Editor> {
	selectors.setTestIdAttribute('data-test-id');
	const browser = await launchBrowser();
	const context = await browser.newContext({
		viewport,
		deviceScaleFactor: takesPictures ? 2 : 1,
		// Without a graphics card, all that moves is computed.
		reducedMotion: 'reduce',
	});
	// The editor takes its time on a busy machine, and no test is about that.
	context.setDefaultTimeout(90_000);
	const [name, value] = n8n.cookie.split(/=(.*)/s);
	await context.addCookies([{ name, value, url: n8n.url }]);
	const page = await context.newPage();
	const openWorkflow = async (id: string) => {
		await page.goto(`${n8n.url}/workflow/${id}`);
		await page.getByTestId('canvas-node').first().waitFor();
	};
	return {
		page,
		openWorkflow,
		async openNode(workflowId, nodeName) {
			await openWorkflow(workflowId);
			await page.getByTestId('canvas-node').filter({ hasText: nodeName }).dblclick();
			await page.getByTestId('parameter-input').first().waitFor();
		},
		async showJson() {
			await page.getByTestId('output-panel').getByTestId('radio-button-json').click();
			await page.getByTestId('output-panel').locator('.json-data').waitFor();
		},
		picture: async (name, part) => await takePicture(page, name, { ...openedNode(page), ...part }),
		close: async () => await browser.close(),
	};
}

/** A headless Chromium, or the system's Chrome. @param flags further ones for its command line */
export async function launchBrowser(...flags: string[]): Promise<Browser> {
	const quiet = ['--disable-gpu', '--disable-background-networking', '--disable-sync'];
	return await playwright.launch({
		...(await findBrowser()),
		env: { ...process.env, LD_LIBRARY_PATH: join(tmpdir(), 'al2023', 'lib') },
		// With hinting, letters would be moved to whole pixels and stand unevenly.
		args: ['--no-sandbox', '--font-render-hinting=none', ...quiet, ...flags],
	});
}
