import { everythingOf, logged } from '../support/keys/everythingOf.mts';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { ExpressionError, UserError, type INodeParameters } from 'n8n-workflow';
import { generate } from 'selfsigned';
import { oneRequestEach, unknownContact } from '../support/engine/oneRequestEach.mts';
import { freePort } from '../../playground/ports.mts';
import { runNode, type NodeRun } from '../support/engine/runNode.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';

const secret = 'ThisKeyMustNotBeSeenAnywhere';

const stops: Array<() => Promise<void>> = [];
afterEach(async () => {
	for (const stop of stops.splice(0)) await stop();
});

async function serve(answer: (socket: Socket, index: number) => void): Promise<RawServer> {
	const server = await startRawServer((socket, _request, index) => answer(socket, index));
	stops.push(server.stop);
	return server;
}

/** Runs the node against an address; what n8n holds then must not contain the key. */
async function runAt(baseUrl: string, parameters: INodeParameters) {
	const result = await runNode({
		parameters: { ...parameters, options: { timeout: 2 } },
		credential: { baseUrl, apiKey: `sk_test_${secret}`, requestsPerMinute: 100_000 },
	});
	expect((everythingOf(result) + logged()).split(secret).length - 1).toBe(0);
	if (result.error) expect(result.error.name).toMatch(/^Node(Api|Operation)Error$/);
	return result;
}

/** Runs the node against a server that responds in one way to everything. */
async function runWith(
	answer: (socket: Socket, index: number) => void,
	parameters: INodeParameters,
) {
	const server = await serve(answer);
	return { ...(await runAt(server.baseUrl, parameters)), requests: server.requests };
}

const noResponse = /may already have been sent: no response came from 127\.0\.0\.1:\d+$/;
const send = oneRequestEach['Send Transactional Email'];
const update = oneRequestEach['Update Contact'];
const sending = 'Send Transactional Email';
const keyless = { ...send, idempotency: 'none' };

/** What an error says first if a request may have succeeded. */
const outcomeOf = {
	[sending]: `The message to ${send.to} may already have been sent`,
	'Update Contact': `The contact ${unknownContact} may have been updated`,
	List: "Contacts weren't read",
	'List of articles': "Knowledge Base Articles weren't read",
	'List in one piece': "Widgets weren't read",
} as const;

const body =
	(text: string | Buffer, options: Parameters<typeof httpAnswer>[1] = {}) =>
	(socket: Socket) =>
		void socket.end(httpAnswer(text, options));

const lacking = 'JSON that lacks the requested data';
const brokenOff = '{"data":{"id":"7f3a';
const goodRecord = httpAnswer(`{"data":{"id":"${unknownContact}"}}`);
const loginPage = '<!DOCTYPE html><html><head><title>Log in – Intranet</title></head></html>';

describe('a web page or broken JSON with status 200', () => {
	test.each([
		[brokenOff, `text instead of JSON: ${brokenOff}`],
		[loginPage, 'a web page titled “Log in – Intranet”'],
	])('for every attempt fails after five: %s', async (text, described) => {
		const { error, requests } = await runWith(body(text), update);
		expect(error).toMatchObject({
			message: `${outcomeOf['Update Contact']}: the service responded with ${described}`,
			description: expect.stringMatching(/'Base URL'.* (?:Tried 5 times|After 5 attempts)/),
			httpCode: '200',
		});
		expect(requests).toHaveLength(5);
	});

	test.each([brokenOff, loginPage])('is retried: %s', async (text) => {
		const { json, error, requests } = await runWith(
			(socket, index) => void socket.end(index === 0 ? httpAnswer(text) : goodRecord),
			update,
		);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id: unknownContact }]);
		expect(requests).toHaveLength(2);
	});

	test.each([brokenOff, loginPage])('is not retried for a send without a key: %s', async (text) => {
		const { error, requests } = await runWith(body(text), keyless);
		expect(error?.message).toContain(`${outcomeOf[sending]}: the service responded with `);
		expect(requests).toHaveLength(1);
	});
});

test.each([
	[302, send],
	[307, send],
	[302, oneRequestEach.List],
])('%d to another host is not followed', async (status, parameters) => {
	const other = await serve((socket) => socket.end(httpAnswer('{"data":[]}')));
	const location = other.baseUrl.replace('127.0.0.1', 'localhost');

	const redirect = body('', { status, headers: { location } });
	const { error, requests } = await runWith(redirect, parameters);
	expect(error?.description).not.toContain('no reason');
	expect(error).toMatchObject({
		message: expect.stringMatching(`(sent|read): the service redirects to ${location}$`),
		description: expect.stringContaining('the API key is sent to no other address'),
		httpCode: String(status),
	});
	expect([requests.length, other.requests.length]).toEqual([1, 0]);
});

const contact = `{"id":"${unknownContact}"}`;
const page = (data: string, counts: string) =>
	`{"data":${data},"meta":{"pagination":{"page":1,"limit":10,${counts}}}}`;

/** What each request is answered with in a shape that the interface excludes. */
const otherShapes: Array<[keyof typeof oneRequestEach, string[]]> = [
	[sending, ['{"id":"1"}', '[{"id":"1"}]', '{"data":[{"id":"1"}]}', '{"data":{"ok":true}}']],
	['Update Contact', [`[${contact}]`, '{"data":{"id":"1"}}', '{"success":false}']],
	['List', [page(`[${contact}]`, '"totalCount":1,"totalPages":1000')]],
	['List in one piece', ['[]', '{"data":["Billing"]}', '{"meta":{}}']],
	['List of articles', ['[]', '{"data":[]}', '{"data":{"articles":[]}}']],
];

// Interface: HTTP-1, SEND-26, UPDATE-6, LIST-2, LIST-3, WHOLE-1, ARTICLE-2.
describe.each(otherShapes)('%s, answered with another shape', (name, texts) => {
	const advice = {
		[sending]: /^To send it safely, retry this execution/,
		'Update Contact': /^Updating it again is safe\./,
	}[name as string];
	const title = `${outcomeOf[name]}: the service responded with`;

	test.each([...texts, '{}', 'null', '{"data":null}'])('%s', async (text) => {
		const { error, json, requests } = await runWith(body(text), oneRequestEach[name]);
		expect(error?.message).toBe(`${title} ${lacking}`);
		expect(error?.description).toMatch(advice ?? /^If another site responded/);
		expect(error?.description).toContain("'Base URL'");
		expect(json).toEqual([]);
		expect(requests).toHaveLength(1);
	});

	test.each([
		['no content', body('', { status: 204 }), 'an empty body'],
		['words', body('Service ready'), 'text instead of JSON: Service ready'],
	])('%s: asked for again, because something may have cut it', async (_what, answer, described) => {
		const { error, requests } = await runWith(answer, oneRequestEach[name]);
		expect(error?.message).toBe(`${title} ${described}`);
		expect(error?.description).toMatch(advice ?? /^If another site responded/);
		expect(requests).toHaveLength(5);
	});
});

describe('a send', () => {
	const suppressed = 'Recipient is on the suppression list';
	const several = '{"data":[{"id":"1","status":"queued"},{"id":"2","status":"rejected"}]}';

	// Interface: SEND-26.
	test.each([
		['{"message":"Workflow was started"}', 'Workflow was started.'],
		[`{"data":null,"message":"${suppressed}"}`, `${suppressed}.`],
		['{"error":{"code":"QUOTA","message":"Too much"}}', 'QUOTA: Too much.'],
		['{"success":false,"code":"QUOTA","message":"Too much"}', 'QUOTA: Too much.'],
		['{"success":true}', '{"success":true}.'],
		['7', '7.'],
		['{"data":[]}', '{"data":[]}.'],
		['{"data":"ok"}', '{"data":"ok"}.'],
		[several, `${several}.`],
	])('is not done by %s, and the error shows it', async (text, said) => {
		const { error, requests } = await runWith(body(text), send);
		expect(error).toMatchObject({
			message: `${outcomeOf[sending]}: the service responded with ${lacking}`,
			description: expect.stringMatching(/^To send it safely, retry .*'Base URL'/),
		});
		expect(error?.description?.endsWith(` The service says: ${said}`)).toBe(true);
		expect(requests).toHaveLength(1);
	});

	test('that shows nothing but an error is no success', async () => {
		const { error } = await runWith(body(`{"data":{"error":"${suppressed}"}}`), send);
		expect(error?.message).toMatch(new RegExp(`may not .*${suppressed}`));
	});
});

test('JSON that begins with a byte order mark', async () => {
	const record = await runWith(
		body(`\uFEFF${page('[{"id":"1"}]', '"totalCount":1,"totalPages":1')}`),
		oneRequestEach.List,
	);
	expect(record.json).toEqual([{ id: '1' }]);
	const error = body('\uFEFF{"message":"No"}', { status: 400 });
	const failed = await runWith(error, oneRequestEach.List);
	expect(failed.error?.description).toContain('The service says: No.');
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
		expect(error?.message).toMatch(noResponse);
		expect(asked).toBe(1);
	});
});

describe('a fault that n8n itself raises when it reads the credential', () => {
	/** Runs the node while n8n throws at the readings of the credential that `isAway` names. */
	async function runWithout(
		isAway: (reading: number) => boolean,
		fault: () => Error,
		more: Partial<NodeRun> = {},
	) {
		const server = await serve((socket) => socket.end(goodRecord));
		let readings = 0;
		const result = await runNode({
			parameters: { ...keyless, options: { concurrency: 1 } },
			credential: { baseUrl: server.baseUrl, apiKey: 'sk_test_1', requestsPerMinute: 100_000 },
			onCredentialRead: () => {
				if (isAway(++readings)) throw fault();
			},
			...more,
		});
		return { ...result, requests: server.requests, readings };
	}

	test.each<[string, () => Error]>([
		['an expression in it', () => new ExpressionError('Referenced node does not exist')],
		['it is gone', () => new UserError('Credential with ID "1" does not exist')],
	])('ends the run at once, in words: %s', async (_what, fault) => {
		const { error, requests, readings } = await runWithout(() => true, fault);
		expect(error?.message).toContain(fault().message);
		expect([requests.length, readings]).toEqual([0, 1]);
	});

	test('is no fault of a run that has begun: it has the credential', async () => {
		// As PostgreSQL's driver throws it; n8n hands it on as it is.
		const databaseAway = () =>
			Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
		const more = { items: [{}, {}, {}] };
		const result = await runWithout((reading) => reading > 2, databaseAway, more);
		expect(result.error).toBeUndefined();
		expect(result.hints).toEqual([]);
		expect(result.json).toHaveLength(3);
		expect(result.requests).toHaveLength(3);
	});
});

/** A key and a certificate for localhost that signs itself. */
async function selfSigned(): Promise<{ key: string; cert: string }> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
	return { key, cert };
}
