import { pack } from '../../tools/pack.mts';

/** Jest's global set-up of the tests in queue mode: the package as npm would publish it. */
export default async function setUp(): Promise<void> {
	process.env.PACKED = await pack();
}
