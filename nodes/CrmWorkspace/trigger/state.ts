/** What n8n stores of a trigger between polls. */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { ExplainedError } from '../common/text';
import type { StoredContacts } from './contactWatch';
import type { StoredRecords } from './recordWatch';
import { texts } from './texts';

/** The version of the stored format. A package that changes the format has to raise it. */
const version = 3;

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
 * @throws ExplainedError for a state that this version of the package can't read
 */
export function readState(context: IPollFunctions, scope: string, key: string): StoredState {
	const nothing = { version, scope, key };
	const { state } = context.getWorkflowStaticData('node') as { state?: StoredState };
	if (state === undefined) return nothing;
	if (state?.version !== version) throw new ExplainedError(texts.unreadableState);
	if (state.scope !== scope) return nothing;
	// A copy: n8n keeps what it is given, and a poll that fails must leave it unchanged.
	return JSON.parse(JSON.stringify(state)) as StoredState;
}

export function writeState(context: IPollFunctions, state: StoredState): void {
	context.getWorkflowStaticData('node').state = state as unknown as IDataObject;
}
