import { parseArgs } from 'node:util';
import { pack } from '../pack.mts';
import { CommandFailed, run, runQuietly } from '../run.mts';
import { notes } from './notes.mts';
import { packageJson } from './places.mts';
import { problemsOfFiles } from './problems.mts';
import { problemsOfState } from './repositoryState.mts';

/**
 * Releases the version in package.json: checks, tests, rehearses the publishing, then pushes the
 * tag with which .github/workflows/publish.yml begins. There, it only checks. A dry run does the same
 * up to where something would be pushed.
 */
async function release(dryRun: boolean): Promise<void> {
	const { version } = packageJson('.');
	const problems = [...problemsOfFiles('.'), ...(await problemsOfState(version))];
	if (problems.length > 0) {
		console.error(`release: ${version} is not ready\n${problems.join('\n')}`);
		process.exitCode = 1;
	} else if (!process.env.GITHUB_ACTIONS) {
		await run('npm', ['test']);
		await run('npm', ['run', 'test:atLength']);
		await run('npm', ['publish', await pack(), '--dry-run', '--access', 'public']);
		console.log(`\nrelease: GitHub will say\n\n${notes()}\n`);
		if (!dryRun) await push(`v${version}`);
	}
}

/** Both or none: a tag without its commit on main would be published anyway. */
async function push(tag: string): Promise<void> {
	const remote = (await runQuietly('git', ['config', 'branch.main.remote'])).trim();
	await run('git', ['push', '--atomic', remote, 'main', `main:refs/tags/${tag}`]);
}

const options = { 'dry-run': { type: 'boolean', default: false } } as const;
try {
	await release(parseArgs({ options }).values['dry-run']);
} catch (error) {
	if (!(error instanceof CommandFailed)) throw error;
	console.error(`release: ${error.message}`);
	process.exitCode = 1;
}
