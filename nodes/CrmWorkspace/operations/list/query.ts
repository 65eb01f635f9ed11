import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { validateAddress } from '../../service/formats';
import type { Collection } from '../../service/collections';
import { getField, readParameter, throwParameterError } from '../../parameters/parameter';
import { formatValue, parseNumber, parseText, quote, readBoolean } from '../../parameters/value';
import { simplify } from '../../parameters/sharedProperties';
import { contactFieldNames, simplifiedContactFields } from '../../service/records';
import { trim } from '../../text/plainText';
import { ItemReader } from '../itemReader';
import type { ContactFilter } from './contactFilter';
import * as property from './properties';

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
export function readQuery(context: IExecuteFunctions, itemIndex: number): Query {
	const collection = readParameter(context, property.collection, itemIndex) as Collection;
	const query: Query = {
		collection,
		limit: readLimit(context, itemIndex),
		search: '',
		searchParameter: '',
		filter: {},
	};
	switch (collection) {
		case 'contacts': {
			const fields = readShown(context, itemIndex);
			return { ...query, ...readFilters(context, itemIndex), fields };
		}
		case 'knowledgeBaseArticles':
			return { ...query, ...readArticleSearch(context, itemIndex) };
		default:
			return query;
	}
}

function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	if (readBoolean(context, property.returnAll, itemIndex)) return Infinity;
	const given = readParameter(context, property.limit, itemIndex);
	return parseNumber(context, property.limit, given, itemIndex);
}

function readShown(context: IExecuteFunctions, itemIndex: number): readonly string[] | undefined {
	// Only a tool has this parameter.
	const output = context.getNodeParameter('output', itemIndex, '');
	if (output === 'selected') return readSelectedFields(context, itemIndex);
	const isSimplified = output ? output !== 'raw' : readBoolean(context, simplify, itemIndex);
	return isSimplified ? simplifiedContactFields : undefined;
}

/** @throws NodeOperationError for a name that isn't a field's, so that a model can correct it */
function readSelectedFields(context: IExecuteFunctions, itemIndex: number): string[] {
	const given = context.getNodeParameter('outputFields', itemIndex, '');
	const names = String(given).split(',').map(trim);
	const fields: string[] = ['id', ...contactFieldNames, 'companyId', 'createdAt', 'updatedAt'];
	const unknown = names.find((name) => !fields.includes(name));
	if (unknown === undefined) return names;
	const problem = `'Fields to Return' has ${quote(unknown)}, which isn't a field`;
	const advice = `The fields of a contact are ${fields.join(', ')}.`;
	return throwParameterError(context, itemIndex, problem, advice);
}

function readArticleSearch(
	context: IExecuteFunctions,
	itemIndex: number,
): Pick<Query, 'search' | 'searchParameter'> {
	const item = new ItemReader(context, itemIndex);
	const advice = 'The service returns only articles that match a search term. Enter a value.';
	const read = (one: INodeProperties, stored: unknown) =>
		parseFilledText(context, one, item.valueOf(stored, one), itemIndex, advice);
	const { searchTerm, searchParameter, options } = property;
	const added = Object(item.stored(options.name, {})) as IDataObject;
	return {
		search: read(searchTerm, item.stored(searchTerm.name)),
		searchParameter: read(searchParameter, getField(added, searchParameter)),
	};
}

function readFilters(
	context: IExecuteFunctions,
	itemIndex: number,
): Pick<Query, 'search' | 'filter'> {
	const added = readParameter(context, property.filters, itemIndex) as IDataObject;
	const advice = 'It would let all contacts through. Enter a value, or remove the filter.';
	const firstRun = `${advice} For a first run, write {{ $json.lastRun ?? "1970-01-01" }}.`;
	const item = new ItemReader(context, itemIndex);
	const stored = Object(item.stored('filters', {})) as IDataObject;
	const read = (filter: INodeProperties, ofFilter = advice) => {
		const { name, displayName } = filter;
		if (!Object.hasOwn(added, name)) return undefined;
		const value = item.valueOf(stored[name] ?? added[name], { displayName });
		return parseFilledText(context, filter, value, itemIndex, ofFilter);
	};
	const filter = {
		email: parseEmail(context, read(property.email), itemIndex),
		tag: read(property.tag)?.normalize(),
		source: read(property.source),
		updatedAfter: parseMoment(context, read(property.updatedAfter, firstRun), itemIndex),
	};
	return { search: read(property.search) ?? '', filter };
}

function parseFilledText(
	context: IExecuteFunctions,
	{ displayName }: INodeProperties,
	value: unknown,
	itemIndex: number,
	advice: string,
): string {
	const text = trim(parseText(context, value, { itemIndex, displayName }));
	if (text !== '') return text;
	return throwParameterError(context, itemIndex, `'${displayName}' is empty`, advice);
}

function parseEmail(
	context: IExecuteFunctions,
	text: string | undefined,
	itemIndex: number,
): string | undefined {
	if (text === undefined) return undefined;
	const problem = validateAddress(text);
	if (!problem) return text;
	const advice = 'Enter the address of one contact, like nathan@example.com.';
	return throwParameterError(context, itemIndex, `'Email' ${problem}`, advice);
}

/** Text without a time zone is in that of the workflow, as everywhere in n8n. */
function parseMoment(
	context: IExecuteFunctions,
	text: string | undefined,
	itemIndex: number,
): number | undefined {
	if (text === undefined) return undefined;
	const { DateTime } = context.getWorkflowDataProxy(itemIndex);
	const moment = DateTime.fromISO(text, { zone: context.getTimezone() });
	if (moment.isValid) return moment.toMillis() as number;
	const problem = "'Updated After' isn't a date";
	const advice = `It is ${formatValue(text)}, but has to look like 2026-01-31T08:00:00Z, or be a date of an expression such as {{ $now.minus({ days: 1 }) }}.`;
	return throwParameterError(context, itemIndex, problem, advice);
}
