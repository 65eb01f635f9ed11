import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import {
	cpSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { sources } from '../../tools/sources.mts';
import { atLength } from '../support/atLength.mts';
import { playground } from '../support/n8n/playground.mts';

const { n8n, dataFolder, tarball } = playground();
const installed = join(dataFolder, '.n8n/nodes/node_modules/n8n-nodes-crm-workspace');
let types: any[];

beforeAll(async () => {
	types = await n8n.nodeTypes();
});

describe.each(['crmWorkspace', 'crmWorkspaceTool'])('the packed package gives n8n %s', (name) => {
	test('with the three operations', () => {
		const type = types.find((one) => one.name === `n8n-nodes-crm-workspace.${name}`);
		const operation = type.properties.find((one: any) => one.name === 'operation');
		const values = operation.options.map((option: any) => option.value);
		// n8n adds a choice of its own to every node with a credential.
		expect(values.filter((value: string) => value !== '__CUSTOM_API_CALL__').sort()).toEqual([
			'list',
			'sendTransactionalEmail',
			'updateContact',
		]);
	});
});

test('the credential is known to n8n', async () => {
	const credentials = await n8n.call('GET', '/types/credentials.json');
	expect(credentials.map((one: any) => one.name)).toContain('crmWorkspaceApi');
});

test('the package holds dist and its papers, and depends on nothing', () => {
	const papers = ['CHANGELOG.md', 'LICENSE.md', 'README.md', 'SECURITY.md'];
	expect(readdirSync(installed).sort()).toEqual([...papers, 'dist', 'package.json']);
	expect(readdirSync(join(installed, 'dist')).sort()).toEqual(['credentials', 'nodes']);
	const packageJson = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
	expect(packageJson).not.toHaveProperty('dependencies');
});

test('of code, only what n8n runs: no declarations, and no maps of sources that are not there', () => {
	const files = readdirSync(join(installed, 'dist'), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ name }) => name);
	expect(files.filter((name) => name.endsWith('.js')).length).toBeGreaterThan(0);
	expect(files.filter((name) => !/^[^.]+(\.node|\.credentials)?\.js$/.test(name)).sort()).toEqual([
		'CrmWorkspace.node.json',
		'CrmWorkspaceTrigger.node.json',
		'crmWorkspace.dark.svg',
		'crmWorkspace.svg',
		'list.json',
		'sendTransactionalEmail.json',
		'updateContact.json',
	]);
});

describe('as npm would publish it', () => {
	const folders: string[] = [];
	afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

	function newFolder(): string {
		const folder = mkdtempSync(join(tmpdir(), 'crm-workspace-package-'));
		folders.push(folder);
		return folder;
	}

	test('it passes the scan of the reviewers of n8n', async () => {
		expect(await run('node', [resolve('tools/scan.mts'), tarball])).toMatch(
			/^scan: [1-9]\d+ files of code, no violations$/,
		);
	});

	test.each([
		['what must not be there', 'process.exit(1);', /'process' is not allowed/],
		['nothing at all', undefined, /there is no code in the package/],
	])('with %s it does not pass', async (_what, code, objection) => {
		const folder = newFolder();
		await run('tar', ['-xzf', tarball, '-C', folder]);
		if (code) writeFileSync(join(folder, 'package/dist/planted.js'), code);
		else rmSync(join(folder, 'package/dist'), { recursive: true });
		await run('tar', ['-czf', 'changed.tgz', 'package'], folder);
		const scan = run('node', [resolve('tools/scan.mts'), join(folder, 'changed.tgz')]);
		await expect(scan).rejects.toThrow(objection);
	});

	atLength('it is the same to the byte, wherever and whenever it was packed', async () => {
		const folder = copyOfSources();
		const packedAt = async (time: Date) => {
			for (const name of readdirSync(folder, { recursive: true }) as string[]) {
				utimesSync(join(folder, name), time, time);
			}
			return await run('node', ['tools/pack.mts'], folder);
		};
		const first = await packedAt(new Date('2001-02-03'));
		// In CI, the one that is tested was packed by another npm, whose archives may differ.
		expect(await filesIn(first)).toEqual(await filesIn(tarball));
		const bytes = readFileSync(first);
		rmSync(first);
		const second = await packedAt(new Date('2034-05-06'));
		expect(readFileSync(second).equals(bytes)).toBe(true);
	});

	test('its README can be read without the repository', () => {
		const readme = readFileSync(join(installed, 'README.md'), 'utf8');
		const { version, homepage } = JSON.parse(readFileSync('package.json', 'utf8'));
		const repository = homepage.replace('#readme', '');
		expect(readme).toContain(`](${repository}/blob/v${version}/docs/troubleshooting.md)`);
		const raw = repository.replace('//github.com/', '//raw.githubusercontent.com/');
		expect(readme).toContain(`src="${raw}/v${version}/docs/send.png"`);
		expect(readme).not.toMatch(/(\]\(|src="|srcset=")(docs|examples|sandbox)\//);
	});

	/** The files of a tarball, each with what is in it. */
	async function filesIn(archive: string): Promise<Record<string, string>> {
		const folder = newFolder();
		await run('tar', ['-xzf', archive, '-C', folder]);
		const files = readdirSync(folder, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) => join(parentPath, name))
			.sort();
		return Object.fromEntries(
			files.map((file) => [relative(folder, file), readFileSync(file, 'latin1')]),
		);
	}

	/** What the package is made of and by, in a folder of its own. */
	function copyOfSources(): string {
		const folder = newFolder();
		for (const name of [...sources, 'tools', '.npmrc']) {
			cpSync(name, join(folder, name), { recursive: true });
		}
		symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
		return folder;
	}
});

/** Runs a command with the project's tools. @returns what it printed; throws what it complained of */
async function run(command: string, args: string[], cwd = '.'): Promise<string> {
	const PATH = `${resolve('node_modules/.bin')}:${process.env.PATH}`;
	const options = { cwd, env: { ...process.env, PATH } };
	return (await promisify(execFile)(command, args, options)).stdout.trim();
}
