import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { throwAwayFolder, type ThrowAwayFolder } from '../../playground/atExit.mts';

const email = 'ada@crm.test-company.org';
const filled = {
	name: 'n8n-nodes-crm-workspace',
	version: '0.1.0',
	author: { name: 'Ada', email },
	repository: { url: 'git+https://github.com/ada/nodes.git' },
	homepage: 'https://github.com/ada/nodes#readme',
	bugs: { url: 'https://github.com/ada/nodes/issues' },
};
const texts = ['README.md', 'LICENSE.md', 'SECURITY.md', 'credentials', 'nodes'];
const described = ['0.1.1', '0.1.0', '0.0.9'].map((version) => `\n## [${version}] - 2026-12-01\n`);

let place: ThrowAwayFolder;
let folder: string;
const git = (...args: string[]) =>
	execFileSync('git', args, { cwd: folder, stdio: 'pipe' }).toString().trim();

/** A repository that can be released, with the texts of this one, and a remote. */
beforeAll(() => {
	place = throwAwayFolder('release-');
	folder = join(place.path, 'original/clone');
	for (const path of ['tools/release.mts', ...texts]) {
		cpSync(path, join(folder, path), { recursive: true });
	}
	edit('LICENSE.md', /(?<=^Copyright .*\d{4} ).*/m, 'Ada');
	edit('README.md', 'our working name', 'the name');
	writeFileSync(join(folder, 'CHANGELOG.md'), described.join(''));
	writeFileSync(join(folder, 'package.json'), JSON.stringify(filled, null, '\t'));
	git('init', '--quiet', '--initial-branch=main');
	git('config', 'user.name', 'Ada');
	git('config', 'user.email', email);
	git('add', '.');
	git('commit', '--quiet', '--message=First');
	git('init', '--quiet', '--bare', '../remote.git');
	git('remote', 'add', 'origin', '../remote.git');
	git('push', '--quiet', 'origin', 'main');
});
afterAll(() => place.remove());

beforeEach(() => {
	const copy = mkdtempSync(join(place.path, 'copy-'));
	cpSync(join(place.path, 'original'), copy, { recursive: true });
	folder = join(copy, 'clone');
});

function edit(file: string, from: string | RegExp, to: string) {
	const path = join(folder, file);
	writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
}

function release(...args: string[]) {
	const node = resolve('node_modules/.bin/node');
	const { status, stderr } = spawnSync(node, ['tools/release.mts', ...args], { cwd: folder });
	return { status, refusals: stderr.toString().trim().split('\n') };
}

test.each(['0.1.0', '0.1.1'])('%s is committed, tagged and pushed', (version) => {
	expect(release(version).status).toBe(0);
	const { version: now } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const pushed = git('-C', '../remote.git', 'rev-parse', 'main', `v${version}^{}`);
	const head = git('rev-parse', 'HEAD');
	expect([now, ...pushed.split('\n')]).toEqual([version, head, head]);
	expect(release('--check', version)).toEqual({ status: 0, refusals: [''] });
});

test.each([
	['a placeholder: “maintainers@', 'package.json', email, 'maintainers@example.com'],
	["'author.name' in package.json is empty", 'package.json', '"Ada"', '" "'],
	['a placeholder: “The Node Maintainers”', 'package.json', '"Ada"', '"The Node Maintainers"'],
	["'repository.url' in package.json is empty", 'package.json', 'repository', 'none'],
	['a placeholder: “git+https://git.ex', 'package.json', 'github.com', 'git.example.org'],
	["'homepage' in package.json is", 'package.json', /https.*#readme/, 'http://localhost:3000'],
	["'homepage' in package.json is", 'package.json', /https.*#readme/, 'https://crm.example'],
	["'bugs.url' in package.json is", 'package.json', /https.*issues/, 'TODO'],
	["'bugs.url' in package.json is", 'package.json', 'ada/nodes/issues', '<owner>/nodes/issues'],
	['LICENSE.md has “Eve”, not “Ada”', 'LICENSE.md', 'Ada', 'Eve'],
	['LICENSE.md has a pl', 'LICENSE.md', 'Ada', 'CRM Workspace node maintainers'],
	['SECURITY.md has “me@acme.org”', 'SECURITY.md', /^/, 'me@acme.org '],
	['SECURITY.md has “nothing”', 'SECURITY.md', '(package.json)', '(README.md)'],
	['“n8n.io”, not', 'credentials/CrmWorkspaceApi.credentials.ts', /http.*#\w+/, 'n8n.io'],
	['workspace2”, not', 'nodes/CrmWorkspace/CrmWorkspace.node.json', 'space#', 'space2#'],
	['README.md has a placeholder: “working name”', 'README.md', /^/, 'A working name '],
	['SECURITY.md has a placeholder: “maint', 'SECURITY.md', /^/, 'maintainers@example.com '],
	['a placeholder: “example.org/n8n-nodes', 'README.md', /^/, 'https://example.org/n8n-nodes '],
])('refused, also by publish.yml: %s (%s)', (refusal, file, from, to) => {
	edit(file, from, to);
	const refusals = expect.arrayContaining([expect.stringContaining(refusal)]);
	const refused = { status: 1, refusals };
	expect([release('0.1.0'), release('--check', '0.1.0')]).toEqual([refused, refused]);
});

/** As somebody else does. */
function push() {
	const commit = git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'Another');
	git('push', '--quiet', '../remote.git', `${commit}:refs/heads/main`);
}

test.each([
	['The working tree has changes', '0.1.0', () => appendFileSync(join(folder, 'new'), '')],
	["The branch is 'other', not main", '0.1.0', () => git('checkout', '--quiet', '-b', 'other')],
	["CHANGELOG.md has no section '## [0.2.0] - YYYY-MM-DD'", '0.2.0', () => {}],
	['The tag v0.1.0 exists', '0.1.0', () => git('tag', 'v0.1.0')],
	['origin/main has commits', '0.1.0', push],
	['0.0.9 is before 0.1.0', '0.0.9', () => {}],
	["'patch' isn't a version", 'patch', () => {}],
	["'' isn't a version", '', () => {}],
	["'0.1.0 0.1.1' isn't a version", '0.1.0 0.1.1', () => {}],
	["'version' in package.json is 0.1.0, not 0.1.1", '--check 0.1.1', () => {}],
	["The commit isn't on main", '--check 0.1.0', () => git('commit', '--allow-empty', '-mAside')],
])('before anything is changed: %s', (refusal, args, change) => {
	change();
	const state = () => [git('rev-parse', 'HEAD'), git('tag'), git('diff')];
	const before = state();
	const refusals = [expect.stringContaining(`release: ${refusal}`)];
	expect(release(...args.split(' '))).toEqual({ status: 1, refusals });
	expect(state()).toEqual(before);
});
