/**
 * The collections that the interface lists, by their names in saved workflows. A further one of which
 * the service returns every record at once needs nothing more than its entry.
 *
 * Interface: WORK-2, LIST-1, LIST-12, WHOLE-1, WHOLE-4, WHOLE-5, WHOLE-6, WHOLE-7, ARTICLE-1,
 * ARTICLE-2, OPEN-1.
 */
export const collections = {
	contacts: { label: 'Contacts', path: '/contacts' },
	activities: { label: 'Activities', path: '/activities' },
	widgets: { label: 'Widgets', path: '/widgets' },
	overdueTasks: { label: 'Overdue Tasks', path: '/tasks/overdue' },
	knowledgeBaseCategories: {
		label: 'Knowledge Base Categories',
		path: '/knowledge-base/categories',
	},
	knowledgeBaseArticles: {
		label: 'Knowledge Base Articles',
		path: '/knowledge-base/articles/search',
	},
} as const;

export type Collection = keyof typeof collections;

/** One of which the service returns every record at once. */
export type WholeCollection = Exclude<Collection, 'contacts' | 'knowledgeBaseArticles'>;
