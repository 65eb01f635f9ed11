import '../support/keys/everythingOf.mts';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { generate } from 'selfsigned';
import { oneRequestEach, unknownContact } from '../support/engine/oneRequestEach.mts';
import { freePort } from '../../playground/ports.mts';
import { runNode } from '../support/engine/runNode.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';

const stops: Array<() => Promise<void>> = [];
afterEach(async () => {
	for (const stop of stops.splice(0)) await stop();
});

async function serve(answer: (socket: Socket, index: number) => void): Promise<RawServer> {
	const server = await startRawServer((socket, _request, index) => answer(socket, index));
	stops.push(server.stop);
	return server;
}

async function runAt(baseUrl: string, parameters: INodeParameters) {
	return await runNode({
		parameters,
		credential: { baseUrl, apiKey: 'sk_test_1', requestsPerMinute: 100_000 },
	});
}

/** Runs the node against a server that responds with each of these, and with the last one ever after. */
async function runWith(parameters: INodeParameters, ...answers: Buffer[]) {
	const server = await serve((socket, at) => void socket.end(answers[at] ?? answers.at(-1)));
	return { ...(await runAt(server.baseUrl, parameters)), requests: server.requests.length };
}

const { 'Send Transactional Email': send, 'Update Contact': update, List: list } = oneRequestEach;
const { 'List in one piece': widgets, 'List of articles': articles } = oneRequestEach;
const keyless = { ...send, idempotency: 'none' };

const maybeSent = `The message to ${send.to} may already have been sent`;
const maybeUpdated = `The contact ${unknownContact} may have been updated`;
const goodRecord = httpAnswer(`{"data":{"id":"${unknownContact}"}}`);
const login = '<!DOCTYPE html><html><head><title>Log in – Intranet</title></head></html>';
const half = '{"data":{"id":"7f3a';

describe('what is no JSON, with status 200, may have been cut on the way:', () => {
	const deep = `${'['.repeat(101)}${']'.repeat(101)}`;
	test.each([
		[`text instead of JSON: ${half}`, half],
		['a web page titled “Log in – Intranet”', login],
		[`text instead of JSON: ${'['.repeat(78)}…`, deep],
		['an empty body', ''],
	])('after five attempts, the error says: %s', async (described, text) => {
		const { error, requests } = await runWith(update, httpAnswer(text));
		expect(error?.message).toBe(`${maybeUpdated}: the service responded with ${described}`);
		expect(error?.description).toMatch(
			/^Updating it again is safe\..*'Base URL' in the credential/,
		);
		expect(requests).toBe(5);
	});

	test('an update is tried again after a response that was cut, and succeeds', async () => {
		const { json, error, requests } = await runWith(update, httpAnswer(half), goodRecord);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id: unknownContact }]);
		expect(requests).toBe(2);
	});

	test.each([half, login, ''])('a send without a key is not repeated after “%s”', async (text) => {
		const { error, requests } = await runWith(keyless, httpAnswer(text));
		expect(error?.message).toContain(`${maybeSent}: the service responded with `);
		expect(requests).toBe(1);
	});
});

test.each([
	[302, `The message to ${send.to} wasn't sent`, send],
	[307, `The message to ${send.to} wasn't sent`, send],
	[302, "Contacts weren't read", list],
])('a %d to another host is not followed: %s', async (status, title, parameters) => {
	const other = await serve((socket) => socket.end(httpAnswer('{"data":[]}')));
	const location = other.baseUrl.replace('127.0.0.1', 'localhost');
	const redirect = httpAnswer('', { status, headers: { location } });
	const { error, requests } = await runWith(parameters, redirect);
	expect(error?.message).toBe(`${title}: the service redirects to ${location}`);
	expect(error?.description).toContain('the API key is sent to no other address');
	expect([requests, other.requests.length]).toEqual([1, 0]);
});

const contact = `{"id":"${unknownContact}"}`;
const page = (data: string, totalCount: unknown, totalPages: unknown) =>
	JSON.stringify({
		data: JSON.parse(data),
		meta: { pagination: { page: 1, limit: 10, totalCount, totalPages } },
	});

/** JSON that has none of the results. */
const other = ['null', '7', '"OK"', '{}', '[]', '{"data":null}', '{"data":"OK"}', '{"error":"x"}'];

/** What each request is answered with in a shape that the interface excludes. */
const otherShapes: Array<[string, INodeParameters, string, string[]]> = [
	[
		'a send',
		send,
		maybeSent,
		[
			...['{"id":"1"}', '[{"id":"1"}]', '{"data":[{"id":"1"}]}', '{"data":{}}', '{"success":true}'],
			...['{"data":{"id":""}}', '{"data":{"id":null,"sentAt":null}}', '{"data":{"ok":true}}'],
		],
	],
	[
		'an update',
		update,
		maybeUpdated,
		[
			...[contact, `[${contact}]`, `{"data":[${contact}]}`, '{"data":{"notes":"x"}}'],
			...['{"data":{"id":"1"}}', '{"data":{"id":1}}', '{"success":false}'],
		],
	],
	[
		'a list of contacts',
		list,
		"Contacts weren't read",
		[
			...[`[${contact}]`, `{"data":[${contact}]}`, `{"data":[${contact}],"meta":[]}`],
			...[page(`[${contact}]`, undefined, 1), page(`[${contact}]`, 1, undefined)],
			...['1', 1.5, -1].map((count) => page(`[${contact}]`, count, 1)),
			...[page(`[${contact}]`, 1, 2), page('[{"name":"x"}]', 1, 1), page('[{"id":1}]', 1, 1)],
			...[page(`[${contact},null]`, 2, 1), page(`{"0":${contact}}`, 1, 1)],
		],
	],
	[
		'a list in one piece',
		widgets,
		"Widgets weren't read",
		['{"data":["Billing"]}', '{"data":{"id":"1"}}', '{"data":[{"id":"1"},"Billing"]}', '[{}]'],
	],
	[
		'a list of articles',
		articles,
		"Knowledge Base Articles weren't read",
		[
			...[
				'{"data":[{"id":"1"}]}',
				'{"data":{"articles":[{"id":"1"}]}}',
				'{"data":{"totalCount":3}}',
			],
			...['{"data":{"articles":{},"totalCount":1}}', '{"data":{"articles":["x"],"totalCount":1}}'],
		],
	],
];

// Interface: HTTP-1, SEND-26, UPDATE-6, LIST-2, LIST-3, WHOLE-1, ARTICLE-2.
describe.each(otherShapes)('JSON without the result of %s', (_name, parameters, title, texts) => {
	test.each([...texts, ...other])('is no success, and is asked for once: %s', async (text) => {
		const { error, json, requests } = await runWith(parameters, httpAnswer(text));
		expect(error?.message).toBe(
			`${title}: the service responded with JSON that lacks the requested data`,
		);
		expect(error?.description).toContain("correct 'Base URL' in the credential.");
		expect(json).toEqual([]);
		expect(requests).toBe(1);
	});
});

test.each([
	[send, '{"data":{"messageId":"m"}}', [{ messageId: 'm', _result: 'sent' }]],
	[list, `\uFEFF${page('[{"id":"1"}]', 1, 1)}`, [{ id: '1' }]],
	[list, page('[]', 0, 1), []],
	[widgets, '{"data":[{"name":"x"}]}', [{ name: 'x' }]],
])('JSON that has a result is a success: %j, %s', async (parameters, text, records) => {
	const { json, error } = await runWith(parameters, httpAnswer(text));
	expect(error).toBeUndefined();
	expect(json).toEqual(records.map((record) => expect.objectContaining(record)));
});

describe('a send', () => {
	const suppressed = 'Recipient is on the suppression list';

	// Interface: SEND-26.
	test.each([
		[`{"data":null,"message":"${suppressed}"}`, `${suppressed}.`],
		['{"success":false,"code":"QUOTA","message":"Too much"}', 'QUOTA: Too much.'],
		['{"success":true}', '{"success":true}.'],
		['7', '7.'],
	])('is not done by %s, and the error shows it', async (text, said) => {
		const { error } = await runWith(send, httpAnswer(text));
		expect(error?.description).toMatch(/^To send it safely, retry this execution/);
		expect(error?.description?.endsWith(` The service says: ${said}`)).toBe(true);
	});

	test('that shows nothing but an error is no success', async () => {
		const { error } = await runWith(send, httpAnswer(`{"data":{"error":"${suppressed}"}}`));
		expect(error?.message).toMatch(new RegExp(`may not .*${suppressed}`));
	});
});

test('nothing listens at the port', async () => {
	const { error } = await runAt(`http://127.0.0.1:${await freePort()}/api/v1`, keyless);
	expect(error?.message).toMatch(
		/^The message to ada.* wasn't sent: 127\.0\.0\.1:\d+ could not be reached$/,
	);
	expect(error?.description).toContain('After 5 attempts, the network error was ECONNREFUSED.');
});

describe('https://', () => {
	test.each<[string, (onRequest: () => void) => Promise<Server>]>([
		[
			'a certificate that is not trusted',
			async (onRequest) => createHttpsServer(await selfSigned(), onRequest),
		],
		['a port for http://', async (onRequest) => createHttpServer(onRequest)],
	])('nothing was sent to %s', async (_what, create) => {
		let asked = 0;
		const server = (await create(() => asked++)).listen(0, '127.0.0.1');
		await once(server, 'listening');
		stops.push(async () => void server.close());
		const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

		const { error } = await runAt(`https://${host}/api/v1`, keyless);
		expect(error).toMatchObject({
			message: `The message to ${keyless.to} wasn't sent: ${host} offers no secure connection`,
			description: expect.stringMatching(/'Base URL'.* certificate.* network error was \w+\.$/),
		});
		expect(error?.description).not.toMatch(/may (or may not )?have been/);
		expect(asked).toBe(0);
	});

	/** A service whose certificate counts as good, and which then breaks the secure connection. */
	async function serveSecurely(
		options: ServerOptions,
		answer: (unsealed: Duplex) => void,
	): Promise<string> {
		const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => tls.TLSSocket;
		const trusting = (asked: tls.ConnectionOptions) =>
			connect({ ...asked, rejectUnauthorized: false });
		const trust = jest.spyOn(tls, 'connect').mockImplementation(trusting as typeof tls.connect);
		let unsealed: Duplex;
		const server = createHttpsServer({ ...(await selfSigned()), ...options }, (request) =>
			request.on('data', () => undefined).on('end', () => answer(unsealed)),
		).on('connection', (socket) => (unsealed = socket));
		await once(server.listen(0, '127.0.0.1'), 'listening');
		stops.push(async () => {
			trust.mockRestore();
			server.closeAllConnections();
			server.close();
		});
		return `https://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
	}

	test('a message may have been sent before the connection broke', async () => {
		let asked = 0;
		const baseUrl = await serveSecurely({}, (unsealed) => {
			asked++;
			unsealed.write('HTTP/1.1 400 Bad Request\r\n\r\n');
		});
		const { error } = await runAt(baseUrl, keyless);
		expect(error?.message).toMatch(/may already have been sent: no response came from 127[\d.:]+$/);
		expect(asked).toBe(1);
	});
});

test('a run that has begun has its credential, also when n8n cannot read it any more', async () => {
	const server = await serve((socket) => socket.end(goodRecord));
	let readings = 0;
	const { error, json, hints } = await runNode({
		parameters: { ...keyless, options: { concurrency: 1 } },
		items: [{}, {}, {}],
		credential: { baseUrl: server.baseUrl, apiKey: 'sk_test_1', requestsPerMinute: 100_000 },
		onCredentialRead: () => {
			// As PostgreSQL's driver throws it; n8n hands it on as it is.
			if (++readings > 2) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
		},
	});
	expect(error).toBeUndefined();
	expect(hints).toEqual([]);
	expect(json).toHaveLength(3);
	expect(server.requests).toHaveLength(3);
});

/** A key and a certificate for localhost that signs itself. */
async function selfSigned(): Promise<{ key: string; cert: string }> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
	return { key, cert };
}
