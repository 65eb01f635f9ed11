import { startPlayground } from '../../playground/start.mts';
import { pack } from '../../tools/pack.mts';

declare global {
	var stopPlayground: () => Promise<void>;
}

/** Jest's global set-up of the end-to-end tests: one n8n for all of them. */
export default async function setUp(): Promise<void> {
	const tarball = await pack();
	const playground = await startPlayground({ tarball });
	const { n8n, dataFolder, stop } = playground;
	process.env.PLAYGROUND = JSON.stringify({
		url: n8n.url,
		cookie: n8n.cookie,
		dataFolder,
		tarball,
	});
	globalThis.stopPlayground = stop;
}
