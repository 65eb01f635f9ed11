import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { realClock } from './clock';
import { BodyTooLarge, readBody, type Body } from './body';

/** An answer of whatever status, or the fault that kept it from arriving. */
export type Exchange =
	| { statusCode: number; headers: Record<string, unknown>; text: string }
	| { networkCode: string };

/** Code of an exchange that took longer than its timeout. */
export const timedOut = 'ETIMEDOUT';

/** Code of an exchange whose answer had more bytes than are read. */
export const tooLarge = 'too large';

/**
 * Makes one request with the node's credential and reads the whole answer. No error leaves it:
 * those that n8n throws carry the request with its headers, so only their code goes on. The
 * execution's cancel signal, which n8n hands to every request, ends it.
 * @param timeout for the request and its answer together, in ms
 */
export async function exchange(
	context: IExecuteFunctions | ILoadOptionsFunctions,
	options: Pick<IHttpRequestOptions, 'method' | 'url' | 'qs' | 'body'>,
	timeout: number,
): Promise<Exchange> {
	const over = new AbortController();
	const late = realClock
		.wait(timeout, over.signal)
		.then((): Exchange => ({ networkCode: timedOut }));
	try {
		return await Promise.race([answer(context, options, timeout, over.signal), late]);
	} catch (error) {
		return { networkCode: networkCodeOf(error) };
	} finally {
		over.abort();
	}
}

async function answer(
	context: IExecuteFunctions | ILoadOptionsFunctions,
	options: Pick<IHttpRequestOptions, 'method' | 'url' | 'qs' | 'body'>,
	timeout: number,
	over: AbortSignal,
): Promise<Exchange> {
	const response = (await context.helpers.httpRequestWithAuthentication.call(
		context,
		'crmWorkspaceApi',
		{
			...options,
			headers: { Accept: 'application/json' },
			timeout,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		},
	)) as IN8nHttpFullResponse;
	const { statusCode, headers } = response;
	return { statusCode, headers, text: await readBody(response.body as Body, over) };
}

function networkCodeOf(error: unknown): string {
	if (error instanceof BodyTooLarge) return tooLarge;
	const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
	const known = [cause?.code, code].map(String).find((text) => /^[A-Z][A-Z\d_]+$/.test(text));
	return known === 'ECONNABORTED' ? timedOut : (known ?? 'ECONNRESET');
}
