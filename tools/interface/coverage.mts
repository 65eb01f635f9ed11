import { globSync, readFileSync } from 'node:fs';
import Table from 'cli-table3';
import { variantDefinitions } from '../../sandbox/variants.mts';
import { type Citation, citationsIn, idPattern } from './citations.mts';

/** A numbered statement of docs/interface.md. */
export interface Statement {
	/** Such as `SEND-4`. */
	id: string;
	/** In Markdown. */
	text: string;
}

/** A statement with all that cites it. */
export interface Held extends Statement {
	/** In what ships, and in the sandbox. */
	code: Citation[];
	tests: Citation[];
}

/** What is held of each statement, and what is not as it has to be. */
export interface Coverage {
	statements: Held[];
	/** One line for each statement without a test, and for each citation of what is no statement. */
	problems: string[];
}

const statementLine = new RegExp(`^- \\*\\*(${idPattern.source})\\*\\* (.+)$`, 'gm');

/**
 * Reads the statements of docs/interface.md.
 * @param markdown a line `- **SEND-4** …` for each
 * @throws Error for an id that two statements have
 */
export function statementsIn(markdown: string): Statement[] {
	const known = new Set<string>();
	return Array.from(markdown.matchAll(statementLine), ([, id, text]) => {
		if (known.has(id)) throw new Error(`${id} is the id of two statements`);
		known.add(id);
		return { id, text };
	});
}

/** The coverage of docs/interface.md by the project in the current folder. */
export function coverageOfProject(): Coverage {
	const files = globSync('{nodes,credentials,sandbox,test}/**/*.{ts,mts}').sort();
	const citations = files.flatMap((file) => citationsIn(file, readFileSync(file, 'utf8')));
	const statements = statementsIn(readFileSync('docs/interface.md', 'utf8')).map((statement) => {
		const citing = citations.filter(({ ids }) => ids.includes(statement.id));
		const code = citing.filter(({ file }) => !file.startsWith('test/'));
		return { ...statement, code, tests: citing.filter(isHolding) };
	});
	const known = new Set(statements.map(({ id }) => id));
	const unknown = citations.flatMap(({ file, ids }) =>
		ids.filter((id) => !known.has(id)).map((id) => `no statement has the id in ${file}: ${id}`),
	);
	const untested = statements.filter(({ tests }) => tests.length === 0);
	return { statements, problems: [...untested.map(({ id }) => `${id} has no test`), ...unknown] };
}

/** Whether a citation says that a statement is tested: a test does, and a rule of a judge. */
function isHolding({ file, isTest }: Citation): boolean {
	return isTest || /^test\/.*judge\.mts$/i.test(file);
}

/** For each variant of the sandbox, the statements that leave it open: `OPEN-2, OPEN-5: …`. */
export function variantsByStatement(): Record<string, string[]> {
	return Object.fromEntries(
		Object.entries(variantDefinitions).map(([name, { leftOpenBy }]) => [
			name,
			leftOpenBy.split(':')[0].split(', '),
		]),
	);
}

/** For the terminal: each statement with its code, by name, and its tests, counted by file. */
function tableOf(statements: Held[]): string {
	const table = new Table({
		head: ['', 'code', 'tests'],
		style: { head: [], border: [], compact: true },
	});
	for (const { id, code, tests } of statements) {
		const perFile = Object.entries(Object.groupBy(tests, ({ file }) => file));
		table.push([
			id,
			code.map(({ file, name }) => `${file}: ${name}`).join('\n'),
			perFile.map(([file, all]) => `${file}: ${all!.length}`).join('\n'),
		]);
	}
	return table.toString();
}

if (import.meta.main) {
	const { statements, problems } = coverageOfProject();
	console.log(tableOf(statements));
	const tested = statements.filter(({ tests }) => tests.length > 0).length;
	console.log(`${statements.length} statements, ${tested} with a test`);
	for (const problem of problems) console.error(problem);
	if (problems.length > 0) process.exitCode = 1;
}
