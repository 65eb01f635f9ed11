import { randomFrom } from '../../../sandbox/random.mts';
import { hour, leapOn } from './clock.mts';

/**
 * Begins a play in the simulated time: far enough that nothing is remembered of the one before, and
 * with whatever is left to chance coming out the same when it is played again.
 * @param within the ms of the second in which it begins
 */
export function beginAnew(seed: number, within = 0): void {
	leapOn(hour, within);
	Math.random = randomFrom(seed);
}
