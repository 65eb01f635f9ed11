import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { credentialProblem, normalizedBaseUrl, type CrmWorkspaceCredential } from './credential';
import { readServiceError } from './errorBody';
import { RequestFailure, type FailureDetails } from './failure';

/** One request to the service. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Below the base URL, beginning with a slash, its parts already encoded. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
}

/** A way to the service for the length of one run of the node. */
export interface Connection {
	/**
	 * Asks the service and hands back the parsed JSON body of a 2xx answer, whichever 2xx it is;
	 * undefined when the body is empty.
	 * @throws RequestFailure for any other answer, an unreadable one, or none.
	 */
	request(request: ServiceRequest): Promise<unknown>;
}

/** What every request of a run shares. */
export interface ConnectionOptions {
	/** How long one request may take, in ms. */
	timeout: number;
}

/**
 * Opens a connection with the node's credential.
 * @throws NodeOperationError when the credential must not be used; no request is made then.
 */
export async function openConnection(
	context: IExecuteFunctions | ILoadOptionsFunctions,
	{ timeout }: ConnectionOptions,
): Promise<Connection> {
	const credential = await context.getCredentials<CrmWorkspaceCredential>('crmWorkspaceApi');
	const problem = credentialProblem(credential);
	if (problem) throw new NodeOperationError(context.getNode(), problem);

	const baseUrl = normalizedBaseUrl(credential);
	return {
		async request({ method, path, query, body }) {
			const options: IHttpRequestOptions = {
				method,
				url: `${baseUrl}${path}`,
				qs: query,
				body,
				headers: { Accept: 'application/json' },
				timeout,
				encoding: 'text',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			};
			const asked = { request: `${method} ${path}`, host: new URL(baseUrl).host };
			return bodyOf(asked, await answerTo(context, options, asked));
		},
	};
}

async function answerTo(
	context: IExecuteFunctions | ILoadOptionsFunctions,
	options: IHttpRequestOptions,
	asked: FailureDetails,
): Promise<IN8nHttpFullResponse> {
	const request = context.helpers.httpRequestWithAuthentication;
	return await request.call(context, 'crmWorkspaceApi', options).catch((error: unknown) => {
		// The error that n8n throws carries the request with its headers: only its code goes on.
		throw new RequestFailure({ ...asked, networkCode: networkCodeOf(error) });
	});
}

function bodyOf(
	asked: FailureDetails,
	{ statusCode, headers, body }: IN8nHttpFullResponse,
): unknown {
	const text = typeof body === 'string' ? body : '';
	const json = parsedJson(text);
	if (statusCode >= 200 && statusCode < 300) {
		if (text.trim() === '') return undefined;
		if (json !== undefined) return json;
		const { message } = readServiceError(text);
		const isPage = message?.startsWith('a web page');
		throw new RequestFailure({
			...asked,
			statusCode,
			unreadable: isPage ? message : 'something that is not JSON',
		});
	}
	const { code, message } = readServiceError(json ?? text);
	throw new RequestFailure({
		...asked,
		statusCode,
		location: typeof headers.location === 'string' ? headers.location : undefined,
		serviceCode: code,
		serviceMessage: message,
	});
}

function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

function networkCodeOf(error: unknown): string {
	const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
	const known = [cause?.code, code].find((value) => typeof value === 'string');
	return typeof known === 'string' ? known : 'no answer';
}
