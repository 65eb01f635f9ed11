import { searchLeftBehind } from '../keys/leftBehind.mts';

/**
 * Jest's global teardown of the end-to-end tests: no key of a credential is in anything that n8n has
 * stored or logged.
 *
 * @throws an Error with the places where a key is
 */
export default async function tearDown(): Promise<void> {
	const { playground, leftBehind } = globalThis.endToEnd;
	// To be looked at, if something is found.
	leftBehind.keep();
	await playground.stop();
	const places = searchLeftBehind(leftBehind.path);
	if (places.length > 0) throw new Error(`A key is in ${leftBehind.path}:\n${places.join('\n')}`);
	leftBehind.remove();
}
