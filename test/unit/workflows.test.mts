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
		const publishing = { contents: 'read', 'id-token': 'write' };
		expect(permissions).toEqual(isPublishing ? [publishing] : []);
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
			workflow_call: null,
		});
	});

	test('goes through npm test with all groups, on the oldest Node.js and on the one of n8n', () => {
		const oldest = Number(/\d+/.exec(read('package.json').engines.node)?.[0]);
		expect(ci.jobs.test.strategy.matrix.node).toEqual([oldest, 24]);
		const last = ci.jobs.test.steps.at(-1);
		expect(last).toEqual({ run: 'npm test', env: { REQUIRE_ALL_GROUPS: '1' } });
		expect(Object.keys(ci.jobs.test.services).sort()).toEqual(['postgres', 'redis']);
	});
});

describe('a version', () => {
	test('is a tag, and published after the tests', () => {
		expect(publish.on).toEqual({ push: { tags: ['v*'] } });
		expect(publish.jobs.test).toEqual({ uses: './.github/workflows/ci.yml' });
		expect(publish.jobs.publish.needs).toBe('test');
	});

	test('goes to npm by npm run release, and no install script comes near it', () => {
		const { steps } = publish.jobs.publish;
		const setUp = steps.find(({ uses = '' }: any) => uses.startsWith('actions/setup-node@'));
		expect(setUp.with).toMatchObject({ 'registry-url': 'https://registry.npmjs.org' });
		const commands = steps.map(({ run }: any) => run).filter(Boolean);
		expect(commands).toEqual([expect.stringContaining('--ignore-scripts'), 'npm run release']);
	});
});

test('newer dependencies are told in groups, but for what the pinned n8n decides', () => {
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
	expect(ignored).toEqual([['n8n-core', 'n8n-workflow', 'node'], ['n8n'], []]);
});
