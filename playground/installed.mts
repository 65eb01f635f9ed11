import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compareVersions, type N8nVersion, pinned, versions } from './versions.mts';

const root = join(import.meta.dirname, '../.playground');

/** Which n8n all is tested in: the pinned one, or the one that `N8N_UNDER_TEST` names. */
export const version: N8nVersion = named(process.env.N8N_UNDER_TEST) ?? pinned;

/** Where the playground's n8n is installed. */
export const n8nFolder = folderOf(version);

/** The Node.js that it runs on. */
export const n8nNode = version === pinned ? process.execPath : nodeIn(n8nFolder);

/** Loads a module of the pinned n8n, or one that it depends on. */
export const loadFromN8n = createRequire(join(folderOf(pinned), 'package.json'));

/** Where a whole n8n is installed. */
export function folderOf({ n8n }: N8nVersion): string {
	return join(root, n8n === pinned.n8n ? 'n8n' : `n8n-${n8n}`);
}

/** Where the engine of an older n8n is installed by itself. */
export function engineFolderOf({ n8n }: N8nVersion): string {
	return join(root, `engine-${n8n}`);
}

/** The Node.js that is installed beside an older n8n. */
export function nodeIn(folder: string): string {
	return join(folder, 'node_modules/node/bin/node');
}

/** Whether the n8n under test is this one or a newer one. */
export function isSince(n8n: string): boolean {
	return compareVersions(version.n8n, n8n) >= 0;
}

function named(n8n: string | undefined): N8nVersion | undefined {
	if (n8n === undefined) return undefined;
	const known = versions.find((one) => one.n8n === n8n);
	if (!known) throw new Error(`There is no n8n ${n8n} in playground/versions.mts`);
	return known;
}
