import type { Articles } from '../../service/responses';
import { searchArticles } from '../../service/crmWorkspace';
import { maxPageSize } from '../../service/limits';
import type { Connection } from '../../transport/connection';
import { RequestFailure } from '../../transport/failure';
import type { Query } from './query';

/**
 * The articles that match, up to the limit, and how many the service says there are. The service
 * offers no next page, so if the first response has only some of them, a second request asks for
 * all at once. If the service rejects that, the articles of the first response are the result.
 * @throws RequestFailure
 */
export async function readArticles(
	connection: Connection,
	{ limit, search: term, searchParameter: parameter }: Query,
): Promise<Articles> {
	const ask = async (count: number) =>
		await searchArticles(connection, { term, parameter, limit: count });

	const first = await ask(Math.min(limit, maxPageSize));
	const wanted = Math.min(limit, first.totalCount);
	const isCut = first.records.length < wanted;
	const firstIfRejected = (error: unknown) => {
		const status = error instanceof RequestFailure ? error.details.statusCode : undefined;
		if (status === 400 || status === 416 || status === 422) return first;
		throw error;
	};
	const second = isCut ? await ask(wanted).catch(firstIfRejected) : first;
	// A service may take a limit beyond its maximum for none.
	const { records, totalCount } = second.records.length < first.records.length ? first : second;
	return { records: records.slice(0, limit), totalCount };
}
