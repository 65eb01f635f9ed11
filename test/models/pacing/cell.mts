import { createHash } from 'node:crypto';
import { leapOn, passUntilDone } from '../lists/time.mts';
import { quickRandom } from '../lists/random.mts';
import { hour } from './time.mts';

/** Something measured, and what it has to be. What has no bound is only shown. */
export interface Figure {
	value: number;
	atMost?: number;
	atLeast?: number;
	/** With which it was measured. */
	seed?: number;
}

/** What was measured, by its name. */
export type Figures = Record<string, Figure>;

/** One line of a table. */
export interface Cell {
	/** Words that tell it from all others. */
	name: string;
	/** Plays it in faked time. Whatever is left to chance comes from `Math.random`. */
	play(): Promise<Figures>;
}

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

/** Whether a figure is within its bounds. */
export function holds({ value, atMost = Infinity, atLeast = -Infinity }: Figure): boolean {
	return value <= atMost && value >= atLeast;
}

async function played({ name, play }: Cell, seed: number): Promise<Figures> {
	// Far enough that nothing is remembered of what was played before.
	leapOn(hour, 0);
	Math.random = quickRandom(createHash('sha256').update(`${seed} ${name}`).digest().readInt32BE());
	return await passUntilDone(play());
}

function worse(one: Figure | undefined, other: Figure): Figure {
	if (!one) return other;
	const unmeasured = [one, other].find(({ value }) => Number.isNaN(value));
	if (unmeasured) return unmeasured;
	const isLess = other.value < one.value;
	return isLess === (other.atLeast !== undefined) ? other : one;
}
