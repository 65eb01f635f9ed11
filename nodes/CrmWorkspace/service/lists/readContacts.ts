import type { Connection } from '../../transport/connection';
import { RequestFailure } from '../../transport/failure';
import type { Page } from '../answers';
import { listContacts } from '../crmWorkspace';
import { maxPageSize } from '../limits';
import type { PageRequest } from './pages';
import { readPages, type ListReadOptions, type PagesRead } from './readPages';

type ContactReadOptions = Pick<ListReadOptions, 'limit' | 'concurrency' | 'isKnown' | 'first'>;

/**
 * All contacts that match, or as many of them as are wanted, each once, although contacts may come and
 * go meanwhile: see `readPages` for what is promised. Interface: LIST-12, LIST-13.
 * @throws RequestFailure, or TooManyRecords
 */
export async function readContacts(
	connection: Connection,
	{ search, ...wanted }: { search?: string } & ContactReadOptions,
): Promise<PagesRead> {
	let expected = 0;
	const expect = (pages: number) => {
		expected += pages;
		connection.announce(pages);
	};
	const fetchPage = async ({ page, limit }: PageRequest) => {
		expected = Math.max(0, expected - 1);
		const query = { page, limit: Math.min(limit, maxPageSize), search };
		return await readContactPage(connection, query);
	};
	// An update can make a contact match a search that it did not match before.
	const arrivalDates: ListReadOptions['arrivalDates'] = search
		? ['createdAt', 'updatedAt']
		: ['createdAt'];
	return await readPages({ fetchPage, arrivalDates, expect, ...wanted }).finally(() =>
		connection.announce(-expected),
	);
}

/**
 * One page of the contacts that match; one past the end is empty.
 * @throws RequestFailure
 */
export async function readContactPage(
	connection: Connection,
	{ page, limit, search }: PageRequest & { search?: string },
): Promise<Page> {
	const query = { page, limit, ...(search && { search }) };
	return await listContacts(connection, query).catch(emptyPastEnd(page));
}

/** Statuses that a service may answer a page past the end with: the interface does not show it. */
const pastEndStatuses: Array<number | undefined> = [400, 404, 410, 416, 422];

/** Contacts may be deleted while the list is read, so that it ends before a page. */
function emptyPastEnd(page: number): (error: unknown) => Page {
	return (error) => {
		const mayBePastEnd =
			page > 1 &&
			error instanceof RequestFailure &&
			pastEndStatuses.includes(error.details.statusCode);
		if (!mayBePastEnd) throw error;
		return { records: [] };
	};
}
