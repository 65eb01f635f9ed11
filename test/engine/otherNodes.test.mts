import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { runNode } from '../support/engine/runNode.mts';
import { formsOf } from '../support/keys/keyForms.mts';
import { everythingOf } from '../support/keys/everythingOf.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';

/**
 * What `authenticate` alone does, as in an n8n instance that doesn't know of credentials for certain nodes:
 * the engine here gives the credential to any node.
 */
describe('another node with the credential', () => {
	const apiKey = 'sk_test_4f1c9d7e2a';
	let server: RawServer;

	beforeEach(async () => {
		server = await startRawServer((socket) => socket.end(httpAnswer('{"data":[]}')));
	});
	afterEach(async () => await server.stop());

	/** A node that makes a request with one of n8n's helpers, and puts the answer out. */
	const nodeWith = (
		ask: (node: IExecuteFunctions, url: string) => Promise<unknown>,
	): INodeType => ({
		description: {
			displayName: 'Other',
			name: 'other',
			group: ['transform'],
			version: 1,
			description: '',
			defaults: { name: 'Other' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'crmWorkspaceApi', required: true }],
			properties: [],
		},
		async execute() {
			const answer = await ask(this, `${server.baseUrl}/contacts`);
			return [[{ json: { answer } } as INodeExecutionData]];
		},
	});

	const type = 'crmWorkspaceApi';
	const asks: Array<[string, Parameters<typeof nodeWith>[0]]> = [
		[
			'httpRequestWithAuthentication',
			async (node, url) =>
				await node.helpers.httpRequestWithAuthentication.call(node, type, { url, json: true }),
		],
		[
			'the older requestWithAuthentication',
			async (node, uri) =>
				await node.helpers.requestWithAuthentication.call(node, type, { uri, json: true }),
		],
		[
			'a credential that it hands along itself',
			async (node, url) => {
				const data = await node.getCredentials(type);
				const credentialsDecrypted = { id: '', name: '', type, data };
				const more = { credentialsDecrypted };
				return await node.helpers.httpRequestWithAuthentication.call(node, type, { url }, more);
			},
		],
	];

	test.each(asks)('makes no request, and is shown why: %s', async (_how, ask) => {
		const run = await runNode({
			parameters: {},
			credential: { baseUrl: server.baseUrl, apiKey },
			type: nodeWith(ask),
		});
		expect(run.error?.message).toMatch(/works only with the CRM Workspace nodes/);
		const everything = everythingOf(run);
		expect(formsOf(apiKey).filter((form) => everything.includes(form))).toEqual([]);
		expect(server.requests).toEqual([]);
	});
});
