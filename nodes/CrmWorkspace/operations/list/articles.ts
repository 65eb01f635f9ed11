import type { Page } from '../../service/answers';
import { searchArticles } from '../../service/crmWorkspace';
import { maxPageSize } from '../../service/limits';
import type { Connection } from '../../transport/connection';
import type { Query } from './query';

/**
 * The articles that match, up to the limit, and how many the service says there are. There is no
 * next page of them: when the first answer was cut, all are asked for at once.
 */
export async function readArticles(
	connection: Connection,
	{ limit, search: term, searchParameter: parameter }: Query,
): Promise<Page> {
	const ask = async (count: number) =>
		await searchArticles(connection, { term, parameter, limit: count });

	const first = await ask(Math.min(limit, maxPageSize));
	const wanted = Math.min(limit, first.totalCount ?? 0);
	const { records, totalCount } = first.records.length < wanted ? await ask(wanted) : first;
	return { records: records.slice(0, limit), totalCount };
}
