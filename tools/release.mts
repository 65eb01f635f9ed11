/**
 * Releases a version: `npm run release -- 1.2.3`. It refuses before anything is changed. With
 * `--check`, it only checks the commit, as publish.yml does for a tag.
 */
import { execSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
	options: { check: { type: 'boolean', default: false } },
	allowPositionals: true,
});
const isCheck = values.check;
const version = positionals.join(' ');
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const page = `https://www.npmjs.com/package/${manifest.name}`;

/** What the package's page on npm, n8n's reviewers and SECURITY.md lead to. */
const fields = ['author.name', 'author.email', 'repository.url', 'homepage', 'bugs.url'];

/** What other files repeat of it or link to: a pattern that finds it, and what it has to be. */
const places: Array<[files: string, pattern: RegExp, wanted: string]> = [
	['LICENSE.md', /(?<=^Copyright \(c\) [\d–-]+ ).+/gm, manifest.author?.name],
	['SECURITY.md', /(?<=\]\()package\.json(?=\))|[\w.+-]+@[\w.-]+\w/g, 'package.json'],
	['{credentials,nodes}/**/*.{ts,json}', /(?<=documentationUrl = '|"url": ")[^'"#]*/g, page],
];

/** All texts that are published beside package.json: dist is built from the folders. */
const texts = '{{README,LICENSE,SECURITY,CHANGELOG}.md,{credentials,nodes}/**/*.{ts,json,svg}}';

/** What has to be entered or, as n8n stores the names for good, decided. */
const unfinished = [
	/\b(TODO|TBD|FIXME|(node|workspace) maintainers?|working name)\b/i,
	/\bmaintainers?@\S*\bexample\b|\bexample\.(com|net|org)\/\S*n8n-nodes/i,
];

/** In a field also nothing, a gap to fill in, and a host that texts have as an example. */
const unfilled = [
	/^\s*$|[<>{}[\]]|\byour([ _-]|name)/i,
	/(?<![\w-])(example\.(com|net|org)|localhost)(?![\w-])|\.(example|invalid|test)(?![\w.-])/i,
];

const checks = [refusedFields, refusedPlaces, refusedTexts, refusedVersion, refusedTree];
const refusals = checks.flatMap((check) => check());
for (const refusal of refusals) console.error(`release: ${refusal}.`);
if (refusals.length > 0) process.exit(1);
if (!isCheck) {
	// A first release has the version that package.json has.
	execSync(`npm version ${version} --allow-same-version`, { stdio: 'inherit' });
	execSync(`git push --atomic origin main v${version}`, { stdio: 'inherit' });
}

function refusedFields(): string[] {
	return fields.flatMap((field) => {
		const value = field.split('.').reduce((part, name) => part?.[name], manifest) ?? '';
		if (![...unfinished, ...unfilled].some((pattern) => pattern.test(value))) return [];
		return `'${field}' in package.json is ${value.trim() ? `a placeholder: “${value}”` : 'empty'}`;
	});
}

function refusedPlaces(): string[] {
	return places.flatMap(([files, pattern, wanted]) => {
		const all = globSync(files).map((file) => readFileSync(file, 'utf8'));
		const found = all.join('\n').match(pattern) ?? ['nothing'];
		const others = found.filter((value) => value !== wanted);
		return others.map((value) => `${files} has “${value}”, not “${wanted}”`);
	});
}

function refusedTexts(): string[] {
	return globSync(texts).flatMap((file) => {
		const text = readFileSync(file, 'utf8');
		const found = unfinished.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
		return found.map((value) => `${file} has a placeholder: “${value}”`);
	});
}

function refusedVersion(): string[] {
	if (!/^\d+\.\d+\.\d+$/.test(version)) return [`'${version}' isn't a version such as 1.2.3`];
	const heading = `## [${version}] - `;
	const isDescribed = readFileSync('CHANGELOG.md', 'utf8').includes(`\n${heading}`);
	const isTagged = isCheck && manifest.version !== version;
	const isEarlier = version.localeCompare(manifest.version, 'en', { numeric: true }) < 0;
	return [
		...(isDescribed ? [] : [`CHANGELOG.md has no section '${heading}YYYY-MM-DD'`]),
		...(isTagged ? [`'version' in package.json is ${manifest.version}, not ${version}`] : []),
		...(isEarlier && !isCheck ? [`${version} is before ${manifest.version} in package.json`] : []),
	];
}

/** A release is made from main as it is committed; a tag may be on any branch. */
function refusedTree(): string[] {
	const git = (command: string) => execSync(`git ${command}`).toString().trim();
	if (isCheck) {
		const isOnMain = git('branch --remotes --list origin/main --contains HEAD');
		return isOnMain ? [] : ["The commit isn't on main"];
	}
	git('fetch --quiet --tags origin main');
	const branch = git('branch --show-current');
	return [
		...(git('status --porcelain') ? ['The working tree has changes that are not committed'] : []),
		...(branch === 'main' ? [] : [`The branch is '${branch}', not main`]),
		...(git('rev-list HEAD..origin/main') ? ['origin/main has commits that this main lacks'] : []),
		...(git('tag').split('\n').includes(`v${version}`) ? [`The tag v${version} exists`] : []),
	];
}
