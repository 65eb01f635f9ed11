import type { Page } from '../../service/answers';
import { searchArticles } from '../../service/crmWorkspace';
import { maxPageSize } from '../../service/limits';
import type { Connection } from '../../transport/connection';
import { RequestFailure } from '../../transport/failure';
import type { Query } from './query';

/**
 * Values of `limit` to try, one after the other, until the service takes one: it may have a maximum
 * that nobody knows. Without a limit it sends ten articles.
 */
const limitsToTry = [maxPageSize, 50, 25, undefined];

/**
 * The articles that match, up to the limit, and how many the service says there are. The service
 * offers no next page, so when the first answer has only some of them, a second request asks for
 * all at once. If the service refuses that, the articles of the first answer are the result.
 */
export async function readArticles(
	connection: Connection,
	{ limit, search: term, searchParameter: parameter }: Query,
): Promise<Page> {
	const ask = async (count: number | undefined) =>
		await searchArticles(connection, { term, parameter, limit: count });

	const first = await askForFewer(ask, limit);
	const wanted = Math.min(limit, first.totalCount ?? 0);
	const isCut = first.records.length < wanted;
	const complete = isCut ? await ask(wanted).catch(orIfRefused(first)) : first;
	return { records: complete.records.slice(0, limit), totalCount: complete.totalCount };
}

/** @throws RequestFailure of the first refusal, when the service takes none of the counts */
async function askForFewer(
	ask: (count: number | undefined) => Promise<Page>,
	limit: number,
): Promise<Page> {
	let refusal: unknown;
	const highest = Math.min(limit, maxPageSize);
	for (const count of [highest, ...limitsToTry.filter((one = 0) => one < highest)]) {
		const page = await ask(count).catch((error: unknown) => {
			refusal ??= error;
			return orIfRefused(undefined)(error);
		});
		if (page) return page;
	}
	throw refusal;
}

/** A handler that returns `other` if the service refused the request for its parameters. */
function orIfRefused<Other>(other: Other): (error: unknown) => Other {
	return (error) => {
		const status = error instanceof RequestFailure ? error.details.statusCode : undefined;
		if (status === 400 || status === 416 || status === 422) return other;
		throw error;
	};
}
