/** One exchange with n8n's HTTP client: the result that its response contains, or why it failed. */
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestMethods,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { realClock } from './clock';
import {
	credentialName,
	getBaseUrl,
	markAsOwn,
	redact,
	type CrmWorkspaceCredential,
	type NodeContext,
} from './credential';
import type { FailedAttempt } from './failure';
import { describeText, isWebPage, parseJson, parseServiceError } from './serviceError';

export interface HttpRequest {
	method: IHttpRequestMethods;
	/** Below the base URL, beginning with a slash, its parts already encoded. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
}

export interface HttpResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	/** The value of its JSON. */
	body: unknown;
	/** How long the exchange took. */
	durationMs: number;
}

/** What came of an attempt. */
export type Attempt<Result> = { result: Result } | { failed: FailedAttempt };

/** Sends a request, and ends it with the signal. The body is a stream, or a list of its parts. */
type Send = (signal: AbortSignal) => Promise<IN8nHttpFullResponse>;

/** Finds the result in a 2xx response; undefined if it isn't there. */
type ReadResult<Result> = (response: HttpResponse) => Result | undefined;

/**
 * Sends a request as a node, with the credential that its run has read.
 * @param cancel ends it
 * Interface: HTTP-1, HTTP-4.
 */
export async function sendRequest<Result>(
	context: NodeContext,
	credential: CrmWorkspaceCredential,
	{ method, path, query, body }: HttpRequest,
	{ timeoutMs, cancel }: { timeoutMs: number; cancel?: AbortSignal },
	read: ReadResult<Result>,
): Promise<Attempt<Result>> {
	const options = {
		method,
		url: `${getBaseUrl(credential)}${path}`,
		qs: query,
		headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
		// Of an object n8n's client would leave out names such as `constructor`.
		...(body && { body: JSON.stringify(body) }),
		encoding: 'stream' as const,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: timeoutMs,
	};
	const type = credentialName;
	const data = markAsOwn(credential) as unknown as ICredentialDataDecryptedObject;
	const credentialsDecrypted = { id: '', name: '', type, data };
	const send = async (signal: AbortSignal) => {
		const both = AbortSignal.any([signal, ...(cancel ? [cancel] : [])]);
		// n8n ends a request with the cancel signal of the node that makes it.
		const node = Object.create(context, { getExecutionCancelSignal: { value: () => both } });
		return (await context.helpers.httpRequestWithAuthentication.call(node, type, options, {
			credentialsDecrypted,
		})) as IN8nHttpFullResponse;
	};
	return await attempt(send, credential, timeoutMs, read);
}

/** How much of an error response is kept, in characters. */
const maxBodyLength = 10_000;

/** How much of a response is read, in MB: of a feed that grows without bound, some 200,000 records. */
const maxMegabytes = 200;

/**
 * Makes an attempt within a time: n8n's client doesn't count how long it takes to connect. No error
 * leaves, as n8n's carry the request with its headers, and no text of a failure has the API key.
 */
export async function attempt<Result>(
	send: Send,
	{ apiKey }: CrmWorkspaceCredential,
	timeoutMs: number,
	read: ReadResult<Result>,
): Promise<Attempt<Result>> {
	const startedAt = performance.now();
	const ended = new AbortController();
	const late: FailedAttempt = { kind: 'noResponse', networkCode: 'ETIMEDOUT' };
	const timeout = realClock.wait(timeoutMs, ended.signal).then(() => late);
	const received = await Promise.race([receive(send, ended.signal), timeout]);
	ended.abort();
	const made: Attempt<Result> =
		'kind' in received
			? { failed: received }
			: parseResponse({ ...received, durationMs: performance.now() - startedAt }, read);
	if ('result' in made) return made;
	const redacted = Object.entries(made.failed).map(([name, value]) => [
		name,
		typeof value === 'string' ? redact(value, apiKey).slice(0, maxBodyLength) : value,
	]);
	return { failed: Object.fromEntries(redacted) as FailedAttempt };
}

async function receive(send: Send, signal: AbortSignal): Promise<Received | FailedAttempt> {
	const response = await send(signal).catch(parseThrown);
	if ('kind' in response) return response;
	return await readText(response).catch((error: unknown) => {
		const { networkCode = 'ECONNRESET' } = parseThrown(error);
		return { kind: 'noResponse', networkCode };
	});
}

type Received = Awaited<ReturnType<typeof readText>>;

/** A whole response; `isCut` if its text is longer than what is read. */
async function readText({ statusCode, headers, body }: IN8nHttpFullResponse) {
	const decoder = new TextDecoder();
	let text = '';
	let bytesLeft = maxMegabytes * 1_000_000;
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		bytesLeft -= chunk.length;
		if (bytesLeft < 0) break;
		text += decoder.decode(chunk, { stream: true });
	}
	return { statusCode, headers, text: text + decoder.decode(), isCut: bytesLeft < 0 };
}

/** Parses a response. A 2xx is a success if `read` finds what was asked for in it. */
function parseResponse<Result>(
	response: Received & { durationMs: number },
	read: ReadResult<Result>,
): Attempt<Result> {
	const { statusCode, text, isCut } = response;
	if (statusCode < 200 || statusCode >= 300) return { failed: parseFailure(response) };
	const tooLong = `more than ${maxMegabytes} MB`;
	if (isCut) return { failed: { kind: 'unexpected', statusCode, detail: tooLong } };
	const body = parseJson(text);
	if (body === undefined) {
		return { failed: { kind: 'unreadable', statusCode, detail: describeContent(text) } };
	}
	const result = read({ ...response, body });
	if (result !== undefined) return { result };
	const detail = 'JSON that lacks the requested data';
	return { failed: { kind: 'unexpected', statusCode, detail, ...parseServiceError(text) } };
}

function parseFailure({ statusCode, headers, text }: Received): FailedAttempt {
	const { location } = headers;
	return {
		kind: 'status',
		statusCode,
		...parseServiceError(text),
		...(typeof location === 'string' && { location }),
		retryAfterMs: parseRetryAfter(headers),
	};
}

function describeContent(text: string): string {
	const description = describeText(text);
	if (description === undefined) return 'an empty body';
	return isWebPage(text) ? description : `text instead of JSON: ${description}`;
}

/**
 * How long the service asks to wait, in ms: a number of seconds, or a date by its own clock, which
 * the `Date` header shows (RFC 9110, 10.2.3 and 6.6.1). Interface: OPEN-18.
 */
export function parseRetryAfter(headers: Record<string, unknown>): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const now = Date.parse(String(headers.date)) || Date.now();
	const ms = Number.isNaN(Number(value)) ? Date.parse(value) - now : Number(value) * 1000;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** What an error of n8n or of its HTTP client has. */
interface ThrownError {
	message?: string;
	code?: unknown;
	/** n8n 1.104 to 2.31 keep the code of an error here if they wrap it: they lose its cause. */
	httpCode?: unknown;
	cause?: unknown;
	syscall?: unknown;
}

/**
 * Why a request got no response. n8n's HTTP client gives each network failure a code, so an error
 * without one was raised by n8n before anything was sent.
 */
export function parseThrown(error: unknown): FailedAttempt {
	const chain = getCauses(error);
	const networkCode = chain
		.flatMap(({ code, httpCode }) => [code, httpCode])
		.map(String)
		.find((code) => /^[A-Z][A-Z\d_]{2,60}$/.test(code));
	if (networkCode === undefined) {
		const detail = chain.findLast(({ message }) => message)?.message ?? 'it gives no reason';
		return { kind: 'n8n', detail };
	}
	const hasNoConnection = chain.some(({ syscall }) => syscall === 'connect');
	if (hasNoConnection || /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED)$/.test(networkCode)) {
		return { kind: 'unreachable', networkCode };
	}
	const isUntrusted = /^(?!ERR_SSL).*(CERT|SIGNATURE)|^EPROTO$/.test(networkCode);
	return { kind: isUntrusted ? 'untrusted' : 'noResponse', networkCode };
}

/** An error and its causes, the root cause last. */
function getCauses(error: unknown, depth = 0): ThrownError[] {
	if (typeof error !== 'object' || error === null || depth > 5) return [];
	const thrown = error as ThrownError;
	return [thrown, ...getCauses(thrown.cause, depth + 1)];
}
