/** The collections that the interface lists, as the List operation names them. */
export type Collection =
	| 'contacts'
	| 'activities'
	| 'widgets'
	| 'overdueTasks'
	| 'knowledgeBaseCategories'
	| 'knowledgeBaseArticles';

/** Interface, "Unpaginated list endpoints": those that answer with `{ "data": [ … ] }`. */
export const unpaginatedPaths = {
	activities: '/activities',
	widgets: '/widgets',
	overdueTasks: '/tasks/overdue',
	knowledgeBaseCategories: '/knowledge-base/categories',
} as const satisfies Partial<Record<Collection, string>>;

/** A collection of `unpaginatedPaths`. */
export type UnpaginatedCollection = keyof typeof unpaginatedPaths;
