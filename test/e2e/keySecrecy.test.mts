import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import { formsOf } from '../support/keys/keyForms.mts';
import { decoded } from '../support/keys/leftBehind.mts';
import { saveNodes, storedExecution } from '../support/n8n/database.mts';
import { testSince } from '../support/n8n/testSince.mts';
import { playground } from '../support/n8n/playground.mts';
import { chain, node } from '../support/n8n/productionWorkflow.mts';
import { httpAnswer, startRawServer } from '../support/sandbox/rawServer.mts';
import { type RunningSandbox, startSandbox, unpaced } from '../support/sandbox/sandbox.mts';
import { welcome } from '../support/n8n/sending.mts';
import { crmWorkflow, errorOf } from '../support/n8n/crmWorkflow.mts';

/*
 * When all end-to-end tests have run, playgroundTeardown.mts searches everything that n8n has stored
 * and logged for the keys of all credentials. These tests leave behind what is most likely to show one.
 */

const { n8n, dataFolder } = playground();
let sandbox: RunningSandbox;

beforeAll(async () => {
	sandbox = await startSandbox(['--requests-per-minute', '0']);
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
	[
		'a response that repeats the key',
		(key) => ({ kind: 'status', status: 400, body: { error: `no key ${key}` } }),
	],
])('n8n stores no key after %s', async (_what, fault) => {
	const service = unpaced(sandbox);
	await sandbox.control('POST', '/faults', { ...fault(service.apiKey), probability: 1 });
	const credential = await createCredential(n8n, service, 'Secret');
	const parameters = { ...welcome, to: 'maya@example.com' };
	const workflow = await n8n.createWorkflow(crmWorkflow([{}], { credential, parameters }));
	const execution = await n8n.run(workflow, 'Start');
	await sandbox.control('DELETE', '/faults');
	expect(errorOf(execution)).toBeDefined();
	expect(keysIn(execution.id)).toEqual([]);
});

describe("n8n's HTTP Request node with the credential", () => {
	/** HTTP Request as it asks the service, and a node that quotes the headers of a failed request. */
	async function nodesOf(baseUrl: string, parameters: object) {
		const id = await createCredential(n8n, { ...unpaced(sandbox), baseUrl }, 'Exposed');
		const asked = {
			url: `${baseUrl}/contacts`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'crmWorkspaceApi',
			...parameters,
		};
		const value = '={{ $json.error?.cause?.options?.headers?.Authorization }}';
		const assignments = [{ id: 'key', name: 'key', type: 'string', value }];
		return [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Ask', 'n8n-nodes-base.httpRequest', 4.2, asked, {
				onError: 'continueRegularOutput',
				credentials: { crmWorkspaceApi: { id, name: 'Exposed' } },
			}),
			node('Quote', 'n8n-nodes-base.set', 3.4, { assignments: { assignments }, options: {} }),
		];
	}

	const connections = chain('Start', 'Ask', 'Quote');
	const quotesRequest = {
		paginationMode: 'responseContainsNextURL',
		nextURL: '={{ $response.body.req._header }}',
		paginationCompleteWhen: 'other',
		completeExpression: '={{ false }}',
	};

	test.each([
		['fails', 404, {}],
		[
			'quotes its request in Next URL',
			200,
			{
				options: {
					response: { response: { responseFormat: 'file' } },
					pagination: { pagination: quotesRequest },
				},
			},
		],
	])('makes no request where it %s, and n8n stores no key', async (_how, status, parameters) => {
		const answer = httpAnswer('{"data":[]}', { status });
		const server = await startRawServer((socket) => void socket.end(answer));
		const nodes = await nodesOf(server.baseUrl, parameters);
		// As an n8n instance without the package has saved it: with it, n8n refuses.
		const harmless = nodes.map((one) => ({ ...one, credentials: {} }));
		const stored = await n8n.createWorkflow({ name: 'Exposed', nodes: harmless, connections });
		saveNodes(dataFolder, stored.id, nodes);
		const { id } = await n8n.run({ ...stored, nodes }, 'Start');
		await server.stop();
		expect(server.requests).toEqual([]);
		expect(keysIn(id)).toEqual([]);
		expect(storedExecution(dataFolder, id)).toMatch(
			/is restricted to specific nodes|works only with the CRM Workspace nodes/,
		);
	});

	testSince('2.30', 'saves it')("can't be saved, and n8n names the permitted nodes", async () => {
		const nodes = await nodesOf(sandbox.baseUrl, {});
		await expect(n8n.createWorkflow({ name: 'Exposed', nodes, connections })).rejects.toThrow(
			/crmWorkspaceApi.* restricted.*crmWorkspace, .*crmWorkspaceTrigger, .*crmWorkspaceTool/,
		);
	});
});
