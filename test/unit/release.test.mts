import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
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
const changelog = '# Changelog\n\n## [0.1.0] - 2026-12-01\n\n## [0.1.1] - 2026-12-02\n';

let place: ThrowAwayFolder;
let folder: string;
let remote: string;
afterEach(() => place.remove());
const git = (...args: string[]) =>
	execFileSync('git', args, { cwd: folder, stdio: 'pipe' }).toString().trim();

/** A repository that can be released, with a remote. */
beforeEach(() => {
	place = throwAwayFolder('release-');
	folder = join(place.path, 'clone');
	remote = join(place.path, 'remote.git');
	mkdirSync(join(folder, 'tools'), { recursive: true });
	cpSync('tools/release.mts', join(folder, 'tools/release.mts'));
	writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
	writeManifest(filled);
	git('init', '--quiet', '--initial-branch=main');
	git('config', 'user.name', 'Ada');
	git('config', 'user.email', email);
	git('add', '.');
	git('commit', '--quiet', '--message=First');
	git('clone', '--quiet', '--bare', '.', remote);
	git('remote', 'add', 'origin', remote);
	git('fetch', '--quiet');
	git('branch', '--quiet', '--set-upstream-to=origin/main');
});

function writeManifest(manifest: object) {
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, '\t'));
}

function release(...args: string[]) {
	const node = resolve('node_modules/.bin/node');
	const { status, stderr } = spawnSync(node, ['tools/release.mts', ...args], { cwd: folder });
	return { status, refusals: stderr.toString().trim().split('\n') };
}

test.each(['0.1.0', '0.1.1'])('%s is committed, tagged and pushed', (version) => {
	expect(release(version).status).toBe(0);
	const { version: now } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const pushed = execFileSync('git', ['rev-parse', 'main', `v${version}^{}`], { cwd: remote });
	const head = git('rev-parse', 'HEAD');
	expect([now, ...pushed.toString().trim().split('\n')]).toEqual([version, head, head]);
	expect(release('--check', version)).toEqual({ status: 0, refusals: [''] });
});

test.each([
	['author.email', { author: { name: 'Ada', email: 'maintainers@example.com' } }],
	['author.name', { author: { name: ' ', email } }],
	['repository.url', { repository: undefined }],
	['repository.url', { repository: { url: 'git+https://git.example.org/nodes.git' } }],
	['homepage', { homepage: 'http://localhost:3000' }],
	['homepage', { homepage: 'https://crm.example' }],
	['bugs.url', { bugs: { url: 'TODO' } }],
])("a placeholder in '%s' is refused, also by publish.yml: %j", (field, change) => {
	writeManifest({ ...filled, ...change });
	git('commit', '--quiet', '--all', '--message=Change');
	for (const flags of [[], ['--check']]) {
		const refusals = [expect.stringContaining(`release: '${field}' in package.json is `)];
		expect(release('0.1.0', ...flags)).toEqual({ status: 1, refusals });
	}
});

test.each([
	['The working tree has changes', '0.1.0', () => appendFileSync(join(folder, 'new'), '')],
	["The branch is 'other', not main", '0.1.0', () => git('checkout', '--quiet', '-b', 'other')],
	["CHANGELOG.md has no section '## [0.2.0] - YYYY-MM-DD'", '0.2.0', () => {}],
	["'patch' isn't a version", 'patch', () => {}],
	["'' isn't a version", '', () => {}],
])('before anything is changed: %s', (refusal, version, change) => {
	change();
	const state = () => [git('rev-parse', 'HEAD'), git('tag'), git('diff')];
	const before = state();
	const refusals = [expect.stringContaining(`release: ${refusal}`)];
	expect(release(version)).toEqual({ status: 1, refusals });
	expect(state()).toEqual(before);
});

test('publish.yml refuses a tag that is another version than package.json', () => {
	const refusals = ["release: 'version' in package.json is 0.1.0, not 0.1.1."];
	expect(release('--check', '0.1.1')).toEqual({ status: 1, refusals });
});
