import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isBrief } from '../support/atLength.mts';
import { runNode } from '../support/engine/runNode.mts';

const megabyte = 1024 * 1024;
/** Fifty of them in an answer. */
const recordSize = isBrief ? megabyte / 10 : megabyte;
const answer = Buffer.from(
	JSON.stringify({
		data: Array.from({ length: 50 }, (_, id) => ({ id, text: 'x'.repeat(recordSize) })),
	}),
);

let server: Server;
let baseUrl: string;

beforeAll(async () => {
	server = createServer((_request, response) => {
		response.setHeader('content-type', 'application/json');
		response.end(answer);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
});
afterAll(() => {
	server.closeAllConnections();
	server.close();
});

test('several large answers to one run are read side by side', async () => {
	const { error, json } = await runNode({
		parameters: { operation: 'list', collection: 'activities', limit: 5 },
		items: [{}, {}, {}],
		credential: { baseUrl, apiKey: 'sk_test_large', requestsPerMinute: 100_000 },
	});
	expect(error).toBeUndefined();
	expect(json).toHaveLength(15);
});
