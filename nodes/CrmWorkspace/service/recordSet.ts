import type { IDataObject } from 'n8n-workflow';
import { yieldToEventLoop } from './eventLoop';
import { momentIn } from './moment';

/**
 * Records, each once, in the order in which they were first met. One that is met again takes the
 * place of what it was. Records that share an id in one answer, which shows one moment, are all
 * kept.
 */
export class RecordSet {
	private readonly groups = new Map<string, IDataObject[]>();

	/** All versions of a record but that of the first of its group, by identity. */
	private readonly otherVersions = new Map<string, Set<string>>();

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
	}

	/** Takes everything of another set, what is here already excepted. */
	async addMissing(other: RecordSet): Promise<void> {
		for (const [identity, group] of other.groups) {
			const known = this.groups.get(identity);
			if (!known) this.put(identity, group);
			else this.noteVersions(identity, group);
			await yieldToEventLoop();
		}
		for (const [identity, versions] of other.otherVersions) {
			for (const version of versions) this.noteVersion(identity, version);
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
		return records.some((record) => {
			const identity = identityOf(record);
			const version = versionOf(record);
			const first = this.groups.get(identity)?.[0];
			if (first && versionOf(first) === version) return true;
			return this.otherVersions.get(identity)?.has(version) ?? false;
		});
	}

	private put(identity: string, group: IDataObject[]): void {
		const known = this.groups.get(identity);
		// Of pages read side by side, one that is looked at later may have been read earlier.
		if (known && (known.length > group.length || isOlder(group[0], known[0]))) {
			this.noteVersions(identity, group);
			return;
		}
		this.groups.set(identity, group);
		this.count += group.length - (known?.length ?? 0);
		if (known) this.noteVersions(identity, known);
		if (group.length > 1) this.noteVersions(identity, group);
	}

	private noteVersions(identity: string, records: IDataObject[]): void {
		const first = this.groups.get(identity)![0];
		for (const record of records) {
			if (record !== first) this.noteVersion(identity, versionOf(record));
		}
	}

	private noteVersion(identity: string, version: string): void {
		const known = this.otherVersions.get(identity);
		if (known) known.add(version);
		else this.otherVersions.set(identity, new Set([version]));
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
	if (typeof id === 'number') return String(id);
	if (typeof id !== 'string') return `content ${JSON.stringify(record)}`;
	// An id as it is makes no new text; one that could be taken for something else is marked.
	return /^(id|content) /.test(id) ? `id ${id}` : id;
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

/** What tells a record from what it was before. */
function versionOf({ updatedAt }: IDataObject): string {
	return JSON.stringify(updatedAt) ?? '';
}

function isOlder(one: IDataObject, other: IDataObject): boolean {
	return one.updatedAt !== other.updatedAt && momentIn(one.updatedAt) < momentIn(other.updatedAt);
}
