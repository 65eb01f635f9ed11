import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { unpaginatedPaths, type Collection } from '../../service/collections';
import { listWhole, searchArticles } from '../../service/crmWorkspace';
import { maxPageSize } from '../../service/limits';
import { simplified, simplifiedContactFields } from '../../service/records';
import { walkContacts } from '../../service/walk';
import type { Connection } from '../../transport/connection';
import type { Operation } from '../operation';
import { refuse } from '../refuse';
import { runItems } from '../runItems';
import { properties } from './properties';

/** What one input item asks for. */
interface Query {
	collection: Collection;
	/** The most records wanted; Infinity for all. */
	limit: number;
	/** Text that contacts or articles have to match. */
	search?: string;
	/** Name of the parameter that carries the search term of articles. */
	searchParameter: string;
	/** Only contacts that changed after this moment, in ms since 1970. */
	updatedAfter?: number;
	simplify: boolean;
}

/** List: the records of a collection, one output item each. */
export const list: Operation = {
	properties,

	async execute(context) {
		return await runItems(context, (connection) => ({
			prepare: (itemIndex) => readQuery(context, itemIndex),
			perform: async (query) => await recordsFor(connection, query),
		}));
	},
};

async function recordsFor(connection: Connection, query: Query): Promise<IDataObject[]> {
	const { collection, limit } = query;
	switch (collection) {
		case 'contacts':
			return await contactsFor(connection, query);
		case 'knowledgeBaseArticles':
			return await articlesFor(connection, query);
		default:
			return (await listWhole(connection, collection)).slice(0, limit);
	}
}

async function contactsFor(connection: Connection, query: Query): Promise<IDataObject[]> {
	const { limit, search, updatedAfter, simplify } = query;
	const isWanted = (contact: IDataObject) =>
		updatedAfter === undefined || !(Date.parse(String(contact.updatedAt)) <= updatedAfter);
	const contacts = await walkContacts(connection, {
		limit: updatedAfter === undefined ? limit : Infinity,
		search,
	});
	return contacts
		.filter(isWanted)
		.slice(0, limit)
		.map((contact) =>
			simplify ? (simplified(contact, simplifiedContactFields) as IDataObject) : contact,
		);
}

/** There is no next page of articles: when all are wanted, the total is asked for instead. */
async function articlesFor(connection: Connection, query: Query): Promise<IDataObject[]> {
	const { limit, search: term = '', searchParameter: parameter } = query;
	const ask = async (count: number) =>
		await searchArticles(connection, { term, parameter, limit: count });

	const first = await ask(Math.min(limit, maxPageSize));
	const total = first.totalCount ?? 0;
	const isCut = first.records.length < Math.min(limit, total);
	const { records } = isCut ? await ask(Math.min(limit, total)) : first;
	return records.slice(0, limit);
}

function readQuery(context: IExecuteFunctions, itemIndex: number): Query {
	const collection = context.getNodeParameter('collection', itemIndex) as Collection;
	const options = context.getNodeParameter('options', itemIndex, {});
	const searchParameter = String(options.searchParameter ?? 'q').trim();
	const isArticles = collection === 'knowledgeBaseArticles';
	if (!isArticles && collection !== 'contacts' && !(collection in unpaginatedPaths)) {
		refuse(context, itemIndex, 'Collection is not one that the service lists');
	}

	const searchName = isArticles ? 'searchTerm' : 'search';
	const search = String(context.getNodeParameter(searchName, itemIndex, '') ?? '').trim();
	if (isArticles && search === '') {
		refuse(context, itemIndex, 'Search Term is empty', 'Enter what the articles have to match.');
	}
	if (isArticles && searchParameter === '') refuse(context, itemIndex, 'Search Parameter is empty');
	return {
		collection,
		limit: readLimit(context, itemIndex),
		search,
		searchParameter,
		updatedAfter: readMoment(context, options.updatedAfter, itemIndex),
		simplify: context.getNodeParameter('simplify', itemIndex, true) as boolean,
	};
}

function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	if (context.getNodeParameter('returnAll', itemIndex)) return Infinity;

	const limit: unknown = context.getNodeParameter('limit', itemIndex);
	if (!Number.isInteger(limit) || Number(limit) < 1) {
		refuse(context, itemIndex, 'Limit is not a whole number of at least 1');
	}
	return Number(limit);
}

function readMoment(
	context: IExecuteFunctions,
	value: unknown,
	itemIndex: number,
): number | undefined {
	if (value === undefined || value === '') return undefined;
	const moment = Date.parse(String(value));
	if (Number.isNaN(moment)) {
		refuse(
			context,
			itemIndex,
			'Updated After is not a date',
			'It has to look like 2026-01-31T08:00:00Z.',
		);
	}
	return moment;
}
