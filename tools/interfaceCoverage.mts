import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { readingDefinitions } from '../sandbox/readings.mts';
import { type Citation, citationsIn } from './interface/citations.mts';
import { type Coverage, coverageOf, documentOf } from './interface/coverage.mts';
import { groupsIn } from './interface/statements.mts';

/** Where the coverage of the interface is written to. */
export const document = 'docs/interface-coverage.md';

/** The coverage of docs/interface.md by the project as it is. */
export function coverageOfProject(): Coverage {
	const groups = groupsIn(readFileSync('docs/interface.md', 'utf8'));
	return coverageOf(groups, citationsOfProject(), readingsByStatement());
}

function citationsOfProject(): Citation[] {
	const files = globSync('{nodes,credentials,sandbox,test}/**/*.{ts,mts}').sort();
	return files.flatMap((file) => citationsIn(file, readFileSync(file, 'utf8')));
}

/** For each reading of the sandbox, the statements that leave it open: `OPEN-2, OPEN-5: …`. */
export function readingsByStatement(): Record<string, string[]> {
	return Object.fromEntries(
		Object.entries(readingDefinitions).map(([name, { leftOpenBy }]) => [
			name,
			leftOpenBy.split(':')[0].split(', '),
		]),
	);
}

/** Writes the document, says what is held, and fails where something is not. */
function main(): void {
	const coverage = coverageOfProject();
	const { groups, uncovered, unknown } = coverage;
	writeFileSync(document, documentOf(coverage));
	const all = groups.reduce((sum, { statements }) => sum + statements.length, 0);
	console.log(
		`${all} statements, ${all - uncovered.length} covered, ${uncovered.length} uncovered`,
	);
	for (const id of uncovered) console.error(`${id} has no test`);
	for (const citation of unknown) console.error(`no statement has the id in ${citation}`);
	if (uncovered.length + unknown.length > 0) process.exitCode = 1;
}

if (import.meta.main) main();
