import type { INodeParameters } from 'n8n-workflow';
import type { Collection } from '../../../nodes/CrmWorkspace/api/records';

/** What the interface says of a collection. */
interface Listed {
	path: string;
	/** Whether one answer holds all of it, whatever is asked. */
	isWhole: boolean;
	/** What List needs besides the name of the collection. */
	parameters: INodeParameters;
	/** The query of the first request for so many records. */
	query: (limit: string) => Record<string, string>;
	/** The path of the sandbox's controls that shows its records. */
	control: string;
	/** How many of them a sandbox lists from the start; of contacts, the number that it is started with. */
	seeded?: number;
}

/** A sandbox lists no fewer of any: so many can be asked of each. */
export const leastSeeded = 3;

const whole = { isWhole: true, parameters: {}, query: () => ({}) };

/** The collections of the interface, by the names that users save: no name here may ever change. */
export const collections: Record<Collection, Listed> = {
	contacts: {
		path: '/contacts',
		isWhole: false,
		parameters: {},
		query: (limit) => ({ page: '1', limit }),
		control: '/contacts',
	},
	activities: {
		...whole,
		path: '/activities',
		control: '/records/activities',
		seeded: 120,
	},
	widgets: {
		...whole,
		path: '/widgets',
		control: '/records/widgets',
		seeded: 5,
	},
	overdueTasks: {
		...whole,
		path: '/tasks/overdue',
		control: '/records/tasks',
		seeded: 7,
	},
	knowledgeBaseCategories: {
		...whole,
		path: '/knowledge-base/categories',
		control: '/records/categories',
		seeded: 5,
	},
	knowledgeBaseArticles: {
		path: '/knowledge-base/articles/search',
		isWhole: false,
		parameters: { searchTerm: 'how' },
		query: (limit) => ({ q: 'how', limit }),
		control: '/records/articles',
		seeded: 40,
	},
};

/** Those that one answer holds. */
export const wholeCollections = Object.values(collections).filter(({ isWhole }) => isWhole);
