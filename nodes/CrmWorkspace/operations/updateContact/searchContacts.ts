import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { listContacts } from '../../service/crmWorkspace';
import { maxPageSize } from '../../service/limits';
import { openConnection } from '../../transport/connection';

/** Search method of the Contact parameter: one page of contacts that match what was typed. */
export async function searchContacts(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const connection = await openConnection(this, 30_000);
	const page = Number(paginationToken ?? 1);
	const { records, totalCount = 0 } = await listContacts(connection, {
		page,
		limit: maxPageSize,
		...(filter && { search: filter }),
	});
	return {
		results: records.map((contact) => ({ name: label(contact), value: String(contact.id) })),
		paginationToken: page * maxPageSize < totalCount ? String(page + 1) : undefined,
	};
}

function label({ firstName, lastName, email, company }: IDataObject): string {
	const name = [firstName, lastName].filter(Boolean).join(' ');
	return [name, email, company].filter(Boolean).join(' · ');
}
