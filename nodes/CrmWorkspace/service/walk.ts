import type { IDataObject } from 'n8n-workflow';
import type { Connection } from '../transport/connection';
import { RequestFailure } from '../transport/failure';
import type { Page } from './answers';
import { listContacts } from './crmWorkspace';
import { maxPageSize } from './limits';
import type { PageRequest } from './pages';
import { readPages, type PagesRead } from './readPages';

/**
 * All contacts that match, or the first `limit` of them, each once, although contacts may come and
 * go meanwhile: see `readPages` for what is promised (interface, `GET /contacts`).
 * @param limit the most records wanted; Infinity for all
 * @param concurrency how many requests may be under way at the same time
 * @throws RequestFailure, or SenselessPages when the service's pages make no sense
 */
export async function readContacts(
	connection: Connection,
	{ search, ...wanted }: { limit: number; search?: string; concurrency: number },
): Promise<PagesRead> {
	const filter = search ? { search } : {};
	const fetchPage = async ({ page, limit }: PageRequest) => {
		const query = { page, limit: Math.min(limit, maxPageSize), ...filter };
		return await listContacts(connection, query).catch(emptyPastEnd(page));
	};
	return await readPages({ fetchPage, startedAt: Date.now(), ...wanted });
}

/** What a page past the end gets is not shown: contacts may be deleted while the list is read. */
function emptyPastEnd(page: number): (error: unknown) => Page {
	return (error) => {
		const isPastEnd =
			page > 1 && error instanceof RequestFailure && error.details.statusCode === 404;
		if (!isPastEnd) throw error;
		return { records: [] };
	};
}

/** @deprecated in favour of `readContacts` */
export async function walkContacts(
	connection: Connection,
	query: { limit: number; search?: string },
): Promise<IDataObject[]> {
	return (await readContacts(connection, { ...query, concurrency: 5 })).records;
}
