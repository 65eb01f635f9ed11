import { NodeOperationError, type IDataObject, type IPollFunctions } from 'n8n-workflow';
import { serviceOf, type CrmWorkspaceCredential } from '../transport/credential';
import type { StoredContactWatch } from './contacts/contactWatch';
import { digest } from './digest';
import type { StoredRoster } from './rosters/roster';

/** Of what is stored; a package that stores it otherwise counts on. */
const version = 1;

/** Bytes of what stands for a credential. */
const scopeBytes = 8;

/** What n8n stores between polls. */
export interface StoredState {
	version: number;
	/** Which credential, service and mode it is of. */
	scope: string;
	/** Stands for the API key. */
	key: string;
	contacts?: StoredContactWatch;
	activities?: StoredRoster;
	overdueTasks?: StoredRoster;
}

/** What a poll begins with: what the last one left, if it was of the same. */
export interface Beginning {
	state: StoredState;
	/** Stands for the key of now. */
	key: string;
	/** Whether it is another one, so that these may be the records of another workspace. */
	mayBeOthers: boolean;
}

/**
 * What the last poll has left. Another credential, service or mode begins anew.
 * @throws NodeOperationError for what this version of the package has not stored
 */
export function readState(context: IPollFunctions, credential: CrmWorkspaceCredential): Beginning {
	const { state: given } = context.getWorkflowStaticData('node');
	const scope = scopeOf(context, credential);
	const key = fingerprintOf(context, credential);
	const nothing = { state: { version, scope, key }, key, mayBeOthers: false };
	if (given === undefined) return nothing;
	// A copy: n8n keeps what it is given, and a poll that fails must leave it as it was.
	const stored = JSON.parse(JSON.stringify(given)) as StoredState;
	if (stored?.version !== version) throw unreadable(context, stored?.version);
	if (stored.scope !== scope) return nothing;
	return { state: stored, key, mayBeOthers: stored.key !== key };
}

/** Leaves something for the next poll. */
export function writeState(context: IPollFunctions, state: StoredState): void {
	context.getWorkflowStaticData('node').state = state as unknown as IDataObject;
}

/** Makes something of stored state. @throws NodeOperationError when it cannot be read */
export function readable<Result>(context: IPollFunctions, read: () => Result): Result {
	try {
		return read();
	} catch {
		throw unreadable(context);
	}
}

function unreadable(context: IPollFunctions, found?: number): NodeOperationError {
	const isLater = Number(found) > version;
	const message = isLater
		? 'A later version of this package has polled here before'
		: 'What n8n has stored of earlier polls cannot be read';
	const description = `${isLater ? 'Update n8n-nodes-crm-workspace, or replace' : 'Replace'} this trigger by a new one with another name: it remembers what is there at its first poll, and tells what comes after that.`;
	return new NodeOperationError(context.getNode(), message, { description });
}

/** Stands for what a trigger is connected to: a credential, its service and mode. */
export function scopeOf(context: IPollFunctions, credential: CrmWorkspaceCredential): string {
	const { id } = context.getNode().credentials?.crmWorkspaceApi ?? {};
	return digest([id, serviceOf(credential), credential.mode], scopeBytes);
}

function fingerprintOf(context: IPollFunctions, { apiKey }: CrmWorkspaceCredential): string {
	return digest([context.getInstanceId(), apiKey.trim()], scopeBytes);
}
