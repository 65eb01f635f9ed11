import Table from 'cli-table3';
import { parseArgs } from 'node:util';
import { holds, worstOf, type Cell, type Figure, type Figures } from './cell.mts';
import { sharedCells } from './shared.mts';
import { urgentCells } from './urgent.mts';

const realTime = performance.now.bind(performance);

const help = `Holds the pacing of requests against what was promised of it, in a simulated service and simulated
time: what a long execution leaves to others, and how processes share a key.

  --only <words>    only cells that have all of these words: --only "shared 16 burst"
  --seed <n>        the first seed (1)
  --seeds <n>       how many seeds: the worst of them is shown (3)
  --quick           only what npm test plays`;

const { values } = parseArgs({
	options: {
		only: { type: 'string', default: '' },
		seed: { type: 'string', default: '1' },
		seeds: { type: 'string', default: '3' },
		quick: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});
if (values.help) console.log(help);
else await main();

async function main(): Promise<void> {
	const begun = realTime();
	const words = values.only.split(/\s+/).filter(Boolean);
	const isMeant = ({ name, isQuick }: Cell) =>
		(isQuick || !values.quick) && words.every((word) => name.split(' ').includes(word));
	const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => Number(values.seed) + i);
	let broken = 0;
	for (const cells of [urgentCells(), sharedCells()]) {
		broken += await show(cells.filter(isMeant), seeds);
	}
	console.log(`${broken} figures out of bounds, ${((realTime() - begun) / 1000).toFixed(1)} s`);
	if (broken > 0) process.exitCode = 1;
}

/** Prints the worst of the seeds of each cell, and returns how many figures are out of bounds. */
async function show(cells: Cell[], seeds: number[]): Promise<number> {
	if (cells.length === 0) return 0;
	const lines: Array<[Cell, Figures]> = [];
	for (const cell of cells) lines.push([cell, await worstOf(cell, seeds)]);
	const table = new Table({
		head: ['', ...Object.keys(lines[0][1])],
		style: { head: [], border: [], compact: true },
	});
	for (const [{ name }, figures] of lines) {
		table.push([name, ...Object.values(figures).map(written)]);
	}
	console.log(table.toString());
	return lines.flatMap(([, figures]) => Object.values(figures)).filter((one) => !holds(one)).length;
}

function written(figure: Figure): string {
	const { value, atMost, atLeast } = figure;
	const text = Number.isInteger(value) ? String(value) : value.toFixed(2);
	return holds(figure)
		? text
		: `${text} ✗ ${atMost === undefined ? `< ${atLeast}` : `> ${atMost}`}`;
}
