import { describe, expect, test } from '@jest/globals';
import { validateWorkflow } from '@action-validator/core';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

const read = (file: string) => parse(readFileSync(file, 'utf8'));
const ci = read('.github/workflows/ci.yml');
const publish = read('.github/workflows/publish.yml');

/** What a job runs: actions without their commits, and commands. */
const stepsOf = (job: any): string[] =>
	job.steps.map(({ uses, run }: any) => run ?? uses.split('@')[0]);

describe.each(readdirSync('.github/workflows'))('%s', (name) => {
	const file = readFileSync(`.github/workflows/${name}`, 'utf8');
	const { jobs, permissions } = parse(file);
	const steps = Object.values<any>(jobs).flatMap((job) => job.steps ?? []);

	test('is a workflow of GitHub Actions, which needs no secret and hides no failure', () => {
		expect(validateWorkflow(file).errors).toEqual([]);
		expect(file).not.toMatch(/secrets\.|inherit|continue-on-error/);
	});

	test('runs scripts that there are', () => {
		const named = file.match(/(?<=npm run )[\w:]+/g) ?? [];
		expect(named.filter((name) => !(name in read('package.json').scripts))).toEqual([]);
	});

	test('may read the repository, and no job more than publishing needs', () => {
		expect(permissions).toEqual({ contents: 'read' });
		const granted = Object.values<any>(jobs).map((job) => job.permissions);
		const publishing = [{ 'id-token': 'write' }, { contents: 'write' }];
		expect(granted.filter(Boolean)).toEqual(name === 'publish.yml' ? publishing : []);
	});

	test('runs actions by their commit, and leaves no key of the repository behind', () => {
		const actions = steps.filter(({ uses }) => uses);
		expect(actions.length).toBeGreaterThan(0);
		for (const { uses, with: settings } of actions) {
			expect(uses).toMatch(/^actions\/[a-z-]+@[\da-f]{40}$/);
			if (uses.startsWith('actions/checkout@')) expect(settings['persist-credentials']).toBe(false);
		}
	});

	test('puts nothing that others write into a command', () => {
		expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
	});
});

test('every change goes through all groups of tests, started with the oldest Node.js', () => {
	expect(ci.on).toMatchObject({ push: { branches: ['main'] }, pull_request: null });
	const [, { with: node }] = ci.jobs.test.steps;
	expect(read('package.json').engines.node).toBe(`>=${node['node-version']}`);
	const [tests] = ci.jobs.test.steps.filter(({ run }: any) => run === 'npm test');
	expect(tests.env).toEqual({ REQUIRE_ALL_GROUPS: '1' });
});

describe('what is published', () => {
	const { check, test: tests, publish: publishing, announce } = publish.jobs;
	/** The tarball is the one that was built. */
	const same = 'test "$(sha512sum *.tgz)" = "$CHECKSUM"';
	const tarball = { name: 'package' };

	test('is a tag, checked first, tested, and only then published', () => {
		expect(publish.on).toEqual({ push: { tags: ['v*'] } });
		expect(check.steps[0].with['fetch-depth']).toBe(0);
		expect(stepsOf(check).at(-1)).toBe('node tools/release.mts --check "${GITHUB_REF_NAME#v}"');
		expect(tests).toEqual({ needs: 'check', uses: './.github/workflows/ci.yml' });
		expect([publishing.needs, announce.needs]).toEqual(['test', 'publish']);
	});

	test('is built from what the lock file names, and no install script comes near it', () => {
		expect(stepsOf(ci.jobs.build).slice(2)).toEqual([
			'npm ci --ignore-scripts --no-audit --no-fund',
			expect.stringContaining('cp "$(node tools/pack.mts)" .'),
			'actions/upload-artifact',
		]);
	});

	test('is what the tests took, and no other', () => {
		const { needs, steps } = ci.jobs.test;
		expect(needs).toBe('build');
		expect(stepsOf(ci.jobs.test).slice(2)).toEqual(['actions/download-artifact', 'npm test', same]);
		expect(steps[2].with).toEqual({ ...tarball, path: '.cache/packed' });
		expect(steps.at(-1).env.CHECKSUM).toContain('needs.build.outputs.checksum');
	});

	test('goes to npm from a job that installs nothing, and runs nothing of the package', () => {
		expect(stepsOf(publishing)).toEqual([
			'actions/setup-node',
			'actions/download-artifact',
			same,
			'npm publish ./*.tgz --provenance --access public --ignore-scripts',
		]);
		const [node, download, { env }] = publishing.steps;
		expect(node.with).toMatchObject({ 'registry-url': 'https://registry.npmjs.org' });
		expect(download.with).toEqual(tarball);
		expect(env.CHECKSUM).toContain('needs.test.outputs.checksum');
	});
});
