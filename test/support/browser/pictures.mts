import type { Locator, Page } from 'playwright-core';

/** What a picture shows of a page. */
export interface Part {
	/** The picture is around all of these. */
	around: Locator[];
	/** It ends below the lowest of these, where one of the others reaches further down. */
	downTo?: Locator[];
	/** In pixels of the page, on each side where the picture may be wider than what it is around. */
	margin?: number;
}

/** Whether pictures are taken: they are with PICTURES set. */
export const takesPictures = Boolean(process.env.PICTURES);

/** What n8n lays over a page: messages and advice for a while, and a node's neighbours. */
const laidOver = '.el-notification, .n8n-tooltip, [data-test-id=floating-nodes]';
const style = `${laidOver} { visibility: hidden !important; }`;

/** Keeps a part of a page as docs/<name>.png, if pictures are taken. */
export async function takePicture(page: Page, name: string, part: Part): Promise<void> {
	if (!takesPictures) return;
	// A button that turns, or one below the mouse, looks different.
	await page.locator('[data-test-id=node-execute-button][disabled]').waitFor({ state: 'detached' });
	await page.mouse.move(0, 0);
	await page.evaluate('document.fonts.ready.then(() => {})');
	const path = `docs/${name}.png`;
	await page.screenshot({ path, clip: await boxOf(part), animations: 'disabled', style });
}

/** What an opened node shows: its parameters, and beside them what came out, both to their end. */
export function openedNode(page: Page): Part {
	const output = page.getByTestId('output-panel');
	return {
		around: [page.locator('.node-settings'), output],
		downTo: [
			page.locator('.parameter-input-list-wrapper').first(),
			output.locator('.vjs-tree-node, table').last(),
		],
		margin: 0,
	};
}

/** In whole pixels of the page: a part of one is a blurred line. */
async function boxOf({ around, downTo, margin = 16 }: Part) {
	const all = await boundsOf(around);
	const ends = downTo ? (await boundsOf(downTo)).bottom + 16 : Infinity;
	const x = Math.ceil(all.left - margin);
	const y = Math.ceil(all.top - margin);
	const width = Math.floor(all.right + margin) - x;
	const height = Math.floor(Math.min(all.bottom + margin, ends)) - y;
	return { x, y, width, height };
}

/** The smallest box around all of these that are there. */
async function boundsOf(locators: Locator[]) {
	const found = await Promise.all(locators.map((one) => one.isVisible()));
	const boxes = await Promise.all(
		locators.filter((_, index) => found[index]).map(async (one) => (await one.boundingBox())!),
	);
	if (boxes.length === 0) throw new Error(`Not visible: ${locators.join(', ')}`);
	return {
		left: Math.min(...boxes.map(({ x }) => x)),
		top: Math.min(...boxes.map(({ y }) => y)),
		right: Math.max(...boxes.map(({ x, width }) => x + width)),
		bottom: Math.max(...boxes.map(({ y, height }) => y + height)),
	};
}
