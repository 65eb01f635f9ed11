/** The credential: when it must not be used, and which requests get the API key. */
import {
	NodeOperationError,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { trim } from '../common/text';
import { texts } from './texts';

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
	if (!url || !/^https?:$/.test(url.protocol) || hasMore) return texts.invalidUrl;
	const isOpen = url.protocol === 'http:' && mode === 'live' && !isLoopback(url.hostname);
	if (isOpen) return texts.unencrypted;
	const hasRate = Number(processes) >= 1 && Number(requestsPerMinute) >= Number(processes);
	if (!hasRate) return texts.invalidRate;
	if (key.startsWith(keyPrefixes[mode]) && !/[^\x21-\x7e]|["\\]/.test(key)) return undefined;
	const otherMode = mode === 'live' ? 'test' : 'live';
	const isOther = key.startsWith(keyPrefixes[otherMode]);
	return isOther ? texts.keyOfMode(otherMode, mode) : texts.invalidKey(keyPrefixes[mode]);
}

/** The key without what is pasted along. */
function getApiKey({ apiKey }: CrmWorkspaceCredential): string {
	return typeof apiKey === 'string' ? trim(apiKey) : '';
}

/** The base URL without slashes at its end. */
export function getBaseUrl(credential: CrmWorkspaceCredential): string {
	const { origin, pathname } = getUrl(credential);
	return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`;
}

/** The base URL of a credential that may be used. */
export function getUrl(credential: CrmWorkspaceCredential): URL {
	return parseBaseUrl(credential)!;
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
	if (!(own in credential)) return texts.ownNodesOnly;
	const problem = findCredentialProblem(credential);
	if (problem) return problem;
	const baseUrl = getBaseUrl(credential);
	return String(url).startsWith(`${baseUrl}/`) ? undefined : texts.ownAddressesOnly(baseUrl);
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
		const [message, description] = texts.severalCredentials;
		throw new NodeOperationError(context.getNode(), message, { itemIndex, description });
	}
	return credential;
}

/**
 * Whether a field of the credential is an expression, which is evaluated for each item. Relies on: a
 * private field of the context, whose `getDecrypted` gives the credential as it is stored. Seen in
 * 1.85.4, 1.123.81 and 2.41.1.
 */
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
