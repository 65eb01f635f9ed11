import Table from 'cli-table3';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Seen, Task } from './player.mts';
import { inProcess } from './processes.mts';

const options = (what: string) => `
  --${`${what} <n>`.padEnd(16)}how many (2000)
  --seed <n>        where the generator begins (drawn)
  --path <path>     go to a counter-example, in one process: takes the seed that was printed with it
  --only <regex>    only violations whose words and story it matches
  --survey          count every violation, with the shortest example of each kind`;

/** A model that plays generated histories. */
export interface Generated {
	/** What it looks for. */
	purpose: string;
	/** What the histories are called. */
	what?: string;
}

/**
 * Plays generated histories of a model in two processes and prints what was seen in them. The program
 * fails when there was a counter-example.
 * @param name of the model: its folder
 * @param args the command line, without the name
 */
export async function playGenerated(
	name: string,
	{ purpose, what = 'histories' }: Generated,
	args: string[],
): Promise<void> {
	const { values } = parseArgs({
		args,
		options: {
			[what]: { type: 'string', default: '2000' },
			seed: { type: 'string' },
			path: { type: 'string' },
			only: { type: 'string' },
			survey: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		console.log(`${purpose}\n${options(what)}`);
		return;
	}
	const begun = performance.now();
	const histories = Number(values[what]);
	const seed =
		values.seed === undefined ? Math.trunc(Math.random() * 2 ** 30) : Number(values.seed);
	const { path, only, survey } = values;
	const processes = path ? 1 : Math.min(2, availableParallelism());
	console.log(`${histories} ${what}, seed ${seed}`);

	const tasks = Array.from(
		{ length: processes },
		(_, index): Task => ({
			// fast-check's seeds are 32 bits wide; those of the processes are far apart.
			seed: (seed + index * 0x1000_0000) | 0,
			histories: Math.ceil(histories / processes),
			path,
			only,
			survey,
		}),
	);
	const player = join(import.meta.dirname, '..', name, 'player.mts');
	const all = await Promise.all(tasks.map((task) => inProcess<Task, Seen>(player, task)));
	report(all, what);
	console.log(`${((performance.now() - begun) / 1000).toFixed(1)} s`);
	const found = all.some(
		({ counterExample, violations }) => counterExample || Object.keys(violations).length > 0,
	);
	if (found) process.exitCode = 1;
}

function report(all: Seen[], what: string): void {
	const events = new Map<string, number>();
	for (const { events: counted } of all) {
		for (const [name, times] of Object.entries(counted)) {
			events.set(name, (events.get(name) ?? 0) + times);
		}
	}
	const table = new Table({
		head: [`in these ${what}`, 'times'],
		style: { head: [], border: [] },
	});
	table.push([what, all.reduce((sum, { played }) => sum + played, 0)]);
	for (const [name, times] of [...events].sort(([a], [b]) => (a < b ? -1 : 1))) {
		table.push([name, times]);
	}
	console.log(table.toString());

	const unread = new Set(all.flatMap((seen) => seen.unread));
	if (unread.size > 0) console.log(`Words of no known kind:\n${[...unread].join('\n')}\n`);
	for (const { violations } of all) {
		for (const [rule, { times, example }] of Object.entries(violations)) {
			console.log(`\n${times} times: ${rule}\n${example}`);
		}
	}
	for (const { counterExample } of all) {
		if (!counterExample) continue;
		const { seed, path, text } = counterExample;
		console.log(`\nCounter-example (--seed ${seed} --path ${path}):\n${text}`);
	}
}
