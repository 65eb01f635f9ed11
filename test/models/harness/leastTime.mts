import { minute } from './clock.mts';

/** How long requests and their answers take together, in ms: up to `most`, or always that long. */
export interface Latency {
	most: number;
	isConstant?: boolean;
}

/**
 * The least time, in ms, in which so many requests can be made by someone who is never refused,
 * however the service counts. It may count a request at any moment from its sending to its answer,
 * and it counts it for a minute. So a request holds its place from its sending until a minute after
 * its answer: each place is free again after a minute and the latency.
 * @param allowance requests per minute
 */
export function leastTime(requests: number, allowance: number, { most }: Latency): number {
	return Math.floor((requests - 1) / allowance) * (minute + most) + most;
}
