/**
 * The operation List. It puts out the records that an item asks for, however the service answers
 * for their collection: in pages, whole, or as matches of a search. What the service cannot filter
 * is filtered here, and what may be missing is said in a hint or an error.
 */
import type { IDataObject } from 'n8n-workflow';
import { ContactFinder } from '../../service/contactFinder';
import { listWhole } from '../../service/crmWorkspace';
import type { Operation } from '../operation';
import { readRequestOptions } from '../requestOptions';
import { runItems } from '../runItems';
import { readArticles } from './articles';
import { contactsFor, lookupOf, needsFinder, type ListRun } from './contacts';
import { ListHints } from './listHints';
import { properties } from './properties';
import { readQuery, type Query } from './query';

/** List: the records of a collection, one output item each. */
export const list: Operation = {
	properties,

	async execute(context, connection) {
		const listHints = new ListHints();
		// Items run side by side as well, and the option counts the requests of all of them.
		const { concurrency: ofRun } = readRequestOptions(context);
		const concurrency = Math.max(1, Math.floor(ofRun / context.getInputData().length));
		// It reads once for all items.
		const finder = new ContactFinder(connection, ofRun);
		const run = { connection, concurrency, finder, listHints };
		const { items, hints } = await runItems(context, connection, {
			prepare(itemIndex) {
				const query = readQuery(context, itemIndex);
				if (needsFinder(query)) finder.expect(lookupOf(query));
				return query;
			},
			perform: async (query) => await recordsFor(run, query),
			// What the finder has read for one item serves the others.
			takesRequest: (query) => !needsFinder(query),
		});
		return { items, hints: [...hints, ...listHints.hints()] };
	},
};

async function recordsFor(run: ListRun, query: Query): Promise<IDataObject[]> {
	const { collection, limit } = query;
	switch (collection) {
		case 'contacts':
			return await contactsFor(run, query);
		case 'knowledgeBaseArticles': {
			const { records, totalCount } = await readArticles(run.connection, query);
			run.listHints.articlesRead(records.length, totalCount, limit);
			return records;
		}
		default:
			return await listWhole(run.connection, collection, limit);
	}
}
