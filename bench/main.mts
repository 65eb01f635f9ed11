/** Measures this node and HTTP Request; `npm run bench -- --help` lists the options. */
import { exitWhenTold } from '../playground/atExit.mts';
import { parseOptions, refuse } from '../tools/options.mts';
import { run } from '../tools/run.mts';
import type { Case, Row } from './case.mts';
import { list } from './cases/list.mts';
import { sends } from './cases/sends.mts';
import { sync } from './cases/sync.mts';
import { store, tableOf } from './report.mts';

/** In the order of the table. */
const cases: Record<string, Case> = { list, sync, sends };

const { values: flags, positionals } = parseOptions(
	'bench',
	{
		quick: { type: 'boolean', meaning: 'measure a tenth of the usual size' },
		write: { type: 'boolean', meaning: 'write the figures to the documents' },
	},
	{ names: Object.keys(cases) },
);
const isQuick = flags.quick ?? false;
if (isQuick && flags.write) refuse("The figures of a '--quick' run aren't written");
const names = Object.keys(cases).filter(
	(name) => positionals.length === 0 || positionals.includes(name),
);

exitWhenTold();
await run('n8n-node', ['build']);
for (const name of names) {
	console.log(`\n${name}`);
	const rows = await cases[name](isQuick);
	console.log(tableOf(rows));
	for (const row of rows.filter(exceeds)) {
		console.error(`Too much: ${row.name}`);
		process.exitCode = 1;
	}
	if (flags.write) store(name, rows);
}

function exceeds({ figures }: Row): boolean {
	return !figures.every(({ ours, atMost }) => ours <= atMost);
}
