import type { Cell } from './judge.mts';
import { changingCells } from './changing.mts';
import { idleCells } from './idle.mts';
import { sharedCells } from './shared.mts';
import { urgentCells } from './urgent.mts';

/** What is measured; the cells of a table have the same figures. */
export const tables: Record<string, Cell[]> = {
	'An idle key is used at once': idleCells(),
	'A long execution leaves room to others of its process': urgentCells(),
	'Processes share a key': sharedCells(),
	'Processes come and go': changingCells(),
};
