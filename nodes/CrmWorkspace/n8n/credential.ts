/** The credential: when it must not be used, and which requests get the API key. */
import {
	NodeOperationError,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { trim } from '../common/text';

/** What the "CRM Workspace API" credential stores. */
export interface CrmWorkspaceCredential {
	/** Address of the service with its version segment. Interface: HTTP-2, HTTP-3, OPEN-19. */
	baseUrl: string;
	/** Which data the key is meant to address. */
	mode: 'test' | 'live';
	/** Secret: `sk_test_…` or `sk_live_…`. Interface: AUTH-4, AUTH-5. */
	apiKey: string;
	/** The header that carries the key. Interface: AUTH-2, AUTH-3. */
	authHeader: 'authorization' | 'xApiKey';
	/** Requests per minute that the service allows this key. Interface: LIMIT-1. */
	requestsPerMinute?: number;
	/** Number of n8n processes that use the key. */
	processes?: number;
}

/** Where a node makes requests from: a run, the editor, or a poll. */
export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export const credentialName = 'crmWorkspaceApi';

const keyPrefixes = { test: 'sk_test_', live: 'sk_live_' } as const;

/** Why a credential must not be used, in words that never show the key; undefined if it may. */
export function findCredentialProblem(credential: CrmWorkspaceCredential): string | undefined {
	const { mode, requestsPerMinute = 60, processes = 1 } = credential;
	const key = getApiKey(credential);
	const url = parseBaseUrl(credential);
	const hasMore = url && url.username + url.password + url.search + url.hash !== '';
	if (!url || !/^https?:$/.test(url.protocol) || hasMore) {
		return "'Base URL' in the credential isn't the address of a service. Enter one like https://crm.example.com/api/v1";
	}
	if (url.protocol === 'http:' && mode === 'live' && !isLoopback(url.hostname)) {
		return "'Base URL' in the credential begins with http://, which would send a live key unencrypted. Use https://";
	}
	if (!(Number(processes) >= 1) || !(Number(requestsPerMinute) >= Number(processes))) {
		return "'Requests per Minute' or 'Number of n8n Processes' in the credential is not a number of at least 1, or there are more processes than requests. Enter what the service allows this key, and how many n8n processes use it";
	}
	if (key.startsWith(keyPrefixes[mode]) && !/[^\x21-\x7e]|["\\]/.test(key)) return undefined;
	const otherMode = mode === 'live' ? 'test' : 'live';
	return key.startsWith(keyPrefixes[otherMode])
		? `'API Key' in the credential is a ${otherMode} key, but 'Mode' is ${mode === 'live' ? 'Live' : 'Test'}. Change one of them`
		: `'API Key' in the credential is not a key that begins with ${keyPrefixes[mode]}. Enter the key alone, without Bearer and without quotes`;
}

/** The key without what is pasted along. */
function getApiKey({ apiKey }: CrmWorkspaceCredential): string {
	return typeof apiKey === 'string' ? trim(apiKey) : '';
}

/** The base URL without slashes at its end. */
export function getBaseUrl(credential: CrmWorkspaceCredential): string {
	const { origin, pathname } = parseBaseUrl(credential)!;
	return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`;
}

/** The host of the base URL, with its port. */
export function getHost(credential: CrmWorkspaceCredential): string {
	return parseBaseUrl(credential)!.host;
}

/** The origin of the base URL; part of what the trigger stores. */
export function getOrigin(credential: CrmWorkspaceCredential): string {
	return parseBaseUrl(credential)!.origin;
}

/** The header that carries the key. Interface: AUTH-1, AUTH-2, AUTH-3. */
export function getAuthHeader(credential: CrmWorkspaceCredential): Record<string, string> {
	const apiKey = getApiKey(credential);
	return credential.authHeader === 'xApiKey'
		? { 'X-API-Key': apiKey }
		: { Authorization: `Bearer ${apiKey}` };
}

/** Requests per minute of this process: its share of what the service allows the key. */
export function computeAllowance(credential: CrmWorkspaceCredential): number {
	const { requestsPerMinute = 60, processes = 1 } = credential;
	return Math.floor(requestsPerMinute / processes);
}

function parseBaseUrl({ baseUrl }: CrmWorkspaceCredential): URL | undefined {
	const text = typeof baseUrl === 'string' ? trim(baseUrl) : '';
	return URL.canParse(text) ? new URL(text) : undefined;
}

function isLoopback(hostname: string): boolean {
	return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Marks the requests of this package: n8n stores no symbols and a workflow can't contain one. */
const own = Symbol.for('n8n-nodes-crm-workspace.own');

export function markAsOwn(credential: CrmWorkspaceCredential): CrmWorkspaceCredential {
	return { ...credential, [own]: true } as CrmWorkspaceCredential;
}

/** Why a request must not get the key; undefined if it may. */
export function findRequestProblem(
	credential: CrmWorkspaceCredential,
	url: string,
): string | undefined {
	if (!(own in credential)) {
		return 'This credential works only with the CRM Workspace nodes: others, such as HTTP Request, store the API key with their errors and execution data. For other requests, use HTTP Request with a Header Auth credential';
	}
	const problem = findCredentialProblem(credential);
	if (problem) return problem;
	const baseUrl = getBaseUrl(credential);
	return String(url).startsWith(`${baseUrl}/`)
		? undefined
		: `This credential works only with addresses that begin with ${baseUrl}/`;
}

/**
 * Reads the credential that is chosen for the node. A run reads it once and passes it on, so that
 * it has one key from its beginning to its end.
 * @throws NodeOperationError if it must not be used
 */
export async function readCredential(
	context: NodeContext,
	itemIndex = 0,
): Promise<CrmWorkspaceCredential> {
	const given = await context.getCredentials<CrmWorkspaceCredential>(credentialName, itemIndex);
	const problem = findCredentialProblem(given);
	if (problem) throw new NodeOperationError(context.getNode(), problem, { itemIndex });
	return { ...given, apiKey: getApiKey(given) };
}

/**
 * Reads the credential of all items of a run: n8n evaluates expressions in a credential for each.
 * @throws NodeOperationError if it must not be used, or isn't the same for all
 */
export async function readCredentialOfRun(
	context: IExecuteFunctions,
): Promise<CrmWorkspaceCredential> {
	const credential = await readCredential(context);
	const count = context.getInputData().length;
	if (count === 1 || !(await hasExpression(context))) return credential;
	for (let itemIndex = 1; itemIndex < count; itemIndex++) {
		const own = await readCredential(context, itemIndex);
		if (JSON.stringify(own) === JSON.stringify(credential)) continue;
		const message = 'The credential has an expression that differs between the items';
		const description =
			'Nothing was done. A run has one credential: put Loop Over Items with a batch size of 1 before this node, or call a sub-workflow for the items of each workspace.';
		throw new NodeOperationError(context.getNode(), message, { itemIndex, description });
	}
	return credential;
}

/** Whether a field of the credential is an expression. Only what n8n gives a node inside shows it. */
async function hasExpression(context: IExecuteFunctions): Promise<boolean> {
	const { additionalData } = context as unknown as {
		additionalData?: IWorkflowExecuteAdditionalData;
	};
	const chosen = context.getNode().credentials?.[credentialName];
	if (!additionalData || !chosen) return false;
	const stored = await additionalData.credentialsHelper.getDecrypted(
		additionalData,
		chosen,
		credentialName,
		context.getMode(),
		undefined,
		true,
	);
	return Object.values(stored).some((value) => String(value).startsWith('='));
}
