import { beforeEach } from '@jest/globals';
import type { Beginning } from '../../../sandbox/state.mts';
import { sandboxAt, type Sandbox } from './sandbox.mts';

/**
 * The sandbox of this worker of Jest, reset before each test of the file.
 * @param beginning what is to differ from how `sandboxSetup.mts` starts it
 */
export function sandboxInTests(beginning: Partial<Beginning> = {}): Sandbox {
	const introductions = JSON.parse(process.env.SANDBOXES!);
	const sandbox = sandboxAt(introductions[Number(process.env.JEST_WORKER_ID) - 1]);
	beforeEach(() => sandbox.control('POST', '/reset', beginning));
	return sandbox;
}
