import type { INodeProperties } from 'n8n-workflow';
import { collections } from '../../service/collections';
import { requiredWhere } from '../../parameters/requiredWhere';
import { requestOptions } from '../requestOptions';
import { limit as anyLimit } from '../../parameters/limit';
import { simplify } from '../../parameters/simplify';

export const collection: INodeProperties = {
	displayName: 'Collection',
	name: 'collection',
	type: 'options',
	options: Object.entries(collections)
		.map(([value, { label }]) => ({ name: label, value }))
		.sort((one, other) => one.name.localeCompare(other.name)),
	default: 'contacts',
	description:
		'What to list. Of all but contacts and articles the service sends every record in one answer, however low the limit is.',
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
		'Name of the query parameter in which the service expects the search term, which its documentation leaves open',
	displayOptions: { show: { '/collection': ['knowledgeBaseArticles'] } },
};

export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		requestOptions.concurrency,
		searchParameter,
		requestOptions.timeout,
		{
			displayName: 'Updated After',
			name: 'updatedAfter',
			type: 'dateTime',
			default: '',
			description:
				'Keep only contacts that changed after this moment, in the time zone of the workflow if it names none. The service still sends all of them; the others are left out here. One without a readable date counts as changed.',
			displayOptions: { show: { '/collection': ['contacts'] } },
		},
	],
};

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
	...requiredWhere(collection, 'knowledgeBaseArticles', {
		displayName: 'Search Term',
		name: 'searchTerm',
		type: 'string',
		default: '',
		placeholder: 'e.g. refund',
		description: 'Text that the articles have to match',
	}),
	{ ...simplify, displayOptions: { show: { collection: ['contacts'] } } },
	options,
];
