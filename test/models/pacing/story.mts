import Table from 'cli-table3';
import { holds, type Figure, type Figures } from './judge.mts';
import type { Played } from './player.mts';

/** Prints the lines with these names as a table. */
export function show(title: string, names: string[], played: Played): void {
	if (names.length === 0) return;
	const table = new Table({
		head: [title, ...Object.keys(played[names[0]])],
		style: { head: [], border: [], compact: true },
	});
	for (const name of names) table.push([name, ...columns(played[name])]);
	console.log(table.toString());
}

function columns(figures: Figures): string[] {
	return Object.values(figures).map((figure: Figure) => {
		const { value, atMost, atLeast, seed } = figure;
		const text = Number.isInteger(value) ? String(value) : value.toFixed(2);
		if (holds(figure)) return text;
		return `${text} ✗ ${atMost === undefined ? `< ${atLeast}` : `> ${atMost}`} (seed ${seed})`;
	});
}
