import { listWhole } from '../../service/crmWorkspace';
import type { Connection } from '../../transport/connection';
import { yieldToEventLoop } from '../../transport/eventLoop';
import type { EventName, Sighting } from '../events';
import { Roster, type Member, type StoredRoster } from './roster';

/** A collection that is answered whole, the event that it tells, and whether one may come again. */
export const rosters = {
	activities: { event: 'activityAdded', comesAgain: false },
	overdueTasks: { event: 'taskOverdue', comesAgain: true },
} as const satisfies Record<string, { event: EventName; comesAgain: boolean }>;

export type RosterName = keyof typeof rosters;

/** The records of a collection that is answered whole. */
export class RosterWatch {
	private roster: Roster;

	private isFirst: boolean;

	/** Whether it is known whose records these are: an empty list does not tell. */
	isDecided = true;

	/** @throws UnreadableState for what no watch has stored */
	constructor(
		private readonly name: RosterName,
		stored?: StoredRoster,
	) {
		this.roster = new Roster(stored);
		this.isFirst = stored === undefined;
	}

	/**
	 * Looks for news.
	 * @param mayBeOthers whether these may be the records of somebody else than those of the last
	 * poll: if none of them is known, everything begins anew
	 * @throws RequestFailure
	 */
	async look(connection: Connection, mayBeOthers: boolean): Promise<Sighting[]> {
		const records = await listWhole(connection, this.name, Infinity);
		let members = await this.roster.membersOf(records);
		this.isDecided = !mayBeOthers || members.length > 0;
		if (mayBeOthers && this.isDecided && !this.knowsOneOf(members)) {
			this.beginAnew();
			members = await this.roster.membersOf(records);
		}
		this.roster.noteAbsent(members);
		const sightings: Sighting[] = [];
		for (const member of members) {
			await yieldToEventLoop();
			if (this.isNews(member)) sightings.push(this.sightingOf(member));
			else this.roster.note(member);
		}
		return sightings;
	}

	/** As n8n stores it. */
	stored(): StoredRoster {
		return this.roster.stored();
	}

	private isNews(member: Member): boolean {
		if (this.isFirst) return false;
		return rosters[this.name].comesAgain
			? !this.roster.isPresent(member)
			: !this.roster.has(member);
	}

	private sightingOf(member: Member): Sighting {
		const { identity, record, returns } = member;
		return {
			event: rosters[this.name].event,
			record,
			date: NaN,
			parts: [identity, returns],
			note: () => this.roster.note(member),
		};
	}

	private knowsOneOf(members: Member[]): boolean {
		return members.some((member) => this.roster.has(member));
	}

	private beginAnew(): void {
		this.roster = new Roster();
		this.isFirst = true;
	}
}
