import { parseArgs } from 'node:util';
import { CommandFailed, run } from '../run.mts';
import { packageJson } from './places.mts';
import { problemsOfFiles } from './problems.mts';
import { publish, rehearse } from './publish.mts';
import { problemsOfState } from './repositoryState.mts';

/**
 * Releases the version in package.json in two halves. On a maintainer's machine: checks, tests, a
 * rehearsal of the publishing, then tag, push and the release on GitHub. The tag starts
 * .github/workflows/publish.yml, which tests anew and comes here again to publish. A dry run does
 * the same up to where something would be changed or published.
 */
async function release(dryRun: boolean): Promise<void> {
	const { version } = packageJson('.');
	const problems = [...problemsOfFiles('.'), ...(await problemsOfState(version))];
	if (problems.length > 0) {
		console.error(`release: ${version} is not ready\n${problems.join('\n')}`);
		process.exitCode = 1;
	} else if (process.env.GITHUB_ACTIONS) {
		await (dryRun ? rehearse() : publish('.'));
	} else {
		await run('npm', ['test']);
		await rehearse();
		await run('release-it', ['--ci', ...(dryRun ? ['--dry-run'] : [])]);
	}
}

const options = { 'dry-run': { type: 'boolean', default: false } } as const;
try {
	await release(parseArgs({ options }).values['dry-run']);
} catch (error) {
	if (!(error instanceof CommandFailed)) throw error;
	console.error(`release: ${error.message}`);
	process.exitCode = 1;
}
