import type { Version } from '../service/contact.mts';
import type { EventName } from '../history.mts';
import type { Collection } from './scope.mts';
import type { Credential } from '../service.mts';
import type { Workspace } from '../service/workspace.mts';

/** Since when something is late that may be. */
export interface Late {
	/** The first moment of the service at which a poll could have seen it. */
	tick: number;
	/** In ms since 1970. */
	at: number;
}

/** One of the things that a trigger may know of a contact after what came out of it. */
export interface ContactBelief {
	/** As which it knows the contact; undefined if not at all. */
	base: Version | undefined;
	late?: Late;
	/** Whether it may not have got as far yet: then anything may come of the contact. */
	isFree?: boolean;
}

/** How many of an activity or task a trigger may know. */
export interface CountBelief {
	count: number;
	late?: Late;
	isFree?: boolean;
}

/**
 * What a trigger may know in a state: what it is afterwards follows from what it knew, what the
 * service had, and what came out. Nothing is ever changed in it, so that n8n can fall back to it.
 */
export interface Knowledge {
	parent?: Knowledge;
	/** The last moment of the service that a poll may have seen. */
	tick: number;
	events: readonly EventName[];
	search: string;
	credential?: Credential;
	workspace?: Workspace;
	/** Undefined while it is not asked for. */
	contacts?: ReadonlyMap<string, ContactBelief[]>;
	activities?: ReadonlyMap<string, CountBelief[]>;
	tasks?: ReadonlyMap<string, CountBelief[]>;
	/** The contacts of which more than one thing may be known, or which differ from it. */
	unsettled: ReadonlySet<string>;
	/** When the list was last in an order that may be taken for one by date, in ms since 1970. */
	looksOrderedAt: number;
	/** Whether the next poll is certain to begin with the first page of the contacts. */
	hasEnded: boolean;
	/** Whether the first reading may not have come to its end. */
	isPartial: boolean;
	/** Whether it may know whose a new key is, although it is taken not to. */
	mayHaveBegun?: boolean;
	/** Since when updates were looked for without a break. */
	updatesSince: number;
	/** How many whole passes it takes until that is over. */
	passesToGo: number;
	/** Whether a reading of all contacts has found some. */
	hasSeenSome: boolean;
	/** How often each collection was read for the first time. */
	beginnings: Readonly<Record<Collection, number>>;
}

/** What a new trigger knows. */
export const nothing: Knowledge = {
	tick: 0,
	events: [],
	search: '',
	unsettled: new Set(),
	looksOrderedAt: -Infinity,
	hasEnded: true,
	isPartial: false,
	updatesSince: 0,
	hasSeenSome: false,
	passesToGo: 0,
	beginnings: { contacts: 0, activities: 0, tasks: 0 },
};

/** Whether a state came of another one, or is it. */
export function comesOf(state: Knowledge, earlier: Knowledge): boolean {
	for (let at: Knowledge | undefined = state; at; at = at.parent) if (at === earlier) return true;
	return false;
}
