import { describe, expect, test } from '@jest/globals';
import { validateWorkflow } from '@action-validator/core';
import { globSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

const workflows = globSync('.github/workflows/*.yml').sort();
const read = (file: string) => parse(readFileSync(file, 'utf8'));
const ci = read('.github/workflows/ci.yml');
const publish = read('.github/workflows/publish.yml');

test('there is one for changes and one for versions', () => {
	expect(workflows).toEqual(['.github/workflows/ci.yml', '.github/workflows/publish.yml']);
});

describe.each(workflows)('%s', (file) => {
	const jobs = Object.values<any>(read(file).jobs);
	const steps = jobs.flatMap((job) => job.steps ?? []);

	test('is a workflow of GitHub Actions', () => {
		expect(validateWorkflow(readFileSync(file, 'utf8')).errors).toEqual([]);
	});

	test('may read the repository, and no job more than it says', () => {
		expect(read(file).permissions).toEqual({ contents: 'read' });
		const permissions = jobs.map((job) => job.permissions).filter(Boolean);
		const isPublishing = file.endsWith('publish.yml');
		expect(permissions).toEqual(
			isPublishing ? [{ 'id-token': 'write' }, { contents: 'write' }] : [],
		);
	});

	test('ends in time, and knows what to do with another run', () => {
		expect(jobs.filter((job) => !job.uses && !(job['timeout-minutes'] <= 90))).toEqual([]);
		expect(read(file).concurrency).toHaveProperty('cancel-in-progress');
	});

	test('runs actions of which it names the commit, and leaves no key of the repository behind', () => {
		const actions = steps.filter(({ uses }) => uses);
		expect(actions.length).toBeGreaterThan(0);
		for (const { uses } of actions) expect(uses).toMatch(/^actions\/[a-z-]+@[\da-f]{40}$/);
		const checkouts = actions.filter(({ uses }) => uses.startsWith('actions/checkout@'));
		for (const { with: settings } of checkouts) expect(settings['persist-credentials']).toBe(false);
	});

	test('puts nothing that others write into a command', () => {
		const commands = steps.map(({ run }) => run).filter(Boolean);
		expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
	});

	test('needs no secret', () => {
		expect(readFileSync(file, 'utf8')).not.toMatch(/secrets\.|inherit/);
	});
});

describe('every change', () => {
	test('is a push to main or a pull request', () => {
		expect(ci.on).toEqual({
			push: { branches: ['main'] },
			pull_request: null,
			workflow_call: { outputs: { checksum: expect.anything() } },
		});
	});

	test('goes through npm test with all groups, on the oldest Node.js and on the one of n8n', () => {
		const oldest = Number(/\d+/.exec(read('package.json').engines.node)?.[0]);
		expect(ci.jobs.test.strategy.matrix.node).toEqual([oldest, 24]);
		const [tests] = ci.jobs.test.steps.filter(({ run }: any) => run === 'npm test');
		expect(tests.env).toEqual({ REQUIRE_ALL_GROUPS: '1' });
		expect(Object.keys(ci.jobs.test.services).sort()).toEqual(['postgres', 'redis']);
	});
});

/** What a job runs: actions without their commits, and commands. */
const stepsOf = (job: any): string[] =>
	job.steps.map(({ uses, run }: any) => run ?? uses.split('@')[0]);

/** What is handed on from job to job, and seen to be the same. */
const same = 'test "$(sha512sum *.tgz)" = "$CHECKSUM"';

describe('the package', () => {
	test('is built from what the lock file names, and no install script comes near it', () => {
		expect(stepsOf(ci.jobs.build)).toEqual([
			'actions/checkout',
			'actions/setup-node',
			'npm ci --ignore-scripts --no-audit --no-fund',
			expect.stringContaining('cp "$(node tools/pack.mts)" .'),
			'actions/upload-artifact',
		]);
	});

	test('is what the tests take, and no other', () => {
		const { needs, steps } = ci.jobs.test;
		expect(needs).toBe('build');
		expect(stepsOf(ci.jobs.test).slice(2)).toEqual(['actions/download-artifact', 'npm test', same]);
		expect(steps[2].with).toEqual({ name: 'package', path: '.cache/packed' });
		expect(steps.at(-1).env.CHECKSUM).toContain('needs.build.outputs.checksum');
	});
});

describe('a version', () => {
	const { check, test: tests, publish: publishing, announce } = publish.jobs;

	test('is a tag, checked first, tested, and only then published', () => {
		expect(publish.on).toEqual({ push: { tags: ['v*'] } });
		expect(stepsOf(check).at(-1)).toBe('node tools/release.mts --check "${GITHUB_REF_NAME#v}"');
		expect(tests).toEqual({ needs: 'check', uses: './.github/workflows/ci.yml' });
		expect(publishing.needs).toBe('test');
		expect(announce.needs).toBe('publish');
	});

	test('is published by a job that installs nothing, and runs nothing of the package', () => {
		expect(stepsOf(publishing)).toEqual([
			'actions/setup-node',
			'actions/download-artifact',
			same,
			'npm publish ./*.tgz --provenance --access public --ignore-scripts',
		]);
		const [node, tarball, { env }] = publishing.steps;
		expect(node.with).toMatchObject({ 'registry-url': 'https://registry.npmjs.org' });
		expect(tarball.with).toEqual({ name: 'package' });
		expect(env.CHECKSUM).toContain('needs.test.outputs.checksum');
	});
});

test('newer dependencies are shown in groups, but for what the pinned n8n decides', () => {
	const { updates } = read('.github/dependabot.yml');
	const told = updates.map((one: any) => [one['package-ecosystem'], one.directory]);
	expect(told).toEqual([
		['npm', '/'],
		['npm', '/playground'],
		['github-actions', '/'],
	]);
	for (const { groups } of updates) expect(Object.keys(groups)).toHaveLength(1);
	const ignored = updates.map(({ ignore = [] }: any) =>
		ignore.map((one: any) => one['dependency-name']),
	);
	expect(ignored).toEqual([['n8n-core', 'n8n-workflow', 'node'], [], []]);
});
