import '../harness/simulatedTime.mts';
import { doWhatIsSent } from '../harness/task.mts';
import { tables } from './history.mts';
import type { Figures } from './judge.mts';
import { worstOf } from './play.mts';

/** Which cells one process has to play, by their names, and with which seeds. */
export interface Task {
	names: string[];
	seeds: number[];
}

/** The worst of the figures of each cell, by its name. */
export type Played = Record<string, Figures>;

doWhatIsSent(async ({ names, seeds }: Task) => {
	const played: Played = {};
	for (const cell of Object.values(tables).flat()) {
		if (names.includes(cell.name)) played[cell.name] = await worstOf(cell, seeds);
	}
	return played;
});
