import { readFileSync, writeFileSync } from 'node:fs';
import { type N8nVersion, pinned } from '../playground/versions.mts';

const file = 'docs/compatibility.md';

/** What the tests saw in one n8n. */
export interface Column {
	version: N8nVersion;
	/** Tests, and whatever else failed of the run. */
	failed: number;
	/** For each file of tests, how many there were. */
	cells: Record<string, { passed: number; failed: number; leftOut: number }>;
	/** Why tests were left out, and how many for each reason. */
	leftOut: Record<string, number>;
}

/** The Markdown of a table: for each file of tests a line, for each n8n a column; then the reasons. */
export function table(columns: Column[]): string {
	const files = [...new Set(columns.flatMap(({ cells }) => Object.keys(cells)))].sort();
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	const names = columns.map(({ version }) =>
		version === pinned ? `**${version.n8n}**` : version.n8n,
	);
	const lines = [
		line(['n8n', ...names]),
		line(['---', ...columns.map(() => '---')]),
		line(['Node.js', ...columns.map(({ version }) => version.node)]),
		...files.map((name) =>
			line([wordsOf(name), ...columns.map(({ cells }) => shown(cells[name]))]),
		),
		line(['**all**', ...columns.map((column) => `**${shown(sum(column))}**`)]),
	];
	const reasons = [...new Set(columns.flatMap(({ leftOut }) => Object.keys(leftOut)))].sort();
	const whys = reasons.map((reason) => {
		const where = columns.flatMap(({ version, leftOut }) =>
			leftOut[reason] ? [`${version.n8n} (${leftOut[reason]})`] : [],
		);
		return `- ${where.join(', ')}: such an n8n ${reason}`;
	});
	const notRun = whys.length > 0 ? ['', 'Not run, and why:', '', ...whys] : [];
	return [...lines, ...notRun].join('\n');
}

/** Writes a table to its place in the document. */
export function writeCompatibility(name: 'engine' | 'real', columns: Column[]): void {
	const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
	const text = readFileSync(file, 'utf8');
	const [before, after] = [text.split(begin)[0], text.split(end)[1]];
	if (after === undefined) throw new Error(`${file} has no place for the table of '${name}'`);
	writeFileSync(file, `${before}${begin}\n\n${table(columns)}\n\n${end}${after}`);
	console.log(`written to ${file}`);
}

/** `updateContact.preserve` as words. */
function wordsOf(name: string): string {
	const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
	return words.replace('.', ': ').replaceAll('n8 n', 'n8n');
}

function shown(cell: Column['cells'][string] | undefined): string {
	if (!cell) return 'not run';
	const { passed, failed, leftOut } = cell;
	const further = [failed && `${failed} failed`, leftOut && `${leftOut} not run`].filter(Boolean);
	return [passed, ...further].join(', ');
}

function sum({ cells, failed }: Column): Column['cells'][string] {
	const all = Object.values(cells);
	const total = (what: 'passed' | 'leftOut') => all.reduce((so, cell) => so + cell[what], 0);
	return { passed: total('passed'), failed, leftOut: total('leftOut') };
}
