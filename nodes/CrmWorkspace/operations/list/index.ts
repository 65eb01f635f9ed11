/**
 * The operation List. It outputs the records that an item asks for, whether the service returns
 * their collection in pages, whole, or as matches of a search. What the service can't filter is
 * filtered here, and an error or a hint says if records may be missing.
 */
import type { IDataObject } from 'n8n-workflow';
import { ContactFinder } from '../../service/contactFinder';
import { listWhole, maxPageSize, searchArticles } from '../../service/crmWorkspace';
import { Once } from '../../service/once';
import { readRequestOptions } from '../requestOptions';
import { runItems, type Operation } from '../runItems';
import { hint } from '../../text/plainText';
import { isRejected, RequestFailure } from '../../transport/failure';
import { needsFinder, readWantedContacts, type ListRun } from './contacts';
import { properties } from './properties';
import { readQuery, type Query } from './query';

/** List: the records of a collection, one output item each. */
export const list: Operation = {
	properties,

	async execute(context, connection) {
		const { concurrency } = readRequestOptions(context);
		const finder = new ContactFinder(connection, concurrency);
		const run: ListRun = { connection, concurrency, finder, warnings: new Set() };
		const keys = new Set<string>();
		const reads = new Once();
		const { items, hints } = await runItems(context, connection, {
			prepare(item) {
				const query = readQuery(item);
				const key = JSON.stringify(query);
				const isRepeated = keys.has(key);
				keys.add(key);
				const { email } = query.filter;
				if (needsFinder(query)) finder.expect(email ? { email } : { needsAllContacts: true });
				return { query, key, isRepeated };
			},

			async perform({ prepared: { query, key } }) {
				// Lists are read side by side, and the option counts the requests of all of them.
				const share = Math.max(1, Math.floor(concurrency / keys.size));
				const read = async () => await readRecords({ ...run, concurrency: share }, query);
				return await reads.do(key, read);
			},

			takesRequest: ({ query, isRepeated }) => !isRepeated && !needsFinder(query),
		});
		const count = context.getInputData().length;
		if (keys.size === 1 && count > 1 && items.length > count)
			run.warnings.add(
				`The output has the same list ${count} times, once for each input item. If the list doesn't depend on the items, turn on 'Execute Once' in the settings of this node.`,
			);
		const warnings = Array.from(run.warnings, (message) => hint(message, 'warning'));
		return { items, hints: [...hints, ...warnings] };
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
			return (await listWhole(run.connection, collection)).slice(0, limit);
	}
}

/**
 * The articles that match, up to the limit. The service offers no next page, so if the first
 * response has only some of them, a second request asks for all at once. If the service rejects that,
 * the articles of the first response are the result.
 * @throws RequestFailure
 */
async function readArticles(
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
