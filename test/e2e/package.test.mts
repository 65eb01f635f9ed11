import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { playground } from '../support/playground.mts';

const { n8n, dataFolder } = playground();
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
	const papers = ['CHANGELOG.md', 'LICENSE.md', 'README.md', 'dist', 'package.json'];
	expect(papers).toEqual(expect.arrayContaining(readdirSync(installed)));
	expect(readdirSync(join(installed, 'dist')).sort()).toEqual(['credentials', 'nodes']);
	const packageJson = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
	expect(packageJson).not.toHaveProperty('dependencies');
});
