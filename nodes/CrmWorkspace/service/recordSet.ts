import type { IDataObject } from 'n8n-workflow';
import { yieldToEventLoop } from '../transport/eventLoop';
import { momentIn } from './moment';

/**
 * Records, each once, in the order in which they were first met. One that is met again takes the
 * place of what it was. Records that share an id in one answer, which shows one moment, are all
 * kept.
 */
export class RecordSet {
	private readonly groups = new Map<string, IDataObject[]>();

	private readonly versions = new Set<string>();

	private count = 0;

	/** How many records there are. */
	get size(): number {
		return this.count;
	}

	/** The records. */
	records(): IDataObject[] {
		return [...this.groups.values()].flat();
	}

	/** Takes the records of one answer. */
	add(records: IDataObject[]): void {
		for (const [identity, group] of groupedByIdentity(records)) this.put(identity, group);
		for (const record of records) this.versions.add(versionOf(record));
	}

	/** Takes everything of another set, what is here already excepted. */
	async addMissing(other: RecordSet): Promise<void> {
		for (const [identity, group] of other.groups) {
			if (!this.groups.has(identity)) this.put(identity, group);
			await yieldToEventLoop();
		}
		for (const version of other.versions) {
			this.versions.add(version);
			await yieldToEventLoop();
		}
	}

	/** Those that fulfil a condition, as they are now. */
	async filter(isWanted: (record: IDataObject) => boolean): Promise<RecordSet> {
		const wanted = new RecordSet();
		for (const group of this.groups.values()) {
			wanted.add(group.filter(isWanted));
			await yieldToEventLoop();
		}
		return wanted;
	}

	/** Whether the record is there, in whatever state. */
	has(record: IDataObject): boolean {
		return this.groups.has(identityOf(record));
	}

	/** Whether one of these records was added in just this state. */
	sharesOneOf(records: IDataObject[]): boolean {
		return records.some((record) => this.versions.has(versionOf(record)));
	}

	private put(identity: string, group: IDataObject[]): void {
		const known = this.groups.get(identity) ?? [];
		// Of pages read side by side, one that is looked at later may have been read earlier.
		if (known.length > group.length || isOlder(group[0], known[0])) return;
		this.groups.set(identity, group);
		this.count += group.length - known.length;
	}
}

/** The records of one answer as a set. */
export function setOf(records: IDataObject[]): RecordSet {
	const set = new RecordSet();
	set.add(records);
	return set;
}

/** What tells a record from all others. One without an id can only be told by its content. */
export function identityOf(record: IDataObject): string {
	const { id } = record;
	return typeof id === 'string' || typeof id === 'number'
		? `id ${id}`
		: `content ${JSON.stringify(record)}`;
}

function groupedByIdentity(records: IDataObject[]): Map<string, IDataObject[]> {
	const groups = new Map<string, IDataObject[]>();
	for (const record of records) {
		const identity = identityOf(record);
		const group = groups.get(identity);
		if (group) group.push(record);
		else groups.set(identity, [record]);
	}
	return groups;
}

function versionOf(record: IDataObject): string {
	return `${identityOf(record)} ${JSON.stringify(record.updatedAt)}`;
}

function isOlder(one: IDataObject, other: IDataObject | undefined): boolean {
	return momentIn(one.updatedAt) < momentIn(other?.updatedAt);
}
