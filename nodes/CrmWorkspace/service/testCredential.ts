import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IN8nHttpFullResponse,
	INode,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import {
	getAuthHeader,
	findCredentialProblem,
	getHost,
	getBaseUrl,
	type CrmWorkspaceCredential,
} from '../transport/credential';
import { RequestFailure } from '../transport/failure';
import { attempt } from '../transport/http';
import { toNodeError, formatError } from '../transport/nodeError';
import { toPage } from './responses';

const timeoutMs = 30_000;

/**
 * Tests the credential: checks it as a run does and requests one contact. Only a list of contacts is
 * a success. Interface: AUTH-1, LIST-2, LIST-3.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const credential = data as unknown as CrmWorkspaceCredential;
	const problem =
		findCredentialProblem(credential) ?? (await findResponseProblem(this, credential));
	if (problem) return { status: 'Error', message: problem };
	return { status: 'OK', message: 'The service accepted the key and listed its contacts' };
}

async function findResponseProblem(
	{ helpers }: ICredentialTestFunctions,
	credential: CrmWorkspaceCredential,
): Promise<string | undefined> {
	// The test of a credential gets n8n's older client, which doesn't add the key.
	const send = async () => {
		const response = (await helpers.request({
			method: 'GET',
			uri: `${getBaseUrl(credential)}/contacts`,
			qs: { page: 1, limit: 1 },
			headers: { Accept: 'application/json', ...getAuthHeader(credential) },
			encoding: null,
			resolveWithFullResponse: true,
			simple: false,
			followRedirect: false,
			timeout: timeoutMs,
		})) as IN8nHttpFullResponse;
		return { ...response, body: [response.body] as never[] };
	};
	const attempted = await attempt(send, credential, timeoutMs, toPage);
	if ('result' in attempted) return undefined;
	const target = { request: 'GET /contacts', host: getHost(credential), mode: credential.mode };
	const failure = new RequestFailure({ ...attempted.failed, ...target, attempts: 1 });
	return formatError(toNodeError({} as INode, failure));
}
