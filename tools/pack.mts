import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from './run.mts';

/** All that the published package is made of or by. */
const sources = [
	'{credentials,nodes}/**/*.{ts,json,svg}',
	'{package,tsconfig}.json',
	'{README,CHANGELOG,SECURITY,LICENSE}.md',
];

const folder = '.cache/packed';

/**
 * The package as it is published, built and packed again only after a change of a source.
 * @returns the absolute path of the tarball, whose name tells these sources from all others
 */
export async function pack(): Promise<string> {
	const hash = createHash('sha256');
	for (const file of globSync(sources).sort()) hash.update(`${file}\n`).update(readFileSync(file));
	const tarball = resolve(folder, `${hash.digest('hex').slice(0, 16)}.tgz`);
	if (existsSync(tarball)) return tarball;
	await run('n8n-node', ['build']);
	mkdirSync(folder, { recursive: true });
	const flags = ['--silent', '--ignore-scripts', `--pack-destination=${folder}`];
	const { stdout } = await run('npm', ['pack', ...flags]);
	renameSync(join(folder, stdout.trim().split('\n').at(-1)!), tarball);
	return tarball;
}

if (import.meta.main) void pack().then(console.log);
