import { everythingOf, logged } from '../support/keySearch.mts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ExpressionError, NodeOperationError, type INode } from 'n8n-workflow';
import { oneRequestEach, requestOf } from '../support/attempts.mts';
import { runNode, type NodeRun } from '../support/engine.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/rawServer.mts';

/** Faults that n8n itself raises before anything is sent. */

const secret = 'ThisKeyMustNotBeSeenAnywhere';
const keyless = { ...oneRequestEach['Send Transactional Email'], idempotency: 'none' };
const sending = requestOf['Send Transactional Email'];

let server: RawServer;

beforeAll(async () => {
	server = await startRawServer((socket) => socket.end(httpAnswer('{"data":{"id":"1"}}')));
});
afterAll(async () => await server.stop());
beforeEach(() => void server.requests.splice(0));

async function run(more: Partial<NodeRun> = {}) {
	const result = await runNode({
		parameters: keyless,
		...more,
		credential: {
			baseUrl: server.baseUrl,
			apiKey: `sk_test_${secret}`,
			requestsPerMinute: 100_000,
			...more.credential,
		},
	});
	expect((everythingOf(result) + logged()).split(secret).length - 1).toBe(0);
	return result;
}

/** Throws at the second reading: the first one opens the connection, the second one sends. */
function onceOpened(fault: (reading: number) => Error | undefined): () => void {
	let reading = 0;
	return () => {
		const error = fault(++reading);
		if (error && reading > 1) throw error;
	};
}

describe('is said as what it is, and leaves no doubt whether anything was sent', () => {
	test.each<[string, Error]>([
		['an expression in the credential', new ExpressionError('Referenced node does not exist')],
		[
			'a credential that is gone',
			new NodeOperationError({ name: 'CRM' } as INode, 'Credential with ID "1" does not exist'),
		],
		['a credential that cannot be decrypted', new Error('Credentials could not be decrypted')],
	])('%s', async (_what, fault) => {
		const { error } = await run({ onCredentialRead: onceOpened(() => fault) });
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: `n8n did not send ${sending}: ${fault.message}`,
		});
		expect(error?.description).not.toContain('may or may not');
		expect(error?.description).not.toContain('The service');
		expect(server.requests).toHaveLength(0);
	});

	test('a key that repeats itself in the words of n8n', async () => {
		const fault = new Error(`Invalid key sk_test_${secret}`);
		const { error } = await run({ onCredentialRead: onceOpened(() => fault) });
		expect(error?.message).toBe(`n8n did not send ${sending}: Invalid key [API key]`);
	});

	test("what passes, such as n8n's database being away, is waited for", async () => {
		const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
		const onCredentialRead = onceOpened((reading) => (reading === 2 ? away : undefined));
		const { error, json, hints } = await run({ onCredentialRead });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(hints.map(({ message }) => message)).toEqual([
			'Requests were made again after passing faults: 1 × ECONNREFUSED',
		]);
	});
});
