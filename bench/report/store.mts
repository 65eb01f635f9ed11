import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { format, resolveConfig } from 'prettier';
import { pinned } from '../../playground/versions.mts';
import type { Row } from '../case.mts';
import { drawCharts } from './chart.mts';
import { type Stored, withFigures } from './page.mts';

/**
 * Stores the rows of a case, and writes both pages and the charts from all that is stored.
 * @param names of all cases, in order
 */
export async function store(names: string[], name: string, rows: Row[]): Promise<void> {
	const file = 'docs/benchmarks.json';
	const [{ model }, date] = [cpus()[0], new Date().toISOString().slice(0, 10)];
	const machine = `${cpus().length} × ${model.trim()}`;
	const measured = { date, n8n: pinned.n8n, node: process.versions.node, machine, rows };
	const all: Stored = { ...JSON.parse(readFileSync(file, 'utf8')), [name]: measured };
	const stored = Object.fromEntries(names.filter((one) => all[one]).map((one) => [one, all[one]]));
	const options = { ...(await resolveConfig(file)), filepath: file };
	writeFileSync(file, await format(JSON.stringify(stored), options));
	for (const page of ['docs/benchmarks.md', 'README.md']) {
		const text = withFigures(readFileSync(page, 'utf8'), stored, page === 'README.md');
		writeFileSync(page, text);
	}
	for (const [picture, svg] of drawCharts(stored)) {
		writeFileSync(`docs/benchmarks/${picture}`, svg);
	}
}
