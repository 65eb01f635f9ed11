/** The figures as a table: on the console, in docs/benchmarks.md and in the README. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { pinned } from '../playground/versions.mts';
import { contestants, type Contestant, type Figure, type Row } from './case.mts';

/** What `docs/benchmarks.json` has of a case. */
interface Stored {
	date: string;
	n8n: string;
	node: string;
	machine: string;
	rows: Row[];
}

/** The rows as a table in Markdown. */
export function tableOf(rows: Row[]): string {
	const lines = rows.map(({ name, figures }) => {
		const cells = contestants.map((who) => figures.map((figure) => inWords(figure, who)));
		return [name, ...cells.map((figures) => figures.join(', '))];
	});
	return [['', 'This node', 'HTTP Request'], ['---', '---', '---'], ...lines]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

/** Stores the rows of a case, and writes both pages from all that is stored. */
export function store(name: string, rows: Row[]): void {
	const file = 'docs/benchmarks.json';
	const machine = `${cpus().length} × ${cpus()[0].model.trim()}`;
	const date = new Date().toISOString().slice(0, 10);
	const measured: Stored = { date, n8n: pinned.n8n, node: process.versions.node, machine, rows };
	const all = { ...JSON.parse(readFileSync(file, 'utf8')), [name]: measured };
	writeFileSync(file, `${JSON.stringify(all, null, '\t')}\n`);
	writePages(Object.values(all));
}

/**
 * Writes all rows to `docs/benchmarks.md`, and the first one of each case to the README.
 * @throws an Error if a page has no place for them
 */
function writePages(stored: Stored[]): void {
	const list = (what: 'date' | 'n8n' | 'node') =>
		new Intl.ListFormat('en').format([...new Set(stored.map((one) => one[what]))].sort());
	const measured = `Measured ${list('date')} with n8n ${list('n8n')} and Node.js ${list('node')}.`;
	const all = tableOf(stored.flatMap(({ rows }) => rows));
	writeBlock('docs/benchmarks.md', `${all}\n\n${measured}`);
	writeBlock('README.md', tableOf(stored.map(({ rows }) => rows[0])));
}

function writeBlock(page: string, text: string): void {
	const block = /(?<=<!-- benchmarks -->\n\n)[^]*(?=\n\n<!-- end of benchmarks -->)/;
	const before = readFileSync(page, 'utf8');
	if (!block.test(before)) throw new Error(`${page} has no <!-- benchmarks -->`);
	writeFileSync(
		page,
		before.replace(block, () => text),
	);
}

function inWords(figure: Figure, who: Contestant): string {
	const value = figure[who];
	if (figure.unit === 's' && value >= 60) return inMinutes(value);
	// Below a thousand, three significant digits.
	const digits = value < 1000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 };
	return `${value.toLocaleString('en-US', digits)} ${figure.unit}`;
}

/** Such as `2 h 48 min`. */
function inMinutes(seconds: number): string {
	const minutes = Math.floor(Math.round(seconds) / 60);
	if (minutes < 60) return `${minutes} min ${Math.round(seconds) % 60} s`;
	return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
