import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { spreadAddress } from '../../../tools/release/address.mts';

/**
 * The project as it is on this machine, without what git leaves out, in a folder of its own that the
 * caller removes. The tools are linked.
 */
export function copyOfProject(): string {
	const folder = mkdtempSync(join(tmpdir(), 'crm-workspace-copy-'));
	const listed = execFileSync('git', [
		'ls-files',
		'-z',
		'--cached',
		'--others',
		'--exclude-standard',
	]);
	for (const file of listed
		.toString()
		.split('\0')
		.filter((name) => name && existsSync(name))) {
		cpSync(file, join(folder, file));
	}
	symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
	return folder;
}

/** Changes a file of a folder. */
export function edit(folder: string, file: string, change: (text: string) => string): void {
	const path = join(folder, file);
	writeFileSync(path, change(readFileSync(path, 'utf8')));
}

/** Changes package.json of a folder. */
export function editPackageJson(folder: string, change: (json: any) => void): void {
	edit(folder, 'package.json', (text) => {
		const json = JSON.parse(text);
		change(json);
		return `${JSON.stringify(json, undefined, '\t')}\n`;
	});
}

/** Version 1.2.3 of the project as its maintainer makes it ready for a release. */
export function makeReady(folder: string): void {
	editPackageJson(folder, (json) => {
		json.version = '1.2.3';
		json.author = { name: 'Nathan Automat', email: 'nathan@automat.test' };
		json.repository.url = 'git+https://github.com/automat/n8n-nodes-crm-workspace.git';
	});
	edit(folder, 'CHANGELOG.md', (text) =>
		text.replace(
			/^## /m,
			'## [1.2.3] - 2026-01-31\n\n### Fixed\n\n- A fault of [the node](README.md).\n\n## ',
		),
	);
	spreadAddress(folder);
}
