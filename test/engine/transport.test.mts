import '../support/keys/everythingOf.mts';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
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

const unsure = /^The message to person1@example.com may already have been sent: [a-z]/;

const putOff = { kind: 'status', status: 503, headers: { 'retry-after': '0.1' } };

const fault = async (one: object) => await sandbox.control('POST', '/faults', one);

const stops: Array<() => Promise<void>> = [];
afterEach(async () => {
	for (const stop of stops.splice(0)) await stop();
});

async function serve(answer: Parameters<typeof startRawServer>[0]): Promise<RawServer> {
	const server = await startRawServer(answer);
	stops.push(server.stop);
	return server;
}

/** Runs the node against another server. */
async function runAt({ baseUrl }: RawServer, parameters: INodeParameters, more?: Partial<NodeRun>) {
	return await run(parameters, {
		credential: { baseUrl, apiKey, requestsPerMinute: 100_000 },
		...more,
	});
}

test('stopping the execution ends the request under way, and begins no other', async () => {
	const stop = new AbortController();
	const closed = Promise.withResolvers<void>();
	const server = await serve((socket) => {
		socket.once('close', closed.resolve);
		stop.abort();
	});
	const parameters = { ...welcome, options: { concurrency: 1, timeout: 600 } };
	await runAt(server, parameters, { items: people(3), stop: stop.signal });
	await closed.promise;
	expect(server.requests).toHaveLength(1);
});

test('a message is known as sent if the execution is stopped with the response in hand', async () => {
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

const keyless = { ...welcome, idempotency: 'none' };

test.each<[string, object]>([
	['408', { kind: 'status', status: 408, after: true }],
	['500', { kind: 'status', status: 500, after: true }],
	['503 with a time to come back', { ...putOff, after: true }],
	['a connection that breaks', { kind: 'dropAfter' }],
	['half an answer', { kind: 'truncated' }],
])(
	'a send without a key is not repeated after %s, and the error says what is not known',
	async (_what, one) => {
		await fault(one);
		const { error } = await run(keyless, { items: people(1) });
		expect(error?.message).toMatch(unsure);
		expect(error?.description).toMatch(/another attempt would send it again\.(?! Try again)/);
		expect(await requests()).toHaveLength(1);
		expect((await sandbox.control('GET', '/inbox')).data).toHaveLength(1);
	},
);

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

test('when an item fails, those under way finish, no other begins, and the error says how many were done', async () => {
	await fault({ kind: 'status', status: 422, match: '"person2@' });
	await fault({ kind: 'delay', delayMs: 1000, probability: 1 });
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

test('a retry is not said to send the others if no item was done', async () => {
	await fault({ kind: 'status', status: 401, probability: 1 });
	const { error } = await run(welcome, { items: people(2) });
	expect(error?.description).toMatch(/0 of 2 items were done\.$/);
});

test('an item that waits for a retry when another one fails is given up, and is not the reason', async () => {
	const headers = { 'retry-after': '60' };
	await fault({ kind: 'status', status: 503, headers, match: '"person1@' });
	await fault({ kind: 'status', status: 422, match: '"person2@' });
	const { error } = await run(welcome, { items: people(2) });
	expect(error).toMatchObject({ httpCode: '422', context: { itemIndex: 1 } });
	expect(error?.description).toContain('0 of 2 items were done.');
	expect(await requests()).toHaveLength(2);
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

const settings = { onError: 'continueRegularOutput' as const };
const five = { ...welcome, options: { concurrency: 5 } };

test('a key that the service refuses is tried once for each item under way, and the others know', async () => {
	const refused = httpAnswer('{"message":"Revoked"}', { status: 401 });
	const server = await serve((socket) => socket.end(refused));
	const { json } = await runAt(server, five, { items: people(200), settings });
	expect(server.requests.length).toBeLessThanOrEqual(5);
	expect(json).toEqual(
		people(200).map((item) => ({ ...item, error: expect.stringContaining('Revoked') })),
	);
});

test('an item costs one request once a run has seen that the service is down', async () => {
	const server = await serve((socket) => socket.end(httpAnswer('{}', { status: 503 })));
	const { json } = await runAt(server, five, { items: people(300), settings });
	expect(json).toHaveLength(300);
	// The first hundred failures are of items that are tried five times.
	expect(server.requests.length).toBeLessThan(300 + 100);
});

test('a service that throttles for longer than is waited ends the run for all items', async () => {
	const throttled = httpAnswer('{}', { status: 429, headers: { 'retry-after': '3600' } });
	const server = await serve((socket) => socket.end(throttled));
	const { json } = await runAt(server, welcome, { items: people(200), settings });
	expect(json.filter(({ error }) => error)).toHaveLength(200);
	expect(json[199].error).toContain(
		'To another request, the service asks to wait 60 min and says: {}.',
	);
	expect(server.requests.length).toBeLessThanOrEqual(5);
});

test.each<[string, (socket: Socket) => void]>([
	['sends nothing', () => undefined],
	['lets its body drip', (socket) => drip(socket)],
])('the connection to a service that %s in time is ended', async (_what, answer) => {
	const closed = Promise.withResolvers<void>();
	const server = await serve((socket) => {
		socket.once('close', closed.resolve);
		answer(socket);
	});
	const parameters = { ...keyless, options: { timeout: 1 } };
	const { error } = await runAt(server, parameters, { items: people(1) });
	expect(error?.message).toMatch(unsure);
	expect(error?.description).toContain('The network error was ETIMEDOUT.');
	await closed.promise;
	expect(server.requests).toHaveLength(1);
});

/** Writes a byte of a body now and then, for ever. */
function drip(socket: Socket): void {
	socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
	const drop = setInterval(() => socket.write(' '), 100);
	socket.once('close', () => clearInterval(drop));
}

test('letters that are cut between two parts of a response are whole', async () => {
	const body = Buffer.from('{"data":[{"name":"Zoë 😀"}]}');
	const cuts = [body.indexOf('ë') + 1, body.indexOf('😀') + 2, body.length];
	const server = await serve(async (socket) => {
		socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`);
		for (const [index, cut] of cuts.entries()) {
			socket.write(body.subarray(cuts[index - 1] ?? 0, cut));
			// Long enough for each part to be read by itself.
			await pause(200);
		}
	});
	const { json } = await runAt(server, { operation: 'list', collection: 'widgets' });
	expect(json).toEqual([{ name: 'Zoë 😀' }]);
});

test('a body that never ends is not read further than 200 MB', async () => {
	const server = await serve((socket) => {
		socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
		const chunk = Buffer.alloc(1_000_000, ' ');
		const more = () => {
			while (!socket.destroyed) {
				if (!socket.write(chunk)) return void socket.once('drain', more);
			}
		};
		more();
	});
	const { error } = await runAt(server, { operation: 'list', collection: 'widgets' });
	expect(error?.message).toBe("Widgets weren't read: the service responded with more than 200 MB");
});

test('a hint says that requests were throttled, and what to check', async () => {
	await fault({ kind: 'status', status: 429 });
	const { hints } = await run(welcome, { items: people(2) });
	expect(hints.map(({ message }) => message)).toEqual([
		"The service throttled requests (1): check 'Requests per Minute' in the credential, or 'Number of n8n Processes' if several share the API key",
	]);
});
