import { runQuietly } from '../run.mts';

/**
 * What keeps a version from being released that is not in the files: the state of the repository
 * and, in GitHub Actions, which tag it runs for and with which npm.
 *
 * @returns one line for each; none when it may be released
 */
export async function problemsOfState(version: string): Promise<string[]> {
	const state = process.env.GITHUB_ACTIONS ? problemsInActions : problemsHere;
	return [...(await state(`v${version}`)), ...(await dirt())];
}

/** A release is made of what is on main, and known to the repository it is pushed to. */
async function problemsHere(tag: string): Promise<string[]> {
	const branch = await git('branch', '--show-current');
	const ofBranch = ['--format=%(upstream:remotename)', `refs/heads/${branch}`];
	const upstream = branch && (await git('for-each-ref', ...ofBranch));
	const tags = await git('tag', '--list', tag);
	const tagsThere = upstream && (await git('ls-remote', '--tags', upstream, tag));
	return [
		...(branch === 'main' ? [] : [`git: the branch is not main but ${branch || 'none'}`]),
		...(upstream ? [] : ['git: the branch has no upstream']),
		...(tags || tagsThere ? [`git: ${tag} is tagged already`] : []),
	];
}

/** npm takes a publisher's word for a package from 11.5.1 on. */
async function problemsInActions(tag: string): Promise<string[]> {
	const npm = (await runQuietly('npm', ['--version'])).trim();
	const isNewEnough = npm.localeCompare('11.5.1', 'en', { numeric: true }) >= 0;
	const ref = process.env.GITHUB_REF ?? 'nothing';
	return [
		...(ref === `refs/tags/${tag}` ? [] : [`git: this runs for ${ref}, not for ${tag}`]),
		...(isNewEnough ? [] : [`npm: ${npm} knows no trusted publishing, 11.5.1 and newer do`]),
	];
}

async function dirt(): Promise<string[]> {
	const changes = await git('status', '--short');
	return changes ? [`git: there are changes that are not committed:\n ${changes}`] : [];
}

async function git(...args: string[]): Promise<string> {
	return (await runQuietly('git', args)).trim();
}
