import { forEachMode, type Mode } from '../identity.mts';
import { inOrder, type Order } from './order.mts';
import type { RecordKindName } from './recordKinds.mts';

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
	readonly #records = forEachMode(() => new Map<RecordKindName, readonly StoredRecord[]>());
	readonly #newId: (mode: Mode) => string;

	constructor(newId: (mode: Mode) => string) {
		this.#newId = newId;
	}

	/** Replaces all records of a collection. */
	replaceAll(mode: Mode, collection: RecordKindName, records: readonly StoredRecord[]): void {
		this.#records[mode].set(collection, records);
	}

	/** Adds a record, which gets a new ID and the time `now` if it has none. */
	add(mode: Mode, collection: RecordKindName, given: object, now: string): StoredRecord {
		const record = { id: this.#newId(mode), createdAt: now, ...given };
		this.replaceAll(mode, collection, [...this.#list(mode, collection), record]);
		return record;
	}

	/** All records of a collection. */
	all<Kind extends StoredRecord = StoredRecord>(
		mode: Mode,
		collection: RecordKindName,
		order: Order = 'createdAscending',
	): Kind[] {
		return inOrder(this.#list(mode, collection) as readonly Kind[], order);
	}

	/** The template with this slug, if there is one. */
	template(mode: Mode, slug: string): Template | undefined {
		return this.all<Template>(mode, 'templates').find((template) => template.slug === slug);
	}

	/** All channels of a workspace, the oldest first. */
	channels(mode: Mode): Channel[] {
		return this.all<Channel>(mode, 'channels');
	}

	#list(mode: Mode, collection: RecordKindName): readonly StoredRecord[] {
		return this.#records[mode].get(collection) ?? [];
	}
}
