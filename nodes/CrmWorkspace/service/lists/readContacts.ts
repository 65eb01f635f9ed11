import type { Connection } from '../../transport/connection';
import { RequestFailure } from '../../transport/failure';
import type { Page } from '../responses';
import { listContacts } from '../crmWorkspace';
import { maxPageSize } from '../limits';
import { readPages, type PagesRead, type ReadOptions } from './readPages';

/**
 * All contacts that match, or as many of them as are wanted, each once, even if contacts come and
 * go during the reading: see `readPages`. Interface: LIST-12, LIST-13.
 * @throws RequestFailure, TooManyRecords
 */
export async function readContacts(
	connection: Connection,
	options: { search?: string } & Pick<ReadOptions, 'limit' | 'concurrency' | 'first'>,
): Promise<PagesRead> {
	const { search } = options;
	let expected = 0;
	const expect = (pages: number) => {
		expected += pages;
		connection.announce(pages);
	};
	const fetchPage: ReadOptions['fetchPage'] = async ({ page, limit }) => {
		expected = Math.max(0, expected - 1);
		return await readContactPage(connection, { page, limit: Math.min(limit, maxPageSize), search });
	};
	// An update can make a contact match a search that it didn't match before.
	const dates: ReadOptions['dates'] = search ? ['createdAt', 'updatedAt'] : ['createdAt'];
	return await readPages({ ...options, fetchPage, dates, expect }).finally(() =>
		connection.announce(-expected),
	);
}

/** Statuses of a response to a page past the end: the interface doesn't show them. */
const pastEndStatuses: Array<number | undefined> = [400, 404, 410, 416, 422];

/**
 * One page of the contacts that match. A page past the end is empty: contacts may be deleted during
 * the reading, so that the list ends before that page.
 * @throws RequestFailure
 */
export async function readContactPage(
	connection: Connection,
	{ page, limit, search }: { page: number; limit: number; search?: string },
): Promise<Page> {
	const query = { page, limit, ...(search && { search }) };
	return await listContacts(connection, query).catch((error: unknown) => {
		const status = error instanceof RequestFailure ? error.details.statusCode : undefined;
		if (page > 1 && pastEndStatuses.includes(status)) return { records: [] };
		throw error;
	});
}
