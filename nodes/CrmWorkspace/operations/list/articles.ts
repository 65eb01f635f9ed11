import type { Page } from '../../service/answers';
import { searchArticles } from '../../service/crmWorkspace';
import { maxPageSize } from '../../service/limits';
import type { Connection } from '../../transport/connection';
import { RequestFailure } from '../../transport/failure';
import type { Query } from './query';

/**
 * Counts to ask for, one after the other, until the service takes one. It may have a maximum,
 * which is not shown; without a count it sends ten.
 */
const counts = [maxPageSize, 50, 25, undefined];

/**
 * The articles that match, up to the limit, and how many the service says there are. There is no
 * next page of them: when the first answer was cut, all are asked for at once. What a service that
 * refuses such a count has sent before is kept.
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
	const whole = isCut ? await ask(wanted).catch(orIfRefused(first)) : first;
	return { records: whole.records.slice(0, limit), totalCount: whole.totalCount };
}

/** @throws what the highest count was refused with, when no count is taken */
async function askForFewer(
	ask: (count: number | undefined) => Promise<Page>,
	limit: number,
): Promise<Page> {
	let refusal: unknown;
	const highest = Math.min(limit, maxPageSize);
	for (const count of [highest, ...counts.filter((one = 0) => one < highest)]) {
		const page = await ask(count).catch((error: unknown) => {
			refusal ??= error;
			return orIfRefused(undefined)(error);
		});
		if (page) return page;
	}
	throw refusal;
}

/** Gives something else when the service refused a request because of what was asked for. */
function orIfRefused<Other>(other: Other): (error: unknown) => Other {
	return (error) => {
		const status = error instanceof RequestFailure ? error.details.statusCode : undefined;
		if (status === 400 || status === 416 || status === 422) return other;
		throw error;
	};
}
