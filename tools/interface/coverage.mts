import type { Citation } from './citations.mts';
import type { Group, Statement } from './statements.mts';

/** A statement with all that cites it. */
export interface Held extends Statement {
	/** In what ships. */
	code: Citation[];
	sandbox: Citation[];
	tests: Citation[];
	/** The sandbox's readings of what the statement leaves open. */
	readings: string[];
}

/** What is held of each statement, and which ids are of none. */
export interface Coverage {
	groups: Array<{ heading: string; statements: Held[] }>;
	/** Statements without a test. */
	uncovered: string[];
	/** Citations of what is no statement, each as `file: id`. */
	unknown: string[];
}

/**
 * Puts statements and citations together.
 * @param readings the ids of the statements that leave each reading of the sandbox open
 */
export function coverageOf(
	groups: Group[],
	citations: Citation[],
	readings: Record<string, string[]> = {},
): Coverage {
	const held = groups.map(({ heading, statements }) => ({
		heading,
		statements: statements.map((statement) => heldOf(statement, citations, readings)),
	}));
	const all = held.flatMap(({ statements }) => statements);
	const known = new Set(all.map(({ id }) => id));
	return {
		groups: held,
		uncovered: all.filter(({ tests }) => tests.length === 0).map(({ id }) => id),
		unknown: citations.flatMap(({ file, ids }) =>
			ids.filter((id) => !known.has(id)).map((id) => `${file}: ${id}`),
		),
	};
}

function heldOf(
	statement: Statement,
	citations: Citation[],
	readings: Record<string, string[]>,
): Held {
	const citing = citations.filter(({ ids }) => ids.includes(statement.id));
	return {
		...statement,
		code: citing.filter(({ file }) => /^(nodes|credentials)\//.test(file)),
		sandbox: citing.filter(({ file }) => file.startsWith('sandbox/')),
		tests: citing.filter(isHolding),
		readings: Object.keys(readings).filter((name) => readings[name].includes(statement.id)),
	};
}

/** Whether a citation says that a statement is tested: a test does, and a rule of a judge. */
function isHolding({ file, isTest }: Citation): boolean {
	return isTest || /^test\/.*judge\.mts$/i.test(file);
}

/** docs/interface-coverage.md of a coverage. */
export function documentOf({ groups }: Coverage): string {
	return [opening, ...groups.map(groupAsMarkdown)].join('\n\n') + '\n';
}

const opening = `# What holds the interface

Each statement of [interface.md](interface.md) with the declarations and tests whose comments cite it: made by \`npm run docs:coverage\`, and not edited by hand. A test beside a statement fails when the statement is broken.`;

function groupAsMarkdown({ heading, statements }: Coverage['groups'][number]): string {
	return [`## ${heading}`, ...statements.map(statementAsMarkdown)].join('\n\n');
}

function statementAsMarkdown({ id, text, code, sandbox, tests, readings }: Held): string {
	const lines = [
		...(code.length > 0 ? [`- Node: ${declarations(code)}`] : []),
		...(sandbox.length > 0 ? [`- Sandbox: ${declarations(sandbox)}`] : []),
		...(readings.length > 0 ? [`- Readings: ${readings.map(asCode).join(', ')}`] : []),
		...tests.map(({ file, name }) => `- Test: ${linked(file)}: ${escaped(name)}`),
	];
	return [`### ${id}`, text, lines.join('\n')].join('\n\n');
}

function declarations(citations: Citation[]): string {
	const each = citations.map(({ file, name }) => `${asCode(name)} in ${linked(file)}`);
	return each.join(', ');
}

function linked(file: string): string {
	return `[${file}](../${file})`;
}

function asCode(name: string): string {
	return `\`${name}\``;
}

/** A title as it is, whatever of it means something in Markdown. */
function escaped(title: string): string {
	return title.replace(/[\\`*_{}<>[\]|#]/g, '\\$&');
}
