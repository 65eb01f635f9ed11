import { logged } from '../support/keys/everythingOf.mts';
import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NodeApiError, type IExecuteFunctions, type INode } from 'n8n-workflow';
import {
	listContacts,
	listWhole,
	searchArticles,
	sendMessage,
	updateContact,
} from '../../nodes/CrmWorkspace/service/crmWorkspace';
import type { Clock } from '../../nodes/CrmWorkspace/transport/clock';
import { Connection } from '../../nodes/CrmWorkspace/transport/connection';
import { RequestFailure } from '../../nodes/CrmWorkspace/transport/failure';
import { toNodeError } from '../../nodes/CrmWorkspace/transport/nodeError';
import { oneRequestEach, unknownContact } from '../support/engine/oneRequestEach.mts';
import { runNode } from '../support/engine/runNode.mts';
import { httpAnswer, startRawServer } from '../support/sandbox/rawServer.mts';

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const secret = 'ThisKeyMustNotBeSeenAnywhere';
const apiKey = `sk_test_${secret}`;
const node = {
	id: '1',
	name: 'CRM',
	type: 'crm',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Waiting takes no time. */
const quickClock: Clock & { time: number } = {
	time: 1_800_000_000_000,
	now() {
		return this.time;
	},
	async wait(ms, cancel) {
		await new Promise(setImmediate);
		if (!cancel?.aborted) this.time += ms;
	},
};

const status = fc.oneof(
	fc.constantFrom(200, 201, 202, 204, 206, 301, 302, 400, 401, 403, 404, 408, 409, 413, 422, 429),
	fc.constantFrom(429, 500, 502, 503, 504),
	fc.integer({ min: 200, max: 599 }),
);

const someText = fc.oneof(
	fc.string({ maxLength: 200 }),
	fc.string({ unit: 'binary', maxLength: 200 }),
	fc.constantFrom(apiKey, `key ${apiKey}`, 'IDEMPOTENT_REPLAY', 'RATE_LIMITED: wait', 'null', ''),
);

const anything = fc.oneof(
	fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<unknown>,
	someText,
	fc.constant(null),
);

/** Objects whose parts have the names that the node looks at. */
const envelope = fc.record(
	{
		data: fc.oneof(
			anything,
			fc.array(anything, { maxLength: 5 }),
			fc.record(
				{ id: anything, articles: anything, totalCount: anything, email: anything },
				{ requiredKeys: [] },
			),
		),
		meta: fc.oneof(
			anything,
			fc.record({ pagination: fc.oneof(anything, fc.record({ totalCount: anything })) }),
		),
		error: fc.oneof(anything, fc.record({ code: anything, message: anything })),
		errors: fc.oneof(anything, fc.array(fc.record({ code: anything, message: anything }))),
		code: anything,
		message: anything,
		detail: anything,
		title: anything,
		success: anything,
	},
	{ requiredKeys: [] },
);

const json = fc.oneof(envelope, anything).map((value) => JSON.stringify(value) ?? '');

const body = fc.oneof(
	json,
	fc.tuple(json, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
	someText.map((title) => `<!DOCTYPE html><html><head><title>${title}</title></head></html>`),
	someText,
	fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);

const wait = fc.oneof(
	fc.integer({ min: -10, max: 100_000_000 }).map(String),
	fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
	fc.constantFrom('', 'soon', '-1', '1e400', '9'.repeat(400), 'Infinity', 'NaN', '1,2'),
	someText,
);

const headers = fc.record(
	{
		'retry-after': fc.oneof(wait, fc.array(wait)),
		'ratelimit-reset': wait,
		'x-ratelimit-reset': wait,
		location: fc.oneof(fc.webUrl(), someText),
		'content-type': fc.constantFrom('application/json', 'text/html', 'image/png', '???'),
	},
	{ requiredKeys: [] },
);

/** Nearly what was asked for. */
const plausibleBody = fc
	.record(
		{
			data: fc.oneof(
				fc.array(fc.record({ id: anything }, { requiredKeys: [] })),
				fc.dictionary(fc.string(), anything),
				fc.record({ articles: fc.array(anything), totalCount: anything }),
			),
			meta: fc.record({ pagination: fc.record({ totalCount: fc.oneof(fc.nat(), anything) }) }),
			error: anything,
		},
		{ requiredKeys: ['data'] },
	)
	.map((value) => JSON.stringify(value));

const answer = fc.oneof(
	fc.record({ status, headers, body }),
	fc.record({ status: fc.constantFrom(200, 201, 206), headers, body: plausibleBody }),
);

const networkFault = fc.oneof(
	fc
		.constantFrom('ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ENOTFOUND', 'CERT_HAS_EXPIRED')
		.map((code) => Object.assign(new Error(apiKey), { code, config: { headers: { apiKey } } })),
	anything,
	anything.map((code) => ({ code, cause: anything })),
	fc.constant(undefined),
);

type Exchange = { answer: { status: number; headers: object; body: string } } | { fault: unknown };

const exchange: fc.Arbitrary<Exchange> = fc.oneof(
	{ weight: 9, arbitrary: answer.map((one) => ({ answer: one })) },
	{ weight: 1, arbitrary: networkFault.map((fault) => ({ fault })) },
);

const requests: Array<(connection: Connection) => Promise<unknown>> = [
	async (connection) => await sendMessage(connection, { to: 'a@b.cc', idempotencyKey: 'k' }),
	async (connection) => await sendMessage(connection, { to: 'a@b.cc' }),
	async (connection) => await updateContact(connection, unknownContact, { email: 'a@b.cc' }),
	async (connection) => await listContacts(connection, { page: 1, limit: 100 }),
	async (connection) => await listWhole(connection, 'widgets', Infinity),
	async (connection) => await searchArticles(connection, { term: 'a', parameter: 'q', limit: 10 }),
];

/** A connection to a service that answers with these one after the other, then with the last. */
function connectionTo(exchanges: Exchange[], key: string): Connection {
	let next = 0;
	const ask = async () => {
		const one = exchanges[Math.min(next++, exchanges.length - 1)];
		if ('fault' in one) throw one.fault;
		const { status: statusCode, ...told } = one.answer;
		const { headers, body } = JSON.parse(JSON.stringify(told).replaceAll(apiKey, key));
		return { statusCode, headers, body };
	};
	const context = {
		helpers: { httpRequestWithAuthentication: ask },
		getExecutionId: () => '1',
		getExecutionCancelSignal: () => undefined,
	} as unknown as IExecuteFunctions;
	const credential = {
		baseUrl: 'https://crm.example.com/api/v1',
		mode: 'test',
		apiKey: key,
		authHeader: 'authorization',
		requestsPerMinute: 60,
	} as const;
	return new Connection(context, credential, 1000, { clock: quickClock });
}

async function inTime<Result>(promise: Promise<Result>): Promise<Result> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error('still waiting after 5 s')), 5000);
	});
	return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

test('1,000 generated answers each end in a result or an error of n8n', async () => {
	const counts = { results: 0, errors: 0 };
	let runs = 0;
	const property = fc.asyncProperty(
		fc.array(exchange, { minLength: 1, maxLength: 3 }),
		fc.constantFrom(...requests),
		async (exchanges, request) => {
			// A key of its own for each, because the pacer learns from refusals.
			const connection = connectionTo(exchanges, `${apiKey}_${runs++}`);
			const result = await inTime(request(connection).catch((error: unknown) => error));
			expect(result).toBeDefined();
			if (!(result instanceof Error)) {
				counts.results++;
				return;
			}
			counts.errors++;
			expect(result).toBeInstanceOf(RequestFailure);
			const error = toNodeError(node as unknown as INode, result as RequestFailure, 0);
			expect(error).toBeInstanceOf(NodeApiError);
			expect(error.message).toMatch(/service|crm\.example\.com|n8n did not send/i);
			expect(error.description?.length ?? 0).toBeLessThan(1500);
			expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(secret);
		},
	);
	await fc.assert(property, { numRuns: 1000, seed, endOnFailure: true });
	process.stdout.write(`fuzz, seed ${seed}: ${JSON.stringify(counts)}\n`);
}, 120_000);

test('70 of them over a real connection, through n8n, with lengths that lie', async () => {
	const lie = fc.oneof(
		{ weight: 8, arbitrary: fc.constant(0) },
		{ weight: 2, arbitrary: fc.integer({ min: -20, max: 20 }) },
	);
	const cases = fc.sample(
		fc.tuple(answer, lie, fc.constantFrom(...Object.values(oneRequestEach))),
		{
			numRuns: 70,
			seed,
		},
	);
	const counts = { results: 0, errors: 0 };
	const one = async ([{ status, headers, body }, lie, parameters]: (typeof cases)[number]) => {
		const length = Math.max(0, Buffer.byteLength(body) + lie);
		// Real waits are no part of this: what the service asks for is tested with a clock.
		const { location, 'content-type': type = 'text/plain' } = headers;
		const sent = {
			'content-type': type,
			...(typeof location === 'string' && { location: encodeURI(location.toWellFormed()) }),
			'content-length': `${length}`,
		};
		const good = httpAnswer('{"data":{"id":"1","articles":[]}}');
		const server = await startRawServer((socket, _request, index) =>
			socket.end(index === 0 ? httpAnswer(body, { status, headers: sent }) : good),
		);
		const { error, json } = await inTime(
			runNode({
				parameters: { ...parameters, options: { timeout: 1 } },
				credential: { baseUrl: server.baseUrl, apiKey, requestsPerMinute: 100_000 },
			}),
		);
		await server.stop();
		if (error) expect(error.name).toMatch(/^Node(Api|Operation)Error$/);
		else expect(json).toEqual(expect.any(Array));
		expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(secret);
		counts[error ? 'errors' : 'results']++;
	};
	for (let at = 0; at < cases.length; at += 20) {
		await Promise.all(cases.slice(at, at + 20).map(one));
	}
	expect(logged()).not.toContain(secret);
	process.stdout.write(`over HTTP, seed ${seed}: ${JSON.stringify(counts)}\n`);
}, 120_000);
