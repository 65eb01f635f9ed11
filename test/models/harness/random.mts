import { hour, leapOn } from './clock.mts';

/** Random numbers from 0 to below 1 by mulberry32: quick, because each contact takes some. */
export function quickRandom(seed: number): () => number {
	let state = seed | 0;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/**
 * Begins a play in the simulated time: far enough that nothing is remembered of the one before, and
 * with whatever is left to chance coming out the same when it is played again.
 * @param within the ms of the second in which it begins
 */
export function beginAnew(seed: number, within = 0): void {
	leapOn(hour, within);
	Math.random = quickRandom(seed);
}
