import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { listContacts } from '../../service/crmWorkspace';
import { openConnection } from '../../transport/connection';

/** How long the user may be kept waiting, in ms. */
const timeout = 30_000;

/** Some more than the list shows at once, so that there is something to scroll to. */
const pageSize = 50;

/**
 * Search method of the Contact parameter: one page of the contacts that match what was typed.
 * @param paginationToken number of the page; the first one unless told
 */
export async function searchContacts(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const connection = await openConnection(this, timeout);
	const page = Number(paginationToken ?? 1);
	const search = filter?.trim();
	const { records, totalCount } = await listContacts(connection, {
		page,
		limit: pageSize,
		...(search && { search }),
	});
	const hasMore =
		totalCount === undefined ? records.length === pageSize : page * pageSize < totalCount;
	return {
		results: records
			.filter(({ id }) => typeof id === 'string')
			.map((contact) => ({ name: label(contact), value: String(contact.id) })),
		paginationToken: hasMore && records.length > 0 ? String(page + 1) : undefined,
	};
}

function label({ id, firstName, lastName, email, company }: IDataObject): string {
	const name = [firstName, lastName].filter(Boolean).join(' ');
	return [name, email, company].filter(Boolean).join(' · ') || String(id);
}
