import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import {
	exitWhenTold,
	throwAwayFolder,
	type ThrowAwayFolder,
} from '../../../playground/atExit.mts';
import { type Playground, startPlayground } from '../../../playground/start.mts';
import { pack } from '../../../tools/pack.mts';
import { findBrowser } from '../browser/findBrowser.mts';

declare global {
	/** The n8n of all end-to-end tests, and the folder of all that their n8ns leave behind. */
	var endToEnd: { playground: Playground; leftBehind: ThrowAwayFolder };
}

/** Jest's global set-up of the end-to-end tests: one n8n for all of them, and a browser unpacked. */
export default async function setUp(): Promise<void> {
	exitWhenTold();
	await findBrowser();
	const tarball = await pack();
	const leftBehind = throwAwayFolder('crm-workspace-e2e-');
	const dataFolder = mkdtempSync(join(leftBehind.path, 'n8n-'));
	// n8n loads nodes and credentials from there, too.
	cpSync('test/e2e/probe', join(dataFolder, '.n8n/custom'), { recursive: true });
	const playground = await startPlayground({ tarball, dataFolder });
	const { url, cookie } = playground.n8n;
	const known = { url, cookie, dataFolder, tarball, leftBehind: leftBehind.path };
	process.env.PLAYGROUND = JSON.stringify(known);
	globalThis.endToEnd = { playground, leftBehind };
}
