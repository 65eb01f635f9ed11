import type { StoredRecord } from './records.mts';
import type { Maker } from './seed.mts';
import * as seeded from './seededRecords.mts';

/** Records of one kind. */
export interface RecordKind {
	/** Those that a workspace has at the start. */
	seeded: (maker: Maker) => StoredRecord[];
	/** The path of their list without pages, if there is one. */
	path?: string;
	/** Which of them are listed there; all by default. */
	includes?: (record: StoredRecord, now: string) => boolean;
}

/**
 * The data of a workspace besides contacts and messages. Each kind can depend on those above it.
 * Interface: WHOLE-4, WHOLE-5, WHOLE-6, WHOLE-7.
 */
export const recordKinds = {
	templates: { seeded: seeded.templates },
	channels: { seeded: seeded.channels },
	widgets: { seeded: seeded.widgets, path: '/widgets' },
	activities: { seeded: seeded.activities, path: '/activities' },
	tasks: { seeded: seeded.tasks, path: '/tasks/overdue', includes: isOverdue },
	categories: { seeded: seeded.categories, path: '/knowledge-base/categories' },
	articles: { seeded: seeded.articles },
} as const satisfies Record<string, RecordKind>;
export type RecordKindName = keyof typeof recordKinds;

export const recordKindNames = Object.keys(recordKinds) as RecordKindName[];

/** The lists without pages, each with the name of its collection. */
export const unpaginatedLists = recordKindNames.flatMap((collection) => {
	const { path, includes }: RecordKind = recordKinds[collection];
	return path === undefined ? [] : [{ collection, path, includes }];
});

/** Whether a task is listed, which the clock decides. Interface: WHOLE-6. */
function isOverdue({ completedAt, dueAt }: StoredRecord, now: string): boolean {
	return !completedAt && String(dueAt) < now;
}
