import { chromiumPath } from './chromium.mts';

/** Jest's global set-up of tests with a browser: it is unpacked before several files want it. */
export default async function setUp(): Promise<void> {
	await chromiumPath();
}
