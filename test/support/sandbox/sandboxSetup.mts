import { findBrowser } from '../browser/findBrowser.mts';
import { startSandbox, type RunningSandbox } from './sandbox.mts';

declare global {
	/** One for each worker. */
	var sandboxes: RunningSandbox[];
}

/** Jest's global set-up of tests with a sandbox: one for each worker, and a browser unpacked. */
export default async function setUp(config: { maxWorkers: number }): Promise<void> {
	await findBrowser();
	const starting = Array.from({ length: config.maxWorkers }, () =>
		startSandbox(['--requests-per-minute', '0']),
	);
	globalThis.sandboxes = await Promise.all(starting);
	process.env.SANDBOXES = JSON.stringify(globalThis.sandboxes);
}
