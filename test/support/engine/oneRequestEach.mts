import type { INodeParameters } from 'n8n-workflow';

/** The id of a contact that no sandbox has. */
export const unknownContact = '00000000-0000-4000-8000-000000000000';

/** One run of each operation that makes one request. */
export const oneRequestEach = {
	'Send Transactional Email': {
		operation: 'sendTransactionalEmail',
		to: 'ada.lovelace@example.com',
		templateSlug: 'welcome',
		variables: { variable: [{ name: 'firstName', value: 'Ada' }] },
	},
	'Update Contact': {
		operation: 'updateContact',
		contact: { __rl: true, mode: 'id', value: unknownContact },
		fields: {
			mappingMode: 'defineBelow',
			value: { jobTitle: 'Analyst' },
			matchingColumns: [],
			schema: [],
		},
	},
	List: { operation: 'list', collection: 'contacts', limit: 10 },
	'List of articles': {
		operation: 'list',
		collection: 'knowledgeBaseArticles',
		searchTerm: 'contact',
	},
	'List in one piece': { operation: 'list', collection: 'widgets' },
} as const satisfies Record<string, INodeParameters>;

/** The request that each of `oneRequestEach` makes. */
export const requestOf: Record<keyof typeof oneRequestEach, string> = {
	'Send Transactional Email': 'POST /transactional/send',
	'Update Contact': `PUT /contacts/${unknownContact}`,
	List: 'GET /contacts',
	'List of articles': 'GET /knowledge-base/articles/search',
	'List in one piece': 'GET /widgets',
};
