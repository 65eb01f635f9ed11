/** What a trigger may know in a state: it follows from the polls that have led to the state. */
import type { Version } from '../harness/contacts.mts';
import type { Span } from '../harness/timelines.mts';
import type { EventName, Settings } from './history.mts';
import type { Page, Workspace } from './service.mts';

/** An item of a poll. */
export interface Emission {
	event: EventName;
	key: string;
	record: Record<string, unknown>;
	changedFields?: string[];
}

/** A poll that has returned, and what the service saw of it. */
export interface Poll extends Span {
	number: number;
	settings: Settings;
	emissions: Emission[];
	isFaulty: boolean;
	pages: Page[];
	/** The state that it found. */
	state: string;
	workspace: Workspace;
}

/** What a trigger may know of the contacts. */
export interface KnownContacts {
	/** The moment at which the baseline began. */
	from: number;
	/** The poll since which the same events are chosen. */
	chosen: Poll;
	/** The polls since that read all pages while nothing changed: what was there is known. */
	passes: Poll[];
	/** The pass after which each contact that the trigger doesn't know is new. */
	trusted?: Poll;
	/** By ID: the last version that was emitted, and the number of the poll. */
	emitted: Map<string, { version: Version; number: number }>;
}

/** The last polls, without a gap, for which something holds. */
export function takeLast(polls: readonly Poll[], isOne: (poll: Poll) => boolean): Poll[] {
	return polls.slice(polls.findLastIndex((poll) => !isOne(poll)) + 1);
}

/** Whether two polls have the same events. */
export function isAlike({ settings: one }: Poll, { settings: other }: Poll): boolean {
	return `${one.events}` === `${other.events}`;
}

/**
 * @param polls those that have led to the state
 * @param poll the last of them, or the one that follows
 * @returns undefined if the next poll is the baseline
 */
export function recallContacts(polls: readonly Poll[], poll: Poll): KnownContacts | undefined {
	const watching = takeLast(polls, ({ settings: { events } }) =>
		events.some((event) => event.startsWith('contact')),
	);
	if (watching.length === 0) return undefined;
	const emitted: KnownContacts['emitted'] = new Map();
	for (const one of watching) {
		for (const { record } of one.emissions) {
			const version = findVersion(one, record);
			if (version) emitted.set(String(record.id), { version, number: one.number });
		}
	}
	const since = takeLast(watching, (one) => isAlike(one, poll));
	const passes = since.filter(isPass);
	// One pass is enough if each page counted as many contacts as were read.
	const isCounted = passes[0]?.pages[0].totalCount > 0;
	const [{ from }, trusted] = [watching[0], passes[isCounted ? 0 : 1]];
	return { from, chosen: since[0] ?? poll, passes, trusted, emitted };
}

/** Whether all pages were read, in any order, and nothing changed. */
function isPass({ pages, from, to }: Poll): boolean {
	const { limit, totalCount } = pages[0] ?? { limit: 1, totalCount: 1 };
	const last = Math.max(1, Math.ceil(totalCount / limit));
	// A page past the end, where a pass continues in a list that has shrunk, shows none.
	const read = new Set(pages.map(({ page }) => page).filter((page) => page <= last));
	return from === to && read.size === last;
}

/** The version of a contact that a record shows; undefined if there was none during the poll. */
export function findVersion(poll: Poll, record: Emission['record']): Version | undefined {
	const versions = poll.workspace.contacts.findVersions(String(record.id), poll);
	return versions.find(({ json }) => json === JSON.stringify(record));
}
