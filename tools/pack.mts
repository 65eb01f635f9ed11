import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mts';
import { runQuietly } from './run.mts';
import { sources } from './sources.mts';

const packedFolder = '.cache/packed';

/**
 * The package as npm would publish it. Builds and packs only when a source has changed since.
 *
 * @returns the absolute path of the tarball
 */
export async function pack(): Promise<string> {
	const tarball = join(process.cwd(), packedFolder, `${fingerprint()}.tgz`);
	if (existsSync(tarball)) return tarball;
	await build();
	mkdirSync(packedFolder, { recursive: true });
	const printed = await runQuietly('npm', [
		'pack',
		'--silent',
		`--pack-destination=${packedFolder}`,
	]);
	renameSync(join(packedFolder, printed.trim().split('\n').at(-1)!), tarball);
	return tarball;
}

function fingerprint(): string {
	const hash = createHash('sha256');
	for (const source of sources.filter((one) => existsSync(one))) {
		for (const file of filesOf(source)) hash.update(`${file}\n`).update(readFileSync(file));
	}
	return hash.digest('hex').slice(0, 16);
}

function filesOf(source: string): string[] {
	if (statSync(source).isFile()) return [source];
	return readdirSync(source, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.sort();
}

if (import.meta.main) console.log(await pack());
