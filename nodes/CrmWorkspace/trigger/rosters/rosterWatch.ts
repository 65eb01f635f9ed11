import { listWhole } from '../../service/crmWorkspace';
import { yieldToEventLoop } from '../../transport/eventLoop';
import type { AnyRecord } from '../digest';
import type { EventName, Sighting } from '../events';
import type { Source } from '../session';
import type { Watch, Whose } from '../watch';
import { Roster, type Member, type StoredRoster } from './roster';

/** A collection that is answered whole, the event that it tells, and whether one may come again. */
export const rosters = {
	activities: { event: 'activityAdded', comesAgain: false },
	overdueTasks: { event: 'taskOverdue', comesAgain: true },
} as const satisfies Record<string, { event: EventName; comesAgain: boolean }>;

export type RosterName = keyof typeof rosters;

/** The records of a collection that is answered whole. */
export class RosterWatch implements Watch {
	private roster: Roster;

	private isFirst: boolean;

	private records?: AnyRecord[];

	/** @throws UnreadableState for what no watch has stored */
	constructor(
		private readonly name: RosterName,
		private readonly before?: StoredRoster,
	) {
		this.roster = new Roster(before);
		this.isFirst = before === undefined;
	}

	async read({ connection }: Source): Promise<void> {
		this.records = await listWhole(connection, this.name, Infinity);
	}

	async whose(): Promise<Whose> {
		const members = await this.roster.membersOf(this.records ?? []);
		if (members.length === 0) return 'unknown';
		return members.some((member) => this.roster.has(member)) ? 'same' : 'others';
	}

	beginAnew(): void {
		this.roster = new Roster();
		this.isFirst = true;
	}

	async news(): Promise<Sighting[]> {
		const members = await this.roster.membersOf(this.records ?? []);
		this.roster.noteAbsent(members);
		const sightings: Sighting[] = [];
		for (const member of members) {
			await yieldToEventLoop();
			if (this.isNews(member)) sightings.push(this.sightingOf(member));
			else this.roster.note(member);
		}
		return sightings;
	}

	/** As n8n stores it; nothing as long as it was never read. */
	stored(): StoredRoster | undefined {
		if (this.records) return this.roster.stored();
		return this.isFirst ? undefined : this.before;
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
}
