import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { links } from '../links.mts';
import { sectionOf } from './changelog.mts';
import { codexProblems } from './codex.mts';
import { hasExampleDomain } from './exampleDomain.mts';
import { packageJson, places, repositoryOf, type PackageJson } from './places.mts';

/** The author that package.json was begun with. */
const madeUpAuthor = 'CRM Workspace node maintainers';

/**
 * Everything in a folder's files that keeps its version from being released, all of it at once.
 * What is an example by its place, such as a placeholder in the credential, is none of it: looked at
 * is where the project's own addresses stand, and what the documents link to.
 *
 * @returns one line for each, with the place; none when the files are ready
 */
export function problemsOfFiles(folder: string): string[] {
	const json = packageJson(folder);
	return [
		...authorProblems(json),
		...repositoryProblems(json),
		...placeProblems(folder),
		...links(folder).broken,
		...codexProblems(folder),
		...changelogProblems(folder, json),
	];
}

function authorProblems({ author }: PackageJson): string[] {
	const text = JSON.stringify(author ?? '');
	const reasons = [
		...(/@/.test(text) ? [] : ['has no address for mail']),
		...(hasExampleDomain(text) ? ['has an example address'] : []),
		...(text.includes(madeUpAuthor) ? ['has a made-up name'] : []),
	];
	return reasons.map((reason) => `package.json: author ${reason}`);
}

/** n8n takes only what GitHub Actions published, and npm only what names the repository it is from. */
function repositoryProblems(json: PackageJson): string[] {
	const page = repositoryOf(json);
	if (hasExampleDomain(page)) return ['package.json: repository is an example address'];
	return /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/.test(page)
		? []
		: ['package.json: repository is not git+https://github.com/OWNER/NAME.git'];
}

function placeProblems(folder: string): string[] {
	return places(folder)
		.filter(({ value, expected }) => value !== expected || hasExampleDomain(expected))
		.map(({ file, name, value, expected }) => {
			const cure = hasExampleDomain(expected) ? '' : ': npx gulp release:address writes it';
			return `${file}: ${name} ${flawOf(value)}${cure}`;
		});
}

function flawOf(value: string | undefined): string {
	if (value === undefined) return 'is missing';
	return hasExampleDomain(value) ? 'is an example address' : 'does not follow from repository';
}

function changelogProblems(folder: string, { version }: PackageJson): string[] {
	const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
	return sectionOf(changelog, version)
		? []
		: [`CHANGELOG.md: there is no section "## [${version}] - YYYY-MM-DD"`];
}
