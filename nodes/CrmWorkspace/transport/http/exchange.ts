/**
 * One exchange with n8n's HTTP client, and what its answer or its fault says. No error leaves, as
 * those of n8n carry the request with its headers: each exchange ends in an answer or in a fault of
 * a known kind. An answer is read to its end, or as far as an error takes, and nothing in it is
 * changed.
 */
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import type { CrmWorkspaceCredential } from '../credential/credential';
import { markedAsOwn } from '../credential/guard';
import type { NodeContext } from '../credential/read';
import type { Fault } from '../errors/failure';
import { realClock } from '../pacing/clock';
import { AnswerTooLarge, faultIn, timedOut } from './fault';

/** An answer of whatever status, or the fault that kept it from arriving. */
export type Exchange =
	| {
			statusCode: number;
			headers: Record<string, unknown>;
			text: string;
			/** How long the request and its answer took, in ms. */
			took: number;
	  }
	| Fault;

/**
 * Makes one request with n8n's HTTP client, follows no redirect, and throws no error for a status.
 * The body of its answer is a stream.
 * @param timeout in ms
 */
export type Ask = (timeout: number) => Promise<IN8nHttpFullResponse>;

/** The part of a Node.js stream that reading a body takes. */
export interface Body extends AsyncIterable<Buffer> {
	destroy(error?: Error): unknown;
}

/** The most bytes of an answer that are read: enough for a feed of some 100,000 records. */
const maxBodyBytes = 64 * 1024 * 1024;

/** How much of an error's body is read: what it says stands at its beginning. */
export const maxErrorBytes = 64 * 1024;

/**
 * Asks with the credential of a node as its run has read it: n8n need not load it again, so its
 * database may be away meanwhile. The execution's cancel signal, which n8n adds, ends it.
 * Interface: HTTP-1, HTTP-4.
 * @param body sent as JSON: of an object n8n's client would leave out names such as `constructor`
 */
export function askAsNode(
	context: NodeContext,
	credential: CrmWorkspaceCredential,
	{ body, ...options }: Pick<IHttpRequestOptions, 'method' | 'url' | 'qs'> & { body?: IDataObject },
): Ask {
	const json = body && {
		body: JSON.stringify(body),
		headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
	};
	const request = {
		headers: { Accept: 'application/json' },
		...options,
		...json,
		encoding: 'stream' as const,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	const data = markedAsOwn(credential) as unknown as ICredentialDataDecryptedObject;
	const type = 'crmWorkspaceApi';
	const credentialsDecrypted = { id: '', name: '', type, data };
	return async (timeout) =>
		(await context.helpers.httpRequestWithAuthentication.call(
			context,
			type,
			{ ...request, timeout },
			{ credentialsDecrypted },
		)) as IN8nHttpFullResponse;
}

/** Without a reason, `abort` creates an error and its stack trace each time. */
const overReason = 'The exchange is over';

/**
 * Makes one request and reads the whole answer. No error leaves it: those that n8n throws carry the
 * request with its headers, so only their code and words go on. n8n's client has the timeout, too, but
 * stops counting where the answer begins.
 * @param timeout for the request and its answer together, in ms
 */
export async function exchange(ask: Ask, timeout: number): Promise<Exchange> {
	const over = new AbortController();
	const late = async () => {
		await realClock.wait(timeout, over.signal);
		return timedOut;
	};
	try {
		return await Promise.race([fetchAnswer(ask, timeout, over.signal), late()]);
	} catch (error) {
		return faultIn(error);
	} finally {
		over.abort(overReason);
	}
}

async function fetchAnswer(ask: Ask, timeout: number, over: AbortSignal): Promise<Exchange> {
	const began = realClock.now();
	const { statusCode, headers, body } = await ask(timeout);
	const text = await readBody(body as Body, statusCode >= 300, over);
	return { statusCode, headers: { ...headers }, text, took: realClock.now() - began };
}

/**
 * Reads a body as UTF-8 text: to its end, or what counts of it if it is that of an error.
 * @param cancel ends the reading, with an error
 * @throws AnswerTooLarge, or the stream's own error when it breaks off
 */
export async function readBody(body: Body, isError: boolean, cancel: AbortSignal): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	const stop = () => body.destroy(new Error('cancelled'));
	if (cancel.aborted) stop();
	cancel.addEventListener('abort', stop, { once: true });
	try {
		for await (const chunk of body) {
			bytes += chunk.length;
			if (bytes > maxBodyBytes) throw new AnswerTooLarge();
			chunks.push(chunk);
			if (isError && bytes >= maxErrorBytes) break;
		}
	} finally {
		cancel.removeEventListener('abort', stop);
	}
	const all = Buffer.concat(chunks);
	return (isError ? all.subarray(0, maxErrorBytes) : all).toString('utf8');
}
