import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { IN8nHttpFullResponse } from 'n8n-workflow';
import type { CrmWorkspaceCredential } from '../../nodes/CrmWorkspace/transport/credential/credential';
import { markedAsOwn } from '../../nodes/CrmWorkspace/transport/credential/guard';
import type { NodeContext } from '../../nodes/CrmWorkspace/transport/credential/read';
import {
	askAsNode,
	exchange,
	readBody,
	type Ask,
	type Body,
} from '../../nodes/CrmWorkspace/transport/http/exchange';
import { AnswerTooLarge, timedOut } from '../../nodes/CrmWorkspace/transport/http/fault';
import { realClock } from '../../nodes/CrmWorkspace/transport/pacing/clock';
import { fakeClock } from '../support/simulated/fakeClock.mts';

const minute = 60_000;
const megabyte = 1024 * 1024;

beforeEach(() => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
	jest.spyOn(realClock, 'wait').mockImplementation(fakeClock.wait);
	jest.spyOn(realClock, 'now').mockImplementation(fakeClock.now);
});
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

const answering =
	(statusCode: number, chunks: Array<string | Buffer>): Ask =>
	async () =>
		({
			statusCode,
			headers: { 'x-one': '1' },
			body: Readable.from(chunks.map((chunk) => Buffer.from(chunk))),
		}) as unknown as IN8nHttpFullResponse;

const never: Ask = async () => await new Promise(() => undefined);

/** After how many ms something is over. */
async function over(promise: Promise<unknown>): Promise<number> {
	const begun = performance.now();
	let took = NaN;
	void promise.then(() => (took = performance.now() - begun));
	await jest.advanceTimersByTimeAsync(30 * minute);
	return took;
}

describe('an exchange', () => {
	test('is an answer of whatever status, whole, and nothing of it goes on', async () => {
		const ask = jest.fn(answering(404, ['no ', 'contact']));
		expect(await exchange(ask, 1000)).toEqual({
			statusCode: 404,
			headers: { 'x-one': '1' },
			text: 'no contact',
			took: 0,
		});
		expect(ask.mock.calls).toEqual([[1000]]);
		expect(jest.getTimerCount()).toBe(0);
	});

	test.each([
		[299, 100_000],
		[300, 64 * 1024],
	])('with status %d is read up to %d bytes', async (status, bytes) => {
		const answer = await exchange(answering(status, ['x'.repeat(100_000)]), 1000);
		expect(answer).toMatchObject({ text: 'x'.repeat(bytes) });
	});

	test('tells how long it took, the reading of the answer included', async () => {
		const slowly = async function* () {
			yield Buffer.from('{');
			await fakeClock.wait(300);
			yield Buffer.from('}');
		};
		const ask: Ask = async () => {
			await fakeClock.wait(200);
			const body = Readable.from(slowly());
			return { statusCode: 200, headers: {}, body } as unknown as IN8nHttpFullResponse;
		};
		const told = exchange(ask, 1000);
		await over(told);
		expect(await told).toMatchObject({ text: '{}', took: 500 });
	});

	test.each<[string, Ask, object]>([
		[
			'no answer came',
			async () => {
				throw Object.assign(new Error('connect'), {
					code: 'ECONNREFUSED',
					config: { headers: {} },
				});
			},
			{ kind: 'unreachable', networkCode: 'ECONNREFUSED' },
		],
		[
			'it has no body that could be read',
			async () => ({ statusCode: 200, headers: {} }) as IN8nHttpFullResponse,
			{ kind: 'silent' },
		],
		[
			'its body breaks off',
			async () => {
				const body = new Readable({ read: () => undefined });
				body.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
				return { statusCode: 200, headers: {}, body } as unknown as IN8nHttpFullResponse;
			},
			{ kind: 'broken', networkCode: 'ECONNRESET' },
		],
	])(
		'is a fault where %s: nothing is thrown, and nothing of the request told',
		async (_why, ask, fault) => {
			expect(await exchange(ask, 1000)).toEqual(fault);
			expect(jest.getTimerCount()).toBe(0);
		},
	);
});

describe('the time of an exchange', () => {
	test('is up after its timeout', async () => {
		const late = exchange(never, 1000);
		expect(await over(late)).toBe(1000);
		expect(await late).toEqual(timedOut);
	});

	test('ends what is still being read', async () => {
		const body = new Readable({ read: () => undefined });
		const ask: Ask = async () =>
			({ statusCode: 200, headers: {}, body }) as unknown as IN8nHttpFullResponse;
		const late = exchange(ask, 1000);
		expect(await over(late)).toBe(1000);
		expect(await late).toEqual(timedOut);
		expect(body.destroyed).toBe(true);
	});

	test('ends an answer that comes after it', async () => {
		const body = new Readable({ read: () => undefined });
		const ask: Ask = async () => {
			await fakeClock.wait(2000);
			return { statusCode: 200, headers: {}, body } as unknown as IN8nHttpFullResponse;
		};
		expect(await over(exchange(ask, 1000))).toBe(1000);
		expect(body.destroyed).toBe(true);
	});
});

describe('a body', () => {
	/** Reads chunks as a body, and how many of them were taken. */
	async function read(
		chunks: Iterable<Buffer>,
		{ isError = false, cancel = new AbortController().signal } = {},
	) {
		let taken = 0;
		const counted = function* () {
			for (const chunk of chunks) {
				taken++;
				yield chunk;
			}
		};
		const body = Readable.from(counted(), { highWaterMark: 1 }) as Body & Readable;
		const text = await readBody(body, isError, cancel);
		return { text, taken, body };
	}

	const repeated = (chunk: Buffer, times: number) => Array.from({ length: times }, () => chunk);

	test('is text, whatever its chunks are', async () => {
		const bytes = Buffer.from('{"name":"żółć"}');
		const { text } = await read([...bytes].map((byte) => Buffer.from([byte])));
		expect(text).toBe('{"name":"żółć"}');
		expect((await read([])).text).toBe('');
	});

	test('of an error is read at its beginning, and nothing after it is taken', async () => {
		const chunks = repeated(Buffer.alloc(10_000, 'x'), 100);
		const { text, taken, body } = await read(chunks, { isError: true });
		expect(text).toBe('x'.repeat(64 * 1024));
		expect(taken).toBeLessThan(10);
		expect(body.destroyed).toBe(true);
	});

	test('of an error is read to its end where that comes before', async () => {
		expect((await read([Buffer.from('a'), Buffer.from('b')], { isError: true })).text).toBe('ab');
	});

	test('has up to 64 MB, and one that is larger is read no further', async () => {
		const chunk = Buffer.alloc(megabyte, 'x');
		expect((await read(repeated(chunk, 64))).text).toHaveLength(64 * megabyte);
		let taken = 0;
		const endless = function* () {
			for (;;) {
				taken++;
				yield chunk;
			}
		};
		await expect(read(endless())).rejects.toThrow(AnswerTooLarge);
		expect(taken).toBeLessThan(70);
	});

	test('is read no further when it is cancelled, before or meanwhile', async () => {
		const before = read([Buffer.from('a')], { cancel: AbortSignal.abort() });
		await expect(before).rejects.toThrow('cancelled');
		const stop = new AbortController();
		const waiting = new Readable({ read: () => undefined });
		const text = readBody(waiting, false, stop.signal);
		waiting.push('a');
		stop.abort();
		await expect(text).rejects.toThrow('cancelled');
	});

	test('that was read is not ended afterwards', async () => {
		const stop = new AbortController();
		const ended: unknown[] = [];
		const body = {
			destroy: (error?: Error) => ended.push(error),
			async *[Symbol.asyncIterator]() {
				yield Buffer.from('a');
			},
		};
		expect(await readBody(body, false, stop.signal)).toBe('a');
		stop.abort();
		expect(ended).toEqual([]);
	});
});

describe('a request of a node', () => {
	const credential: CrmWorkspaceCredential = {
		baseUrl: 'https://crm.example.com/api/v1',
		mode: 'test',
		apiKey: 'sk_test_4f1c9d7e2a',
		authHeader: 'authorization',
		requestsPerMinute: 60,
	};

	/** What n8n's helpers are called with. */
	function helpers() {
		const httpRequest = jest.fn(async (_options: object) => await Promise.reject(new Error('x')));
		const httpRequestWithAuthentication = jest.fn(async (..._args: unknown[]) => 'answered');
		const context = { helpers: { httpRequest, httpRequestWithAuthentication } };
		return { context: context as unknown as NodeContext, ...context.helpers };
	}

	const bounds = {
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: 3000,
	};

	test('follows nothing, throws for no status and is read as it comes', async () => {
		const { context, httpRequest, httpRequestWithAuthentication } = helpers();
		const request = { method: 'GET', url: 'https://crm.example.com/x', qs: { page: 1 } } as const;
		expect(await askAsNode(context, credential, request)(3000)).toBe('answered');
		expect(httpRequestWithAuthentication.mock.calls).toEqual([
			[
				'crmWorkspaceApi',
				{ ...request, ...bounds, headers: { Accept: 'application/json' } },
				{
					credentialsDecrypted: {
						id: '',
						name: '',
						type: 'crmWorkspaceApi',
						data: markedAsOwn(credential),
					},
				},
			],
		]);
		expect(httpRequestWithAuthentication.mock.contexts).toEqual([context]);
		expect(httpRequest).not.toHaveBeenCalled();
	});

	test('sends its body as JSON, with whatever names it has', async () => {
		const { context, httpRequestWithAuthentication } = helpers();
		const body = { constructor: 'a', notes: 'ż' } as never;
		await askAsNode(context, credential, { method: 'PUT', url: 'https://crm.example.com/x', body })(
			3000,
		);
		expect(httpRequestWithAuthentication.mock.calls[0][1]).toEqual({
			...bounds,
			method: 'PUT',
			url: 'https://crm.example.com/x',
			body: '{"constructor":"a","notes":"ż"}',
			headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
		});
	});
});
