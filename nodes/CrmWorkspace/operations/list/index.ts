import type { IDataObject } from 'n8n-workflow';
import { listWhole } from '../../service/crmWorkspace';
import { momentIn } from '../../service/moment';
import { simplified, simplifiedContactFields } from '../../service/records';
import { readContacts } from '../../service/readContacts';
import type { Connection } from '../../transport/connection';
import { yieldToEventLoop } from '../../service/eventLoop';
import type { Operation } from '../operation';
import { readRequestOptions } from '../requestOptions';
import { runItems } from '../runItems';
import { readArticles } from './articles';
import { ListHints } from './listHints';
import { properties } from './properties';
import { readQuery, type Query } from './query';

/** What the lists of one run share. */
interface Run {
	connection: Connection;
	/** How many requests one list may have under way at the same time. */
	concurrency: number;
	listHints: ListHints;
}

/** List: the records of a collection, one output item each. */
export const list: Operation = {
	properties,

	async execute(context, connection) {
		const listHints = new ListHints();
		// Items run side by side as well, and the option counts the requests of all of them.
		const concurrency = Math.max(
			1,
			Math.floor(readRequestOptions(context).concurrency / context.getInputData().length),
		);
		const { items, hints } = await runItems(context, connection, {
			prepare: (itemIndex) => readQuery(context, itemIndex),
			perform: async (query) => await recordsFor({ connection, concurrency, listHints }, query),
			takesRequest: () => true,
		});
		return { items, hints: [...hints, ...listHints.hints()] };
	},
};

async function recordsFor(run: Run, query: Query): Promise<IDataObject[]> {
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

async function contactsFor(
	{ connection, concurrency, listHints }: Run,
	{ limit, search, updatedAfter, simplify }: Query,
): Promise<IDataObject[]> {
	const contacts = await readContacts(connection, {
		limit: updatedAfter === undefined ? limit : Infinity,
		search,
		concurrency,
	});
	listHints.contactsRead(contacts);
	const wanted: IDataObject[] = [];
	for (const contact of contacts.records) {
		if (wanted.length === limit) break;
		if (isUpdatedAfter(contact, updatedAfter))
			wanted.push(simplify ? usefulPart(contact) : contact);
		await yieldToEventLoop();
	}
	return wanted;
}

/** A date that is missing or cannot be read counts as later. */
function isUpdatedAfter({ updatedAt }: IDataObject, moment = -Infinity): boolean {
	return !(momentIn(updatedAt) <= moment);
}

/** An entry that has none of the fields of a contact is left as it is. */
function usefulPart(contact: IDataObject): IDataObject {
	const part = simplified(contact, simplifiedContactFields) as IDataObject;
	return Object.keys(part).length > 0 ? part : contact;
}
