/** Random numbers from 0 (included) to 1 (excluded), the same for the same seed. */
export type Random = () => number;

/** A seeded generator (mulberry32): small, quick, and good enough to spread faults and changes. */
export function randomFrom(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** One of the values, all equally likely. */
export function pick<Value>(random: Random, values: readonly Value[]): Value {
	return values[Math.floor(random() * values.length)];
}
