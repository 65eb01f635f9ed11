import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { addressProblem } from '../../service/formats';
import type { Collection } from '../../service/collections';
import {
	getField,
	type ParameterRef,
	readAddedFields,
	readParameter,
	throwParameterError,
} from '../../parameters/parameter';
import {
	formatValue,
	readBoolean,
	parseNumber,
	parseText,
	readText,
	toText,
} from '../../parameters/value';
import { simplify } from '../../parameters/sharedProperties';
import { trimmed } from '../../text/plainText';
import type { ContactFilter } from './contactFilter';
import {
	collection as collectionProperty,
	email,
	limit,
	options as optionsProperty,
	returnAll,
	searchParameter,
	source,
	tag,
} from './properties';

export interface Query {
	collection: Collection;
	/** The most records wanted; Infinity for all. */
	limit: number;
	/** Text that contacts or articles have to match; empty for all. */
	search: string;
	/** Name of the query parameter that carries the search term of articles. */
	searchParameter: string;
	/** Which of the contacts are wanted; empty for all. */
	filter: ContactFilter;
	/** Whether contacts are reduced to their useful fields. */
	isSimplified: boolean;
}

/**
 * Reads what an item asks for. n8n keeps the parameters of a collection that was chosen before:
 * they are not read.
 * @throws NodeOperationError naming the parameter that cannot be right
 */
export function readQuery(context: IExecuteFunctions, itemIndex: number): Query {
	const collection = readParameter(context, collectionProperty, itemIndex) as Collection;
	const options = readAddedFields(context, optionsProperty, itemIndex);
	const query = {
		collection,
		limit: readLimit(context, itemIndex),
		search: '',
		searchParameter: '',
		filter: {},
		isSimplified: readBoolean(context, simplify, itemIndex),
	};
	switch (collection) {
		case 'contacts':
			return {
				...query,
				search: searchText(context, 'search', { itemIndex, displayName: 'Search' }),
				filter: readFilter(context, options, itemIndex),
			};
		case 'knowledgeBaseArticles':
			return {
				...query,
				search: readSearchTerm(context, itemIndex),
				searchParameter: readSearchParameter(
					context,
					getField(options, searchParameter),
					itemIndex,
				),
			};
		default:
			return query;
	}
}

function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	if (readBoolean(context, returnAll, itemIndex)) return Infinity;
	return parseNumber(context, limit, readParameter(context, limit, itemIndex), itemIndex);
}

/**
 * Refuses half of a surrogate pair: encoding it for a URL would also spoil the character after it.
 */
function searchText(context: IExecuteFunctions, name: string, ref: ParameterRef): string {
	const text = readText(context, name, ref).trim();
	if (!/\p{Cs}/u.test(text)) return text;
	return throwParameterError(context, ref.itemIndex, `${ref.displayName} has half a character`);
}

function readSearchTerm(context: IExecuteFunctions, itemIndex: number): string {
	const ref = { itemIndex, displayName: 'Search Term' };
	const term = searchText(context, 'searchTerm', ref);
	if (term !== '') return term;
	return throwParameterError(
		context,
		itemIndex,
		'Search Term is empty',
		'Enter what the articles have to match: the service offers no list of all articles.',
	);
}

/**
 * Names that the search parameter cannot have: the node uses the first itself, and n8n's client
 * leaves the others out of a query.
 */
const takenNames = ['limit', '__proto__', 'constructor', 'prototype'];

function readSearchParameter(
	context: IExecuteFunctions,
	value: unknown,
	itemIndex: number,
): string {
	const ref = { itemIndex, displayName: 'Search Parameter' };
	const name = parseText(context, value, ref).trim();
	if (name !== '' && !takenNames.includes(name)) return name;
	return throwParameterError(
		context,
		itemIndex,
		name === '' ? 'Search Parameter is empty' : `Search Parameter cannot be “${name}”`,
		'Enter the name of the query parameter in which the service expects the search term, e.g. q.',
	);
}

function readFilter(
	context: IExecuteFunctions,
	options: IDataObject,
	itemIndex: number,
): ContactFilter {
	const added = (option: INodeProperties) => readCondition(context, options, option, itemIndex);
	return {
		email: readEmail(context, added(email), itemIndex),
		tag: added(tag),
		source: added(source),
		updatedAfter: readMoment(context, options.updatedAfter, itemIndex),
	};
}

/** The text of an option; undefined if it was not added. An empty one would let everything out. */
function readCondition(
	context: IExecuteFunctions,
	options: IDataObject,
	{ name, displayName }: INodeProperties,
	itemIndex: number,
): string | undefined {
	if (!Object.hasOwn(options, name)) return undefined;
	const text = parseText(context, options[name], { itemIndex, displayName }).trim();
	if (text !== '') return text;
	const advice = 'It would leave none out. Enter a value, or remove the option.';
	return throwParameterError(context, itemIndex, `${displayName} is empty`, advice);
}

function readEmail(
	context: IExecuteFunctions,
	text: string | undefined,
	itemIndex: number,
): string | undefined {
	const address = text && trimmed(text);
	const problem = address === undefined ? undefined : addressProblem(address);
	if (!problem) return address;
	const advice = 'Enter the address of one contact, like nathan@example.com.';
	return throwParameterError(context, itemIndex, `Email ${problem}`, advice);
}

/** Text without a time zone is meant in that of the workflow, as everywhere in n8n. */
function readMoment(
	context: IExecuteFunctions,
	value: unknown,
	itemIndex: number,
): number | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const { DateTime } = context.getWorkflowDataProxy(itemIndex);
	const text = toText(value)?.trim() ?? '';
	const moment = DateTime.fromISO(text, { zone: context.getTimezone() });
	if (moment.isValid) return moment.toMillis() as number;
	return throwParameterError(
		context,
		itemIndex,
		'Updated After is not a date',
		`It is ${formatValue(value)}, but has to look like 2026-01-31T08:00:00Z, or be a date of an expression such as {{ $now.minus({ days: 1 }) }}.`,
	);
}
