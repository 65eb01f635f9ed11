import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { throwAwayFolder } from '../../playground/atExit.mts';
import { n8nFolder } from '../../playground/installed.mts';
import { installPackage, startPlayground } from '../../playground/start.mts';
import { inProcess } from '../../test/models/harness/processes.mts';
import { pack } from '../../tools/pack.mts';
import type { Case } from '../case.mts';
import type { Loaded } from './loader.mts';

const rounds = 7;
const packageName = 'n8n-nodes-crm-workspace';

/** What the package adds to an n8n instance that does not use it. */
export const loading: Case = {
	title: 'Loading the package',
	async run({ progress }) {
		progress('packing and installing');
		const tarball = await pack();
		const { path: dataFolder, remove } = throwAwayFolder('n8n-bench-');
		try {
			await installPackage(tarball, dataFolder);
			const folder = join(dataFolder, '.n8n/nodes/node_modules', packageName);
			progress('loading');
			const { time, memory } = await medianOf(folder);
			progress('starting n8n');
			const start = await startOfN8n(dataFolder);
			const figure = { other: null, bound: null };
			return {
				figures: [
					{ name: 'loading the package: time', ours: time, unit: 'ms', ...figure },
					{ name: 'loading the package: memory', ours: memory, unit: 'MB', ...figure },
					{ name: 'start of an n8n that has it', ours: start, unit: 'ms', ...figure },
					{ name: 'package, packed', ours: statSync(tarball).size / 1000, unit: 'kB', ...figure },
					{ name: 'package, installed', ours: sizeOf(folder) / 1000, unit: 'kB', ...figure },
				],
			};
		} finally {
			remove();
		}
	},
};

async function medianOf(folder: string): Promise<Loaded> {
	// Where n8n's own modules are, for a package that is installed elsewhere.
	process.env.NODE_PATH = join(n8nFolder, 'node_modules');
	const loader = join(import.meta.dirname, 'loader.mts');
	const all: Loaded[] = [];
	for (let round = 0; round < rounds; round++) all.push(await inProcess(loader, { folder }));
	delete process.env.NODE_PATH;
	const median = (of: keyof Loaded) =>
		all.map((one) => one[of]).toSorted((a, b) => a - b)[Math.floor(rounds / 2)];
	return { time: median('time'), memory: median('memory') };
}

/** In ms, of an n8n instance that was started with this folder before: the very first start makes the database. */
async function startOfN8n(dataFolder: string): Promise<number> {
	const { stop, start } = await startPlayground({ dataFolder });
	await stop();
	const begun = performance.now();
	await start();
	const took = performance.now() - begun;
	await stop();
	return took;
}

function sizeOf(folder: string): number {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true });
	return files
		.filter((entry) => entry.isFile())
		.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
