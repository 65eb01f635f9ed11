import Table from 'cli-table3';
import type { FurtherTable, Measured } from '../case.mts';
import { figureTable } from './figures.mts';
import { shown } from './numbers.mts';

/** A case for the terminal: its title, its figures and its further tables. */
export function caseInTerminal(title: string, { figures, tables = [] }: Measured): string {
	const further = tables.flatMap((table) => [`\n${table.title}`, inTerminal(table)]);
	return [`\n${title}`, inTerminal(figureTable(figures)), ...further].join('\n');
}

function inTerminal({ head, rows }: FurtherTable): string {
	const colAligns = alignments({ head, rows });
	const table = new Table({ style: { head: [], border: [], compact: true }, head, colAligns });
	table.push(...rows.map((row) => row.map(cell)));
	return table.toString();
}

/** A table for Markdown, which ends with a newline. */
export function inMarkdown({ head, rows }: FurtherTable): string {
	const rule = alignments({ head, rows }).map((side) => (side === 'right' ? '---:' : '---'));
	const lines = [head.map(escaped), rule, ...rows.map((row) => row.map(cell).map(escaped))];
	return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Text as it can stand in a cell of Markdown. */
export function escaped(text: string): string {
	return text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');
}

/** Numbers stand to the right, and so does what takes their place where there are none. */
function alignments({ head, rows }: Pick<FurtherTable, 'head' | 'rows'>): Array<'left' | 'right'> {
	return head.map((_, column) =>
		rows.some((row) => typeof row[column] === 'number' || row[column] === '–') ? 'right' : 'left',
	);
}

function cell(value: string | number | null): string {
	return typeof value === 'string' ? value : shown(value);
}
