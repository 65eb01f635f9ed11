import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { playground } from '../support/n8n/playground.mts';

const { n8n, dataFolder, tarball } = playground();
const installed = join(dataFolder, '.n8n/nodes/node_modules/n8n-nodes-crm-workspace');

test.each(['crmWorkspace', 'crmWorkspaceTool'])(
	'the package gives n8n %s, with three operations and the test of its credential',
	async (name) => {
		const types = await n8n.nodeTypes();
		const type = types.find((one) => one.name === `n8n-nodes-crm-workspace.${name}`);
		const operation = type.properties.find((one: any) => one.name === 'operation');
		const values = operation.options.map((option: any) => option.value);
		// n8n adds a choice of its own to every node with a credential.
		expect(values.filter((value: string) => value !== '__CUSTOM_API_CALL__').sort()).toEqual([
			'list',
			'sendTransactionalEmail',
			'updateContact',
		]);
		expect(type.credentials).toMatchObject([{ testedBy: 'testCredential' }]);
	},
);

test('the package holds dist and its documents, and depends on nothing', () => {
	const documents = ['CHANGELOG.md', 'LICENSE.md', 'README.md', 'SECURITY.md'];
	expect(readdirSync(installed).sort()).toEqual([...documents, 'dist', 'package.json']);
	expect(readdirSync(join(installed, 'dist')).sort()).toEqual(['credentials', 'nodes']);
	const packageJson = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
	expect(packageJson).not.toHaveProperty('dependencies');
});

test('of code, the package holds only what n8n runs: no declarations, and no source maps', () => {
	const files = readdirSync(join(installed, 'dist'), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ name }) => name);
	expect(files.filter((name) => name.endsWith('.js')).length).toBeGreaterThan(0);
	expect(files.filter((name) => !/^[^.]+(\.node|\.credentials)?\.js$/.test(name)).sort()).toEqual([
		'CrmWorkspace.node.json',
		'CrmWorkspaceTrigger.node.json',
		'crmWorkspace.dark.svg',
		'crmWorkspace.svg',
		'sendTransactionalEmail.json',
		'updateContact.json',
	]);
});

test("the package passes n8n's review scan, and doesn't with forbidden code", async () => {
	const scan = async (archive: string) => await run('node', [resolve('tools/scan.mts'), archive]);
	expect(await scan(tarball)).toMatch(/^scan: [1-9]\d+ files of code, no violations$/);

	const folder = mkdtempSync(join(tmpdir(), 'crm-workspace-package-'));
	await run('tar', ['-xzf', tarball, '-C', folder]);
	writeFileSync(join(folder, 'package/dist/planted.js'), 'process.exit(1);');
	await run('tar', ['-czf', 'changed.tgz', 'package'], folder);
	await expect(scan(join(folder, 'changed.tgz'))).rejects.toThrow(/'process' is not allowed/);
	rmSync(folder, { recursive: true });
});

/** Runs a command with the project's tools. @returns what it printed; throws what it complained of */
async function run(command: string, args: string[], cwd = '.'): Promise<string> {
	const PATH = `${resolve('node_modules/.bin')}:${process.env.PATH}`;
	const options = { cwd, env: { ...process.env, PATH } };
	return (await promisify(execFile)(command, args, options)).stdout.trim();
}
