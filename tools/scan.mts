import { globSync } from 'node:fs';
import { throwAwayFolder } from '../playground/atExit.mts';
import { pack } from './pack.mts';
import { run } from './run.mts';

/** What n8n's own flow scans of a published package. */
const patterns = ['**/*.js', 'package.json'];

/** Where the scanner is; it comes without types. */
const scanner: string = '@n8n/scan-community-package/scanner/scanner.mjs';

/**
 * The check that n8n's reviewers run, on a packed package.
 *
 * @returns how many files were looked at
 * @throws an Error with what the scanner objects to, or when there was nothing to look at
 */
async function scan(tarball: string): Promise<number> {
	const { path: folder, remove } = throwAwayFolder('crm-workspace-scan-');
	try {
		await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
		return await scanFolder(folder);
	} finally {
		remove();
	}
}

/** Where it finds no files, the scanner passes: they are counted before it is asked. */
async function scanFolder(folder: string): Promise<number> {
	const code = globSync(patterns, { cwd: folder }).filter((file) => file.endsWith('.js'));
	if (code.length === 0) throw new Error('scan: there is no code in the package');
	const { analyzePackage } = await import(scanner);
	const { passed, message, details = '' } = await analyzePackage(folder, patterns);
	if (!passed) throw new Error(`scan: ${message}\n${details}`);
	return code.length;
}

if (import.meta.main) {
	try {
		const files = await scan(process.argv[2] ?? (await pack()));
		console.log(`scan: ${files} files of code, no violations`);
	} catch (error) {
		console.error((error as Error).message);
		process.exitCode = 1;
	}
}
