import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from './build.mts';
import { absolute } from './markdown/absolute.mts';
import { packageJson, repositoryOf } from './release/places.mts';
import { runQuietly } from './run.mts';

const packedFolder = '.cache/packed';

/**
 * The package as it is published, built and packed again only when a source has changed.
 *
 * @returns the absolute path of the tarball
 */
export async function pack(): Promise<string> {
	const tarball = resolve(packedFolder, `${await build()}.tgz`);
	if (existsSync(tarball)) return tarball;
	mkdirSync(packedFolder, { recursive: true });
	// Outside of the project, as the linter reads every folder in it.
	const folder = mkdtempSync(join(tmpdir(), 'package-'));
	try {
		for (const name of ['dist', 'package.json', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE.md']) {
			cpSync(name, join(folder, name), { recursive: true });
		}
		writeFileSync(join(folder, 'README.md'), readmeForNpm());
		const destination = `--pack-destination=${packedFolder}`;
		const printed = await runQuietly('npm', ['pack', folder, '--silent', destination]);
		renameSync(join(packedFolder, printed.trim().split('\n').at(-1)!), tarball);
	} finally {
		rmSync(folder, { recursive: true });
	}
	return tarball;
}

/** npm shows the README where relative links lead nowhere: they lead to this version on GitHub. */
function readmeForNpm(): string {
	const json = packageJson('.');
	const version = { repository: repositoryOf(json), tag: `v${json.version}` };
	return absolute(readFileSync('README.md', 'utf8'), version);
}

if (import.meta.main) console.log(await pack());
