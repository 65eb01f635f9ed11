import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineFolderOf, folderOf } from '../playground/installed.mts';
import { asOf, type N8nVersion, type Needs, pinned } from '../playground/versions.mts';
import { runQuietly } from './run.mts';

/**
 * Installs n8n's engine by itself, unless it is there.
 * @returns whether it had to be installed
 */
export async function installEngine(version: N8nVersion): Promise<boolean> {
	const { core, workflow, node, engineNeeds } = version;
	const dependencies = { 'n8n-core': core, 'n8n-workflow': workflow, node };
	return await install(engineFolderOf(version), dependencies, engineNeeds, ['node']);
}

/**
 * Installs a whole older n8n, unless it is there; the pinned one is there since `npm run setup`.
 * @returns whether it had to be installed
 * @throws an Error for one of which it is not known what it takes
 */
export async function installWhole(version: N8nVersion): Promise<boolean> {
	if (version === pinned) return false;
	const { n8n, node, needs } = version;
	if (!needs) throw new Error(`playground/versions.mts does not say what n8n ${n8n} takes`);
	return await install(folderOf(version), { n8n, node }, needs, ['node', 'sqlite3']);
}

async function install(
	folder: string,
	dependencies: Record<string, string>,
	needs: Needs,
	native: string[],
): Promise<boolean> {
	const manifest = JSON.stringify({
		private: true,
		dependencies: { ...dependencies, ...needs.dependencies },
		overrides: needs.overrides,
	});
	const settings = [
		'legacy-peer-deps=true',
		'ignore-scripts=true',
		'package-lock=false',
		`before=${asOf}`,
	].join('\n');
	const stamp = createHash('sha256')
		.update(manifest + settings + process.platform + process.arch)
		.digest('hex');
	const stampFile = join(folder, '.installed');
	if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return false;

	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'package.json'), manifest);
	writeFileSync(join(folder, '.npmrc'), settings);
	await runQuietly('npm', ['install', '--no-audit', '--no-fund'], { folder });
	// What has to be compiled, or fetched for this machine.
	await runQuietly('npm', ['rebuild', ...native, '--ignore-scripts=false'], { folder });
	writeFileSync(stampFile, stamp);
	return true;
}
