import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inProcess } from '../harness/processes.mts';
import { tables } from './history.mts';
import { holds } from './judge.mts';
import type { Played, Task } from './player.mts';
import { show } from './story.mts';

const help = `Holds the pacing of requests against what is promised of it, in simulated time and with a service
that only counts: what a long execution leaves to others, and how processes share a key.

  --seed <n>        the first seed (drawn)
  --seeds <n>       how many there are: each figure is that of the worst of them (3)
  --only <words>    only what has all of these words: --only "shared 16 burst"
  --quick           only every fifth line`;

/**
 * Measures and prints the tables. The program fails when a figure is out of its bounds.
 * @param args the command line
 */
export async function measure(args: string[]): Promise<void> {
	const { values } = parseArgs({
		args,
		options: {
			seed: { type: 'string' },
			seeds: { type: 'string', default: '3' },
			only: { type: 'string', default: '' },
			quick: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		console.log(help);
		return;
	}
	const begun = performance.now();
	const seed = Number(values.seed ?? Math.trunc(Math.random() * 2 ** 30));
	const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => seed + index);
	console.log(`seed ${seed}`);
	const words = values.only.split(/\s+/).filter(Boolean);
	const lines = Object.entries(tables).map(([title, cells]) => ({
		title,
		names: cells
			.filter((_, index) => !values.quick || index % 5 === 0)
			.map(({ name }) => name)
			.filter((name) => words.every((word) => name.split(' ').includes(word))),
	}));
	const played = await playAll(
		lines.flatMap(({ names }) => names),
		seeds,
	);
	for (const { title, names } of lines) show(title, names, played);
	const figures = Object.values(played).flatMap((one) => Object.values(one));
	const broken = figures.filter((figure) => !holds(figure)).length;
	console.log(`${broken} of ${figures.length} figures are out of bounds`);
	console.log(`${((performance.now() - begun) / 1000).toFixed(1)} s`);
	if (broken > 0 || figures.length === 0) process.exitCode = 1;
}

/** Plays the cells with these names, in two processes. */
async function playAll(names: string[], seeds: number[]): Promise<Played> {
	const processes = Math.min(2, availableParallelism(), names.length);
	const parts = Array.from({ length: processes }, (_, part) =>
		names.filter((_name, index) => index % processes === part),
	);
	const player = join(import.meta.dirname, 'player.mts');
	const all = parts.map((names) => inProcess<Task, Played>(player, { names, seeds }));
	return Object.assign({}, ...(await Promise.all(all))) as Played;
}
