import { createHash } from 'node:crypto';

/** Random numbers from 0 to below 1, the same for the same seed. */
export function seededRandom(seed: string): () => number {
	let count = 0;
	return () => createHash('sha256').update(`${seed} ${count++}`).digest().readUInt32BE() / 2 ** 32;
}
