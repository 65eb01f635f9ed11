import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Case } from '../case.mts';
import { document } from './document.mts';
import { withHighlights } from './highlights.mts';
import { pictures } from './plots.mts';
import { merged, readStored, type Stored } from './stored.mts';

/** What the document, its figures and the folder of its pictures are called. */
const name = 'benchmarks';

/**
 * Stores what was measured, and writes the document, its pictures and the figures of the README from
 * all that is stored.
 * Nothing is written before everything is drawn.
 * @param folder where the document is
 * @param cases all there are, in the order of the document
 * @throws an Error when two plots have one name, or what is stored cannot be read
 */
export async function write(
	folder: string,
	cases: Record<string, Case>,
	measured: Stored,
): Promise<void> {
	const file = join(folder, `${name}.json`);
	const stored = merged(Object.keys(cases), readStored(file), measured);
	const drawn = await drawings(stored);
	const options = { ...(await resolveConfig(file)), filepath: file };
	const json = await format(JSON.stringify({ cases: stored }, null, '\t'), options);
	mkdirSync(join(folder, name), { recursive: true });
	removeOld(join(folder, name), drawn);
	for (const [picture, svg] of drawn) writeFileSync(join(folder, name, picture), svg);
	writeFileSync(file, json);
	writeFileSync(join(folder, `${name}.md`), document(cases, stored, name));
	const readme = join(folder, '..', 'README.md');
	writeFileSync(readme, withHighlights(readFileSync(readme, 'utf8'), stored));
}

async function drawings(stored: Stored): Promise<Map<string, string>> {
	const plots = Object.values(stored).flatMap(({ plots = [] }) => plots);
	const twice = plots.find(
		(one, index) => plots.findIndex(({ name }) => name === one.name) < index,
	);
	if (twice) throw new Error(`two plots are called '${twice.name}'`);
	const all = await Promise.all(plots.map(pictures));
	return new Map(all.flatMap((one) => [...one]));
}

/** Removes the pictures of plots that there are no more. */
function removeOld(folder: string, drawn: Map<string, string>): void {
	for (const picture of readdirSync(folder)) {
		if (picture.endsWith('.svg') && !drawn.has(picture)) rmSync(join(folder, picture));
	}
}
