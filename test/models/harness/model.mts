import { jest } from '@jest/globals';
import fc from 'fast-check';
import { randomFrom } from '../../../sandbox/random.mts';
import { isBrief } from '../../support/atLength.mts';
import { hour, leapOn } from './clock.mts';

const { SEED, RUNS, REPLAY } = process.env;

// No wait of a model is a real one: whatever runs longer than that has stopped.
jest.setTimeout(30 * 60_000);

/** A model: what is drawn, and what has to hold of each. */
export interface Model<History> {
	history: fc.Arbitrary<History>;
	/** Plays a history with what ships. @throws Error in words if something doesn't hold */
	play(history: History): Promise<void>;
	/** How many histories `npm test` plays; without BRIEFLY ten times as many. */
	runs: number;
	/** A history as a short story; as JSON without. */
	storyOf?(history: History): string;
}

/**
 * Plays generated histories, the same ones each time. `SEED` draws others (`SEED=random`: by chance),
 * `RUNS` sets how many, and `REPLAY` goes to the counter-example with the path that was printed.
 * @throws Error with the smallest counter-example that was found, its seed and its path
 */
export async function check<History>(model: Model<History>): Promise<void> {
	const { history, play, runs, storyOf = (one) => JSON.stringify(one, undefined, 1) } = model;
	const details = await fc.check(fc.asyncProperty(history, play), {
		seed: SEED === 'random' ? undefined : Number(SEED ?? 11),
		path: REPLAY,
		numRuns: Number(RUNS ?? (isBrief ? runs : 10 * runs)),
	});
	if (!details.failed) return;
	const [smallest] = details.counterexample!;
	const { message } = details.errorInstance as Error;
	const replay = `SEED=${details.seed} REPLAY=${details.counterexamplePath}`;
	throw new Error(`${message}\n\n${storyOf(smallest)}\n\nThe same again: ${replay}`, {
		cause: details.errorInstance,
	});
}

/**
 * Begins a play in the simulated time: far enough that nothing is remembered of the one before, and
 * with whatever is left to chance coming out the same when it is played again.
 * @param within the ms of the second in which it begins
 */
export function beginAnew(seed: number, within = 0): void {
	leapOn(hour, within);
	Math.random = randomFrom(seed);
}
