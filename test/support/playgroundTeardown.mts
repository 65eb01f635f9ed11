/** Jest's global teardown of the end-to-end tests. */
export default async function tearDown(): Promise<void> {
	await globalThis.stopPlayground();
}
