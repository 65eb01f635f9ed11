import { isOverTime } from './contacts/contactWalk';
import { ContactWatch } from './contacts/contactWatch';
import { isOfContact } from './events';
import { RosterWatch, rosters, type RosterName } from './rosters/rosterWatch';
import type { Source } from './session';
import type { Settings } from './settings';
import type { StoredState } from './state';
import type { Watch, Whose } from './watch';

/** What a trigger watches, by the names under which it is stored. */
export type Watches = { contacts?: ContactWatch } & Partial<Record<RosterName, RosterWatch>>;

/**
 * What the chosen events are looked for in. What takes longest comes last.
 * @throws UnreadableState for what no watch has stored
 */
export function watchesFor({ events, search }: Settings, state: StoredState): Watches {
	const names = Object.keys(rosters) as RosterName[];
	const wanted = names.filter((name) => events.includes(rosters[name].event));
	const ofContacts = events.filter(isOfContact);
	return {
		...Object.fromEntries(wanted.map((name) => [name, new RosterWatch(name, state[name])])),
		...(ofContacts.length > 0 && {
			contacts: new ContactWatch(ofContacts, search, state.contacts),
		}),
	};
}

/**
 * Gives those that were read: where the time does not suffice, the rest has its turn next time.
 * @throws RequestFailure
 */
export async function readAll(watches: Watch[], source: Source): Promise<Watch[]> {
	const read: Watch[] = [];
	for (const watch of watches) {
		const isRead = await watch.read(source).then(
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

/** What n8n is to store of them. */
export function storedOf(watches: Watches): Partial<StoredState> {
	const entries = Object.entries<Watch>(watches).map(([name, watch]) => [name, watch.stored()]);
	return Object.fromEntries(
		entries.filter(([, stored]) => stored !== undefined),
	) as Partial<StoredState>;
}

/** Whose records several collections of one workspace are: one that is known tells of all. */
export async function whoseAll(watches: Watch[]): Promise<Whose> {
	const all: Whose[] = [];
	for (const watch of watches) all.push(await watch.whose());
	if (all.includes('same')) return 'same';
	return all.includes('others') ? 'others' : 'unknown';
}
