import { beforeEach } from '@jest/globals';
import { sandboxAt, type Sandbox } from './sandbox.mts';

/**
 * The sandbox of this worker of Jest, which each test of the file finds as it begins: without a rate
 * limit, and with forty contacts.
 * @param beginning what is different, as a reset takes it
 */
export function sandboxInTests(beginning: object = {}): Sandbox {
	const introductions = JSON.parse(process.env.SANDBOXES!);
	const sandbox = sandboxAt(introductions[Number(process.env.JEST_WORKER_ID) - 1]);
	beforeEach(() => sandbox.control('POST', '/reset', beginning));
	return sandbox;
}
