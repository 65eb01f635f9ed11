import type { DatabaseSync } from 'node:sqlite';

import type { Mode } from '../identity.mts';
import type { Variants } from '../variants.mts';
import type { RecordKindName } from './recordKinds.mts';
import { inTransaction } from './database.mts';
import { orderBy } from './order.mts';

/**
 * A record of any shape. The API description
 * doesn't show its fields, so records are stored as they are.
 */
export interface StoredRecord {
	id: string;
	createdAt: string;
	[field: string]: unknown;
}

/** What messages are made from. Interface: WORK-5, OPEN-6. */
export interface Template extends StoredRecord {
	slug: string;
	name: string;
	subject: string;
	html: string;
	/** The channel its messages go through, if it has one of its own. */
	channelId: string | null;
}

/** What messages are sent through. Interface: WORK-3, WORK-4, OPEN-6. */
export interface Channel extends StoredRecord {
	name: string;
	fromEmail: string;
	fromName: string;
	verified: boolean;
}

/** The records of both workspaces. */
export class Records {
	#database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	/** Replaces all records of a collection. */
	replaceAll(mode: Mode, collection: RecordKindName, records: readonly StoredRecord[]): void {
		inTransaction(this.#database, () => {
			this.#database
				.prepare('DELETE FROM records WHERE mode = ? AND collection = ?')
				.run(mode, collection);
			this.insert(mode, collection, records);
		});
	}

	/** Adds records to a collection. */
	insert(mode: Mode, collection: RecordKindName, records: readonly StoredRecord[]): void {
		const statement = this.#database.prepare(
			`INSERT INTO records (mode, collection, id, createdAt, updatedAt, record)
			VALUES (?, ?, ?, ?, ?, ?)`,
		);
		for (const record of records) {
			const { id, createdAt } = record;
			const updatedAt = String(record.updatedAt ?? createdAt);
			statement.run(mode, collection, id, createdAt, updatedAt, JSON.stringify(record));
		}
	}

	/** All records of a collection. */
	all<Kind extends StoredRecord = StoredRecord>(
		mode: Mode,
		collection: RecordKindName,
		order: Variants['listOrder'] = 'createdAscending',
	): Kind[] {
		return this.#database
			.prepare(`SELECT record FROM records WHERE mode = ? AND collection = ? ${orderBy[order]}`)
			.all(mode, collection)
			.map((row) => JSON.parse(row.record as string) as Kind);
	}

	/** The template with this slug, if there is one. */
	template(mode: Mode, slug: string): Template | undefined {
		return this.all<Template>(mode, 'templates').find((template) => template.slug === slug);
	}

	/** All channels of a workspace, the oldest first. */
	channels(mode: Mode): Channel[] {
		return this.all<Channel>(mode, 'channels');
	}
}
