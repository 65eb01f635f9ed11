import type { Knowledge } from './knowledge.mts';
import type { SeenPoll } from './seen.mts';
import type { Workspace } from '../service/workspace.mts';

/** Whether a poll goes on with what was known, begins again, or may do either. */
export type Going = 'goes on' | 'begins' | 'may do either';

export const collections = ['contacts', 'activities', 'tasks'] as const;
export type Collection = (typeof collections)[number];

/** Which collections a choice of events is about. */
export function collectionsOf(events: readonly string[]): Collection[] {
	const collections: Collection[] = [];
	if (events.some((event) => event.startsWith('contact'))) collections.push('contacts');
	if (events.includes('activityAdded')) collections.push('activities');
	if (events.includes('taskOverdue')) collections.push('tasks');
	return collections;
}

/** How a poll takes a collection up. */
export function goingOf(before: Knowledge, poll: SeenPoll, collection: Collection): Going {
	if (!before[collection] || !before.credential) return 'begins';
	const { id, baseUrl, mode, apiKey } = poll.credential;
	const old = before.credential;
	if (old.id !== id || old.baseUrl !== baseUrl || old.mode !== mode) return 'begins';
	const withKey = old.apiKey === apiKey ? 'goes on' : goingWithKey(before, poll);
	const byKey = withKey === 'begins' && before.mayHaveBegun ? 'may do either' : withKey;
	if (before.search === poll.settings.search || byKey === 'begins') return byKey;
	// Whether a search is anything to other collections is left open.
	return collection === 'contacts' ? 'begins' : 'may do either';
}

/** Whether a poll has left open whose a new key is: as long as there are no records, no one knows. */
export function leavesOpen(before: Knowledge, poll: SeenPoll): boolean {
	if (!before.credential || before.credential.apiKey === poll.credential.apiKey) return false;
	const watched = collectionsOf(poll.settings.events);
	const isEmpty = watched.every((one) => namesIn(poll.workspace, one, poll.from).length === 0);
	return isEmpty && watched.some((one) => goingOf(before, poll, one) !== 'begins');
}

/** Whether records came while a poll looked whose a new key is. */
export function mayHaveBegun(before: Knowledge, poll: SeenPoll): boolean {
	const watched = collectionsOf(poll.settings.events);
	const isNone = watched.every((one) => namesIn(poll.workspace, one, poll.to).length === 0);
	return leavesOpen(before, poll) && !isNone;
}

/** No one can tell a key of the same records from another one where there were none. */
function goingWithKey(before: Knowledge, poll: SeenPoll): Going {
	const both = collectionsOf(before.events).filter((collection) =>
		collectionsOf(poll.settings.events).includes(collection),
	);
	const old = before.workspace!;
	if (old === poll.workspace) {
		const isSame = both.every((collection) => {
			const earlier = namesIn(old, collection, before.tick).filter((name) =>
				isKnown(before, collection, name),
			);
			const now = new Set(namesIn(poll.workspace, collection, poll.from));
			const kept = earlier.filter((name) => now.has(name)).length;
			return kept > 0 && kept * 2 >= earlier.length;
		});
		// In a search others may be found than are there.
		return isSame && !before.search ? 'goes on' : 'may do either';
	}
	const isOther = both.every(
		(collection) =>
			namesIn(old, collection, before.tick).length > 0 &&
			namesIn(poll.workspace, collection, poll.from).length > 0,
	);
	return isOther && both.length > 0 && !before.search ? 'begins' : 'may do either';
}

/** Whether it is certain that a record was met. */
function isKnown(before: Knowledge, collection: Collection, name: string): boolean {
	if (collection !== 'contacts') {
		return before[collection]?.get(name)?.every(({ count }) => count > 0) ?? false;
	}
	return before.contacts?.get(name)?.every(({ base }) => base) ?? false;
}

function namesIn(workspace: Workspace, collection: Collection, moment: number): string[] {
	const { timelines } = workspace[collection];
	return [...timelines.names].filter((name) =>
		timelines.during(name, moment, moment).some((value: unknown) => Boolean(value)),
	);
}
