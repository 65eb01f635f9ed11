import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { startSandbox, type RunningSandbox } from '../sandbox/sandbox.mts';

/**
 * A sandbox without a rate limit for all tests of a file, which each find it as it was started.
 * @param args as on the command line of `sandbox/main.mts`
 */
export function sandboxInTests(args: string[] = []): RunningSandbox {
	const sandbox = {} as RunningSandbox;
	beforeAll(async () => {
		Object.assign(sandbox, await startSandbox(['--requests-per-minute', '0', ...args]));
	});
	afterAll(() => sandbox.stop());
	beforeEach(() => sandbox.control('POST', '/reset'));
	return sandbox;
}
