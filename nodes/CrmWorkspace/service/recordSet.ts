import type { IDataObject } from 'n8n-workflow';

/**
 * Records, each once, in the order in which they were first met. One that is met again in a newer
 * state (its `updatedAt` differs) takes the place of the older one. Records that share an id but
 * are not shown to be states of one record are all kept: several in one answer, which shows one
 * moment, or with the same `updatedAt` and other content.
 */
export class RecordSet {
	private readonly groups = new Map<string, IDataObject[]>();

	private readonly versions = new Set<string>();

	/** The records. */
	records(): IDataObject[] {
		return [...this.groups.values()].flat();
	}

	/** Takes the records of one answer, which is newer than those taken before. */
	add(records: IDataObject[]): void {
		for (const [identity, group] of groupedByIdentity(records)) {
			const known = this.groups.get(identity) ?? [];
			const others = known.filter((one) => !group.some((newer) => isStateOf(newer, one)));
			this.groups.set(identity, [...others, ...group]);
		}
		for (const record of records) this.versions.add(versionOf(record));
	}

	/** Takes those records of an older set that are not in this one. */
	addMissing(older: RecordSet): void {
		for (const [identity, group] of older.groups) {
			if (!this.groups.has(identity)) this.groups.set(identity, group);
		}
		for (const version of older.versions) this.versions.add(version);
	}

	/** Whether the record is there, in whatever state. */
	has(record: IDataObject): boolean {
		return this.groups.has(identityOf(record));
	}

	/** Whether one of these records is there in just this state. */
	sharesOneOf(records: IDataObject[]): boolean {
		return records.some((record) => this.versions.has(versionOf(record)));
	}
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

/** A record without an id can only be told by its content. */
function identityOf(record: IDataObject): string {
	const { id } = record;
	return typeof id === 'string' || typeof id === 'number'
		? `id ${id}`
		: `content ${JSON.stringify(record)}`;
}

function versionOf(record: IDataObject): string {
	return `${identityOf(record)} ${String(record.updatedAt)}`;
}

function isStateOf(newer: IDataObject, older: IDataObject): boolean {
	return newer.updatedAt !== older.updatedAt || JSON.stringify(newer) === JSON.stringify(older);
}
