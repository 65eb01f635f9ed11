import { jest } from '@jest/globals';
import type { IExecuteFunctions } from 'n8n-workflow';
import { createClient } from '../../../nodes/CrmWorkspace/n8n/http';
import type { CrmWorkspaceCredential } from '../../../nodes/CrmWorkspace/n8n/credential';
import { emptyList } from '../sandbox/rawServer.mts';
import { fakeClock } from './fakeClock.mts';
import { streamed } from './streamed.mts';

/** What comes of a request in simulated time; 200 and an empty list by default. */
export interface Answer {
	status?: number;
	headers?: Record<string, string>;
	/** Sent as JSON, a text as it is; by default, an empty list for 200, and nothing for all else. */
	body?: object | string;
	/** How long it takes, in ms. */
	after?: number;
	/** Code of the network fault that comes in its place, such as `ECONNRESET`. */
	fault?: string;
	/** Called when half of the body has been read. */
	halfway?: () => void;
}

/** A request that the service got. */
export interface Asked {
	/** When, in ms. */
	at: number;
	/** Which page was asked for; 0 for none. */
	page: number;
	/** Who a message was for. */
	to?: string;
}

/** What the service answers, by how many requests came before. */
export type Answering = (index: number, page: number, to?: string) => Answer;

let keys = 0;

/**
 * A service, and a connection to it whose time is that of jest's fake timers. `another` opens one
 * more with the same key, as a later run does.
 * @param patience as for the connection
 * @param cancel n8n's signal that the execution is stopped
 */
export function connectionTo(
	answer: Answering,
	{
		requestsPerMinute = 60,
		patience,
		cancel,
	}: { requestsPerMinute?: number; patience?: number; cancel?: AbortSignal } = {},
) {
	const asked: Asked[] = [];
	const ask = async (_type: string, options: { qs?: { page: number }; body?: string }) => {
		const { page = 0 } = options.qs ?? {};
		const { to } = JSON.parse(options.body ?? '{}') as { to?: string };
		const answered = answer(asked.length, page, to);
		asked.push({ at: performance.now(), page, to });
		await fakeClock.wait(answered.after ?? 0);
		return responseOf(answered);
	};
	const context = {
		helpers: { httpRequestWithAuthentication: ask },
		getExecutionCancelSignal: () => cancel,
	} as unknown as IExecuteFunctions;
	const credential: CrmWorkspaceCredential = {
		baseUrl: 'https://crm.example.com/api/v1',
		mode: 'test',
		// Each service has a rate limiter of its own.
		apiKey: `sk_test_${++keys}`,
		authHeader: 'authorization',
		requestsPerMinute,
	};
	const another = () =>
		createClient(context, credential, 600_000, { patienceMs: patience, clock: fakeClock });
	return { connection: another(), asked, another };
}

function responseOf({ status = 200, headers = {}, body, fault, halfway }: Answer) {
	// As n8n's HTTP client throws it.
	if (fault) throw Object.assign(new Error(fault), { code: fault, isAxiosError: true });
	const given = body ?? (status === 200 ? emptyList : undefined);
	const text = typeof given === 'object' ? JSON.stringify(given) : (given ?? '');
	halfway?.();
	return streamed({ statusCode: status, headers, body: text });
}

/**
 * What comes of something that waits, as time goes by.
 * @param within how much time may go by, in ms; a day by default
 * @throws when it has not ended by then
 */
export async function ended<Result>(
	promise: Promise<Result>,
	within = 24 * 60 * 60_000,
): Promise<Result> {
	let isOver = false;
	const over = () => void (isOver = true);
	promise.then(over, over);
	const latest = performance.now() + within;
	while (!isOver) {
		const left = latest - performance.now();
		if (left <= 0) throw new Error(`It has not ended after ${within / 1000} s`);
		await jest.advanceTimersByTimeAsync(Math.min(1000, left));
	}
	return await promise;
}

/** How something ended, and when, in ms. */
interface Ending<Result> {
	at: number;
	result?: Result;
	error?: any;
}

/** How and when each of these ends. */
export async function endingsOf<Result>(
	promises: Array<Promise<Result>>,
): Promise<Array<Ending<Result>>> {
	return await Promise.all(
		promises.map(
			async (promise) =>
				await promise.then(
					(result) => ({ at: performance.now(), result }),
					(error: unknown) => ({ at: performance.now(), error }),
				),
		),
	);
}
