/** Reads what an item of List asks for. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { bareAddress, toSource, validateAddress } from '../../api/formats';
import { allContactFields, simplifiedContactFields, type Collection } from '../../api/records';
import { parseDate } from '../../n8n/expressions';
import type { ItemReader } from '../../parameters/itemReader';
import { readShownFields } from '../../parameters/output';
import { search } from '../../parameters/properties';
import * as property from './properties';
import { texts } from './texts';

/** Which of the contacts that the service returns are wanted: those that meet all conditions. */
export interface ContactFilter {
	/** Compared as `normalizedEmail` says. */
	email?: string;
	/** A tag of the contact, case-sensitive as in Update Contact, in Unicode's composed form. */
	tag?: string;
	source?: string;
	/** In ms since 1970. A contact without a readable date counts as updated later. */
	updatedAfter?: number;
}

export interface Query {
	collection: Collection;
	/** The most records wanted; Infinity for all. */
	limit: number;
	/** Text that contacts or articles have to match; empty for all. */
	search: string;
	/** Name of the query parameter for the search term of articles. */
	searchParameter: string;
	/** Which of the contacts are wanted; empty for all. */
	filter: ContactFilter;
	/** The fields of contacts to return; undefined for all. */
	fields?: readonly string[];
}

/**
 * Reads what an item asks for. n8n keeps the parameters of a collection that was chosen before:
 * they aren't read.
 * @throws NodeOperationError naming the parameter that can't be right
 */
export function readQuery(item: ItemReader): Query {
	const collection = item.choice(property.collection) as Collection;
	const query: Query = {
		collection,
		limit: item.boolean(property.returnAll) ? Infinity : item.number(property.limit),
		search: '',
		searchParameter: '',
		filter: {},
	};
	switch (collection) {
		case 'contacts':
			return {
				...query,
				...readFilters(item),
				fields: readShownFields(item, simplifiedContactFields, allContactFields),
			};
		case 'knowledgeBaseArticles':
			return { ...query, ...readArticleSearch(item) };
		default:
			return query;
	}
}

function readArticleSearch(item: ItemReader): Pick<Query, 'search' | 'searchParameter'> {
	const { searchTerm, searchParameter, options } = property;
	const added = item.storedFields(options) as IDataObject;
	const advice = texts.needsSearchTerm;
	return {
		search: item.filled(item.stored(searchTerm.name), searchTerm, advice),
		searchParameter: item.filled(item.read(searchParameter, added), searchParameter, advice),
	};
}

function readFilters(item: ItemReader): Pick<Query, 'search' | 'filter'> {
	const stored = item.storedFields(property.filters);
	const read = (filter: INodeProperties, advice = texts.emptyFilter) => {
		const { name } = filter;
		return Object.hasOwn(stored, name) ? item.filled(stored[name], filter, advice) : undefined;
	};
	const source = read(property.source);
	const filter = {
		email: parseEmail(item, read(property.email)),
		tag: read(property.tag)?.normalize(),
		source: source && toSource(source),
		updatedAfter: parseMoment(item, read(property.updatedAfter, texts.emptyDate)),
	};
	return { search: read(search) ?? '', filter };
}

function parseEmail(item: ItemReader, text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	const email = bareAddress(text);
	const problem = validateAddress(email);
	return problem ? item.refuse(texts.invalidEmail(problem)) : email;
}

function parseMoment(item: ItemReader, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const moment = parseDate(item.context, text, item.itemIndex);
	return moment ?? item.refuse(texts.notADate(text));
}
