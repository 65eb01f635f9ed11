import { quickRandom } from '../../harness/random.mts';
import { Contacts } from './contacts.mts';
import { Entries } from './entries.mts';
import type { Act, History } from '../history.mts';

/** Counts the changes in all workspaces of a life, so that they and the polls have one order. */
export class Ticks {
	now = 0;
}

/** What one credential shows of the service: its contacts, activities and overdue tasks. */
export class Workspace {
	readonly name: string;
	readonly contacts: Contacts;
	readonly activities: Entries;
	readonly tasks: Entries;

	/** @param time of the service, now */
	constructor(name: string, history: History, ticks: Ticks, time: () => number) {
		const random = quickRandom(history.chance + (name === 'A' ? 0 : 7_777));
		const common = { history, ticks, random, time };
		this.name = name;
		this.contacts = new Contacts(common, name);
		this.activities = new Entries(common, 'activity', name, history.activities);
		this.tasks = new Entries(common, 'task', name, history.tasks);
	}

	/** @returns what was done, in words; undefined if there was nothing to do it to */
	act(act: Act): string | undefined {
		const { kind } = act;
		if (kind.includes('activity')) return this.activities.act(act);
		if (kind.startsWith('task')) return this.tasks.act(act);
		return this.contacts.act(act);
	}
}

/** What the records of a workspace need to change. */
export interface Common {
	history: History;
	ticks: Ticks;
	random: () => number;
	time: () => number;
}
