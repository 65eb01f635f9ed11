import type { Version } from './contacts.mts';
import type { EventName, Settings } from './history.mts';
import type { SeenPage, Service } from './service.mts';
import type { Span } from './timeline.mts';

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
	credentialId: number;
	emissions: Emission[];
	isFaulty: boolean;
	pages: SeenPage[];
	/** The state that it found. */
	state: string;
	service: Service;
}

/** What a trigger may know of the contacts in a state. */
export interface KnownContacts {
	/** The moment at which the baseline began. */
	from: number;
	/** How many polls there were since, with the first. */
	polls: number;
	/** The poll since which the same events are chosen, and the moment at which it ended. */
	chosen: { poll: number; at: number };
	/** A pass over the pages that hasn't reached the end. */
	open?: { from: number; nextPage: number; poll: number };
	/** The passes since, in which no contact changed: what was there is known. */
	passes: Span[];
	/** From 2, each contact that the trigger doesn't know is new. */
	trust: number;
	/** The moment at which it was so. */
	trustedAt?: number;
	/** By ID: the last version that was emitted. */
	told: ReadonlyMap<string, { version: Version; poll: number }>;
	keys: ReadonlySet<string>;
}

/** What a trigger may know of the activities or tasks in a state. */
export interface KnownEntries {
	/** The moment at which the baseline began. */
	from: number;
	/** The polls that certainly read them. */
	polls: ReadonlyArray<Span & { number: number }>;
	told: ReadonlyArray<{ json: string; poll: number }>;
	keys: ReadonlySet<string>;
}

/** What a trigger may know in a state. It's never changed, because n8n can fall back to it. */
export interface Knowledge {
	settings?: Settings;
	credentialId?: number;
	contacts?: KnownContacts;
	activities?: KnownEntries;
	overdueTasks?: KnownEntries;
}

export const noKnowledge: Knowledge = {};

/** By collection: the event of a new record. */
export const entryEvents = { activities: 'activityAdded', overdueTasks: 'taskOverdue' } as const;

const contactEvents = (events: EventName[]) => events.filter((one) => one.startsWith('contact'));

/** What a poll leaves of what was known before; what isn't watched any more is forgotten. */
export function recall(before: Knowledge, { settings, credentialId }: Poll): Knowledge {
	if (before.credentialId !== credentialId) return noKnowledge;
	const { events, search } = settings;
	const isWatched = contactEvents(events).length > 0 && before.settings!.search === search;
	return {
		settings: before.settings,
		contacts: isWatched ? before.contacts : undefined,
		activities: events.includes('activityAdded') ? before.activities : undefined,
		overdueTasks: events.includes('taskOverdue') ? before.overdueTasks : undefined,
	};
}

/** What a trigger may know after a poll. @param known what the poll left of what was known */
export function learn(known: Knowledge, poll: Poll): Knowledge {
	const { settings, credentialId } = poll;
	const { events } = settings;
	const { activities, overdueTasks } = known;
	return {
		settings,
		credentialId,
		contacts: contactEvents(events).length > 0 ? learnContacts(known, poll) : undefined,
		activities: events.includes('activityAdded')
			? learnEntries(activities, 'activityAdded', poll)
			: undefined,
		overdueTasks: events.includes('taskOverdue')
			? learnEntries(overdueTasks, 'taskOverdue', poll)
			: undefined,
	};
}

function learnEntries(
	before: KnownEntries | undefined,
	event: EventName,
	{ number, from, to, isFaulty, emissions }: Poll,
): KnownEntries {
	const known = before ?? { from, polls: [], told: [], keys: new Set() };
	const own = emissions.filter((one) => one.event === event);
	return {
		from: known.from,
		polls: isFaulty ? known.polls : [...known.polls, { number, from, to }],
		told: [...known.told, ...own.map(({ record }) => ({ json: toJson(record), poll: number }))],
		keys: new Set([...known.keys, ...own.map(({ key }) => key)]),
	};
}

function learnContacts({ contacts, settings: old }: Knowledge, poll: Poll): KnownContacts {
	const { number, from, to, settings, emissions } = poll;
	const isSame =
		contacts && `${contactEvents(old!.events)}` === `${contactEvents(settings.events)}`;
	const chosenNow = { poll: number, at: to };
	const nothing = { chosen: chosenNow, passes: [], trust: 0, keys: new Set<string>() };
	const known: KnownContacts = isSame
		? contacts
		: {
				from,
				polls: 0,
				told: new Map(),
				...contacts,
				...nothing,
				open: undefined,
				trustedAt: undefined,
			};
	const own = emissions.filter(({ event }) => event.startsWith('contact'));
	const told = new Map(known.told);
	for (const { record } of own) {
		told.set(String(record.id), { version: findVersion(poll, record)!, poll: number });
	}
	const keys = new Set([...known.keys, ...own.map(({ key }) => key)]);
	return { ...followPasses(known, poll), polls: known.polls + 1, told, keys };
}

/** Follows the passes over the pages that the service has seen. */
function followPasses(known: KnownContacts, { number, pages, service }: Poll): KnownContacts {
	let { open, passes, trust, trustedAt } = known;
	const { timelines } = service.contacts;
	for (const { page, isLast, at } of pages) {
		if (page === 1) open = { from: at, nextPage: 1, poll: number };
		if (!open || page > open.nextPage) continue;
		open = { ...open, nextPage: Math.max(open.nextPage, page + 1) };
		const span = { from: open.from, to: at };
		if (!isLast || !timelines.isStill(span)) continue;
		passes = [...passes, span];
		trust += service.countsAll && open.poll === number && isFilled(span, service) ? 2 : 1;
		if (trust >= 2) trustedAt ??= at;
		open = undefined;
	}
	return { ...known, open, passes, trust, trustedAt };
}

function isFilled({ from }: Span, { contacts: { timelines } }: Service): boolean {
	return timelines.names.some((id) => timelines.at(id, from));
}

/** The version of a contact that a record shows; undefined if there was none during the poll. */
export function findVersion(poll: Poll, record: Emission['record']): Version | undefined {
	const { service, settings } = poll;
	const json = toJson(record);
	return service.contacts
		.findVersions(String(record.id), poll, settings.search)
		.find((version) => version.json === json);
}

/** A record as the service wrote it. */
export function toJson(record: Emission['record']): string {
	return JSON.stringify(record);
}
