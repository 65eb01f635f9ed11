/** How the service answers a request for a collection. Interface: LIST-1, WHOLE-1, ARTICLE-2. */
type Answer =
	/** A page of it. */
	| 'page'
	/** Every record as `{ "data": [ … ] }`. */
	| 'whole'
	/** What matches a search term, up to a limit. */
	| 'matches';

/**
 * The collections that the interface lists, by their names in saved workflows. A further one that
 * is answered whole needs nothing more than its entry.
 *
 * Interface: WORK-2, LIST-12, WHOLE-4, WHOLE-5, WHOLE-6, WHOLE-7, ARTICLE-1, OPEN-1.
 */
export const collections = {
	contacts: { label: 'Contacts', path: '/contacts', answer: 'page' },
	activities: { label: 'Activities', path: '/activities', answer: 'whole' },
	widgets: { label: 'Widgets', path: '/widgets', answer: 'whole' },
	overdueTasks: { label: 'Overdue Tasks', path: '/tasks/overdue', answer: 'whole' },
	knowledgeBaseCategories: {
		label: 'Knowledge Base Categories',
		path: '/knowledge-base/categories',
		answer: 'whole',
	},
	knowledgeBaseArticles: {
		label: 'Knowledge Base Articles',
		path: '/knowledge-base/articles/search',
		answer: 'matches',
	},
} as const satisfies Record<string, { label: string; path: string; answer: Answer }>;

export type Collection = keyof typeof collections;

/** One that is answered whole. */
export type WholeCollection = {
	[Name in Collection]: (typeof collections)[Name]['answer'] extends 'whole' ? Name : never;
}[Collection];
