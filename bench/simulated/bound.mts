import { leastTime } from '../../test/models/harness/leastTime.mts';
import { latency } from './scenario.mts';
import { allowance } from './service.mts';

/**
 * The least time, in ms, in which so many requests can be made by someone who is never refused,
 * however the service counts.
 */
export function leastTimeOf(requests: number): number {
	return leastTime(requests, allowance, { most: latency });
}
