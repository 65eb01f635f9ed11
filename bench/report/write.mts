import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { drawCharts, withFigures } from './page.mts';
import { merged, readStored, type Stored } from './stored.mts';

/**
 * Stores what was measured, and writes the page, its charts and the table of the README from all
 * that is stored.
 * @param folder of the page
 * @param names of all cases, in order
 */
export async function write(folder: string, names: string[], measured: Stored): Promise<void> {
	const file = join(folder, 'benchmarks.json');
	const stored = merged(names, readStored(file), measured);
	const options = { ...(await resolveConfig(file)), filepath: file };
	writeFileSync(file, await format(JSON.stringify({ cases: stored }), options));
	for (const [page, isReadme] of [
		[join(folder, 'benchmarks.md'), false],
		[join(folder, '..', 'README.md'), true],
	] as const) {
		writeFileSync(page, withFigures(readFileSync(page, 'utf8'), stored, isReadme));
	}
	const pictures = join(folder, 'benchmarks');
	for (const old of readdirSync(pictures)) rmSync(join(pictures, old));
	for (const [name, svg] of drawCharts(stored)) writeFileSync(join(pictures, name), svg);
}
