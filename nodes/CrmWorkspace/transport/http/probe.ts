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
	hostOf,
	normalizedBaseUrl,
	type CrmWorkspaceCredential,
} from '../credential/credential';
import { keyRemover } from '../credential/withoutKey';
import { RequestFailure } from '../errors/failure';
import { inOneText, toNodeApiError } from '../errors/nodeError';
import { readAnswer } from './answer';
import { exchange, type Ask } from './exchange';

/** How long the user may be kept waiting, in ms. */
const timeout = 30_000;

/** The one GET that a credential is tried with. */
interface ProbeRequest {
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

	const withoutKey = keyRemover(credential.apiKey);
	const url = `${normalizedBaseUrl(credential)}${path}`;
	const exchanged = await exchange(askAsTest(helpers, url, query, credential), timeout);
	const read = ({ body }: { body: unknown }) => (isExpected(body) ? true : undefined);
	const attempt = readAnswer(exchanged, read, withoutKey, Date.now());
	if ('result' in attempt) return undefined;

	const { failed } = attempt;
	const failure = new RequestFailure({
		...failed,
		request: `GET ${path}`,
		host: hostOf(credential),
		mode: credential.mode,
		attempts: 1,
		sinceFirstFailure: 0,
		isAskedWaitTooLong: (failed.askedWait ?? 0) > 0,
	});
	return inOneText(toNodeApiError(noNode, failure), withoutKey);
}

/** Asks as n8n lets the test of a credential ask: with its older client, which adds no key. */
function askAsTest(
	helpers: ICredentialTestFunctions['helpers'],
	uri: string,
	qs: IDataObject,
	credential: CrmWorkspaceCredential,
): Ask {
	return async (within) => {
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
