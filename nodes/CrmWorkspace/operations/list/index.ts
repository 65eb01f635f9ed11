/**
 * The operation List. It outputs the records that an item asks for, whether the service returns
 * their collection in pages, whole, or as matches of a search. What the service can't filter is
 * filtered here, and an error or a hint says if records may be missing.
 */
import type { IDataObject } from 'n8n-workflow';
import { ContactFinder } from '../../api/contactFinder';
import { listWhole, maxPageSize, searchArticles } from '../../api/endpoints';
import { isRejected, RequestFailure } from '../../client/failure';
import { Once } from '../../common/tasks';
import type { ItemWork, Operation } from '../operation';
import { needsFinder, readWantedContacts, type ListRun } from './contacts';
import { properties } from './properties';
import { readQuery, type Query } from './query';
import { texts } from './texts';

interface Prepared {
	query: Query;
	/** The same for equal queries, which are read once. */
	key: string;
	isRepeated: boolean;
}

export const list: Operation = {
	properties,

	begin({ context, client, concurrency }): ItemWork<Prepared> {
		const finder = new ContactFinder(client, concurrency);
		const run: ListRun = { client, concurrency, finder, warnings: new Set() };
		const keys = new Set<string>();
		const reads = new Once();
		let outputCount = 0;
		return {
			prepare(item) {
				const query = readQuery(item);
				const key = JSON.stringify(query);
				const isRepeated = keys.has(key);
				keys.add(key);
				const { email } = query.filter;
				if (needsFinder(query)) finder.preload(email ? { email } : { needsAllContacts: true });
				return { query, key, isRepeated };
			},

			async perform({ prepared: { query, key } }) {
				// Lists are read side by side, and the option counts the requests of all of them.
				const share = Math.max(1, Math.floor(concurrency / keys.size));
				const read = async () => await readRecords({ ...run, concurrency: share }, query);
				const records = await reads.do(key, read);
				outputCount += records.length;
				return records;
			},

			takesRequest: ({ query, isRepeated }) => !isRepeated && !needsFinder(query),

			hints() {
				const count = context.getInputData().length;
				if (keys.size === 1 && count > 1 && outputCount > count)
					run.warnings.add(texts.sameListForEach(count));
				return Array.from(run.warnings, (message) => ({ message, type: 'warning' }));
			},
		};
	},
};

async function readRecords(run: ListRun, query: Query): Promise<IDataObject[]> {
	const { collection, limit } = query;
	switch (collection) {
		case 'contacts':
			return await readWantedContacts(run, query);
		case 'knowledgeBaseArticles':
			return await readArticles(run, query);
		default:
			return (await listWhole(run.client, collection)).slice(0, limit);
	}
}

/**
 * The articles that match, up to the limit. The service offers no next page, so if the first
 * response has only some of them, a second request asks for all at once. If the service rejects that,
 * the articles of the first response are the result.
 * @throws RequestFailure
 */
async function readArticles(
	{ client, warnings }: ListRun,
	{ limit, search: term, searchParameter: parameter }: Query,
): Promise<IDataObject[]> {
	const ask = async (count: number) =>
		await searchArticles(client, { term, parameter, limit: count });

	const first = await ask(Math.min(limit, maxPageSize));
	const wanted = Math.min(limit, first.totalCount);
	const keepFirst = (error: unknown) => {
		if (error instanceof RequestFailure && isRejected(error.details)) return first;
		throw error;
	};
	const isCut = first.records.length < wanted;
	const { records, totalCount } = isCut ? await ask(wanted).catch(keepFirst) : first;
	if (records.length < Math.min(totalCount, limit))
		warnings.add(texts.fewerArticles(totalCount, records.length));
	return records.slice(0, limit);
}
