import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createCredential } from '../../playground/examples.mts';
import type { Playground } from '../../playground/start.mts';
import { formsOf } from '../support/keys/keyForms.mts';
import { decoded } from '../support/keys/leftBehind.mts';
import { saveNodes, storedExecution } from '../support/n8n/database.mts';
import { testSince } from '../support/n8n/testSince.mts';
import { playground, startAnotherN8n } from '../support/n8n/playground.mts';
import { chain, node } from '../support/n8n/productionWorkflow.mts';
import { proxied, startProxy, type RecordingProxy } from '../support/sandbox/proxy.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';
import { type RunningSandbox, startSandbox } from '../support/sandbox/sandbox.mts';
import { startSecureService, type SecureService } from '../support/sandbox/secureService.mts';
import { crmWorkflow, outputOf } from '../support/n8n/crmWorkflow.mts';

let sandbox: RunningSandbox;
let proxy: RecordingProxy;
let secure: SecureService;

beforeAll(async () => {
	[sandbox, proxy, secure] = await Promise.all([
		startSandbox(['--requests-per-minute', '0']),
		startProxy(),
		startSecureService(),
	]);
});
afterAll(async () => {
	await Promise.all([sandbox.stop(), proxy.stop(), secure.stop()]);
});

describe("n8n's HTTP Request node with the credential", () => {
	const { n8n, dataFolder } = playground();
	let server: RawServer | undefined;

	afterEach(async () => {
		await server?.stop();
		server = undefined;
	});

	interface Given {
		parameters: object;
		settings?: object;
		credentials?: object;
	}

	/** A workflow that hands what HTTP Request puts out to a node that quotes the request's headers. */
	async function nodesOf(baseUrl: string, { parameters, settings, credentials }: Given) {
		const service = { baseUrl, apiKey: sandbox.testKey };
		const id = await createCredential(n8n, service, 'Exposed');
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
				...settings,
				credentials: { crmWorkspaceApi: { id, name: 'Exposed' }, ...credentials },
			}),
			node('Quote', 'n8n-nodes-base.set', 3.4, { assignments: { assignments }, options: {} }),
		];
	}

	const connections = chain('Start', 'Ask', 'Quote');

	/** @returns what n8n has stored of the run, each text of it */
	async function ran(baseUrl: string, given: Given): Promise<string> {
		const nodes = await nodesOf(baseUrl, given);
		const harmless = nodes.map((one) => ({ ...one, credentials: {} }));
		const stored = await n8n.createWorkflow({ name: 'Exposed', nodes: harmless, connections });
		saveNodes(dataFolder, stored.id, nodes);
		const { id } = await n8n.run({ ...stored, nodes }, 'Start');
		const data = storedExecution(dataFolder, id);
		return `${data}\n${decoded(data)}`;
	}

	function expectRefused(stored: string): void {
		const found = formsOf(sandbox.testKey).filter((form) => stored.includes(form));
		expect(found).toEqual([]);
		expect(stored).toMatch(
			/Credential type \\?"crmWorkspaceApi\\?" is restricted to specific nodes|This credential works only with the CRM Workspace nodes/,
		);
	}

	const file = { response: { response: { responseFormat: 'file' } } };
	const goOn = { onError: 'continueRegularOutput' };
	type Answer = Parameters<typeof startRawServer>[0];
	const text = (status: number): Answer => {
		return (socket) => socket.end(httpAnswer('{"data":[]}', { status }));
	};

	test.each<[string, Answer, Given]>([
		['Continue, and a 404', text(404), { parameters: {}, settings: goOn }],
		[
			'Continue, and no answer in time',
			() => undefined,
			{ parameters: { options: { timeout: 1000 } }, settings: goOn },
		],
		['Response Format: File', text(200), { parameters: { options: file } }],
		[
			'a connection that is cut in the middle of an answer',
			(socket) => {
				const whole = httpAnswer('x'.repeat(100_000));
				socket.write(whole.subarray(0, 50_000));
				setTimeout(() => socket.resetAndDestroy(), 500);
			},
			{ parameters: { options: file }, settings: goOn },
		],
		[
			'a Next URL that quotes the request',
			text(200),
			{
				parameters: {
					options: {
						...file,
						pagination: {
							pagination: {
								paginationMode: 'responseContainsNextURL',
								nextURL: '={{ $response.body.req._header }}',
								paginationCompleteWhen: 'other',
								completeExpression: '={{ false }}',
							},
						},
					},
				},
			},
		],
	])(
		'makes no request, and the key is in nothing that n8n stores: %s',
		async (_how, answer, given) => {
			server = await startRawServer(answer);
			const stored = await ran(server.baseUrl, given);
			expectRefused(stored);
			expect(server.requests).toEqual([]);
		},
	);

	test('shows the key to no server that only the user’s own certificate speaks for', async () => {
		const ca = await n8n.createCredential('Own CA', 'httpSslAuth', { ca: secure.certificate });
		const stored = await ran(secure.baseUrl, {
			parameters: { provideSslCertificates: true },
			credentials: { httpSslAuth: { id: ca, name: 'Own CA' } },
		});
		expect(secure.seen()).toBe('');
		expectRefused(stored);
	});

	const whereLookedAt = testSince('2.30', 'saves it');

	whereLookedAt('cannot be saved, and n8n says which nodes may have it', async () => {
		const nodes = await nodesOf(sandbox.baseUrl, { parameters: {} });
		const saved = n8n.createWorkflow({ name: 'Exposed', nodes, connections });
		await expect(saved).rejects.toThrow(
			/cannot use credential type .*crmWorkspaceApi.* restricted/,
		);
		await expect(saved).rejects.toThrow(
			/n8n-nodes-crm-workspace\.crmWorkspace, .*crmWorkspaceTrigger, .*crmWorkspaceTool/,
		);
	});
});

describe('in an n8n instance with a proxy in its environment, and this machine in NO_PROXY', () => {
	let other: Playground;

	beforeAll(async () => {
		const trusted = join(mkdtempSync(join(tmpdir(), 'certificate-')), 'certificate.pem');
		writeFileSync(trusted, secure.certificate);
		const environment = {
			...proxied(proxy.url),
			NO_PROXY: `127.0.0.1,${new URL(sandbox.baseUrl).host.replace('127.0.0.1', 'localhost')}`,
			NODE_EXTRA_CA_CERTS: trusted,
		};
		other = await startAnotherN8n(environment);
	}, 120_000);
	afterAll(async () => await other.stop());

	const listed = async (service: { baseUrl: string; apiKey: string }) => {
		const credential = await createCredential(other.n8n, service, 'Listed');
		const parameters = { operation: 'list', limit: 1 };
		const workflow = await other.n8n.createWorkflow(crmWorkflow([{}], { credential, parameters }));
		return outputOf(await other.n8n.run(workflow, 'Start'));
	};

	test.each(['127.0.0.1', 'localhost'])(
		'a service on this machine gets the key past it: %s',
		async (host) => {
			const baseUrl = sandbox.baseUrl.replace('127.0.0.1', host);
			const service = { baseUrl, apiKey: sandbox.testKey };
			expect(await listed(service)).toHaveLength(1);
			const id = await createCredential(other.n8n, service, 'Tested');
			expect(await other.n8n.testCredential(id)).toMatchObject({ status: 'OK' });
			expect(proxy.requests().filter((line) => !line.startsWith('CONNECT '))).toEqual([]);
			expect(proxy.seen()).not.toContain(sandbox.testKey);
		},
	);

	test('one over https gets it sealed, through it', async () => {
		expect(await listed({ baseUrl: secure.baseUrl, apiKey: sandbox.testKey })).toHaveLength(1);
		expect(secure.seen()).toContain(sandbox.testKey);
		const { host } = new URL(secure.baseUrl);
		expect(proxy.requests()).toContain(`CONNECT ${host} HTTP/1.1`);
		expect(proxy.seen()).not.toContain(sandbox.testKey);
	});
});
