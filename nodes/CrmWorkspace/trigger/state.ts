import { NodeOperationError, type IDataObject, type IPollFunctions } from 'n8n-workflow';
import { getOrigin, type CrmWorkspaceCredential } from '../transport/credential';
import type { StoredContactWatch } from './contacts/contactWatch';
import { digest } from './digest';
import type { StoredRecordMemory } from './wholeCollections/recordMemory';

/** The version of the stored format. A package that changes the format has to raise it. */
const version = 2;

/** Length of the digests of a credential and of an API key, in bytes. */
const scopeBytes = 8;

/**
 * What n8n stores between polls. The property names are in users' databases and must not change.
 */
export interface StoredState {
	version: number;
	/** Digest of the credential, service and mode that it belongs to. */
	scope: string;
	key: string;
	contacts?: StoredContactWatch;
	activities?: StoredRecordMemory;
	overdueTasks?: StoredRecordMemory;
}

/** What a poll starts from: the state that the last one stored, if its scope was the same. */
interface PollStart {
	state: StoredState;
	/** Digest of the present API key. */
	keyDigest: string;
	/** Whether the API key has changed, so that the records may be those of another workspace. */
	mayBeOtherWorkspace: boolean;
}

/**
 * Reads what the last poll has stored. With another credential, service or mode the trigger begins
 * anew.
 * @throws NodeOperationError for a state that this version of the package cannot read
 */
export function readState(context: IPollFunctions, credential: CrmWorkspaceCredential): PollStart {
	const { state: given } = context.getWorkflowStaticData('node');
	const scope = scopeOf(context, credential);
	const keyDigest = keyDigestOf(context, credential);
	const nothing = {
		state: { version, scope, key: keyDigest },
		keyDigest,
		mayBeOtherWorkspace: false,
	};
	if (given === undefined) return nothing;
	// A copy: n8n keeps what it is given, and a poll that fails must leave it as it was.
	const stored = inThisVersion(context, JSON.parse(JSON.stringify(given)) as StoredState);
	if (stored?.version !== version) throw unreadable(context, stored?.version);
	if (stored.scope !== scope) return nothing;
	return { state: stored, keyDigest, mayBeOtherWorkspace: stored.key !== keyDigest };
}

/** Version 1 kept contacts in another way: they begin anew, and nothing that is there is told. */
function inThisVersion(context: IPollFunctions, stored: StoredState): StoredState {
	if (stored?.version !== 1) return stored;
	if (stored.contacts) {
		const { name } = context.getNode();
		const hint = `${name}: a new version of n8n-nodes-crm-workspace remembers contacts in another way. This poll remembers those that are there; what happens to contacts from now on is told.`;
		context.logger.info(hint);
	}
	return { ...stored, contacts: undefined, version };
}

export function writeState(context: IPollFunctions, state: StoredState): void {
	context.getWorkflowStaticData('node').state = state as unknown as IDataObject;
}

/** Runs code that reads stored state. @throws NodeOperationError when it cannot be read */
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

/** The scope of a trigger's state: a digest of its credential, the service and the mode. */
export function scopeOf(context: IPollFunctions, credential: CrmWorkspaceCredential): string {
	const { id } = context.getNode().credentials?.crmWorkspaceApi ?? {};
	return digest([id, getOrigin(credential), credential.mode], scopeBytes);
}

function keyDigestOf(context: IPollFunctions, { apiKey }: CrmWorkspaceCredential): string {
	return digest([context.getInstanceId(), apiKey.trim()], scopeBytes);
}
