import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runNode, type NodeResult, type NodeRun } from './runNode.mts';
import { getContactFields } from '../../../nodes/CrmWorkspace/operations/updateContact/mapping';
import { type Sandbox, unpaced } from '../sandbox/sandbox.mts';

/** A contact as the sandbox stores it. */
export type StoredContact = Record<string, any> & { id: string; email: string };

/** Parameters of Update Contact with the fields mapped from the input's columns. */
export function automaticUpdate(
	contact: { mode: 'list' | 'id' | 'email'; value: string; cachedResultName?: string },
	options: INodeParameters = {},
): INodeParameters {
	return {
		operation: 'updateContact',
		contact: { __rl: true, ...contact },
		fields: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
		options,
	};
}

/**
 * Parameters of Update Contact with these fields mapped by hand, as the editor saves them.
 * @param blank fields that were added and left blank
 */
export async function manualUpdate(
	contact: { mode: 'id' | 'email'; value: string },
	value: Record<string, string | null>,
	options: INodeParameters = {},
	blank: string[] = [],
): Promise<INodeParameters> {
	const { fields } = await getContactFields();
	const added = [...Object.keys(value), ...blank];
	const schema = fields.map((field) => ({ ...field, removed: !added.includes(field.id) }));
	return {
		...automaticUpdate(contact, options),
		fields: { mappingMode: 'defineBelow', value, matchingColumns: [], schema },
	} as object as INodeParameters;
}

/** Contacts named by the input's column `email`. */
export const byEmail = { mode: 'email', value: '={{ $json.email }}' } as const;

/** Contacts named by the input's column `id`. */
export const byId = { mode: 'id', value: '={{ $json.id }}' } as const;

/** Runs the node against a sandbox, without pacing, going on when an item fails. */
export async function runUpdate(
	sandbox: Sandbox,
	parameters: INodeParameters,
	items: IDataObject[],
	more: Partial<NodeRun> = {},
): Promise<NodeResult> {
	return await runNode({
		parameters,
		items,
		credential: unpaced(sandbox),
		settings: { onError: 'continueRegularOutput' },
		...more,
	});
}

/** What the sandbox holds. */
export async function storedContacts(sandbox: Sandbox): Promise<StoredContact[]> {
	return (await sandbox.control('GET', '/contacts')).data;
}

/** What the sandbox holds of a contact. */
export async function storedContact(
	sandbox: Sandbox,
	{ id }: Pick<StoredContact, 'id'>,
): Promise<StoredContact> {
	return (await storedContacts(sandbox)).find((contact) => contact.id === id)!;
}

/** Puts these in the place of the sandbox's contacts, and forgets the requests so far. */
export async function storeContacts(
	sandbox: Sandbox,
	contacts: object[],
): Promise<StoredContact[]> {
	await sandbox.control('PUT', '/contacts', { contacts });
	await sandbox.control('DELETE', '/requests');
	return await storedContacts(sandbox);
}

/** The requests that the sandbox got, counted by what they were for. */
export async function countRequests(
	sandbox: Sandbox,
): Promise<{ pages: number; searches: number; writes: number; all: number }> {
	const { data: requests } = await sandbox.control('GET', '/requests');
	const count = (is: (one: any) => boolean) => requests.filter(is).length;
	return {
		pages: count(({ method, query }) => method === 'GET' && !query.search),
		searches: count(({ method, query }) => method === 'GET' && query.search),
		writes: count(({ method }) => method === 'PUT'),
		all: requests.length,
	};
}

/** How many items came out with each result. */
export function countResults(json: IDataObject[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { _result, error } of json) {
		const name = error ? 'error' : String(_result);
		counts[name] = (counts[name] ?? 0) + 1;
	}
	return counts;
}
