import '../support/keys/everythingOf.mts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { freePort } from '../../playground/ports.mts';
import { oneRequestEach } from '../support/engine/oneRequestEach.mts';
import { runNode, type NodeRun } from '../support/engine/runNode.mts';
import { people } from '../support/n8n/sending.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';
import { sandboxInTests } from '../support/sandbox/sandboxInTests.mts';

const sandbox = sandboxInTests();
let apiKey: string;
let tests = 0;
afterEach(() => void jest.restoreAllMocks());
// The node remembers what it learned of a key, so each test has one of its own.
beforeEach(async () => {
	({ testKey: apiKey } = await sandbox.control('POST', '/reset', { seed: ++tests }));
});

const welcome = { ...oneRequestEach['Send Transactional Email'], to: '={{ $json.to }}' };

async function run(parameters: INodeParameters, more: Partial<NodeRun> = {}) {
	return await runNode({
		parameters,
		credential: { baseUrl: sandbox.baseUrl, apiKey, requestsPerMinute: 100_000 },
		...more,
	});
}

async function requests(): Promise<any[]> {
	return (await sandbox.control('GET', '/requests')).data;
}

/** Waits until the service has got so many requests. */
async function requested(count: number): Promise<void> {
	while ((await requests()).length < count) await pause(10);
}

const unsure = /^The message to person1@example.com may already have been sent: [a-z]/;

const putOff = { kind: 'status', status: 503, headers: { 'retry-after': '0.1' } };

const fault = async (one: object) => await sandbox.control('POST', '/faults', one);

describe('stopping the execution', () => {
	test.each<[string, number, object | undefined]>([
		['a wait for the rate limit', 1, undefined],
		[
			'a wait that the service asked for',
			100_000,
			{ kind: 'status', status: 429, headers: { 'retry-after': '300' }, next: 9 },
		],
		[
			'a wait for a retry',
			100_000,
			{ kind: 'status', status: 503, headers: { 'retry-after': '300' }, next: 9 },
		],
		['a request under way', 100_000, { kind: 'delay', delayMs: 30_000, next: 9 }],
	])('ends %s within a second, and nothing is sent after it', async (_what, perMinute, one) => {
		if (one) await fault(one);
		const stop = new AbortController();
		const ended = run(
			{ ...welcome, options: { concurrency: 1 } },
			{
				items: people(3),
				stop: stop.signal,
				credential: { baseUrl: sandbox.baseUrl, apiKey, requestsPerMinute: perMinute },
			},
		);
		await requested(1);
		await pause(200);
		const stoppedAt = performance.now();
		stop.abort();
		await ended;
		expect(performance.now() - stoppedAt).toBeLessThan(1000);
		await pause(500);
		expect(await requests()).toHaveLength(1);
	});

	test('with the response in hand, the message is known as sent', async () => {
		const stop = new AbortController();
		const parse = JSON.parse;
		// When its response is read, which came whole.
		jest.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
			if (String(text).includes('"messageId"')) stop.abort();
			return parse(text, reviver);
		});
		const parameters = { ...welcome, options: { concurrency: 1 } };
		const stopped = await run(parameters, { items: people(2), stop: stop.signal });
		jest.restoreAllMocks();
		const { contextData } = stopped.data.executionData!;
		const remembered = JSON.stringify(contextData).matchAll(/"state":"(\w+)"/g);
		expect([...remembered].map(([, state]) => state)).toEqual(['sent']);
	});
});

describe('a send without a key', () => {
	const keyless = { ...welcome, idempotency: 'none' };

	test.each<[string, object]>([
		['408', { kind: 'status', status: 408, after: true }],
		['500', { kind: 'status', status: 500, after: true }],
		['503 with a time to come back', { ...putOff, after: true }],
		['a connection that breaks', { kind: 'dropAfter' }],
		['half an answer', { kind: 'truncated' }],
	])('is not repeated after %s, and the error says what is not known', async (_what, one) => {
		await fault(one);
		const { error } = await run(keyless, { items: people(1) });
		expect(error?.message).toMatch(unsure);
		expect(error?.description).toMatch(/another attempt would send it again\.(?! Try again)/);
		expect(await requests()).toHaveLength(1);
		expect((await sandbox.control('GET', '/inbox')).data).toHaveLength(1);
	});

	test('is repeated when the connection was refused', async () => {
		// A delay in which the server comes up.
		jest.spyOn(Math, 'random').mockReturnValue(0.9);
		const port = await freePort();
		const ended = run(keyless, {
			items: people(1),
			credential: { baseUrl: `http://127.0.0.1:${port}/api/v1`, apiKey, requestsPerMinute: 60 },
		});
		const server = createServer((_request, response) => response.end('{"data":{"id":"1"}}'));
		await pause(50);
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
		const { error, json } = await ended;
		server.close();
		expect(error).toBeUndefined();
		expect(json[0].id).toBe('1');
	}, 40_000);
});

test.each<[string, object]>([
	['a fault of the service', { kind: 'status', status: 500, after: true }],
	['a connection that breaks', { kind: 'dropAfter' }],
])('a send with a key is repeated after %s and goes out once', async (_what, one) => {
	await fault(one);
	const { error } = await run(welcome, { items: people(1) });
	expect(error).toBeUndefined();
	expect(await requests()).toHaveLength(2);
	expect((await sandbox.control('GET', '/inbox')).data).toHaveLength(1);
});

describe('when an item fails and the run must stop', () => {
	test('those under way finish, no other begins, and the error says how many were done', async () => {
		await fault({ kind: 'status', status: 422, match: '"person2@' });
		await fault({ kind: 'delay', delayMs: 300, probability: 1 });
		const { error } = await run({ ...welcome, options: { concurrency: 3 } }, { items: people(10) });
		expect(error?.context?.itemIndex).toBe(1);
		expect(error?.message).toContain('person2@example.com');
		expect(error?.description).toContain(
			"2 of 10 items were done, and a retry of the execution doesn't send them again.",
		);
		expect((await requests()).map(({ body }) => body.to).sort()).toEqual(
			[1, 2, 3].map((index) => `person${index}@example.com`),
		);
		expect((await sandbox.control('GET', '/inbox')).data).toHaveLength(2);
	});

	test('of which nothing was done, a retry is not said to send the others', async () => {
		await fault({ kind: 'status', status: 401, probability: 1 });
		const { error } = await run(welcome, { items: people(2) });
		expect(error?.description).toMatch(/0 of 2 items were done\.$/);
	});

	test('one that waits for another try is given up, and is not the reason', async () => {
		const headers = { 'retry-after': '60' };
		await fault({ kind: 'status', status: 503, headers, match: '"person1@' });
		await fault({ kind: 'status', status: 422, match: '"person2@' });
		const { error } = await run(welcome, { items: people(2) });
		expect(error).toMatchObject({ httpCode: '422', context: { itemIndex: 1 } });
		expect(error?.description).toContain('0 of 2 items were done.');
		expect(await requests()).toHaveLength(2);
	});
});

test('the output is in input order, each item linked to its input', async () => {
	await fault({ kind: 'status', status: 422, match: '"person8@' });
	await fault({ kind: 'delay', delayMs: 150, probability: 0.3, seed: 3 });
	const { outputs, error } = await run(
		{ ...welcome, options: { concurrency: 5 } },
		{ items: people(20), settings: { onError: 'continueRegularOutput' } },
	);
	expect(error).toBeUndefined();
	expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
		people(20).map((_, item) => ({ item })),
	);
	expect(outputs[0].map(({ json }) => (json.error ? 'failed' : json.to))).toEqual(
		people(20).map(({ to }, index) => (index === 7 ? 'failed' : to)),
	);
});

test('runs that begin at once on an idle key go at once as far as they fit, and no further', async () => {
	const stop = new AbortController();
	const credential = { baseUrl: sandbox.baseUrl, apiKey, requestsPerMinute: 20 };
	const begin = async (executionId: string, count: number) =>
		await run(welcome, { items: people(count), executionId, credential, stop: stop.signal });
	const runs = [begin('1', 9), begin('2', 9)];
	await requested(18);
	runs.push(begin('3', 9), begin('4', 9));
	await pause(1000);
	stop.abort();
	await Promise.all(runs);
	expect((await requests()).length).toBeLessThanOrEqual(20);
});

describe('a service that', () => {
	const stops: Array<() => Promise<void>> = [];
	afterEach(async () => {
		for (const stop of stops.splice(0)) await stop();
	});

	async function serve(answer: Parameters<typeof startRawServer>[0]): Promise<RawServer> {
		const server = await startRawServer(answer);
		stops.push(server.stop);
		return server;
	}

	const on = ({ baseUrl }: RawServer, more: object = {}) => ({
		credential: { baseUrl, apiKey, requestsPerMinute: 100_000, ...more },
	});
	const sent = httpAnswer('{"data":{"id":"1","status":"sent"}}');
	const widgets: INodeParameters = { operation: 'list', collection: 'widgets' };

	test('is in maintenance on one path holds up no other', async () => {
		const headers = { 'retry-after': '30' };
		const server = await serve((socket, request) => {
			const isSend = request.startsWith('POST');
			socket.end(isSend ? sent : httpAnswer('{}', { status: 503, headers }));
		});
		const stop = new AbortController();
		const listed = run(widgets, { ...on(server), stop: stop.signal });
		while (server.requests.length === 0) await pause(10);
		await pause(50);
		const began = performance.now();
		const { error } = await run(welcome, { ...on(server), items: people(1) });
		expect(error).toBeUndefined();
		expect(performance.now() - began).toBeLessThan(5_000);
		stop.abort();
		await listed;
	});

	test('refuses the key is asked once for each item under way, and the others know', async () => {
		const server = await serve((socket) =>
			socket.end(httpAnswer('{"message":"Revoked"}', { status: 401 })),
		);
		const settings = { onError: 'continueRegularOutput' as const };
		const parameters = { ...welcome, options: { concurrency: 5 } };
		const { json } = await run(parameters, { ...on(server), items: people(200), settings });
		expect(server.requests.length).toBeLessThanOrEqual(5);
		expect(json).toEqual(
			people(200).map((item) => ({ ...item, error: expect.stringContaining('Revoked') })),
		);
	});

	test('is down costs an item one request once a run has seen that', async () => {
		const server = await serve((socket) => socket.end(httpAnswer('{}', { status: 503 })));
		const settings = { onError: 'continueRegularOutput' as const };
		const parameters = { ...welcome, options: { concurrency: 5 } };
		const { json } = await run(parameters, { ...on(server), items: people(300), settings });
		expect(json).toHaveLength(300);
		// The first hundred failures are of items that are tried five times.
		expect(server.requests.length).toBeLessThan(300 + 100);
	});

	test('throttles for longer than is waited ends the run for all items', async () => {
		const headers = { 'retry-after': '3600' };
		const server = await serve((socket) => socket.end(httpAnswer('{}', { status: 429, headers })));
		const settings = { onError: 'continueRegularOutput' as const };
		const { json } = await run(welcome, { ...on(server), items: people(200), settings });
		expect(json.filter(({ error }) => error)).toHaveLength(200);
		expect(json[199].error).toContain(
			'To another request, the service asks to wait 60 min and says: {}.',
		);
		expect(server.requests.length).toBeLessThanOrEqual(5);
	});

	test.each<[string, (socket: Socket) => void]>([
		['sends nothing', () => undefined],
		['lets its body drip', (socket) => drip(socket)],
	])('%s in time has its connection ended', async (_what, answer) => {
		const ended: Socket[] = [];
		const server = await serve((socket) => {
			socket.once('close', () => ended.push(socket));
			answer(socket);
		});
		const parameters = { ...welcome, idempotency: 'none', options: { timeout: 1 } };
		const { error } = await run(parameters, { ...on(server), items: people(1) });
		expect(error?.message).toMatch(unsure);
		expect(error?.description).toContain('The network error was ETIMEDOUT.');
		while (ended.length === 0) await pause(10);
		expect(server.requests).toHaveLength(1);
	});

	test('never ends its body is read up to a bound', async () => {
		let written = 0;
		const server = await serve((socket) => {
			socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
			const chunk = Buffer.alloc(1_000_000, ' ');
			const more = () => {
				while (!socket.destroyed) {
					written += chunk.length;
					if (!socket.write(chunk)) return void socket.once('drain', more);
				}
			};
			more();
		});
		const { error } = await run(widgets, on(server));
		expect(error?.message).toBe(
			"Widgets weren't read: the service responded with more than 200 MB",
		);
		expect(written).toBeLessThan(220_000_000);
	}, 60_000);

	test('gives a date by its own clock, which is ahead, is asked again then', async () => {
		const ahead = Date.now() + 600_000;
		const headers = {
			date: new Date(ahead).toUTCString(),
			'retry-after': new Date(ahead + 2_000).toUTCString(),
		};
		const server = await serve((socket, _request, index) => {
			socket.end(index > 0 ? sent : httpAnswer('{}', { status: 503, headers }));
		});
		const began = performance.now();
		const { error } = await run(welcome, { ...on(server), items: people(1) });
		expect(error).toBeUndefined();
		expect(performance.now() - began).toBeLessThan(10_000);
	});

	test.each([
		[407, '{}', 'a proxy between n8n and the service rejected the request', 'NO_PROXY'],
		[409, '{"code":"CONTACT_ARCHIVED"}', 'the service rejected it', 'CONTACT_ARCHIVED'],
	])('answers %d %s is explained', async (status, body, reason, advice) => {
		const server = await serve((socket) => socket.end(httpAnswer(body, { status })));
		const { error } = await run(welcome, { ...on(server), items: people(1) });
		expect(error?.message).toBe(`The message to person1@example.com wasn't sent: ${reason}`);
		expect(error?.description).toContain(advice);
	});

	test('has more n8n processes than requests per minute gets none', async () => {
		const server = await serve((socket) => socket.end(sent));
		const { error } = await run(welcome, on(server, { requestsPerMinute: 60, processes: 61 }));
		expect(error?.message).toContain('there are more processes than requests');
		expect(server.requests).toEqual([]);
	});

	test('gets a key with an invisible character counts it as the same key', async () => {
		const server = await serve((socket) => socket.end(sent));
		await run(welcome, { ...on(server, { requestsPerMinute: 1 }), items: people(1) });
		const stop = new AbortController();
		const spelled = on(server, { apiKey: `\u200b${apiKey}`, requestsPerMinute: 1 });
		const waiting = run(welcome, { ...spelled, items: people(1), stop: stop.signal });
		await pause(300);
		stop.abort();
		await waiting;
		expect(server.requests).toHaveLength(1);
	});
});

/** Writes a byte of a body now and then, for ever. */
function drip(socket: Socket): void {
	socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
	const drop = setInterval(() => socket.write(' '), 100);
	socket.once('close', () => clearInterval(drop));
}

describe('hints', () => {
	test('show that requests were throttled', async () => {
		await fault({ kind: 'status', status: 429, headers: { 'retry-after': '2' } });
		const { hints } = await run({ ...welcome, options: { concurrency: 1 } }, { items: people(2) });
		expect(hints).toHaveLength(1);
		expect(hints[0].message).toContain('waited 2 s');
		expect(hints[0].message).toContain("check 'Requests per Minute' in the credential");
	});
});
