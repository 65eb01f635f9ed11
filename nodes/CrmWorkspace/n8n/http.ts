/**
 * n8n's HTTP client, for the client of a run.
 *
 * It relies on this of n8n (seen in 1.85.4, 1.123.81 and 2.41.1):
 * - `httpRequestWithAuthentication` hands `credentialsDecrypted` to the credential's `authenticate` as
 *   it is, so that a run has one key from its beginning to its end.
 * - It ends a request with the cancel signal of the context that it is called on, where n8n has one.
 * - An error of the network has its code in `code`; from 1.104 to 2.31 in `httpCode` if n8n has
 *   wrapped it. An error without one was raised before anything was sent.
 */
import { createHash, randomUUID } from 'crypto';
import type { ICredentialDataDecryptedObject, IN8nHttpFullResponse } from 'n8n-workflow';
import { HttpClient } from '../client/client';
import type { FailedAttempt } from '../client/failure';
import type { HttpRequest, RawResponse, Send } from '../client/request';
import type { Clock } from '../common/tasks';
import {
	computeAllowance,
	credentialName,
	getBaseUrl,
	getUrl,
	markAsOwn,
	type CrmWorkspaceCredential,
	type NodeContext,
} from './credential';

/**
 * A client for one run of a node, which has to be closed at its end.
 * @param credential as the run has read it
 * @param timeoutMs how long an attempt may take
 * @param patienceMs for how long from now a request may begin; without it, as long as it takes
 */
export function createClient(
	context: NodeContext,
	credential: CrmWorkspaceCredential,
	timeoutMs: number,
	{ patienceMs, clock }: { patienceMs?: number; clock?: Clock } = {},
): HttpClient {
	const account = JSON.stringify([getUrl(credential).origin, credential.apiKey]);
	return new HttpClient({
		send: createSend(context, credential, timeoutMs),
		apiKey: credential.apiKey,
		target: { host: getUrl(credential).host, mode: credential.mode },
		account: createHash('sha256').update(account).digest('hex'),
		requestsPerMinute: computeAllowance(credential),
		execution: ('getExecutionId' in context && context.getExecutionId()) || randomUUID(),
		cancel: 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined,
		timeoutMs,
		patienceMs,
		clock,
	});
}

/** The headers of all requests, besides that of the key, which the credential adds. */
export const headers = { Accept: 'application/json' };

/** Sends requests as a node, with its credential. Interface: HTTP-1, HTTP-4. */
function createSend(
	context: NodeContext,
	credential: CrmWorkspaceCredential,
	timeoutMs: number,
): Send {
	const type = credentialName;
	const data = markAsOwn(credential) as unknown as ICredentialDataDecryptedObject;
	const credentialsDecrypted = { id: '', name: '', type, data };
	const send = async ({ method, path, query, body }: HttpRequest, signal: AbortSignal) => {
		const options = {
			method,
			url: `${getBaseUrl(credential)}${path}`,
			qs: query,
			headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
			// Of an object n8n's client would leave out names such as `constructor`.
			...(body && { body: JSON.stringify(body) }),
			encoding: 'stream' as const,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: timeoutMs,
		};
		const node = Object.create(context, { getExecutionCancelSignal: { value: () => signal } });
		return (await context.helpers.httpRequestWithAuthentication.call(node, type, options, {
			credentialsDecrypted,
		})) as IN8nHttpFullResponse;
	};
	return async (request, signal) => await receive(async () => await send(request, signal));
}

/** How much of a response is read, in MB: of a growing feed, some 200,000 records. */
const maxMegabytes = 200;

/**
 * Receives a response, whose body is a stream or a list of parts. No error leaves: n8n's carry the
 * request with its headers.
 */
export async function receive(
	send: () => Promise<IN8nHttpFullResponse>,
): Promise<RawResponse | FailedAttempt> {
	const response = await send().catch(parseThrown);
	if ('kind' in response) return response;
	return await readText(response).catch((error: unknown) => {
		const { networkCode = 'ECONNRESET' } = parseThrown(error);
		return { kind: 'noResponse', networkCode };
	});
}

async function readText(response: IN8nHttpFullResponse): Promise<RawResponse> {
	const { statusCode, headers, body } = response;
	const decoder = new TextDecoder();
	let text = '';
	let bytesLeft = maxMegabytes * 1_000_000;
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		bytesLeft -= chunk.length;
		if (bytesLeft < 0) return { statusCode, headers, text, cutAtMb: maxMegabytes };
		text += decoder.decode(chunk, { stream: true });
	}
	return { statusCode, headers, text: text + decoder.decode() };
}

/** What an error of n8n or of its HTTP client has. */
interface ThrownError {
	message?: string;
	code?: unknown;
	httpCode?: unknown;
	cause?: unknown;
	syscall?: unknown;
}

/** Why a request got no response. */
export function parseThrown(error: unknown): FailedAttempt {
	const chain = getCauses(error);
	const networkCode = chain
		.flatMap(({ code, httpCode }) => [code, httpCode])
		.map(String)
		.find((code) => /^[A-Z][A-Z\d_]{2,60}$/.test(code));
	if (networkCode === undefined) {
		const detail = chain.findLast(({ message }) => message)?.message ?? 'it gives no reason';
		return { kind: 'notSent', detail };
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
