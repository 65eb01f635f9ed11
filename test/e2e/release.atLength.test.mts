import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { copyOfProject, editPackageJson, makeReady } from '../support/package/copyOfProject.mts';

/** A run builds and packs. */
const minutes = 10 * 60_000;

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

describe('npm run release', () => {
	test('refuses while there are example values', async () => {
		const { folder } = await repository(() => {
			editPackageJson(folderOfLast(), (json) => (json.author.email = 'maintainers@example.com'));
		});
		const { code, printed } = await release(folder, '--dry-run');
		expect(code).toBe(1);
		expect(printed).toContain('package.json: author has an example address');
	});

	test.each<[string, string[], string]>([
		[
			'a change that is not committed',
			['rm', '-q', 'SECURITY.md'],
			'changes that are not committed',
		],
		['another branch', ['switch', '-qc', 'other'], 'the branch is not main but other'],
		['no upstream', ['branch', '--unset-upstream'], 'the branch has no upstream'],
		['a tag of that version', ['tag', 'v1.2.3'], 'v1.2.3 is tagged already'],
	])('refuses with %s', async (_what, change, problem) => {
		const { folder } = await repository();
		await git(folder, ...change);
		const { code, printed } = await release(folder, '--dry-run');
		expect(code).toBe(1);
		expect(printed).toContain(problem);
	});

	test('refuses when the tests fail, before anything is tagged', async () => {
		const { folder } = await repository(() => {
			editPackageJson(folderOfLast(), (json) => (json.scripts.test = 'exit 3'));
		});
		const { code, printed } = await release(folder);
		expect(code).toBe(1);
		expect(printed).toContain('npm test ended with');
		expect(await git(folder, 'tag')).toBe('');
	});

	test(
		'goes up to the publishing in a dry run, and changes nothing',
		async () => {
			const { folder, upstream } = await repository();
			const { code, printed } = await release(folder, '--dry-run');
			expect(printed).toContain('the tests of the project');
			expect(printed).toContain('those that take long');
			expect(printed).toMatch(/README\.md\s/);
			expect(printed).toContain('dist/nodes/CrmWorkspace/CrmWorkspace.node.js');
			expect(printed).toContain('+ n8n-nodes-crm-workspace@1.2.3');
			expect(printed).toContain('- A fault of [the node](https://github.com/automat/');
			expect({ code, end: printed.slice(-500) }).toEqual({ code: 0, end: expect.any(String) });
			expect(await git(folder, 'status', '--short')).toBe('');
			expect(await git(upstream, 'tag')).toBe('');
		},
		minutes,
	);

	test(
		'pushes main and the tag, or neither',
		async () => {
			const { folder, upstream } = await repository();
			await git(folder, 'commit', '-q', '--allow-empty', '-m', 'Last words');
			const before = await git(upstream, 'rev-parse', 'main');
			const hook = join(upstream, 'hooks/update');
			writeFileSync(hook, '#!/bin/sh\n[ "$1" != refs/heads/main ]\n');
			chmodSync(hook, 0o755);
			expect((await release(folder)).code).toBe(1);
			expect([await git(upstream, 'tag'), await git(upstream, 'rev-parse', 'main')]).toEqual([
				'',
				before,
			]);

			rmSync(hook);
			const { code, printed } = await release(folder);
			expect({ code, end: printed.slice(-500) }).toEqual({ code: 0, end: expect.any(String) });
			const released = await git(folder, 'rev-parse', 'main');
			expect(await git(upstream, 'rev-parse', 'main')).toBe(released);
			expect(await git(upstream, 'rev-parse', 'v1.2.3')).toBe(released);
			expect(await git(folder, 'status', '--short')).toBe('');
		},
		minutes,
	);
});

describe('npm run release in GitHub Actions', () => {
	let folder: string;

	beforeAll(async () => {
		({ folder } = await repository());
	}, minutes);

	const inActions = { GITHUB_ACTIONS: 'true', GITHUB_REF: 'refs/tags/v1.2.3' };

	test('refuses for another tag than the version', async () => {
		const elsewhere = { ...inActions, GITHUB_REF: 'refs/tags/v1.2.4' };
		const { code, printed } = await run(folder, elsewhere);
		expect(code).toBe(1);
		expect(printed).toContain('this runs for refs/tags/v1.2.4, not for v1.2.3');
	});

	test('refuses with an npm that knows no trusted publishing', async () => {
		const PATH = `${npmOf('10.9.0')}:${process.env.PATH}`;
		const { code, printed } = await run(folder, { ...inActions, PATH });
		expect(code).toBe(1);
		expect(printed).toContain('npm: 10.9.0 knows no trusted publishing');
	});

	test('else is content, and does no more than that', async () => {
		const PATH = `${npmOf('11.5.1')}:${resolve('node_modules/.bin')}:${process.env.PATH}`;
		expect(await run(folder, { ...inActions, PATH })).toEqual({ code: 0, printed: '' });
	});
});

/** A ready version 1.2.3 on main of a repository, whose upstream is another folder. */
async function repository(change = () => {}): Promise<{ folder: string; upstream: string }> {
	const upstream = newFolder();
	await git(upstream, 'init', '-q', '--bare', '-b', 'main');
	const folder = copyOfProject();
	folders.push(folder);
	makeReady(folder);
	editPackageJson(folder, ({ scripts }) => {
		scripts.test = 'echo the tests of the project';
		scripts['test:atLength'] = 'echo those that take long';
	});
	change();
	await git(folder, 'init', '-q', '-b', 'main');
	writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
	await git(folder, 'config', 'user.name', 'Nathan');
	await git(folder, 'config', 'user.email', 'nathan@automat.test');
	await git(folder, 'add', '-A');
	await git(folder, 'commit', '-qm', 'Version 1.2.3');
	await git(folder, 'remote', 'add', 'origin', upstream);
	await git(folder, 'push', '-qu', 'origin', 'main');
	return { folder, upstream };
}

function folderOfLast(): string {
	return folders.at(-1)!;
}

function newFolder(): string {
	folders.push(mkdtempSync(join(tmpdir(), 'crm-workspace-release-')));
	return folderOfLast();
}

/** A folder with an npm that says it is of that version. */
function npmOf(version: string): string {
	const folder = join(newFolder(), 'bin');
	mkdirSync(folder);
	writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho ${version}\n`);
	chmodSync(join(folder, 'npm'), 0o755);
	return folder;
}

function release(folder: string, ...args: string[]) {
	return run(folder, {}, ...args);
}

interface Ended {
	code: number;
	printed: string;
}

/** Runs the release in an environment of its own: the tests may run in GitHub Actions themselves. */
async function run(
	folder: string,
	more: Record<string, string>,
	...args: string[]
): Promise<Ended> {
	const PATH = `${resolve('node_modules/.bin')}:${process.env.PATH}`;
	const env = { HOME: process.env.HOME, ...more, PATH: more.PATH ?? PATH };
	const command = ['--silent', 'release', ...args];
	return promisify(execFile)('gulp', command, { cwd: folder, env, maxBuffer: 50_000_000 }).then(
		({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
		({ code, stdout, stderr }) => ({ code, printed: stdout + stderr }),
	);
}

async function git(folder: string, ...args: string[]): Promise<string> {
	return (await promisify(execFile)('git', args, { cwd: folder })).stdout.trim();
}
