import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import type { Playground } from '../../playground/start.mts';
import { openEditor } from '../support/browser/browser.mts';
import { next, nextVersionOf } from '../support/package/nextVersion.mts';
import { playground, startOwnN8n } from '../support/n8n/playground.mts';
import { crmNode, ProductionWorkflow } from '../support/n8n/productionWorkflow.mts';
import { type Registry, startRegistry } from '../support/package/registry.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { delivered, orders, people, welcome } from '../support/n8n/sending.mts';
import { beginSlowRun } from '../support/n8n/slowRun.mts';
import { crmWorkflow, errorOf, outputOf } from '../support/n8n/crmWorkflow.mts';

/*
 * The life of the package in an n8n instance that has never had it. Each test goes on where the one before
 * it ends, as people do.
 */

const name = 'n8n-nodes-crm-workspace';
const path = '/rest/community-packages';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const everyone = people(3).map(({ to }) => to);

let registry: Registry;
let sandbox: RunningSandbox;
let own: Playground;
let credential: string;
/** Sends to whom its caller names; it is active from its first call to its last, and never changed. */
let workflow: ProductionWorkflow;

beforeAll(async () => {
	[registry, sandbox] = await Promise.all([
		startRegistry(),
		startSandbox(['--requests-per-minute', '0']),
	]);
	await registry.publish(playground().tarball);
	own = await startOwnN8n({
		environment: { ...registry.environment, N8N_REINSTALL_MISSING_PACKAGES: 'true' },
	});
}, 180_000);

afterAll(async () => {
	await Promise.all([own?.stop(), sandbox?.stop()]);
	await registry?.stop();
});

/** The types that n8n has of the package, and how the editor calls each. */
async function types(): Promise<Record<string, string>> {
	const all = await own.n8n.nodeTypes();
	const ofPackage = all.filter((type) => type.name.startsWith(`${name}.`));
	return Object.fromEntries(ofPackage.map((type) => [type.name, type.displayName]));
}

const typesOf = (displayName: string) => ({
	[`${name}.crmWorkspace`]: displayName,
	[`${name}.crmWorkspaceTool`]: `${displayName} Tool`,
	[`${name}.crmWorkspaceTrigger`]: 'CRM Workspace Trigger',
});

/** What the list of community nodes in n8n's settings goes by. */
async function listed(): Promise<object[]> {
	return await own.n8n.call('GET', path);
}

test('what the registry serves passes the scan of the reviewers of n8n', async () => {
	const served = await registry.fetch(name);
	expect(readFileSync(served).equals(readFileSync(playground().tarball))).toBe(true);
	const { stdout } = await promisify(execFile)(process.execPath, ['tools/scan.mts', served]);
	expect(stdout.trim()).toMatch(/^scan: [1-9]\d+ files of code, no violations$/);
});

test('it is installed from the settings of n8n by its name, where its risks are accepted', async () => {
	const { page, close } = await openEditor({ n8n: own.n8n });
	try {
		await page.goto(`${own.n8n.url}/settings/community-nodes`);
		await page.getByRole('button', { name: 'Install a community node' }).click();
		await page.getByPlaceholder('e.g. n8n-nodes-').fill(name);
		const install = page.getByTestId('install-community-package-button');
		expect(await install.isDisabled()).toBe(true);
		await page.getByTestId('user-agreement-checkbox').click();
		if (process.env.PICTURES) {
			await page.locator('.el-dialog').screenshot({ path: 'docs/install.png' });
		}
		await install.click();
		const card = page.getByTestId('community-package-card');
		await card.getByText(name).waitFor();
		expect(await card.innerText()).toContain(version);
	} finally {
		await close();
	}
	expect(await types()).toEqual(typesOf('CRM Workspace'));
}, 120_000);

test('its nodes send and list', async () => {
	const { n8n } = own;
	credential = await createCredential(n8n, unpaced(sandbox), 'CRM Workspace (test)');
	const send = crmNode('CRM', credential, { ...welcome, to: '={{ $json.body.to }}' });
	workflow = await ProductionWorkflow.activate(n8n, [send], undefined, orders.v1);
	expect((await workflow.run({ to: 'ada@example.com' })).status).toBe('success');
	expect(await delivered(sandbox)).toEqual({ 'ada@example.com': 1 });

	const list = { operation: 'list', collection: 'contacts', limit: 3 };
	const stored = await n8n.createWorkflow(crmWorkflow([{}], { credential, parameters: list }));
	expect(outputOf(await n8n.run(stored, 'Start'))).toHaveLength(3);
});

test('it stays as it is where n8n is asked for what it has, or for a version that is not there', async () => {
	const { n8n } = own;
	await expect(n8n.call('POST', path, { name })).rejects.toThrow(/is already installed/);
	const missing = { name, version: '1.2.3' };
	await expect(n8n.call('PATCH', path, missing)).rejects.toThrow(/version does not exist/);
	expect(await types()).toEqual(typesOf('CRM Workspace'));
	expect((await workflow.run({ to: 'bob@example.com' })).status).toBe('success');
});

test('it is updated under active workflows: nothing is sent twice, nothing is lost', async () => {
	const { n8n } = own;
	const folder = await nextVersionOf(playground().tarball);
	await registry.publish(folder);
	rmSync(folder, { recursive: true });
	expect(await listed()).toMatchObject([
		{ installedVersion: version, updateAvailable: next.version },
	]);
	// This one is sent, and then the service says that it was not.
	const refusal = {
		kind: 'status',
		status: 422,
		after: true,
		match: '"cora@example.com"',
		next: 1,
	};
	await sandbox.control('POST', '/faults', refusal);
	const failed = await workflow.run({ to: 'cora@example.com' });
	expect(failed.status).toBe('error');
	const slowRun = await beginSlowRun(n8n);

	await n8n.call('PATCH', path, { name, version: next.version });

	expect((await slowRun.end()).status).toBe('success');
	expect(slowRun.recipients()).toEqual(everyone);
	await slowRun.stop();
	expect(await types()).toEqual(typesOf(next.displayName));
	expect(await listed()).toMatchObject([{ installedVersion: next.version }]);
	expect(await n8n.testCredential(credential)).toMatchObject({ status: 'OK' });
	expect((await n8n.retry(failed.id, 'original')).status).toBe('success');
	expect((await workflow.run({ to: 'dora@example.com' })).status).toBe('success');
	expect(await delivered(sandbox)).toMatchObject({ 'cora@example.com': 1, 'dora@example.com': 1 });
});

test('where its files are gone, n8n gets the same version again as it starts, if it is shown to', async () => {
	await own.stop();
	rmSync(join(own.dataFolder, '.n8n/nodes'), { recursive: true });
	await own.start();
	expect(await types()).toEqual(typesOf(next.displayName));
	expect((await workflow.run({ to: 'emil@example.com' })).status).toBe('success');
}, 180_000);

test('uninstalled, it leaves workflows and credentials as they are, and comes back to them', async () => {
	const { n8n } = own;
	const slowRun = await beginSlowRun(n8n);
	await n8n.call('DELETE', `${path}?name=${name}`);
	const broken = await slowRun.end();
	expect(errorOf(broken)).toMatchObject({
		message: expect.stringMatching(/^n8n did not send .*Unrecognized credential type/),
		description: expect.stringContaining('1 of 3 items were done'),
	});
	expect(await types()).toEqual({});
	expect(await listed()).toEqual([]);
	await expect(workflow.run({ to: 'fred@example.com' })).rejects.toThrow(
		`Unrecognized node type: ${name}.crmWorkspace`,
	);
	expect(await n8n.workflow(workflow.stored.id)).toMatchObject({ active: true });

	await n8n.call('POST', path, { name, version });
	expect(await types()).toEqual(typesOf('CRM Workspace'));
	expect((await workflow.run({ to: 'gina@example.com' })).status).toBe('success');
	expect((await n8n.retry(slowRun.execution, 'original')).status).toBe('success');
	expect(slowRun.recipients()).toEqual(everyone);
	await slowRun.stop();
	const inbox = await delivered(sandbox);
	expect(inbox).not.toHaveProperty(['fred@example.com']);
	expect(inbox).toMatchObject({ 'gina@example.com': 1 });
});
