import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from './build.mts';
import { runQuietly } from './run.mts';

const folder = '.cache/packed';

/**
 * The package as it is published, built and packed again only after a change of a source.
 * @returns the absolute path of the tarball
 */
export async function pack(): Promise<string> {
	const tarball = resolve(folder, `${await build()}.tgz`);
	if (existsSync(tarball)) return tarball;
	mkdirSync(folder, { recursive: true });
	const flags = ['--silent', '--ignore-scripts', `--pack-destination=${folder}`];
	const printed = await runQuietly('npm', ['pack', ...flags]);
	renameSync(join(folder, printed.trim().split('\n').at(-1)!), tarball);
	return tarball;
}

if (import.meta.main) console.log(await pack());
