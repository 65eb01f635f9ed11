import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { realClock } from './clock';
import { BodyTooLarge, readBody, type Body } from './body';
import type { CrmWorkspaceCredential } from './credential';
import { lookForProxy } from './environmentProxy';
import type { Explanation, Fault } from './failure';
import { noCode, noRoom, timedOut, tooLarge, tooMuchHeld } from './networkCode';
import { waitingBudget } from './retry';
import { NoRoom, TooMuchHeld, type Claim } from './room';

/** An answer of whatever status, or the fault that kept it from arriving. */
export type Exchange =
	| { statusCode: number; headers: Record<string, unknown>; text: string }
	| Fault;

/**
 * Makes one request with n8n's HTTP client, follows no redirect, and throws no error for a status.
 * The body of its answer is a stream.
 * @param timeout in ms
 */
export type Ask = (timeout: number) => Promise<IN8nHttpFullResponse>;

/**
 * Asks with the credential of a node. The execution's cancel signal, which n8n adds, ends it.
 * @param body sent as JSON: of an object n8n's client would leave out names such as `constructor`
 */
export function asNode(
	context: IExecuteFunctions | ILoadOptionsFunctions,
	credential: CrmWorkspaceCredential,
	{ body, ...options }: Pick<IHttpRequestOptions, 'method' | 'url' | 'qs'> & { body?: IDataObject },
): Ask {
	const json = body && {
		body: JSON.stringify(body),
		headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
	};
	return async (timeout) => {
		await lookForProxy(
			credential,
			async (address, within) =>
				(await context.helpers.httpRequest({ url: address, timeout: within })) as unknown,
		);
		return (await context.helpers.httpRequestWithAuthentication.call(context, 'crmWorkspaceApi', {
			headers: { Accept: 'application/json' },
			...options,
			...json,
			timeout,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
	};
}

/** How long and in what room an exchange may take place. */
export interface Bounds {
	/** For the request and its answer together, in ms. Waiting for room does not count. */
	timeout: number;
	/** The room for the answer. It has to be ended afterwards. */
	claim: Claim;
	/** Ends waiting for room. */
	end?: AbortSignal;
}

/**
 * Makes one request and reads the whole answer. No error leaves it: those that n8n throws carry the
 * request with its headers, so only their code and words go on.
 */
export async function exchange(ask: Ask, bounds: Bounds): Promise<Exchange> {
	const over = new AbortController();
	try {
		return await Promise.race([answer(ask, bounds, over.signal), late(bounds, over.signal)]);
	} catch (error) {
		return faultIn(error);
	} finally {
		over.abort();
	}
}

async function answer(
	ask: Ask,
	{ timeout, claim, end }: Bounds,
	over: AbortSignal,
): Promise<Exchange> {
	const { statusCode, headers, body } = await ask(timeout);
	const cancelWait = end ? AbortSignal.any([over, end]) : over;
	const text = await readBody(body as Body, {
		isError: statusCode >= 300,
		cancel: over,
		makeRoom: async (bytes) => await claim.take(bytes, cancelWait),
	});
	return { statusCode, headers: { ...headers }, text };
}

/** Comes when the time is up: that of the service, or that of waiting for room. */
async function late({ timeout, claim }: Bounds, over: AbortSignal): Promise<Exchange> {
	const begun = realClock.now();
	for (let left = timeout; left > 0 && !over.aborted; ) {
		await realClock.wait(left, over);
		left = begun + timeout + Math.min(claim.waited, waitingBudget) - realClock.now();
	}
	return { networkCode: claim.waited < waitingBudget ? timedOut : noRoom };
}

/** What an error has that n8n, its HTTP client or a stream throws. */
interface ThrownError {
	name?: unknown;
	message?: unknown;
	description?: unknown;
	code?: unknown;
	/** Where n8n 1.104 to 2.31 keep the code of an error that they wrap: they lose its cause. */
	httpCode?: unknown;
	cause?: unknown;
	isAxiosError?: unknown;
}

/**
 * What went wrong. The HTTP client gives each fault of a connection a code, so what has none, or
 * does not come from the client, was raised by n8n before anything was sent.
 */
function faultIn(error: unknown): Fault {
	if (error instanceof BodyTooLarge) return { networkCode: tooLarge };
	if (error instanceof TooMuchHeld) return { networkCode: tooMuchHeld };
	if (error instanceof NoRoom) return { networkCode: noRoom };
	const chain = causesOf(error);
	const networkCode = chain.map(codeOf).find((code) => code !== undefined);
	const isOfClient = chain.some(({ isAxiosError }) => isAxiosError === true);
	const isWrapped = chain.length > 1 && chain[0].name === 'NodeApiError';
	if (isWrapped && !(isOfClient && networkCode)) return { raised: wordsOf(chain), networkCode };
	return { networkCode: networkCode === 'ECONNABORTED' ? timedOut : (networkCode ?? noCode) };
}

/** An error and what caused it, the cause of all last. */
function causesOf(error: unknown, depth = 0): ThrownError[] {
	if (typeof error !== 'object' || error === null || depth > 5) return [];
	const thrown = error as ThrownError;
	return [thrown, ...causesOf(thrown.cause, depth + 1)];
}

function codeOf({ code, httpCode }: ThrownError): string | undefined {
	return [code, httpCode].map(String).find((text) => /^[A-Z][A-Z\d_]{1,60}$/.test(text));
}

function wordsOf(chain: ThrownError[]): Explanation {
	const { message, description } = chain.findLast((one) => textIn(one.message)) ?? {};
	return { message: textIn(message) ?? 'for a reason unknown', advice: textIn(description) };
}

function textIn(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
