import type { Connection } from '../../transport/connection';
import { listContacts } from '../crmWorkspace';
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
	const fetchPage: ReadOptions['fetchPage'] = async (page) => {
		expected = Math.max(0, expected - 1);
		return await listContacts(connection, { ...page, search });
	};
	// An update can make a contact match a search that it didn't match before.
	const date = search ? 'updatedAt' : 'createdAt';
	return await readPages({ ...options, fetchPage, date, expect }).finally(() =>
		connection.announce(-expected),
	);
}
