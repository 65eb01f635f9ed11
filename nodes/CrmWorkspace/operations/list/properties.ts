import type { INodeProperties } from 'n8n-workflow';
import { collections } from '../../service/collections';
import { requestOptions } from '../requestOptions';
import { limit as anyLimit, simplify, optionsProperty } from '../../parameters/sharedProperties';
import { sourceOptions } from '../sourceOptions';

export const collection: INodeProperties = {
	displayName: 'Collection',
	name: 'collection',
	type: 'options',
	noDataExpression: true,
	options: Object.entries(collections)
		.map(([value, { label }]) => ({ name: label, value }))
		.sort((one, other) => one.name.localeCompare(other.name)),
	default: 'contacts',
	description:
		'What to list. Except for contacts and articles, the service always sends all records, and the node keeps as many as Limit says.',
};

export const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limit: INodeProperties = {
	...anyLimit,
	displayOptions: { show: { returnAll: [false] } },
};

export const searchParameter: INodeProperties = {
	displayName: 'Search Parameter',
	name: 'searchParameter',
	type: 'string',
	default: 'q',
	description:
		'What the search term is called in the web address of a search, such as q or term. Ask whoever runs the service if articles are not found.',
	displayOptions: { show: { '/collection': ['knowledgeBaseArticles'] } },
};

export const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. nathan@example.com',
	description:
		'Only the contact with exactly this address, in upper or lower case: one item, or none. It is searched for, and if the search does not show it, all contacts are read.',
	displayOptions: { show: { '/collection': ['contacts'] } },
};

export const source: INodeProperties = {
	displayName: 'Source',
	name: 'source',
	type: 'options',
	options: sourceOptions,
	default: 'website',
	description:
		'Only contacts with this source. An expression may give another one. All contacts are read, however low the limit is: the service has no such filter. Search narrows them down.',
	displayOptions: { show: { '/collection': ['contacts'] } },
};

export const tag: INodeProperties = {
	displayName: 'Tag',
	name: 'tag',
	type: 'string',
	default: '',
	placeholder: 'e.g. customer',
	description:
		'Only contacts with exactly this tag; upper and lower case make different tags. All contacts are read, however low the limit is: the service has no such filter. Search narrows them down.',
	displayOptions: { show: { '/collection': ['contacts'] } },
};

export const options = optionsProperty([
	requestOptions.concurrency,
	email,
	searchParameter,
	source,
	tag,
	requestOptions.timeout,
	{
		displayName: 'Updated After',
		name: 'updatedAfter',
		type: 'dateTime',
		default: '',
		description:
			'Keep only contacts that changed after this moment, and those without a readable date. It takes no fewer requests, as the service sends all contacts. A time without a zone is in that of the workflow.',
		displayOptions: { show: { '/collection': ['contacts'] } },
	},
]);

/** What the user sees of List. */
export const properties: INodeProperties[] = [
	collection,
	returnAll,
	limit,
	{
		displayName: 'Search',
		name: 'search',
		type: 'string',
		default: '',
		placeholder: 'e.g. nathan',
		description:
			'Text that the contacts have to match. Which fields are searched is up to the service.',
		displayOptions: { show: { collection: ['contacts'] } },
	},
	{
		displayName: 'Search Term',
		name: 'searchTerm',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. refund',
		description: 'Text that the articles have to match',
		displayOptions: { show: { collection: ['knowledgeBaseArticles'] } },
	},
	{ ...simplify, displayOptions: { show: { collection: ['contacts'] } } },
	options,
];
