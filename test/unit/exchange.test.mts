import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { realClock } from '../../nodes/CrmWorkspace/transport/clock';
import type { CrmWorkspaceCredential } from '../../nodes/CrmWorkspace/transport/credential';
import { asNode, exchange, type Ask } from '../../nodes/CrmWorkspace/transport/exchange';
import type { NodeContext } from '../../nodes/CrmWorkspace/transport/nodeCredential';
import type { Claim } from '../../nodes/CrmWorkspace/transport/room';
import { fakeClock } from '../support/fakeClock.mts';

const minute = 60_000;

beforeEach(() => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
	jest.spyOn(realClock, 'wait').mockImplementation(fakeClock.wait);
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

/** A claim that has waited for so long, and what it was asked for. */
function claimOf(waited = 0, take: (bytes: number) => Promise<void> = async () => undefined) {
	return { waited, take: jest.fn(take) } as unknown as Claim & { take: jest.Mock };
}

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
	test('is an answer of whatever status, whole', async () => {
		const ask = jest.fn(answering(404, ['no ', 'contact']));
		const claim = claimOf();
		expect(await exchange(ask, { timeout: 1000, claim })).toEqual({
			statusCode: 404,
			headers: { 'x-one': '1' },
			text: 'no contact',
		});
		expect(ask).toHaveBeenCalledWith(1000);
		expect(claim.take).not.toHaveBeenCalled();
		expect(jest.getTimerCount()).toBe(0);
	});

	test.each([
		[299, 100_000],
		[300, 64 * 1024],
	])('with status %d is read up to %d bytes', async (status, bytes) => {
		const ask = answering(status, ['x'.repeat(100_000)]);
		const answer = await exchange(ask, { timeout: 1000, claim: claimOf() });
		expect(answer).toMatchObject({ text: 'x'.repeat(bytes) });
	});

	test('takes room for a large answer, for as long as its run goes on', async () => {
		const stop = new AbortController();
		const claim = claimOf();
		const large = Buffer.alloc(1024 * 1024 + 1, 'x');
		for (const end of [undefined, stop.signal]) {
			await exchange(answering(200, [large]), { timeout: 1000, claim, end });
		}
		const [[bytes], [, cancel]] = claim.take.mock.calls as Array<[number, AbortSignal]>;
		expect([bytes, cancel.aborted]).toEqual([large.length, true]);
	});

	test('gives up waiting for room when its run ends', async () => {
		const stop = new AbortController();
		let cancel: AbortSignal | undefined;
		const claim = claimOf();
		claim.take.mockImplementation((async (_bytes: number, signal: AbortSignal) => {
			cancel = signal;
			await new Promise(() => undefined);
		}) as never);
		void exchange(answering(200, [Buffer.alloc(2 * 1024 * 1024)]), {
			timeout: 1000,
			claim,
			end: stop.signal,
		});
		await jest.advanceTimersByTimeAsync(10);
		expect(cancel?.aborted).toBe(false);
		stop.abort();
		expect(cancel?.aborted).toBe(true);
		await jest.advanceTimersByTimeAsync(minute);
	});

	test('is a fault where no answer came, and throws nothing', async () => {
		const ask: Ask = async () => {
			throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
		};
		expect(await exchange(ask, { timeout: 1000, claim: claimOf() })).toMatchObject({
			networkCode: 'ECONNREFUSED',
		});
		expect(jest.getTimerCount()).toBe(0);
	});
});

describe('the time of an exchange', () => {
	test('is up after its timeout', async () => {
		const late = exchange(never, { timeout: 1000, claim: claimOf() });
		expect(await over(late)).toBe(1000);
		expect(await late).toEqual({ networkCode: 'ETIMEDOUT' });
	});

	test('does not count what it waited for room', async () => {
		const claim = claimOf(5000);
		const late = exchange(never, { timeout: 1000, claim });
		expect(await over(late)).toBe(6000);
		expect(await late).toEqual({ networkCode: 'ETIMEDOUT' });
	});

	test('is up when waiting for room has taken as long as any wait may', async () => {
		const late = exchange(never, { timeout: 1000, claim: claimOf(10 * minute) });
		expect(await over(late)).toBe(10 * minute + 1000);
		expect(await late).toEqual({ networkCode: 'no room' });
	});

	test('ends what is still being read', async () => {
		const body = new Readable({ read: () => undefined });
		const ask: Ask = async () =>
			({ statusCode: 200, headers: {}, body }) as unknown as IN8nHttpFullResponse;
		const late = exchange(ask, { timeout: 1000, claim: claimOf() });
		await over(late);
		expect(body.destroyed).toBe(true);
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
		expect(await asNode(context, credential, request)(3000)).toBe('answered');
		expect(httpRequestWithAuthentication.mock.calls).toEqual([
			[
				'crmWorkspaceApi',
				{ ...request, ...bounds, headers: { Accept: 'application/json' } },
				{
					credentialsDecrypted: { id: '', name: '', type: 'crmWorkspaceApi', data: credential },
				},
			],
		]);
		expect(httpRequestWithAuthentication.mock.contexts).toEqual([context]);
		expect(httpRequest).not.toHaveBeenCalled();
	});

	test('sends its body as JSON, with whatever names it has', async () => {
		const { context, httpRequestWithAuthentication } = helpers();
		const body = { constructor: 'a', notes: 'ż' } as never;
		await asNode(context, credential, { method: 'PUT', url: 'https://crm.example.com/x', body })(
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

	test('looks for a proxy before it, without the key', async () => {
		const { context, httpRequest, httpRequestWithAuthentication } = helpers();
		const local = { ...credential, baseUrl: 'http://127.0.0.9:8787/api/v1' };
		const request = { method: 'GET', url: 'http://127.0.0.9:8787/api/v1/contacts' } as const;
		await asNode(context, local, request)(3000);
		expect(httpRequest.mock.calls).toEqual([
			[{ url: expect.stringMatching(/^http:\/\/127\.0\.0\.9:\d+\/$/), timeout: 500 }],
		]);
		expect(httpRequestWithAuthentication).toHaveBeenCalledTimes(1);
	});
});
