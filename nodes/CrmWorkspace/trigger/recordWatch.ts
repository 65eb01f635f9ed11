/** Watches a collection that the service returns whole: activities, or overdue tasks. */
import { listWhole } from '../api/endpoints';
import { parseTime } from '../api/formats';
import type { Client, JsonObject } from '../client/request';
import { yieldToEventLoop } from '../common/tasks';
import { ExplainedError } from '../common/text';
import { computeIdentity, digest, joinRows, splitRows, type PendingEvent } from './events';
import { texts } from './texts';

/**
 * By the event of a new record: its collection, and whether a record that comes back with other
 * content is an event again.
 */
export const watchedCollections = {
	activityAdded: { collection: 'activities', returnsAreEvents: false },
	taskOverdue: { collection: 'overdueTasks', returnsAreEvents: true },
} as const;

type RecordEvent = keyof typeof watchedCollections;

/** Of the records that are gone, the ones last seen are remembered. */
const maxGone = 60_000;

/** Characters of the digest of a record's content, of six bits each. */
const contentLength = 6;

/**
 * What n8n stores. A row has the digest of the record's content, and the number of times that it has
 * come back with another one, if it has; nothing if that isn't an event.
 */
export interface StoredRecords {
	present: string;
	gone: string;
}

/** As `ContactWatch`, whose methods have the same meaning. */
export class RecordWatch {
	private present = new Map<string, string>();

	private gone = new Map<string, string>();

	private records?: Map<string, JsonObject>;

	/** @throws TypeError for what no watch has stored */
	constructor(
		private readonly event: RecordEvent,
		private before?: StoredRecords,
	) {
		if (before) [this.present, this.gone] = [splitRows(before.present), splitRows(before.gone)];
	}

	async read(client: Client): Promise<void> {
		const records = await listWhole(client, watchedCollections[this.event].collection);
		this.records = new Map();
		for (const record of records) {
			if (!record.id) throw new ExplainedError(texts.withoutId);
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
			if (this.isEvent(identity, record)) events.push(this.eventOf(identity, record));
			else this.remember(identity, record, this.returnsOf(identity));
		}
		return events;
	}

	/** As n8n stores it; undefined if it was never read. */
	stored(): StoredRecords | undefined {
		if (!this.records) return this.before;
		const gone = [...this.gone].slice(-maxGone);
		return { present: joinRows(this.present), gone: joinRows(gone) };
	}

	private isEvent(identity: string, record: JsonObject): boolean {
		if (!this.before || this.present.has(identity)) return false;
		const row = this.gone.get(identity);
		return row === undefined || !row.startsWith(this.contentOf(record));
	}

	private eventOf(identity: string, record: JsonObject): PendingEvent {
		const returns = this.gone.has(identity) ? String(Number(this.returnsOf(identity)) + 1) : '';
		const remember = () => this.remember(identity, record, returns);
		const date = parseTime(record.createdAt);
		return { event: this.event, record, date, parts: [identity, returns], remember };
	}

	private contentOf(record: JsonObject): string {
		const { returnsAreEvents } = watchedCollections[this.event];
		return returnsAreEvents ? digest(record, contentLength) : '';
	}

	private returnsOf(identity: string): string {
		const row = this.present.get(identity) ?? this.gone.get(identity) ?? '';
		return row.slice(contentLength);
	}

	private remember(identity: string, record: JsonObject, returns: string): void {
		this.present.set(identity, this.contentOf(record) + returns);
		this.gone.delete(identity);
	}
}
