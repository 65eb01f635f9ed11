import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './run.mts';

const stamp = '.cache/built';

/** All that the published package is made of or by. */
const sources = [
	'credentials',
	'nodes',
	'package.json',
	'tsconfig.json',
	'README.md',
	'CHANGELOG.md',
	'SECURITY.md',
	'LICENSE.md',
];

/**
 * Builds dist, unless it is built from the sources as they are. `n8n-node build` copies every picture
 * of the repository into it; what is neither of the nodes nor of the credentials has no place there.
 *
 * @returns what tells these sources from all others
 */
export async function build(): Promise<string> {
	const print = fingerprint();
	if (existsSync('dist') && existsSync(stamp) && readFileSync(stamp, 'utf8') === print)
		return print;
	rmSync(stamp, { force: true });
	await runQuietly('n8n-node', ['build']);
	for (const name of readdirSync('dist')) {
		if (name !== 'nodes' && name !== 'credentials') rmSync(join('dist', name), { recursive: true });
	}
	mkdirSync('.cache', { recursive: true });
	writeFileSync(stamp, print);
	return print;
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

if (import.meta.main) await build();
