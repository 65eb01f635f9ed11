import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mts';
import { runQuietly } from './run.mts';

const packedFolder = '.cache/packed';

/**
 * The package as npm would publish it, built and packed anew only when a source has changed.
 *
 * @returns the absolute path of the tarball
 */
export async function pack(): Promise<string> {
	const tarball = join(process.cwd(), packedFolder, `${await build()}.tgz`);
	if (existsSync(tarball)) return tarball;
	mkdirSync(packedFolder, { recursive: true });
	const printed = await runQuietly('npm', [
		'pack',
		'--silent',
		`--pack-destination=${packedFolder}`,
	]);
	renameSync(join(packedFolder, printed.trim().split('\n').at(-1)!), tarball);
	return tarball;
}

if (import.meta.main) console.log(await pack());
