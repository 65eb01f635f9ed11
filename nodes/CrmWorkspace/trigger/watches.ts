import { isOverTime } from './contacts/contactPages';
import { ContactWatch } from './contacts/contactWatch';
import { isOfContact } from './events';
import {
	WholeCollectionWatch,
	watchedCollections,
	type WatchedCollection,
} from './wholeCollections/wholeCollectionWatch';
import type { ServiceAccess } from './session';
import type { Settings } from './settings';
import type { StoredState } from './state';
import type { Watch, WorkspaceSeen } from './watch';

/** The watches of a trigger, by the names under which their state is stored. */
export type Watches = { contacts?: ContactWatch } & Partial<
	Record<WatchedCollection, WholeCollectionWatch>
>;

/**
 * The watches for the chosen events. Contacts come last, because they take longest.
 * @throws UnreadableState if the stored state is not one that a watch has stored
 */
export function watchesFor({ events, search, fields }: Settings, state: StoredState): Watches {
	const names = Object.keys(watchedCollections) as WatchedCollection[];
	const wanted = names.filter((name) => events.includes(watchedCollections[name].event));
	const ofContacts = events.filter(isOfContact);
	return {
		...Object.fromEntries(
			wanted.map((name) => [name, new WholeCollectionWatch(name, state[name])]),
		),
		...(ofContacts.length > 0 && {
			contacts: new ContactWatch({ events: ofContacts, search, fields }, state.contacts),
		}),
	};
}

/**
 * Reads the watches and returns those for which the time was enough: the next poll reads the
 * others.
 * @throws RequestFailure
 */
export async function readAll(
	watches: Watch[],
	access: ServiceAccess,
	mayBeOtherWorkspace: boolean,
): Promise<Watch[]> {
	const read: Watch[] = [];
	for (const watch of watches) {
		const isRead = await watch.read(access, mayBeOtherWorkspace).then(
			() => true,
			(error: unknown) => {
				if (read.length === 0 || !isOverTime(error)) throw error;
			},
		);
		if (!isRead) break;
		read.push(watch);
	}
	return read;
}

/** The state of all watches, as n8n stores it. */
export function storedOf(watches: Watches): Partial<StoredState> {
	const entries = Object.entries<Watch>(watches).map(([name, watch]) => [name, watch.stored()]);
	return Object.fromEntries(
		entries.filter(([, stored]) => stored !== undefined),
	) as Partial<StoredState>;
}

/**
 * Which workspace several watches have read: a single known record decides for all of them.
 */
export async function workspaceOf(watches: Watch[]): Promise<WorkspaceSeen> {
	const all: WorkspaceSeen[] = [];
	for (const watch of watches) all.push(await watch.workspace());
	if (all.includes('same')) return 'same';
	return all.includes('other') ? 'other' : 'unknown';
}
