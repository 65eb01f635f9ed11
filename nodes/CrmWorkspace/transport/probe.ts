import {
	NodeApiError,
	type ICredentialTestFunctions,
	type IDataObject,
	type IN8nHttpFullResponse,
	type INode,
	type JsonObject,
} from 'n8n-workflow';
import {
	authenticationHeader,
	credentialProblem,
	normalizedBaseUrl,
	type CrmWorkspaceCredential,
} from './credential';
import { lookForProxy, pastProxies } from './environmentProxy';
import { exchange, type Ask } from './exchange';
import { RequestFailure } from './failure';
import { inOneText, toNodeApiError } from './nodeError';
import { readExchange } from './readExchange';
import { failureDetails, redactor } from './redact';
import { RunRoom } from './room';

/** How long the user may be kept waiting, in ms. */
const timeout = 30_000;

/** The one GET that a credential is tried with. */
export interface ProbeRequest {
	/** Below the base URL, beginning with a slash. */
	path: string;
	query: IDataObject;
	/** Whether the body of a 2xx answer is what was asked for. */
	isExpected: (body: unknown) => boolean;
}

/**
 * Tests a credential that no node uses yet: with one request, neither paced nor repeated.
 * @returns what is wrong with it and what to do, in words that do not hold the key; undefined when
 * it is as it should be
 */
export async function probe(
	{ helpers }: ICredentialTestFunctions,
	credential: CrmWorkspaceCredential,
	{ path, query, isExpected }: ProbeRequest,
): Promise<string | undefined> {
	const problem = credentialProblem(credential);
	if (problem) return problem;

	const url = `${normalizedBaseUrl(credential)}${path}`;
	const ask = asTest(helpers, url, query, credential);
	const read = (body: unknown) => (isExpected(body) ? true : undefined);
	const claim = new RunRoom().claim();
	const told = await exchange(ask, { timeout, claim });
	const reading = readExchange(redactor(credential.apiKey)(told), read, Date.now());
	claim.end(0);
	if ('result' in reading) return undefined;

	const isAskedTooMuch = reading.failed.askedWait !== undefined;
	const facts = { ...reading.failed, attempts: 1, waited: 0, isAskedTooMuch };
	const details = failureDetails(credential, `GET ${path}`, facts);
	return inOneText(toNodeApiError(noNode, new RequestFailure(details)));
}

/** Asks as n8n lets the test of a credential ask: with its older client, which adds no key. */
function asTest(
	helpers: ICredentialTestFunctions['helpers'],
	uri: string,
	qs: IDataObject,
	credential: CrmWorkspaceCredential,
): Ask {
	return async (within) => {
		await lookForProxy(
			credential,
			async (address, timeout) => (await helpers.request({ uri: address, timeout })) as unknown,
		);
		const options = {
			method: 'GET',
			uri,
			qs,
			headers: { Accept: 'application/json', ...authenticationHeader(credential) },
			timeout: within,
			useStream: true,
			resolveWithFullResponse: true,
			simple: false,
			followRedirect: false,
			...pastProxies(credential),
		};
		try {
			return (await helpers.request(options)) as IN8nHttpFullResponse;
		} catch (error) {
			throw new NodeApiError(noNode, error as JsonObject);
		}
	};
}

/** Errors of n8n name a node, and a test has none. */
const noNode: INode = {
	id: '',
	name: '',
	type: '',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
