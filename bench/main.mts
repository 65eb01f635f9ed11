/** Measures this node and HTTP Request: `npm run bench -- [NAME…] [--quick | --write]`. */
import { parseArgs } from 'node:util';
import { exitWhenTold } from '../playground/atExit.mts';
import { build } from '../tools/build.mts';
import type { Case, Row } from './case.mts';
import { computing } from './cases/computing.mts';
import { list } from './cases/list.mts';
import { sends } from './cases/sends.mts';
import { sync } from './cases/sync.mts';
import { tableOf } from './report/page.mts';
import { store } from './report/store.mts';

/** In the order of the table. */
const cases: Record<string, Case> = { list, sync, sends, computing };

const { values: flags, positionals } = parseArgs({
	options: { quick: { type: 'boolean' }, write: { type: 'boolean' } },
	allowPositionals: true,
});
const isQuick = flags.quick ?? false;
if (isQuick && flags.write)
	throw new Error('The figures of a quick run are not written: leave out one flag');
const unknown = positionals.filter((name) => !(name in cases));
if (unknown.length > 0) throw new Error(`No case ${unknown}. Cases: ${Object.keys(cases)}`);
const names = Object.keys(cases).filter(
	(name) => positionals.length === 0 || positionals.includes(name),
);

exitWhenTold();
await build();
for (const name of names) {
	console.log(`\n${name}`);
	const rows = await cases[name](isQuick);
	console.log(tableOf(rows));
	for (const row of rows.filter(exceeds)) {
		console.error(`Too much: ${row.name}`);
		process.exitCode = 1;
	}
	if (flags.write) await store(Object.keys(cases), name, rows);
}

function exceeds({ figures }: Row): boolean {
	return !figures.every(({ ours, atMost }) => ours <= atMost);
}
