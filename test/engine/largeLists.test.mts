import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runNode, type NodeRun } from '../support/engine.mts';

const megabyte = 1024 * 1024;
const answer = Buffer.from(
	JSON.stringify({
		data: Array.from({ length: 50 }, (_, id) => ({ id, text: 'x'.repeat(megabyte) })),
	}),
);

let server: Server;
let baseUrl: string;
let respond: (response: ServerResponse) => void;

beforeAll(async () => {
	server = createServer((_request, response) => {
		response.setHeader('content-type', 'application/json');
		respond(response);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
});
afterAll(() => {
	server.closeAllConnections();
	server.close();
});
beforeEach(() => {
	respond = (response) => response.end(answer);
});

const list = async (parameters: object, more: Partial<NodeRun> = {}) =>
	await runNode({
		parameters: { operation: 'list', collection: 'activities', ...parameters } as never,
		credential: { baseUrl, apiKey: 'sk_test_large', requestsPerMinute: 100_000 },
		...more,
	});

test('a run that would hold too much ends with an error that says what to do', async () => {
	const { error } = await list({ returnAll: true }, { items: [{}, {}, {}] });
	expect(error?.message).toBe('The answers to this run are more than the node holds at once');
	expect(error?.description).toMatch(/^Set a Limit, or give the node fewer items at a time/);
});

test('what a Limit leaves out is not held', async () => {
	const { error, json } = await list({ limit: 5 }, { items: [{}, {}, {}] });
	expect(error).toBeUndefined();
	expect(json).toHaveLength(15);
});

test('what a run held is free when it has ended', async () => {
	for (let i = 0; i < 2; i++) {
		const { json } = await list({ returnAll: true }, { items: [{}, {}] });
		expect(json).toHaveLength(100);
	}
});

test('a run that waits for room is stopped at once, or goes on when there is some', async () => {
	const stalled = new AbortController();
	// More than is left beside it for another one, and no end.
	let read = 0;
	respond = (response) => void response.write(Buffer.alloc(60 * megabyte, ' '), () => read++);
	const holding = [1, 2].map(async () => await list({}, { stop: stalled.signal }));
	while (read < 2) await pause(10);
	respond = (response) => response.end(answer);

	const stop = new AbortController();
	const stopped = list({ returnAll: true }, { stop: stop.signal });
	const waiting = list({ returnAll: true, options: { timeout: 3 } });
	const open = Symbol('open');
	expect(await Promise.race([stopped, waiting, pause(3500, open)])).toBe(open);

	const at = performance.now();
	stop.abort();
	expect((await stopped).json).toEqual([]);
	expect(performance.now() - at).toBeLessThan(1000);

	stalled.abort();
	await Promise.all(holding);
	expect((await waiting).json).toHaveLength(50);
});
