import {
	contactFieldNames,
	type ContactFieldName,
	type ContactFields,
} from '../../service/records';
import { changesBetween, type Changes } from './changes';

export interface KnownContact {
	id: string;
	/** Its values as last read, written or answered. The service may give it further fields. */
	record: Readonly<Record<string, unknown>>;
	/**
	 * Names of the fields for which the service, as far as is known, has exactly the value in
	 * `record`.
	 */
	certain: ReadonlySet<string>;
}

/** A contact whose record the service has just shown: a field that is not in it is not known. */
export function asRead(record: KnownContact['record']): KnownContact {
	const certain = new Set(contactFieldNames.filter((name) => name in record));
	return { id: String(record.id), record, certain };
}

/** A contact of which nothing but the ID is known. */
export function unread(id: string): KnownContact {
	return { id, record: { id }, certain: new Set() };
}

/** Whether nothing but the ID of a contact is known, nor ever was. */
export function isUnread({ record }: KnownContact): boolean {
	return Object.keys(record).length === 1;
}

export function knows({ certain }: KnownContact, fields: ContactFields): boolean {
	return Object.keys(fields).every((name) => certain.has(name));
}

/**
 * What an update leaves of a contact: what was known, what was written, and what was answered,
 * which may be a part of the record only.
 * @param keepsOthers whether the fields that were not written have kept their values
 */
export function afterWrite(
	{ id, record, certain }: KnownContact,
	written: ContactFields,
	answer: KnownContact['record'],
	keepsOthers: boolean,
): KnownContact {
	const isCertain = (name: string) =>
		name in written || name in answer || (keepsOthers && certain.has(name));
	return {
		id,
		record: { ...record, ...written, ...answer },
		certain: new Set(contactFieldNames.filter(isCertain)),
	};
}

/** What a failed update leaves of a contact where it may have been made all the same. */
export function afterFailure(contact: KnownContact): KnownContact {
	return { ...contact, certain: new Set() };
}

/**
 * How a contact differs from before in what was certain then, and what else was written to it.
 * Undefined if nothing was certain.
 */
export function changesSince(
	before: KnownContact,
	after: KnownContact,
	written: ContactFields,
): Changes | undefined {
	if (before.certain.size === 0) return undefined;
	const names = contactFieldNames.filter((name) => before.certain.has(name));
	const changes = changesBetween(before.record, after.record, names);
	const unknown = (Object.keys(written) as ContactFieldName[]).filter(
		(name) => !before.certain.has(name),
	);
	const added = unknown.map((name) => [name, { new: after.record[name] ?? null }]);
	return { ...changes, ...Object.fromEntries(added) };
}
