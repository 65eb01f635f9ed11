import { everythingOf, logged } from '../support/keys/everythingOf.mts';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { generate } from 'selfsigned';
import { oneRequestEach, requestOf, unknownContact } from '../support/engine/oneRequestEach.mts';
import { freePort } from '../../playground/ports.mts';
import { runNode } from '../support/engine/runNode.mts';
import { httpAnswer, startRawServer, type RawServer } from '../support/sandbox/rawServer.mts';

type OperationName = keyof typeof oneRequestEach;

const operationNames = Object.keys(oneRequestEach) as OperationName[];
const megabyte = 1024 * 1024;
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
		parameters: { ...parameters, options: { timeout: 5 } },
		credential: { baseUrl, apiKey: `sk_test_${secret}`, requestsPerMinute: 100_000 },
	});
	expect((everythingOf(result) + logged()).split(secret).length - 1).toBe(0);
	if (result.error) expect(result.error.name).toMatch(/^Node(Api|Operation)Error$/);
	return result;
}

/** Runs the node against a server that gives one answer to everything. */
async function runWith(
	answer: (socket: Socket, index: number) => void,
	parameters: INodeParameters,
) {
	const server = await serve(answer);
	return { ...(await runAt(server.baseUrl, parameters)), requests: server.requests };
}

const keyless = { ...oneRequestEach['Send Transactional Email'], idempotency: 'none' };
const unsure = 'may or may not have been sent';

const body =
	(text: string | Buffer, options: Parameters<typeof httpAnswer>[1] = {}) =>
	(socket: Socket) =>
		void socket.end(httpAnswer(text, options));

const notFound = 'JSON that does not contain what was asked for';
const brokenOff = '{"data":{"id":"7f3a';
const wholeList = '{"data":[{"id":"1"}],"meta":{"pagination":{"totalCount":1}}}';
const loginPage = '<!DOCTYPE html><html><head><title>Log in – Intranet</title></head></html>';

/** Answers that are neither a record nor a list. */
const otherAnswers: Array<[string, string, string]> = [
	['text', 'Service ready', 'something that is not JSON'],
	['no data', '{"meta":{}}', notFound],
	['an empty object', '{}', notFound],
	['success', '{"success":true}', notFound],
	['null', 'null', notFound],
	['data that is null', '{"data":null}', notFound],
	['data that is text', '{"data":"ok"}', notFound],
	['a number', '7', notFound],
];

describe.each(operationNames)('%s', (name) => {
	test.each<[string, string, string]>([
		['JSON that breaks off', brokenOff, 'JSON that breaks off'],
		['the login page of another site', loginPage, 'a web page titled “Log in – Intranet”'],
	])(
		'%s in place of every answer: the error says so in the end',
		async (_what, text, described) => {
			const { error, requests } = await runWith(body(text), oneRequestEach[name]);
			expect(error).toMatchObject({
				message: `The service answered ${requestOf[name]} with ${described}`,
				description: expect.stringMatching(/Tried 5 times over .* Base URL/),
				httpCode: '200',
			});
			expect(requests).toHaveLength(5);
		},
		40_000,
	);

	test.each<[string, string]>([
		['JSON that breaks off', brokenOff],
		['a web page', loginPage],
	])('%s in place of the first answer: the request is made again', async (_what, text) => {
		const good = httpAnswer(name.startsWith('List') ? wholeList : '{"data":{"id":"1"}}');
		const { json, error, hints, requests } = await runWith(
			(socket, index) => void socket.end(index === 0 ? httpAnswer(text) : good),
			oneRequestEach[name],
		);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id: '1' }]);
		expect(requests).toHaveLength(2);
		expect(hints.map(({ message }) => message)).toEqual([
			'Requests were made again after passing faults: 1 × an answer that could not be read',
		]);
	});

	test.each([301, 302, 303, 307, 308])('%d to another host is not followed', async (status) => {
		let asked = 0;
		const other = createHttpServer((_request, response) => {
			asked++;
			response.end('{"data":[]}');
		}).listen(0, '127.0.0.1');
		await once(other, 'listening');
		stops.push(async () => void other.close());
		const location = `http://localhost:${(other.address() as AddressInfo).port}/api/v1`;

		const redirect = body('', { status, headers: { location } });
		const { error, requests } = await runWith(redirect, oneRequestEach[name]);
		expect(error).toMatchObject({
			message: `The service redirects to ${location}`,
			description: expect.stringContaining('The API key is sent to no other address'),
			httpCode: String(status),
		});
		expect([requests.length, asked]).toEqual([1, 0]);
	});

	test.each<[string, object]>([
		['nonsense', { 'retry-after': 'in 5 minutes, perhaps' }],
		['the past', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }],
		['a negative number', { 'retry-after': '-60' }],
	])('a Retry-After of %s does not keep the request waiting', async (_what, headers) => {
		const good = httpAnswer(wholeList);
		const record = httpAnswer('{"data":{"id":"1"}}');
		const isList = name.startsWith('List');
		const bad = httpAnswer('', { status: 503, headers: headers as Record<string, string> });
		const begun = Date.now();
		const { error, requests } = await runWith(
			(socket, index) => socket.end(index === 0 ? bad : isList ? good : record),
			oneRequestEach[name],
		);
		expect(error).toBeUndefined();
		expect(requests).toHaveLength(2);
		expect(Date.now() - begun).toBeLessThan(5000);
	});

	test('a Retry-After of a year ends the run, and the error says so', async () => {
		const headers = { 'retry-after': '31536000' };
		const answer = body('', { status: 429, headers });
		const { error, requests } = await runWith(answer, oneRequestEach[name]);
		expect(error).toMatchObject({
			message: 'The service allows no more requests for now',
			description: expect.stringContaining('It asks to wait 365 d.'),
			httpCode: '429',
		});
		expect(requests).toHaveLength(1);
	});
});

describe.each(operationNames.filter((name) => name.startsWith('List')))('%s', (name) => {
	// Interface: HTTP-1, LIST-2, LIST-3.
	test.each(otherAnswers)('needs a list, which %s is not', async (_what, text, described) => {
		const { error, requests } = await runWith(body(text), oneRequestEach[name]);
		expect(error).toMatchObject({
			message: `The service answered ${requestOf[name]} with ${described}`,
			description: expect.stringContaining('Base URL'),
			httpCode: '200',
		});
		expect(requests).toHaveLength(1);
	});
});

const saysNo: Array<[string, object]> = [
	['by itself', { error: { code: 'QUOTA', message: 'Too much' } }],
	['beside data that is null', { data: null, error: { code: 'QUOTA', message: 'Too much' } }],
	['in a list', { errors: [{ code: 'QUOTA', message: 'Too much' }] }],
	['as no success', { success: false, code: 'QUOTA', message: 'Too much' }],
];

describe.each(operationNames.filter((name) => name !== 'Update Contact'))('%s', (name) => {
	test.each(saysNo)('a 200 with an error inside, %s, is none', async (_where, answer) => {
		const { error } = await runWith(body(JSON.stringify(answer)), oneRequestEach[name]);
		expect(error).toMatchObject({
			message: `The service answered ${requestOf[name]} with ${notFound}`,
			description: expect.stringContaining('The service says: QUOTA: Too much.'),
			context: { data: { code: 'QUOTA' } },
		});
	});
});

describe.each(['Send Transactional Email', 'Update Contact'] as const)('%s', (name) => {
	test.each(['{"id":"1"}', '[{"id":"1","messageId":"2"}]', '{"data":[{"id":"1"}]}'])(
		'finds the record in %s',
		async (text) => {
			const { json, error } = await runWith(body(text), oneRequestEach[name]);
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ id: '1' }]);
		},
	);
});

test.each([
	...otherAnswers.map(([what, text]) => [what, text]),
	...saysNo.map(([where, answer]) => [`an error ${where}`, JSON.stringify(answer)]),
	['an empty body', ''],
	['an empty list', '{"data":[]}'],
	['several records', '[{"id":"1"},{"id":"2"}]'],
])('an update is done whatever comes with success: %s', async (_what, text) => {
	const { json, error, requests } = await runWith(body(text), oneRequestEach['Update Contact']);
	expect(error).toBeUndefined();
	expect(json).toEqual([{ id: unknownContact, jobTitle: 'Analyst', _result: 'updated' }]);
	expect(requests).toHaveLength(1);
});

describe('a send', () => {
	const send = oneRequestEach['Send Transactional Email'];

	const noJson = 'something that is not JSON';
	const twice = 'The message may have been sent: a retry of the execution sends nothing twice.';
	const site = 'If it was another site that answered, correct Base URL in the credential.';
	const several = '{"data":[{"id":"1","status":"queued"},{"id":"2","status":"rejected"}]}';
	const suppressed = 'Recipient is on the suppression list';

	// Interface: SEND-26.
	test.each([
		['Hello from another site', noJson, 'Hello from another site.'],
		['{"message":"Workflow was started"}', notFound, 'Workflow was started.'],
		['{"message":"Unauthorized"}', notFound, 'Unauthorized.'],
		[`{"data":null,"message":"${suppressed}"}`, notFound, `${suppressed}.`],
		[`{"data":{"error":"${suppressed}"}}`, notFound, `{"data":{"error":"${suppressed}"}}.`],
		[`{"data":{"message":"${suppressed}"}}`, notFound, `{"data":{"message":"${suppressed}"}}.`],
		['{"status":"ok"}', notFound, '{"status":"ok"}.'],
		['{"success":true}', notFound, '{"success":true}.'],
		['{}', notFound, '{}.'],
		['[]', notFound, '[].'],
		['7', notFound, '7.'],
		['null', notFound, 'null.'],
		['{"data":null}', notFound, '{"data":null}.'],
		['{"data":[]}', notFound, '{"data":[]}.'],
		['{"data":false}', notFound, '{"data":false}.'],
		['{"data":"ok"}', notFound, '{"data":"ok"}.'],
		[several, notFound, `${several}.`],
	])('is not done by %s, and the error says what came', async (text, what, said) => {
		const { error, requests } = await runWith(body(text), send);
		expect(error).toMatchObject({
			message: `The service answered POST /transactional/send with ${what}`,
			description: `${twice} The service says: ${said} ${site}`,
		});
		expect(requests).toHaveLength(1);

		const withoutKey = await runWith(body(text), keyless);
		expect(withoutKey.error?.description).toContain(
			'The message may or may not have been sent: without an idempotency key it is not tried again.',
		);
		expect(withoutKey.requests).toHaveLength(1);
	});

	// Interface: OPEN-8.
	test.each([
		['an empty body', [200], 'a message', 'it is'],
		['no content', [204], 'a message', 'it is'],
		['no content, three times', [204, 204, 204], '3 messages', 'them is'],
	])('is done by %s, with a hint', async (_what, statuses, messages, became) => {
		const server = await serve((socket, index) =>
			socket.end(httpAnswer('', { status: statuses[index] })),
		);
		const { json, error, hints } = await runNode({
			parameters: send,
			items: statuses.map(() => ({})),
			credential: { baseUrl: server.baseUrl, apiKey: 'sk_test_1', requestsPerMinute: 100_000 },
		});
		expect(error).toBeUndefined();
		const idempotencyKey = expect.stringMatching(/^n8n-/);
		expect(json[0]).toEqual({ to: send.to, idempotencyKey, _result: 'sent' });
		expect(json).toHaveLength(statuses.length);
		expect(hints.map(({ message }) => message)).toEqual([
			`The service said nothing of ${messages} but that the request succeeded: what became of ${became} not known. If it keeps no such message, Base URL in the credential leads to another site`,
		]);
	});

	test('with its message in the answer has no such hint', async () => {
		const { hints } = await runWith(body('{"data":[{"id":"1"}]}'), send);
		expect(hints).toEqual([]);
	});

	test('is refused in words that are the code, once', async () => {
		const text = '{"error":"IDEMPOTENCY_KEY_REUSED"}';
		const { error } = await runWith(body(text, { status: 409 }), send);
		expect(error?.description).toMatch(/ The service says: IDEMPOTENCY_KEY_REUSED\.$/);
	});

	test('that is rejected is recognised without an id', async () => {
		for (const text of ['{"data":{"status":"rejected"}}', '{"data":[{"status":"rejected"}]}']) {
			const { error } = await runWith(body(text), send);
			expect(error?.message).toContain('The message was not delivered');
		}
	});
});

test.each([brokenOff, loginPage])(
	'a send without a key is not made again after %s',
	async (text) => {
		const { error, requests } = await runWith(body(text), keyless);
		expect(error?.message).toContain(
			`The service answered ${requestOf['Send Transactional Email']}`,
		);
		expect(error?.description).toContain(unsure);
		expect(requests).toHaveLength(1);
	},
);

describe('an array where an object belongs', () => {
	test('a list may come bare, or as something else than one', async () => {
		const bare = await runWith(body('[{"id":"1"}]'), oneRequestEach['List in one piece']);
		expect(bare.json).toEqual([{ id: '1' }]);
		const object = await runWith(body('{"data":{"id":"1"}}'), oneRequestEach['List in one piece']);
		expect(object.error?.message).toContain(notFound);
	});
});

describe('a body of any size', () => {
	const record = (size: number) => `{"data":[{"id":"1","text":"${'x'.repeat(size)}"}]}`;

	test('50 MB are read', async () => {
		const { json, error } = await runWith(
			body(record(50 * megabyte)),
			oneRequestEach['List in one piece'],
		);
		expect(error).toBeUndefined();
		expect(String(json[0].text)).toHaveLength(50 * megabyte);
	});

	test('50 MB that are no JSON are summarised', async () => {
		const text = 'x'.repeat(50 * megabyte);
		const { error } = await runWith(body(text), oneRequestEach['List in one piece']);
		expect(error?.message).toContain('something that is not JSON');
		const failed = await runWith(body(text, { status: 400 }), oneRequestEach['List in one piece']);
		expect(failed.error?.description?.length).toBeLessThan(1000);
	});

	test('of an endless one of an error only the beginning is read', async () => {
		const endless = new EndlessAnswer(
			'HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\n\r\nNo. ',
		);
		const { error, requests } = await runWith(
			(socket) => endless.begin(socket),
			oneRequestEach['List in one piece'],
		);
		expect(error?.description).toMatch(/^The service says: No\. x{400,500}…$/);
		expect(requests).toHaveLength(1);
		expect(endless.sent).toBeLessThan(20 * megabyte);
	});

	test('an error of 240 KB that is made to be slow to read is read at once', async () => {
		const read = async (text: string) => {
			const page = `<html>${text}`.padEnd(240_000, text);
			const begun = performance.now();
			await runWith(body(page, { status: 400 }), oneRequestEach['List in one piece']);
			return performance.now() - begun;
		};
		await read('<p>Harmless</p>');
		const harmless = await read('<p>Harmless</p>');
		for (const text of ['<title', '<', '<script ', '<!--', ' ']) {
			expect(await read(text)).toBeLessThan(10 * harmless + 200);
		}
	}, 40_000);

	test('an endless one is given up after 64 MB', async () => {
		const endless = new EndlessAnswer(
			'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n["',
		);
		const { error, requests } = await runWith(
			(socket) => endless.begin(socket),
			oneRequestEach['List in one piece'],
		);
		expect(error?.message).toMatch(/^127\.0\.0\.1:\d+ answered with more than the node reads$/);
		expect(requests).toHaveLength(1);
		expect(endless.sent).toBeLessThan(100 * megabyte);
	});
});

test('JSON that begins with a byte order mark', async () => {
	const record = await runWith(body('\uFEFF{"data":[{"id":"1"}]}'), oneRequestEach.List);
	expect(record.json).toEqual([{ id: '1' }]);
	const error = body('\uFEFF{"message":"No"}', { status: 400 });
	const failed = await runWith(error, oneRequestEach.List);
	expect(failed.error?.description).toContain('The service says: No.');
});

describe('headers that lie about the length', () => {
	const text = '{"data":{"id":"1"}}';
	const lying = (length: number) =>
		httpAnswer(text, { headers: { 'content-length': `${length}` } });

	test('too long, and the connection ends', async () => {
		const { error } = await runWith((socket) => void socket.end(lying(1000)), keyless);
		expect(error?.message).toMatch(/^The connection to .* broke before its answer was complete$/);
		expect(error?.description).toContain(unsure);
	});

	test('too long, and the connection stays open', async () => {
		const { error } = await runWith((socket) => void socket.write(lying(1000)), keyless);
		expect(error?.message).toMatch(/ did not answer in time$/);
		expect(error?.description).toContain(unsure);
	});

	test('too short', async () => {
		const { error } = await runWith((socket) => void socket.end(lying(10)), keyless);
		expect(error?.message).toContain('JSON that breaks off');
		expect(error?.description).toContain(unsure);
	});

	test('two of them', async () => {
		const answer = `HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 19\r\n\r\n${text}`;
		const { error, requests } = await runWith((socket) => void socket.end(answer), keyless);
		expect(error?.message).toMatch(/answered with something that is not HTTP$/);
		expect(requests).toHaveLength(1);
	});

	test('a repeatable request is made again', async () => {
		const { json, requests } = await runWith(
			(socket, index) => void socket.end(index === 0 ? lying(1000) : httpAnswer(text)),
			oneRequestEach['Update Contact'],
		);
		expect(json).toMatchObject([{ id: '1' }]);
		expect(requests).toHaveLength(2);
	});
});

describe('no answer at all', () => {
	test('something that does not speak HTTP', async () => {
		const banner = '220 mail.example.com ESMTP\r\n';
		const { error, requests } = await runWith(
			(socket) => void socket.end(banner),
			oneRequestEach.List,
		);
		expect(error?.message).toMatch(/^127\.0\.0\.1:\d+ answered with something that is not HTTP$/);
		expect(requests).toHaveLength(1);
	});

	test('silence', async () => {
		const { error, requests } = await runWith(() => undefined, keyless);
		expect(error?.message).toMatch(/^127\.0\.0\.1:\d+ did not answer in time$/);
		expect(error?.description).toContain('as long as Timeout in its options says');
		expect(error?.description).toContain(unsure);
		expect(requests).toHaveLength(1);
	});

	test('an answer that trickles is over when the time is', async () => {
		const { error } = await runWith((socket) => {
			socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
			const timer = setInterval(() => socket.write(' '), 50);
			socket.on('close', () => clearInterval(timer));
		}, keyless);
		expect(error?.message).toMatch(/ did not answer in time$/);
	});

	test.each(['gzip', 'br'])('compression that is none: %s', async (encoding) => {
		const headers = { 'content-encoding': encoding };
		const { error } = await runWith(body('not compressed', { headers }), keyless);
		expect(error?.message).toMatch(/broke before its answer was complete$/);
		expect(error?.description).toContain(unsure);
	});

	test('nobody listens', async () => {
		const { error } = await runAt(`http://127.0.0.1:${await freePort()}/api/v1`, keyless);
		expect(error?.message).toMatch(/^127\.0\.0\.1:\d+ could not be reached$/);
		expect(error?.description).toMatch(/Tried 5 times over .*\(ECONNREFUSED\)/);
		expect(error?.description).not.toContain(unsure);
	}, 40_000);

	test('a name that does not exist', async () => {
		const { error } = await runAt('http://nowhere.invalid/api/v1', oneRequestEach.List);
		expect(error).toMatchObject({
			message: 'The name nowhere.invalid was not found',
			description: expect.stringContaining('Check Base URL in the credential.'),
		});
	}, 40_000);

	test.each(['Send Transactional Email', 'List'] as const)(
		'a certificate that nobody vouches for: %s',
		async (name) => {
			let asked = 0;
			const server = createHttpsServer(await selfSigned(), () => asked++).listen(0, '127.0.0.1');
			await once(server, 'listening');
			stops.push(async () => void server.close());
			const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

			const parameters = { ...oneRequestEach[name], idempotency: 'none' };
			const { error } = await runAt(`https://${host}/api/v1`, parameters);
			expect(error?.message).toBe(`No secure connection to ${host} could be made`);
			expect(error?.description).toContain('certificate');
			expect(error?.description).not.toContain(unsure);
			expect(asked).toBe(0);
		},
	);
});

describe('https:// and http://', () => {
	test.each(Object.entries({ ...oneRequestEach, 'Send without a key': keyless }))(
		'nothing was sent by https:// to a port for http://: %s',
		async (_name, parameters) => {
			let asked = 0;
			const server = createHttpServer(() => asked++).listen(0, '127.0.0.1');
			await once(server, 'listening');
			stops.push(async () => void server.close());
			const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

			const { error } = await runAt(`https://${host}/api/v1`, parameters);
			expect(error).toMatchObject({
				message: `No secure connection to ${host} could be made`,
				description: expect.stringMatching(/^Nothing was sent\. Perhaps the service speaks http:/),
			});
			expect(error?.description).not.toMatch(/may (or may not )?have been/);
			expect(asked).toBe(0);
		},
	);

	/** A service whose certificate counts as good, and which then breaks the secure connection. */
	async function serveSecurely(
		options: ServerOptions,
		answer: (unsealed: Duplex) => void,
	): Promise<{ baseUrl: string; host: string }> {
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
		const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
		return { baseUrl: `https://${host}/api/v1`, host };
	}

	const versions = ['TLSv1.2', 'TLSv1.3'] as const;

	test.each(versions)('a message may have been sent before %s broke', async (version) => {
		let asked = 0;
		const { baseUrl, host } = await serveSecurely(
			{ minVersion: version, maxVersion: version },
			(unsealed) => {
				asked++;
				unsealed.write('HTTP/1.1 400 Bad Request\r\n\r\n');
			},
		);
		const { error } = await runAt(baseUrl, keyless);
		expect(error?.message).toBe(`The secure connection to ${host} failed`);
		expect(error?.description).toContain(unsure);
		expect(error?.description).toMatch(/\(ERR_SSL_(WRONG_VERSION_NUMBER|BAD_RECORD_TYPE)\)/);
		expect(asked).toBe(1);
	});

	test('a certificate of n8n that is asked for after the message went out', async () => {
		const { baseUrl, host } = await serveSecurely(
			{ requestCert: true, minVersion: 'TLSv1.3' },
			() => undefined,
		);
		const { error } = await runAt(baseUrl, keyless);
		expect(error?.message).toBe(`The secure connection to ${host} failed`);
		expect(error?.description).toContain(unsure);
		expect(error?.description).toContain('perhaps it wants a certificate of its clients');
	});

	test.each([
		['nginx', 'text/html', '<title>400 The plain HTTP request was sent to HTTPS port</title>'],
		[
			'Apache',
			'text/html',
			"<title>400 Bad Request</title><p>Reason: You're speaking plain HTTP to an SSL-enabled server port.<br />",
		],
		['Go', 'text/plain', 'Client sent an HTTP request to an HTTPS server.\n'],
	])('http:// at a port for https://, as %s puts it', async (_who, type, page) => {
		const answer = body(page, { status: 400, headers: { 'content-type': type } });
		for (const parameters of Object.values(oneRequestEach)) {
			const { error } = await runWith(answer, parameters);
			expect(error?.message).toMatch(/^127\.0\.0\.1:\d+ takes https:\/\/ only$/);
			expect(error?.description).toContain('Let Base URL in the credential begin with https://.');
		}
	});
});

/** A key and a certificate for localhost that signs itself. */
async function selfSigned(): Promise<{ key: string; cert: string }> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
	return { key, cert };
}

/** An answer that goes on for as long as somebody reads it. */
class EndlessAnswer {
	/** How many bytes were sent. */
	sent = 0;

	constructor(private readonly beginning: string) {}

	begin(socket: Socket): void {
		socket.write(this.beginning);
		const chunk = Buffer.alloc(megabyte, 'x');
		const more = () => {
			while (!socket.destroyed && socket.write(chunk)) this.sent += chunk.length;
		};
		socket.on('drain', more);
		more();
	}
}
