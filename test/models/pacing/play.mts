import { createHash } from 'node:crypto';
import { passUntilDone } from '../harness/clock.mts';
import { beginAnew } from '../harness/random.mts';
import { worse, type Cell, type Figures } from './judge.mts';

/** Plays a cell with each seed, and gives the worst of each figure. */
export async function worstOf(cell: Cell, seeds: number[]): Promise<Figures> {
	const worst: Figures = {};
	for (const seed of seeds) {
		for (const [name, figure] of Object.entries(await played(cell, seed))) {
			worst[name] = worse(worst[name], { ...figure, seed });
		}
	}
	return worst;
}

async function played({ name, play }: Cell, seed: number): Promise<Figures> {
	beginAnew(createHash('sha256').update(`${seed} ${name}`).digest().readInt32BE());
	return await passUntilDone(play());
}
