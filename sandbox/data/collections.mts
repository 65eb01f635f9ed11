import type { StoredRecord } from './records.mts';

/** How the service lists a collection. */
export interface Listing {
	path: string;
	/** Which records of it are listed; all unless told. */
	includes?: (record: StoredRecord, now: string) => boolean;
}

/**
 * What a workspace holds besides contacts and messages, and its list without pages, if it has one.
 * Interface: WHOLE-4, WHOLE-5, WHOLE-6, WHOLE-7.
 */
export const collections = {
	templates: undefined,
	channels: undefined,
	widgets: { path: '/widgets' },
	activities: { path: '/activities' },
	tasks: { path: '/tasks/overdue', includes: isOverdue },
	categories: { path: '/knowledge-base/categories' },
	articles: undefined,
} as const satisfies Record<string, Listing | undefined>;
export type Collection = keyof typeof collections;

export const collectionNames = Object.keys(collections) as Collection[];

/** The lists without pages, each with the name of its collection. */
export const unpaginatedLists = collectionNames.flatMap((collection) => {
	const listing: Listing | undefined = collections[collection];
	return listing ? [{ collection, ...listing }] : [];
});

/** Whether a task is listed, which the clock decides. Interface: WHOLE-6. */
function isOverdue({ completedAt, dueAt }: StoredRecord, now: string): boolean {
	return !completedAt && String(dueAt) < now;
}
