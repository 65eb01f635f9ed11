import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { inProcess } from '../../test/models/harness/processes.mts';
import { limiters as known, type Limiter } from '../../test/models/harness/limiters.mts';
import type { Came, Scenario } from './scenario.mts';

/** The ways in which the service may count. */
export const allLimiters = Object.keys(known) as Limiter[];

/** The one that lets the least through: it counts refused requests too. */
export const strictest: Limiter = 'slidingWindow';

/** How many scenarios one process plays at most, so that it can be shown how far it is. */
const mostAtOnce = 24;

/** What is to be played under each limiter and with each seed. */
export interface Plan<Kind> {
	kinds: Kind[];
	/** All by default. */
	limiters?: Limiter[];
	/** How many seeds: they begin with 1. */
	seeds: number;
	scenarioOf(kind: Kind, given: Pick<Scenario, 'limiter' | 'seed'>): Scenario;
	/** Is told how many of how many scenarios are played. */
	progress(doing: string): void;
}

/** What came of a kind under one limiter, with each seed. */
export interface Line<Kind> {
	kind: Kind;
	limiter: Limiter;
	came: Came[];
}

/**
 * Plays each kind under each limiter and with each seed.
 * @throws Error when a scenario cannot be played to its end
 */
export async function playPlan<Kind>(plan: Plan<Kind>): Promise<Array<Line<Kind>>> {
	const { kinds, limiters = allLimiters, scenarioOf, progress } = plan;
	const seeds = Array.from({ length: plan.seeds }, (_, index) => index + 1);
	const lines = kinds.flatMap((kind) => limiters.map((limiter) => ({ kind, limiter })));
	const scenarios = lines.flatMap(({ kind, limiter }) =>
		seeds.map((seed) => scenarioOf(kind, { limiter, seed })),
	);
	const all = await playAll(scenarios, progress);
	return lines.map((line, index) => ({
		...line,
		came: all.slice(index * seeds.length, (index + 1) * seeds.length),
	}));
}

/**
 * Plays scenarios, two at a time, in processes whose time is simulated: that of this process is left
 * alone.
 * @param progress is shown how many of how many are played
 * @returns what came of each, in their order
 * @throws Error when one of them cannot be played to its end
 */
export async function playAll(
	scenarios: Scenario[],
	progress: (doing: string) => void,
): Promise<Came[]> {
	const lanes = Math.min(2, availableParallelism());
	const atOnce = Math.min(mostAtOnce, Math.ceil(scenarios.length / lanes));
	const chunks = Math.ceil(scenarios.length / atOnce);
	const player = join(import.meta.dirname, 'player.mts');
	const came: Came[] = [];
	let next = 0;
	let played = 0;
	const lane = async () => {
		for (let chunk = next++; chunk < chunks; chunk = next++) {
			progress(`${played} of ${scenarios.length} scenarios`);
			// Spread over the chunks, as those that take long stand beside one another.
			const numbers = [...scenarios.keys()].filter((number) => number % chunks === chunk);
			const task = numbers.map((number) => scenarios[number]);
			const all = await inProcess<Scenario[], Came[]>(player, task);
			for (const [index, number] of numbers.entries()) came[number] = all[index];
			played += numbers.length;
		}
	};
	await Promise.all(Array.from({ length: lanes }, lane));
	return came;
}
