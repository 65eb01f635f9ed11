import '../support/keys/everythingOf.mts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { freePort } from '../../playground/ports.mts';
import { oneRequestEach, unknownContact } from '../support/engine/oneRequestEach.mts';
import { runNode, type NodeRun } from '../support/engine/runNode.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';
import { automaticUpdate, byId } from '../support/engine/updates.mts';

/** What one item of a run has learned, those after it know. */

const concurrency = 5;
const send: INodeParameters = {
	...oneRequestEach['Send Transactional Email'],
	to: '={{ $json.to }}',
	options: { concurrency },
};
const people = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ to: `person${index}@example.com` }));

const stops: Array<() => Promise<void>> = [];
afterEach(async () => {
	jest.restoreAllMocks();
	for (const stop of stops.splice(0)) await stop();
});

async function serve(answerTo: (request: string) => Buffer | undefined): Promise<RawServer> {
	const server = await startRawServer((socket, request) => {
		const answer = answerTo(request);
		if (answer) socket.end(answer);
		else socket.destroy();
	});
	stops.push(server.stop);
	return server;
}

const run = async (baseUrl: string, more: Partial<NodeRun> & Pick<NodeRun, 'items'>) =>
	await runNode({
		parameters: send,
		credential: { baseUrl, apiKey: `sk_test_${baseUrl}`, requestsPerMinute: 100_000 },
		settings: { onError: 'continueRegularOutput' },
		...more,
	});

/** What items came out with that do not say so, each text once. */
const errorsWithout = (words: string, json: IDataObject[]): string[] => [
	...new Set(json.map(({ error }) => String(error)).filter((error) => !error.includes(words))),
];

/** Answers that speak of the key, and the words in which they do so. */
const finalAnswers: Array<[string, number, object, string]> = [
	['401', 401, { message: 'This key was revoked' }, 'This key was revoked'],
];

test.each(finalAnswers)(
	'500 items of a key that is refused with %s make one request for each that is under way',
	async (_what, status, body, words) => {
		const server = await serve(() => httpAnswer(JSON.stringify(body), { status }));
		const { json } = await run(server.baseUrl, { items: people(500) });
		expect(server.requests.length).toBeLessThanOrEqual(concurrency);
		expect(json).toHaveLength(500);
		expect(errorsWithout(words, json)).toEqual([]);
		expect(json[499]).toMatchObject({ to: 'person499@example.com' });
	},
);

test.each<[string, INodeParameters, (index: number) => IDataObject]>([
	['Update Contact', automaticUpdate(byId), (index) => ({ id: unknownContact, notes: `${index}` })],
	[
		'List',
		{ operation: 'list', collection: 'widgets', options: { concurrency } },
		(row) => ({ row }),
	],
])('so do those of %s', async (_operation, parameters, row) => {
	const server = await serve(() => httpAnswer('{"message":"Revoked"}', { status: 401 }));
	const items = Array.from({ length: 500 }, (_, index) => row(index));
	const { json } = await run(server.baseUrl, { parameters, items });
	expect(server.requests.length).toBeLessThanOrEqual(concurrency);
	expect(json).toHaveLength(500);
	expect(errorsWithout('Revoked', json)).toEqual([]);
});

test.each([
	['speaks of something else', { message: 'This contact is locked' }],
	['names the key, and is about one item', { message: 'A test API key sends to yourself only' }],
	['says nothing', {}],
])('a 403 that %s is that of one item: each of the others is asked for', async (_what, body) => {
	const server = await serve(() => httpAnswer(JSON.stringify(body), { status: 403 }));
	const { json } = await run(server.baseUrl, { items: people(100) });
	expect(server.requests).toHaveLength(100);
	expect(json).toHaveLength(100);
	expect(errorsWithout("The service doesn't allow", json)).toEqual([]);
});

test('an item costs one request once a run has seen that the service is down', async () => {
	const server = await serve(() => httpAnswer('{}', { status: 503 }));
	const { json } = await run(server.baseUrl, { items: people(300) });
	expect(json).toHaveLength(300);
	// The first hundred failures are of items that are tried five times.
	expect(server.requests.length).toBeLessThan(300 + 100);
});

test('a message whose outcome was unknown when the key was refused stays unknown', async () => {
	// The pause before another try is as long as it can be.
	jest.spyOn(Math, 'random').mockReturnValue(0.999);
	const refused = httpAnswer('{"message":"Revoked"}', { status: 401 });
	const server = await serve((request) => (request.includes('person0@') ? undefined : refused));
	const { json } = await run(server.baseUrl, { items: people(3) });
	expect(server.requests.filter((request) => request.includes('person0@'))).toHaveLength(1);
	expect(json[0].error).toMatch(/may already have been sent/);
	expect(json[0].error).toContain('Revoked');
	expect(json[1].error).not.toMatch(/may already have been sent/);
});

test('a service that is started again in the middle of a run costs the items that were under way', async () => {
	// Long enough for the service to come back.
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	const port = await freePort();
	let requests = 0;
	const open = async () => {
		const server = createServer((_request, response) => {
			requests++;
			setTimeout(() => response.end('{"data":{"id":"1","status":"sent"}}'), 50);
			if (requests === 15) restart();
		});
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
		const restart = () => {
			server.close();
			setTimeout(() => void open(), 2000);
		};
		stops.push(async () => {
			server.closeAllConnections();
			server.close();
		});
	};
	await open();
	const { json } = await run(`http://127.0.0.1:${port}/api/v1`, { items: people(100) });
	expect(json).toHaveLength(100);
	expect(json.filter(({ error }) => error).length).toBeLessThanOrEqual(2 * concurrency);
});
