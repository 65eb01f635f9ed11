/** The contacts to choose from in the editor. */
import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { listContacts } from '../../api/endpoints';
import type { Contact } from '../../api/records';
import { maxNameLength, shorten, toPlainText } from '../../common/text';
import { readCredential } from '../../n8n/credential';
import { toNodeError } from '../../n8n/errors';
import { createClient } from '../../n8n/http';

/** How long the user may be kept waiting: for one response, and for the retries together. */
const patienceMs = 10_000;

/** Some more than the list shows at once, so that there is something to scroll to. */
const pageSize = 50;

/**
 * Search method of the Contact parameter: one page of the contacts that match what was typed.
 * @param paginationToken number of the page, as an earlier result gave it; the first one without it
 * @throws NodeApiError, which the editor shows instead of the list
 */
export async function searchContacts(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken = '1',
): Promise<INodeListSearchResult> {
	const page = Number(paginationToken);
	const credential = await readCredential(this);
	const client = createClient(this, credential, patienceMs, { patienceMs });
	try {
		const query = { page, limit: pageSize, search: filter?.trim() };
		const { records, totalPages } = await listContacts(client, query);
		return {
			results: records.map((contact) => ({ name: label(contact), value: contact.id })),
			paginationToken: page < totalPages ? String(page + 1) : undefined,
		};
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	} finally {
		client.close();
	}
}

function label({ id, firstName, lastName, email, company }: Contact): string {
	const name = [firstName, lastName].filter(Boolean).join(' ');
	const parts = [name, email, company]
		.filter(Boolean)
		.map((part) => shorten(String(part), maxNameLength));
	return toPlainText(parts.join(' · ') || id);
}
