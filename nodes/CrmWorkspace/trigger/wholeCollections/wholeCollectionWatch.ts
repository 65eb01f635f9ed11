/**
 * Watches collections that the service answers whole: activities and overdue tasks. It remembers
 * which records were in the last answer, and for a while those that were in earlier ones, so that a
 * record that is missing once makes no event when it comes back, unless coming back is the event.
 */
import { listWhole } from '../../service/crmWorkspace';
import { yieldToEventLoop } from '../../transport/clock';
import type { AnyRecord } from '../digest';
import type { EventName, PendingEvent } from '../events';
import type { ServiceAccess } from '../session';
import type { Watch, WorkspaceSeen } from '../watch';
import { RecordMemory, type SeenRecord, type StoredRecordMemory } from './recordMemory';

/**
 * The collections that are watched and answered whole: the event that a new record makes, and
 * whether a record that comes back makes another one.
 */
export const watchedCollections = {
	activities: { event: 'activityAdded', comesAgain: false },
	overdueTasks: { event: 'taskOverdue', comesAgain: true },
} as const satisfies Record<string, { event: EventName; comesAgain: boolean }>;

export type WatchedCollection = keyof typeof watchedCollections;

export class WholeCollectionWatch implements Watch {
	private memory: RecordMemory;

	private isFirst: boolean;

	private records?: AnyRecord[];

	/** @throws UnreadableState for what no watch has stored */
	constructor(
		private readonly name: WatchedCollection,
		private readonly before?: StoredRecordMemory,
	) {
		this.memory = new RecordMemory(before);
		this.isFirst = before === undefined;
	}

	async read({ connection }: ServiceAccess): Promise<void> {
		this.records = await listWhole(connection, this.name, Infinity);
	}

	async workspace(): Promise<WorkspaceSeen> {
		const seen = await this.memory.seenIn(this.records ?? []);
		if (seen.length === 0) return 'unknown';
		return seen.some((one) => this.memory.has(one)) ? 'same' : 'other';
	}

	beginAnew(): void {
		this.memory = new RecordMemory();
		this.isFirst = true;
	}

	async newEvents(): Promise<PendingEvent[]> {
		const seen = await this.memory.seenIn(this.records ?? []);
		this.memory.noteAbsent(seen);
		const pendingEvents: PendingEvent[] = [];
		for (const one of seen) {
			await yieldToEventLoop();
			if (this.isEvent(one)) pendingEvents.push(this.pendingEventOf(one));
			else this.memory.remember(one);
		}
		return pendingEvents;
	}

	/** As n8n stores it; undefined as long as it was never read. */
	stored(): StoredRecordMemory | undefined {
		if (this.records) return this.memory.stored();
		return this.isFirst ? undefined : this.before;
	}

	private isEvent(one: SeenRecord): boolean {
		if (this.isFirst) return false;
		return watchedCollections[this.name].comesAgain
			? !this.memory.isPresent(one)
			: !this.memory.has(one);
	}

	private pendingEventOf(one: SeenRecord): PendingEvent {
		const { identity, record, returns } = one;
		return {
			event: watchedCollections[this.name].event,
			record,
			date: NaN,
			parts: [identity, returns],
			remember: () => this.memory.remember(one),
		};
	}
}
