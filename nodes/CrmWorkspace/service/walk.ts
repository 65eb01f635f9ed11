import type { IDataObject } from 'n8n-workflow';
import type { Connection } from '../transport/connection';
import { listContacts } from './crmWorkspace';
import { maxPageSize } from './limits';

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
