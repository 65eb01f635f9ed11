import { readFileSync, writeFileSync } from 'node:fs';
import { type MutationReport, scoreTable } from './mutation/scores.mts';
import { CommandFailed, run } from './run.mts';

const document = 'docs/mutation.md';
const [begin, end] = ['<!-- scores -->', '<!-- end of scores -->'];

/** Puts a table to its place in the document; what is written by hand around it stays. */
function writeScores(report: MutationReport): void {
	const text = readFileSync(document, 'utf8');
	const [before, after] = [text.split(begin)[0], text.split(end)[1]];
	if (after === undefined) throw new Error(`${document} has no place for the scores`);
	writeFileSync(document, `${before}${begin}\n\n${scoreTable(report)}\n\n${end}${after}`);
	console.log(`written to ${document}`);
}

const args = process.argv.slice(2);
try {
	await run('stryker', ['run', 'test/mutation/stryker.config.mjs', ...args]);
} catch (error) {
	if (!(error instanceof CommandFailed)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
// A run of some modules only is for whoever works on them.
if (!args.includes('--mutate')) {
	writeScores(JSON.parse(readFileSync('.cache/mutation/report.json', 'utf8')));
}
