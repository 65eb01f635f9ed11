/** Runs the tests in other n8n versions: `npm run test:versions -- [--real] [--only VERSION,…]`. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineFolderOf, folderOf, nodeIn } from '../playground/installed.mts';
import { whyWithoutQueue } from '../playground/servers.mts';
import { compareVersions, type N8nVersion, pinned, versions } from '../playground/versions.mts';
import { parseOptions } from './options.mts';
import { run, shown } from './run.mts';

/** End-to-end tests that don't depend on n8n's version, or are for the editor of the pinned one. */
const onlyPinned = ['--testPathIgnorePatterns', '/e2e/(editor|examples|package)'];

const { values: flags } = parseOptions('test:versions', {
	real: { type: 'boolean', meaning: 'end-to-end tests in n8n instances, not the engine tests' },
	only: { type: 'string', meaning: 'versions of n8n, with commas between them' },
});

const chosen = await Promise.all(flags.only?.split(',').map(find) ?? versions);
const results: string[] = [];
for (const version of chosen) {
	const node = flags.real ? version.node : (version.testNode ?? version.node);
	console.log(`\n── n8n ${version.n8n} on Node.js ${node}`);
	const passed = await (flags.real ? testInstance(version) : testEngine(version));
	results.push(`n8n ${version.n8n}: ${passed ? 'passed' : 'failed'}`);
	if (!passed) process.exitCode = 1;
}
console.log(`\n${results.join('\n')}`);

/** A listed version, or any other: with the settings of the nearest earlier one. */
async function find(n8n: string): Promise<N8nVersion> {
	const listed = versions.find((one) => one.n8n === n8n);
	if (listed) return listed;
	const query = ['view', `n8n@${n8n}`, 'dependencies', '--json', '--loglevel=error'];
	const { stdout } = await run('npm', query);
	const { 'n8n-core': core, 'n8n-workflow': workflow } = JSON.parse(stdout);
	const nearest = versions.findLast((one) => compareVersions(one.n8n, n8n) < 0) ?? versions[0];
	return { ...nearest, n8n, core, workflow };
}

/** Runs the engine tests. @returns whether all passed */
async function testEngine(version: N8nVersion): Promise<boolean> {
	const { n8n, core, workflow, node, testNode = node } = version;
	if (n8n === pinned.n8n) return await test(version, process.execPath, ['engine']);
	const folder = engineFolderOf(n8n);
	const packages = { 'n8n-core': core, 'n8n-workflow': workflow, node: testNode };
	await install(folder, version, packages, ['node']);
	return await test(version, nodeIn(folder), ['engine']);
}

/** Runs end-to-end tests in n8n instances. @returns whether all passed */
async function testInstance(version: N8nVersion): Promise<boolean> {
	const { n8n, node } = version;
	if (n8n !== pinned.n8n) {
		await install(folderOf(n8n), version, { n8n, node }, ['node', 'sqlite3']);
	}
	const missing = await whyWithoutQueue();
	if (missing) console.log(`queue: not run, ${missing}`);
	const projects = missing ? ['e2e'] : ['e2e', 'queue'];
	return await test(version, process.execPath, [...projects, '--runInBand', ...onlyPinned]);
}

/** Runs a project of Jest on a Node.js. */
async function test({ n8n }: N8nVersion, node: string, args: string[]): Promise<boolean> {
	const env = n8n === pinned.n8n ? {} : { N8N_UNDER_TEST: n8n };
	const jest = ['node_modules/jest/bin/jest.js', '--selectProjects', ...args];
	const { failed } = await run(node, jest, { ...shown, env });
	return !failed;
}

/** Installs packages into a folder, unless the last installation there was the same. */
async function install(
	folder: string,
	{ overrides, before }: N8nVersion,
	packages: Record<string, string>,
	native: string[],
): Promise<void> {
	const manifest = JSON.stringify({ private: true, dependencies: packages, overrides });
	const settings = ['legacy-peer-deps=true', 'ignore-scripts=true', 'package-lock=false'];
	if (before) settings.push(`before=${before}`);
	const npmrc = settings.join('\n');
	const system = process.platform + process.arch;
	const stamp = createHash('sha256')
		.update(manifest + npmrc + system)
		.digest('hex');
	const stampFile = join(folder, '.installed');
	if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
	console.log('installing');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'package.json'), manifest);
	writeFileSync(join(folder, '.npmrc'), npmrc);
	const here = { cwd: folder };
	await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], here);
	await run('npm', ['rebuild', ...native, '--ignore-scripts=false'], here);
	writeFileSync(stampFile, stamp);
}
