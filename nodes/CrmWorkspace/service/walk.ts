import type { Connection } from '../transport/connection';
import { RequestFailure } from '../transport/failure';
import type { Page } from './answers';
import { listContacts } from './crmWorkspace';
import { maxPageSize } from './limits';
import type { PageRequest } from './pages';
import { readPages, type PagesRead } from './readPages';

/** The first page of up to 100 contacts, read before it was known that all are needed. */
export interface BegunReading {
	first: Page;
	/** When it was asked for, in ms since 1970. */
	startedAt: number;
}

/**
 * All contacts that match, or the first `limit` of them, each once, although contacts may come and
 * go meanwhile: see `readPages` for what is promised (interface, `GET /contacts`).
 * @param limit the most records wanted; Infinity for all
 * @param concurrency how many requests may be under way at the same time
 * @param begun what was read already, which is not asked for again
 * @throws RequestFailure, or SenselessPages when the service's pages make no sense
 */
export async function readContacts(
	connection: Connection,
	{
		search,
		begun,
		...wanted
	}: { limit: number; search?: string; concurrency: number; begun?: BegunReading },
): Promise<PagesRead> {
	const filter = search ? { search } : {};
	const fetchPage = async ({ page, limit }: PageRequest) => {
		const query = { page, limit: Math.min(limit, maxPageSize), ...filter };
		return await listContacts(connection, query).catch(emptyPastEnd(page));
	};
	return await readPages({ fetchPage, ...(begun ?? { startedAt: Date.now() }), ...wanted });
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
