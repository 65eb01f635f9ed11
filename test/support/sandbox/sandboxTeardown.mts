/** Jest's global teardown of tests with a sandbox. */
export default async function tearDown(): Promise<void> {
	await Promise.all(globalThis.sandboxes.map((sandbox) => sandbox.stop()));
}
