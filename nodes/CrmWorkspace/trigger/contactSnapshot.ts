/** The contacts as a poll has seen them, and as they were last seen. */
import { parseTime, toCanonical } from '../api/formats';
import { contactFieldNames, type ContactFieldName } from '../api/records';
import type { JsonObject } from '../client/request';
import { computeIdentity, digest, joinRows, splitRows, type PendingEvent } from './events';

/** Characters of the digest of one field, of six bits each: one change in 17 million is missed. */
const fieldLength = 4;

/** Another field of a contact changes the stored rows, so it needs another version in `state.ts`. */
const fieldsLength = fieldLength * contactFieldNames.length;

const noValue = '-'.repeat(fieldLength);

/** More than a list may have (see `ContactReader`), for contacts that were deleted. */
const maxRows = 60_000;

/** A contact as a poll has seen it. */
export interface SeenContact {
	record: JsonObject;
	identity: string;
	/** The digests of the ten settable fields, independent of how a value is written. */
	fields: string;
	/** In ms since 1970; NaN if it isn't shown. */
	createdAt: number;
	updatedAt: number;
}

export function digestContact(record: JsonObject): SeenContact {
	const digestOf = (name: ContactFieldName) => {
		const text = toCanonical(name, record[name]);
		return text === '' ? noValue : digest(text, fieldLength);
	};
	return {
		record,
		identity: computeIdentity(record),
		fields: contactFieldNames.map(digestOf).join(''),
		createdAt: parseTime(record.createdAt),
		updatedAt: parseTime(record.updatedAt),
	};
}

/**
 * The contacts as they were last seen: a row for each, the last seen at the end. A row has the
 * digests of the fields and a revision: the second of `updatedAt`, or one more than the last emitted
 * revision if the date isn't shown or isn't later. So every update has another revision, and the
 * same one if a poll is repeated.
 */
export class ContactSnapshot {
	private readonly rows: Map<string, string>;

	/**
	 * @param hasFields whether it has fields and revisions; otherwise only identities
	 * @param text from `stored`; empty for none
	 * @throws TypeError for anything but text
	 */
	constructor(
		private readonly hasFields: boolean,
		text = '',
	) {
		this.rows = splitRows(text);
		if (!hasFields) for (const identity of this.rows.keys()) this.rows.set(identity, '');
	}

	/** How many contacts it has, deleted ones included. */
	get size(): number {
		return this.rows.size;
	}

	has({ identity }: SeenContact): boolean {
		return this.rows.has(identity);
	}

	/** The fields that differ from when the contact was last seen; none for a contact without a row. */
	changedFields({ identity, fields }: SeenContact): ContactFieldName[] {
		const row = this.rows.get(identity);
		if (!row) return [];
		return contactFieldNames.filter((_, index) => {
			const at = index * fieldLength;
			return row.slice(at, at + fieldLength) !== fields.slice(at, at + fieldLength);
		});
	}

	/** The revision that an update has if it is emitted now. */
	nextRevision({ identity, updatedAt }: SeenContact): number {
		return Math.max(toSeconds(updatedAt), this.revisionOf(identity) + 1);
	}

	/** @param isUpdate whether an update is emitted */
	remember(contact: SeenContact, isUpdate = false): void {
		const { identity, fields, updatedAt } = contact;
		const revision = isUpdate
			? this.nextRevision(contact)
			: Math.max(toSeconds(updatedAt), this.revisionOf(identity));
		this.rows.delete(identity);
		this.rows.set(identity, this.hasFields ? fields + revision.toString(36) : '');
	}

	/** As n8n stores it. */
	stored(): string {
		return joinRows([...this.rows].slice(-maxRows));
	}

	private revisionOf(identity: string): number {
		const row = this.rows.get(identity);
		return row ? parseInt(row.slice(fieldsLength), 36) : 0;
	}
}

/** A moment in seconds, as a service may write dates with milliseconds or without; 0 for none. */
export function toSeconds(moment: number): number {
	return Number.isNaN(moment) ? 0 : Math.floor(moment / 1000);
}

type ContactEvent = Omit<PendingEvent, 'remember'>;

export function buildCreatedEvent({ record, identity, createdAt }: SeenContact): ContactEvent {
	const parts = [identity, toSeconds(createdAt)];
	return { event: 'contactCreated', record, date: createdAt, parts };
}

/** @param revision distinguishes this update from earlier ones: see `ContactSnapshot` */
export function buildUpdatedEvent(
	{ record, identity, fields, updatedAt }: SeenContact,
	revision: number,
	changedFields?: string[],
): ContactEvent {
	const parts = [identity, revision, fields];
	return { event: 'contactUpdated', record, date: updatedAt, parts, changedFields };
}
