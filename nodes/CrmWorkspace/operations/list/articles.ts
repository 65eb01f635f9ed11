import type { IDataObject } from 'n8n-workflow';
import { maxPageSize, searchArticles } from '../../service/crmWorkspace';
import { isRejected, RequestFailure } from '../../transport/failure';
import type { ListRun } from './contacts';
import type { Query } from './query';

/**
 * The articles that match, up to the limit. The service offers no next page, so if the first
 * response has only some of them, a second request asks for all at once. If the service rejects that,
 * the articles of the first response are the result.
 * @throws RequestFailure
 */
export async function readArticles(
	{ connection, warnings }: Pick<ListRun, 'connection' | 'warnings'>,
	{ limit, search: term, searchParameter: parameter }: Query,
): Promise<IDataObject[]> {
	const ask = async (count: number) =>
		await searchArticles(connection, { term, parameter, limit: count });

	const first = await ask(Math.min(limit, maxPageSize));
	const wanted = Math.min(limit, first.totalCount);
	const keepFirst = (error: unknown) => {
		if (error instanceof RequestFailure && isRejected(error.details)) return first;
		throw error;
	};
	const isCut = first.records.length < wanted;
	const { records, totalCount } = isCut ? await ask(wanted).catch(keepFirst) : first;
	if (records.length < Math.min(totalCount, limit)) {
		warnings.add(
			`The service found ${totalCount} articles but returned only ${records.length}, and it offers no next page. Use a narrower 'Search Term' to find the others.`,
		);
	}
	return records.slice(0, limit);
}
