import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compareVersions, pinned } from './versions.mts';

const root = join(import.meta.dirname, '../.playground');

/** The n8n that is tested: the pinned one, or the one that `N8N_UNDER_TEST` names. */
export const version = { n8n: process.env.N8N_UNDER_TEST ?? pinned.n8n };

export const isPinned = version.n8n === pinned.n8n;

/** Where it's installed. */
export const n8nFolder = folderOf(version.n8n);

/** The Node.js that it runs on. */
export const n8nNode = isPinned ? process.execPath : nodeIn(n8nFolder);

/** Loads a module of the pinned n8n, or one of its dependencies. */
export const loadFromN8n = createRequire(join(folderOf(pinned.n8n), 'package.json'));

/** Where an n8n instance is installed. */
export function folderOf(n8n: string): string {
	return join(root, n8n === pinned.n8n ? 'n8n' : `n8n-${n8n}`);
}

/** Where only the engine of an older n8n is installed. */
export function engineFolderOf(n8n: string): string {
	return join(root, `engine-${n8n}`);
}

/** The Node.js that is installed beside an older n8n. */
export function nodeIn(folder: string): string {
	return join(folder, 'node_modules/node/bin/node');
}

/** Whether the tested n8n has this version or a later one. */
export function isSince(n8n: string): boolean {
	return compareVersions(version.n8n, n8n) >= 0;
}
