import { startPlayground } from '../../playground/start.mts';
import { pack } from '../../tools/pack.mts';

declare global {
	var stopPlayground: () => Promise<void>;
}

/** Jest's global set-up of the end-to-end tests: one n8n for all of them. */
export default async function setUp(): Promise<void> {
	const playground = await startPlayground({ tarball: await pack() });
	const { n8n, dataFolder, stop } = playground;
	process.env.PLAYGROUND = JSON.stringify({ url: n8n.url, cookie: n8n.cookie, dataFolder });
	globalThis.stopPlayground = stop;
}
