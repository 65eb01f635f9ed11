import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineFolderOf, folderOf } from '../playground/installed.mts';
import { asOf, type N8nVersion, type Needs, pinned } from '../playground/versions.mts';
import { runQuietly } from './run.mts';

/** What npm installs into a folder of its own. */
interface Installation {
	folder: string;
	dependencies: Record<string, string>;
	needs: Needs;
	/** What has to be compiled, or fetched for this machine. */
	native: string[];
	/** The day whose versions of all else are taken; of today by default. */
	before?: string;
}

/**
 * Installs n8n's engine by itself, unless it is there.
 * @returns whether it had to be installed
 */
export async function installEngine(version: N8nVersion): Promise<boolean> {
	const { core, workflow, node, engineNeeds: needs } = version;
	const dependencies = { 'n8n-core': core, 'n8n-workflow': workflow, node };
	const folder = engineFolderOf(version);
	return await install({ folder, dependencies, needs, native: ['node'], before: asOf });
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
	const [folder, native] = [folderOf(version), ['node', 'sqlite3']];
	return await install({ folder, dependencies: { n8n, node }, needs, native, before: asOf });
}

/**
 * Installs what is shown, unless the last install there was shown the same.
 * @throws CommandFailed with what npm printed
 */
export async function install(installation: Installation): Promise<boolean> {
	const { folder, dependencies, needs, native, before } = installation;
	const manifest = JSON.stringify({
		private: true,
		dependencies: { ...dependencies, ...needs.dependencies },
		overrides: needs.overrides,
	});
	const settings = [
		...['legacy-peer-deps=true', 'ignore-scripts=true', 'package-lock=false'],
		...(before ? [`before=${before}`] : []),
	].join('\n');
	const stamp = createHash('sha256')
		.update(manifest + settings + process.platform + process.arch)
		.digest('hex');
	const stampFile = join(folder, '.installed');
	if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return false;

	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'package.json'), manifest);
	writeFileSync(join(folder, '.npmrc'), settings);
	const npm = async (...args: string[]) =>
		await runQuietly('npm', [...args, '--loglevel=error'], { folder });
	await npm('install', '--no-audit', '--no-fund');
	await npm('rebuild', ...native, '--ignore-scripts=false');
	writeFileSync(stampFile, stamp);
	return true;
}
