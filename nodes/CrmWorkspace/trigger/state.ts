/** What n8n stores of a trigger between polls. */
import { NodeOperationError, type IDataObject, type IPollFunctions } from 'n8n-workflow';
import { getOrigin, type CrmWorkspaceCredential } from '../n8n/credential';
import type { StoredContacts } from './contactWatch';
import { digest } from './events';
import type { StoredRecords } from './recordWatch';
import { texts } from './texts';

/** The version of the stored format. A package that changes the format has to raise it. */
const version = 3;

/** In characters of base64url. */
const digestLength = 16;

/** What n8n stores between polls. The property names are in users' databases. */
export interface StoredState {
	version: number;
	/** Digest of the credential, service and mode that it belongs to. */
	scope: string;
	/** Digest of the API key, with the instance's ID as salt. */
	key: string;
	contacts?: StoredContacts;
	activities?: StoredRecords;
	overdueTasks?: StoredRecords;
}

/**
 * What the last poll has stored; nothing if the credential, service or mode was another one.
 * @throws NodeOperationError for a state that this version of the package can't read
 */
export function readState(
	context: IPollFunctions,
	credential: CrmWorkspaceCredential,
): StoredState {
	const scope = hashScope(context, credential);
	const nothing = { version, scope, key: hashKey(context, credential) };
	const { state } = context.getWorkflowStaticData('node') as { state?: StoredState };
	if (state === undefined) return nothing;
	if (state?.version !== version) throw unreadable(context);
	if (state.scope !== scope) return nothing;
	// A copy: n8n keeps what it is given, and a poll that fails must leave it unchanged.
	return JSON.parse(JSON.stringify(state)) as StoredState;
}

export function writeState(context: IPollFunctions, state: StoredState): void {
	context.getWorkflowStaticData('node').state = state as unknown as IDataObject;
}

export function unreadable(context: IPollFunctions): NodeOperationError {
	const [message, description] = texts.unreadableState;
	return new NodeOperationError(context.getNode(), message, { description });
}

/** The scope of a trigger's state: a digest of its credential, the service and the mode. */
export function hashScope(context: IPollFunctions, credential: CrmWorkspaceCredential): string {
	const { id } = context.getNode().credentials?.crmWorkspaceApi ?? {};
	return digest([id, getOrigin(credential), credential.mode], digestLength);
}

export function hashKey(context: IPollFunctions, { apiKey }: CrmWorkspaceCredential): string {
	return digest([context.getInstanceId(), apiKey], digestLength);
}
