import { createRequire } from 'node:module';
import { latency } from './scenario.mts';
import { allowance } from './service.mts';

// Its types reach into the node, whose sources are no modules for whoever checks the types of bench.
const { leastTime } = createRequire(import.meta.url)('../../test/pacing/leastTime.mts') as {
	leastTime(requests: number, allowance: number, latency: { most: number }): number;
};

/**
 * The least time, in ms, in which so many requests can be made by somebody who is never refused,
 * however the service counts.
 */
export function leastTimeOf(requests: number): number {
	return leastTime(requests, allowance, { most: latency });
}
