/** The test of the credential, behind its button in the editor. */
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IN8nHttpFullResponse,
	INode,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { toPage } from '../api/endpoints';
import { attempt } from '../client/attempt';
import { RequestFailure } from '../client/failure';
import type { Send } from '../client/request';
import {
	getAuthHeader,
	findCredentialProblem,
	getBaseUrl,
	getUrl,
	type CrmWorkspaceCredential,
} from './credential';
import { toNodeError, formatError } from './errors';
import { headers, receive } from './http';
import { texts } from './texts';

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
	return { status: 'OK', message: texts.works };
}

async function findResponseProblem(
	{ helpers }: ICredentialTestFunctions,
	credential: CrmWorkspaceCredential,
): Promise<string | undefined> {
	const request = { method: 'GET', path: '/contacts' } as const;
	// The test of a credential gets n8n's older client, which doesn't add the key.
	const send: Send = async () =>
		await receive(async () => {
			const response = (await helpers.request({
				method: request.method,
				uri: `${getBaseUrl(credential)}${request.path}`,
				qs: { page: 1, limit: 1 },
				headers: { ...headers, ...getAuthHeader(credential) },
				encoding: null,
				resolveWithFullResponse: true,
				simple: false,
				followRedirect: false,
				timeout: timeoutMs,
			})) as IN8nHttpFullResponse;
			return { ...response, body: [response.body] as never[] };
		});
	const { apiKey, mode } = credential;
	const attempted = await attempt(send, request, { timeoutMs, apiKey }, toPage);
	if ('result' in attempted) return undefined;
	const failure = new RequestFailure({
		...attempted.failed,
		host: getUrl(credential).host,
		mode,
		attempts: 1,
		outcome: texts.testFailed,
		isOutcomeUnknown: false,
	});
	return formatError(toNodeError({ type: '' } as INode, failure));
}
