import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { formsOf } from '../support/keys/keyForms.mts';
import { decoded } from '../support/keys/leftBehind.mts';
import { crmWorkflow, errorOf } from '../support/n8n/crmWorkflow.mts';
import { inDatabase, storedExecution } from '../support/n8n/database.mts';
import { playground } from '../support/n8n/playground.mts';
import { chain, node } from '../support/n8n/productionWorkflow.mts';
import { welcome } from '../support/n8n/sending.mts';
import { testSince } from '../support/n8n/testSince.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';

/*
 * When all end-to-end tests have run, playgroundTeardown.mts searches everything that n8n has stored
 * and logged for the keys of all credentials. These tests leave behind what is most likely to show one.
 */

const { n8n, dataFolder } = playground();
let sandbox: RunningSandbox;
let credential: string;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
	credential = await createCredential(n8n, unpaced(sandbox), 'Secret');
});
afterAll(() => sandbox.stop());

/** The forms of the key that n8n has stored of an execution. */
function keysIn(execution: string): string[] {
	const data = storedExecution(dataFolder, execution);
	const stored = `${data}\n${decoded(data)}`;
	return formsOf(sandbox.testKey).filter((form) => stored.includes(form));
}

test.each<[string, (key: string) => object]>([
	['a connection that breaks', () => ({ kind: 'dropBefore' })],
	['a response that is no JSON', () => ({ kind: 'malformed' })],
	['a response with the key', (key) => ({ kind: 'status', status: 400, body: { error: key } })],
])('n8n stores no key after %s', async (_what, fault) => {
	const given = { ...fault(sandbox.testKey), probability: 1 };
	await sandbox.control('POST', '/faults', given);
	const parameters = { ...welcome, to: 'maya@example.com' };
	const workflow = await n8n.createWorkflow(crmWorkflow([{}], { credential, parameters }));
	const execution = await n8n.run(workflow, 'Start');
	await sandbox.control('DELETE', '/faults');
	expect(errorOf(execution)).toBeDefined();
	expect(keysIn(execution.id)).toEqual([]);
});

/** A workflow in which n8n's HTTP Request node asks with the credential. Its errors show its headers. */
const exposed = () => ({
	name: 'Exposed',
	nodes: [
		node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		node(
			'Ask',
			'n8n-nodes-base.httpRequest',
			4.2,
			{
				url: `${sandbox.baseUrl}/contacts`,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: 'crmWorkspaceApi',
			},
			{ credentials: { crmWorkspaceApi: { id: credential, name: 'Secret' } } },
		),
	],
	connections: chain('Start', 'Ask'),
});

test("n8n's HTTP Request node makes no request with the credential", async () => {
	const { nodes, ...workflow } = exposed();
	const harmless = nodes.map((one) => ({ ...one, credentials: {} }));
	const stored = await n8n.createWorkflow({ ...workflow, nodes: harmless });
	// As an n8n instance without the package has saved it: with it, n8n refuses.
	inDatabase(dataFolder, (database) =>
		database
			.prepare('UPDATE workflow_entity SET nodes = ? WHERE id = ?')
			.run(JSON.stringify(nodes), stored.id),
	);
	await sandbox.control('DELETE', '/requests');
	const { id } = await n8n.run({ ...stored, nodes }, 'Start');
	expect((await sandbox.control('GET', '/requests')).data).toEqual([]);
	expect(storedExecution(dataFolder, id)).toMatch(
		/is restricted to specific nodes|works only with the CRM Workspace nodes/,
	);
});

testSince('2.30', 'saves it')(
	"a workflow whose HTTP Request node has the credential can't be saved, and n8n names the permitted nodes",
	async () => {
		await expect(n8n.createWorkflow(exposed())).rejects.toThrow(
			/crmWorkspaceApi.* restricted.*crmWorkspace, .*crmWorkspaceTrigger, .*crmWorkspaceTool/,
		);
	},
);
