import { missingServer } from '../../playground/servers.mts';
import { pack } from '../../tools/pack.mts';

/** Jest's global set-up of the tests in queue mode: the package as npm would publish it. */
export default async function setUp(): Promise<void> {
	const missing = await missingServer();
	if (missing) throw new Error(missing);
	process.env.PACKED = await pack();
}
