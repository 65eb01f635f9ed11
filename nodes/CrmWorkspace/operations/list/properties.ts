/** The parameters of List. */
import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { collections } from '../../api/records';
import { output } from '../../parameters/output';
import {
	optionsProperty,
	requestOptions,
	search,
	sortByName,
	sourceOptions,
} from '../../parameters/properties';

export const collection: INodeProperties = {
	displayName: 'Collection',
	name: 'collection',
	type: 'options',
	noDataExpression: true,
	options: sortByName(
		Object.entries(collections).map(([value, { label }]) => ({ name: label, value })),
	),
	default: 'contacts',
	description: 'Records to list',
};

export const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
};

export const searchTerm: INodeProperties = {
	displayName: 'Search Term',
	name: 'searchTerm',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. refund',
	description: 'Text to search articles for',
	displayOptions: { show: { collection: ['knowledgeBaseArticles'] } },
};

export const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. nathan@example.com',
	description: 'Return only the contact with this address, ignoring case',
};

export const source: INodeProperties = {
	displayName: 'Source',
	name: 'source',
	type: 'options',
	options: sourceOptions,
	default: 'website',
	description: 'Return only contacts with this source; the node reads all contacts to find them',
};

export const tag: INodeProperties = {
	displayName: 'Tag',
	name: 'tag',
	type: 'string',
	default: '',
	placeholder: 'e.g. customer',
	description:
		'Return only contacts with exactly this tag; the node reads all contacts to find them',
};

export const updatedAfter: INodeProperties = {
	displayName: 'Updated After',
	name: 'updatedAfter',
	type: 'dateTime',
	default: '',
	description:
		'Return only contacts updated after this time, or without a date; the node reads all contacts to find them',
};

export const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [email, search, source, tag, updatedAfter],
	displayOptions: { show: { collection: ['contacts'] } },
};

export const searchParameter: INodeProperties = {
	displayName: 'Search Parameter',
	name: 'searchParameter',
	type: 'string',
	default: 'q',
	description:
		"Name of the query parameter for the search term; ask the service's administrator if articles aren't found",
	displayOptions: { show: { '/collection': ['knowledgeBaseArticles'] } },
};

export const options = optionsProperty([
	requestOptions.concurrency,
	searchParameter,
	requestOptions.timeout,
]);

export const properties: INodeProperties[] = [
	collection,
	returnAll,
	limit,
	searchTerm,
	...updateDisplayOptions({ show: { collection: ['contacts'] } }, output),
	filters,
	options,
];
