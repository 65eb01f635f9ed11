import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What is not the same in it. */
export const next = { version: '99.0.0', displayName: 'CRM Workspace, Next' };

/**
 * The package as it may be one day: with another version, and with another name in the editor, by
 * which it shows that its code is what runs.
 *
 * @returns its folder, which the caller removes
 */
export async function nextVersionOf(tarball: string): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'crm-workspace-next-'));
	await promisify(execFile)('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	replace(join(folder, 'package.json'), /(?<="version": ")[^"]+/, next.version);
	const node = join(folder, 'dist/nodes/CrmWorkspace/CrmWorkspace.node.js');
	replace(node, /(?<=displayName: ')CRM Workspace(?=')/, next.displayName);
	return folder;
}

function replace(file: string, what: RegExp, by: string): void {
	const text = readFileSync(file, 'utf8');
	if (!what.test(text)) throw new Error(`There is no ${what} in ${file}`);
	writeFileSync(file, text.replace(what, by));
}
