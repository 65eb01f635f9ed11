/**
 * Releases a version: `npm run release -- 1.2.3`. It refuses before anything is changed. With
 * `--check`, it only checks the commit, as publish.yml does for a tag.
 */
import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What the package's page on npm, n8n's reviewers and SECURITY.md lead to. */
const fields = ['author.name', 'author.email', 'repository.url', 'homepage', 'bugs.url'];

/** Nothing, a note to oneself, or a host that is for examples only. */
const placeholder =
	/^\s*$|\bTODO\b|(?<![\w-])(example\.(com|net|org)|localhost)(?![\w-])|\.example(?![\w.-])/i;

const isCheck = process.argv.includes('--check');
const version = process.argv.slice(2).find((argument) => argument !== '--check') ?? '';
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

const refusals = [...refusedFields(), ...refusedVersion(), ...(isCheck ? [] : refusedTree())];
for (const refusal of refusals) console.error(`release: ${refusal}.`);
if (refusals.length > 0) process.exit(1);
if (!isCheck) {
	// A first release has the version that package.json has.
	execSync(`npm version ${version} --allow-same-version`, { stdio: 'inherit' });
	execSync('git push --atomic --follow-tags', { stdio: 'inherit' });
}

function refusedFields(): string[] {
	return fields.flatMap((field) => {
		const value = field.split('.').reduce((part, name) => part?.[name], manifest);
		if (!placeholder.test(value ?? '')) return [];
		return `'${field}' in package.json is ${value?.trim() ? `a placeholder: “${value}”` : 'empty'}`;
	});
}

function refusedVersion(): string[] {
	if (!/^\d+\.\d+\.\d+$/.test(version)) return [`'${version}' isn't a version such as 1.2.3`];
	const heading = `## [${version}] - `;
	const isDescribed = readFileSync('CHANGELOG.md', 'utf8').includes(`\n${heading}`);
	const isTagged = isCheck && manifest.version !== version;
	return [
		...(isDescribed ? [] : [`CHANGELOG.md has no section '${heading}YYYY-MM-DD'`]),
		...(isTagged ? [`'version' in package.json is ${manifest.version}, not ${version}`] : []),
	];
}

function refusedTree(): string[] {
	const git = (command: string) => execSync(`git ${command}`).toString().trim();
	const branch = git('branch --show-current');
	return [
		...(git('status --porcelain') ? ['The working tree has changes that are not committed'] : []),
		...(branch === 'main' ? [] : [`The branch is '${branch}', not main`]),
	];
}
