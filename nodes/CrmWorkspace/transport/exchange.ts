import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { realClock } from './clock';
import { readBody, type Body } from './body';
import type { CrmWorkspaceCredential } from './credential';
import { lookForProxy } from './environmentProxy';
import type { Fault } from './failure';
import { faultIn } from './fault';
import { noRoom, timedOut } from './networkCode';
import type { NodeContext } from './nodeCredential';
import { waitingBudget } from './retry';
import type { Claim } from './room';

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
 * Asks with the credential of a node as its run has read it: n8n need not load it again, so its
 * database may be away meanwhile. The execution's cancel signal, which n8n adds, ends it.
 * Interface: HTTP-1, HTTP-4.
 * @param body sent as JSON: of an object n8n's client would leave out names such as `constructor`
 */
export function asNode(
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
	const data = { ...credential } as unknown as ICredentialDataDecryptedObject;
	const type = 'crmWorkspaceApi';
	const credentialsDecrypted = { id: '', name: '', type, data };
	return async (timeout) => {
		await lookForProxy(
			credential,
			async (address, within) =>
				(await context.helpers.httpRequest({ url: address, timeout: within })) as unknown,
		);
		return (await context.helpers.httpRequestWithAuthentication.call(
			context,
			type,
			{ ...request, timeout },
			{ credentialsDecrypted },
		)) as IN8nHttpFullResponse;
	};
}

/** The reason for aborting. Without one, `abort` creates an error and its stack trace each time. */
const isOver = 'The exchange is over';

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
		over.abort(isOver);
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
