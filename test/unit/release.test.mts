import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { spreadAddress } from '../../tools/release/address.mts';
import { sectionOf } from '../../tools/release/changelog.mts';
import { codexProblems } from '../../tools/release/codex.mts';
import { places } from '../../tools/release/places.mts';
import { problemsOfFiles } from '../../tools/release/problems.mts';
import {
	copyOfProject,
	edit,
	editPackageJson,
	makeReady,
} from '../support/package/copyOfProject.mts';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

function newCopy(): string {
	folders.push(copyOfProject());
	return folders.at(-1)!;
}

test('example values keep files back, and each place is named at once', () => {
	const folder = newCopy();
	makeReady(folder);
	editPackageJson(folder, (json) => {
		json.author = { name: 'CRM Workspace node maintainers', email: 'maintainers@example.com' };
		json.repository.url = 'git+https://example.com/n8n-nodes-crm-workspace.git';
	});
	spreadAddress(folder);
	const codex = 'nodes/CrmWorkspace/CrmWorkspace';
	expect(problemsOfFiles(folder)).toEqual([
		'package.json: author has an example address',
		'package.json: author has a made-up name',
		'package.json: repository is an example address',
		'package.json: homepage is an example address',
		'package.json: bugs is an example address',
		'credentials/CrmWorkspaceApi.credentials.ts: documentationUrl is an example address',
		`${codex}.node.json: credentialDocumentation is an example address`,
		`${codex}.node.json: primaryDocumentation is an example address`,
		`${codex}Trigger.node.json: credentialDocumentation is an example address`,
		`${codex}Trigger.node.json: primaryDocumentation is an example address`,
	]);
});

describe('the files of a version', () => {
	const folder = newCopy();
	makeReady(folder);

	/** What files were before a test changed them. */
	const before = new Map<string, string>();
	afterEach(() => {
		for (const [file, text] of before) writeFileSync(join(folder, file), text);
		before.clear();
	});

	function change(file: string, what: (text: string) => string): void {
		edit(folder, file, (text) => {
			before.set(file, text);
			return what(text);
		});
	}

	test('may be released when everything is filled in', () => {
		expect(problemsOfFiles(folder)).toEqual([]);
	});

	test.each<[string, (json: any) => void, string]>([
		['no author', (json) => delete json.author, 'author has no address for mail'],
		[
			'an author by name only',
			(json) => (json.author = 'Nathan'),
			'author has no address for mail',
		],
		[
			'an author in one text',
			(json) => (json.author = 'Nathan <nathan@example.org>'),
			'author has an example address',
		],
		['no bugs', (json) => delete json.bugs, 'bugs is missing: npx gulp release:address writes it'],
		[
			'another homepage',
			(json) => (json.homepage = 'https://automat.test'),
			'homepage does not follow from repository: npx gulp release:address writes it',
		],
	])('are kept back by %s', (_what, alter, problem) => {
		change('package.json', (text) => {
			const json = JSON.parse(text);
			alter(json);
			return JSON.stringify(json);
		});
		expect(problemsOfFiles(folder)).toEqual([`package.json: ${problem}`]);
	});

	test.each(['https://gitlab.com/automat/x.git', 'https://github.com/automat', ''])(
		'are kept back by a repository that GitHub Actions cannot publish from: %j',
		(url) => {
			change('package.json', (text) => text.replace(/git\+https[^"]*/, url));
			expect(problemsOfFiles(folder)).toContain(
				'package.json: repository is not git+https://github.com/OWNER/NAME.git',
			);
		},
	);

	test.each([
		[
			'CHANGELOG.md',
			/2026-01-31/,
			'soon',
			/^CHANGELOG\.md: there is no section "## \[1\.2\.3\] - /,
		],
		[
			'SECURITY.md',
			/$/,
			'\n[Write](mailto:we@example.com)',
			/^SECURITY\.md:\d+: .* example address/,
		],
		['README.md', /$/, '\n[Nothing](docs/nothing.md)', /^README\.md:\d+: .* does not exist$/],
		['nodes/CrmWorkspace/CrmWorkspace.node.json', /Sales/, 'CRM', /: n8n has no category CRM$/],
		[
			'nodes/CrmWorkspace/CrmWorkspace.node.json',
			/"n8n-nodes-crm-workspace"/,
			'"n8n-nodes-base.crm"',
			/: node is not n8n-nodes-crm-workspace$/,
		],
	])('are kept back by what is wrong in %s', (file, what, other, problem) => {
		change(file, (text) => text.replace(what, other));
		expect(problemsOfFiles(folder)).toEqual([expect.stringMatching(problem)]);
	});

	test('may have example values where they are examples', () => {
		change('README.md', (text) => `${text}\nSuch as \`https://crm.example.com/api/v1\`.\n`);
		expect(problemsOfFiles(folder)).toEqual([]);
	});
});

test('the address of the repository is the same wherever it stands', () => {
	expect(places('.').map(({ value }) => value)).toEqual(
		places('.').map(({ expected }) => expected),
	);
	expect(places('.')).toHaveLength(7);
});

test("the nodes' codex files have what n8n documents", () => {
	expect(codexProblems('.')).toEqual([]);
});

describe('the section of a version', () => {
	const changelog = [
		'# Changelog',
		'## [Unreleased]',
		'## [1.2.3] - 2026-01-31',
		'### Fixed',
		'- One.',
		'```\n## [1.2.2] - 2026-01-30\n```',
		'## [1.2.0] - 2026-01-01',
		'## [1.1.0]',
		'- Two.',
	].join('\n\n');

	test('goes up to the one before it', () => {
		expect(sectionOf(changelog, '1.2.3')).toBe(
			'### Fixed\n\n- One.\n\n```\n## [1.2.2] - 2026-01-30\n```',
		);
	});

	test.each([
		['only in code', '1.2.2'],
		['empty', '1.2.0'],
		['without a date', '1.1.0'],
		['not there', '1.2'],
	])('is none when it is %s', (_what, version) => {
		expect(sectionOf(changelog, version)).toBeUndefined();
	});
});

test('npm publish by hand is refused, and says what to do', async () => {
	const environment = { PATH: process.env.PATH, HOME: process.env.HOME };
	const byHand = promisify(execFile)('npm', ['publish', '--dry-run'], { env: environment });
	await expect(byHand).rejects.toMatchObject({
		stdout: expect.stringContaining('Run `npm run release` to publish the package'),
	});
}, 120_000);
