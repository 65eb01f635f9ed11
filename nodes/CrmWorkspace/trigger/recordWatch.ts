/** Watches a collection that the service returns whole: activities, or overdue tasks. */
import type { IDataObject } from 'n8n-workflow';
import { listWhole } from '../service/crmWorkspace';
import { yieldToEventLoop } from '../transport/clock';
import type { Connection } from '../transport/connection';
import { ExplainedError } from '../transport/failure';
import { computeIdentity, joinRows, splitRows } from './digest';
import type { PendingEvent, Watch } from './events';

/** By the event of a new record: its collection, and whether a record that comes back is an event again. */
export const watchedCollections = {
	activityAdded: { collection: 'activities', returnsAreEvents: false },
	taskOverdue: { collection: 'overdueTasks', returnsAreEvents: true },
} as const;

export type RecordEvent = keyof typeof watchedCollections;

/** Interface: OPEN-10. */
const withoutId = {
	message: 'A record that the trigger watches has no ID',
	advice: "The trigger can't tell such records apart. Remove their event from 'Trigger On'.",
};

/** Of the records that are gone, the ones last seen are remembered. */
const maxGone = 60_000;

/** What n8n stores. A row is the number of times that the record has come back, if it has. */
export interface StoredRecords {
	present: string;
	gone: string;
}

export class RecordWatch implements Watch {
	private present = new Map<string, string>();

	private gone = new Map<string, string>();

	private records?: Map<string, IDataObject>;

	/** @throws TypeError for what no watch has stored */
	constructor(
		private readonly event: RecordEvent,
		private before?: StoredRecords,
	) {
		if (before) [this.present, this.gone] = [splitRows(before.present), splitRows(before.gone)];
	}

	async read(connection: Connection): Promise<void> {
		const records = await listWhole(connection, watchedCollections[this.event].collection);
		this.records = new Map();
		for (const record of records) {
			if (!record.id) throw new ExplainedError(withoutId);
			this.records.set(computeIdentity(record), record);
			await yieldToEventLoop();
		}
	}

	knowsAny(): boolean | undefined {
		const identities = [...(this.records?.keys() ?? [])];
		if (identities.length === 0) return undefined;
		return identities.some((identity) => this.present.has(identity) || this.gone.has(identity));
	}

	beginAgain(): void {
		this.before = undefined;
		this.present = new Map();
		this.gone = new Map();
	}

	async findEvents(): Promise<PendingEvent[]> {
		const events: PendingEvent[] = [];
		const records = this.records!;
		for (const [identity, row] of this.present) {
			if (records.has(identity)) continue;
			this.present.delete(identity);
			this.gone.set(identity, row);
		}
		for (const [identity, record] of records) {
			await yieldToEventLoop();
			if (this.isEvent(identity)) events.push(this.eventOf(identity, record));
			else this.remember(identity);
		}
		return events;
	}

	/** As n8n stores it; undefined if it was never read. */
	stored(): StoredRecords | undefined {
		if (!this.records) return this.before;
		const gone = [...this.gone].slice(-maxGone);
		return { present: joinRows(this.present), gone: joinRows(gone) };
	}

	private isEvent(identity: string): boolean {
		if (!this.before || this.present.has(identity)) return false;
		return watchedCollections[this.event].returnsAreEvents || !this.gone.has(identity);
	}

	private eventOf(identity: string, record: IDataObject): PendingEvent {
		const parts = [identity, this.returnsOf(identity)];
		return { event: this.event, record, date: NaN, parts, remember: () => this.remember(identity) };
	}

	private returnsOf(identity: string): string {
		const before = this.gone.get(identity);
		return before === undefined ? '' : String(Number(before) + 1);
	}

	private remember(identity: string): void {
		if (this.present.has(identity)) return;
		this.present.set(identity, this.returnsOf(identity));
		this.gone.delete(identity);
	}
}
