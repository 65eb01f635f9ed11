/** What a trigger may know in a state: it follows from the polls that have led to the state. */
import type { Version } from './contacts.mts';
import type { EventName, Settings } from './history.mts';
import type { SeenPage, Service } from './service.mts';
import type { Span } from './timelines.mts';

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
	pages: SeenPage[];
	/** The state that it found. */
	state: string;
	service: Service;
}

/** What a trigger may know of the contacts. */
export interface KnownContacts {
	/** The moment at which the baseline began. */
	from: number;
	/** How many polls there were since, with the first. */
	polls: number;
	/** The poll since which the same events are chosen. */
	chosen: Poll;
	/** The passes over all pages since, in which no contact changed: what was there is known. */
	passes: Span[];
	/** The moment from which each contact that the trigger doesn't know is new. */
	trustedAt?: number;
	/** By ID: the last version that was emitted, and the number of the poll. */
	told: Map<string, { version: Version; number: number }>;
}

/** The last polls, without a gap, for which something holds. */
export function takeLast(polls: readonly Poll[], isOne: (poll: Poll) => boolean): Poll[] {
	return polls.slice(polls.findLastIndex((poll) => !isOne(poll)) + 1);
}

/** Whether two polls have the same events and the same search. */
export function isAlike({ settings: one }: Poll, { settings: other }: Poll): boolean {
	return `${one.events}` === `${other.events}` && one.search === other.search;
}

/**
 * @param polls those that have led to the state
 * @param poll the last of them, or the one that follows
 * @returns undefined if the next poll is the baseline
 */
export function recallContacts(polls: readonly Poll[], poll: Poll): KnownContacts | undefined {
	const watching = takeLast(polls, ({ settings: { events, search } }) => {
		const watches = events.some((event) => event.startsWith('contact'));
		return watches && search === poll.settings.search;
	});
	if (watching.length === 0) return undefined;
	const told: KnownContacts['told'] = new Map();
	for (const one of watching) {
		for (const { record } of one.emissions) {
			const version = findVersion(one, record);
			if (version) told.set(String(record.id), { version, number: one.number });
		}
	}
	const since = takeLast(watching, (one) => isAlike(one, poll));
	const [{ from }] = watching;
	return { from, polls: watching.length, chosen: since[0] ?? poll, told, ...findPasses(since) };
}

/** Finds the passes over the pages that the service has seen. */
function findPasses(polls: Poll[]): Pick<KnownContacts, 'passes' | 'trustedAt'> {
	const found: Pick<KnownContacts, 'passes' | 'trustedAt'> = { passes: [] };
	let open: { from: number; next: number; number: number } | undefined;
	let trust = 0;
	for (const { pages, number, service } of polls) {
		for (const { page, isLast, total, at } of pages) {
			if (page === 1) open = { from: at, next: 1, number };
			if (!open || page > open.next) continue;
			open.next = Math.max(open.next, page + 1);
			const span = { from: open.from, to: at };
			if (!isLast || !service.contacts.timelines.isStill(span)) continue;
			found.passes.push(span);
			// It's certain after one pass in one poll if each page counted as many as were read.
			const isCounted = service.history.variants.totals === 'both' && open.number === number;
			trust += isCounted && total > 0 ? 2 : 1;
			if (trust >= 2) found.trustedAt ??= at;
			open = undefined;
		}
	}
	return found;
}

/** The version of a contact that a record shows; undefined if there was none during the poll. */
export function findVersion(poll: Poll, record: Emission['record']): Version | undefined {
	const { service, settings } = poll;
	const versions = service.contacts.findVersions(String(record.id), poll, settings.search);
	return versions.find(({ json }) => json === JSON.stringify(record));
}
