import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { absolute } from '../markdown/absolute.mts';
import { run, runQuietly } from '../run.mts';
import { packageJson, repositoryOf } from './places.mts';

/**
 * Publishes what is in a folder with npm's provenance, as n8n demands it; `n8n-node release` does so
 * where it finds itself in GitHub Actions. The folder's README.md is changed for that and stays so:
 * npm shows it where relative links lead nowhere.
 */
export async function publish(folder: string, environment: Record<string, string> = {}) {
	const json = packageJson(folder);
	const readme = join(folder, 'README.md');
	const version = { repository: repositoryOf(json), tag: `v${json.version}` };
	writeFileSync(readme, absolute(readFileSync(readme, 'utf8'), version));
	await run('n8n-node', ['release'], { folder, environment });
}

/** Does what GitHub Actions will do with the last commit, up to the publishing, in a throw-away clone. */
export async function rehearse(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'crm-workspace-release-'));
	try {
		await runQuietly('git', ['clone', '--quiet', '--depth=1', `file://${resolve('.')}`, folder]);
		symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
		await publish(folder, { GITHUB_ACTIONS: 'true', npm_config_dry_run: 'true' });
	} finally {
		rmSync(folder, { recursive: true });
	}
}
