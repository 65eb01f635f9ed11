import { updateContact } from '../../service/crmWorkspace';
import {
	contactFieldNames,
	type ContactFieldName,
	type ContactFields,
} from '../../service/records';
import type { Connection } from '../../transport/connection';
import { isOutcomeUnknown, RequestFailure } from '../../transport/failure';
import { ItemProblem } from '../itemProblem';
import { isSameValue } from './changes';
import type { KnownContact } from './knownContact';

export interface Written {
	written: ContactFields;
	/** The record that it answered with: empty if it sent none. */
	answer: Readonly<Record<string, unknown>>;
	/** The fields that were to be cleared, and that the answer shows with a value all the same. */
	uncleared: ContactFieldName[];
}

/**
 * Writes fields of a contact. The interface does not say what clears a field that has a format, and
 * empty text fits none: null is tried first, then empty text. Interface: OPEN-7.
 * @throws RequestFailure when the service does not take it: the first one where it refused both
 */
export async function write(
	connection: Connection,
	contact: KnownContact,
	fields: ContactFields,
): Promise<Written> {
	const first = await put(connection, contact, fields);
	const isDone = 'written' in first && first.uncleared.length === 0;
	if (isDone || !Object.values(fields).includes(null)) return unlessRefused(first);
	const second = await put(connection, contact, withEmptyText(fields));
	return unlessRefused('written' in second ? second : first);
}

/** Whether the service turned a request down for its content. */
export function isRefused(error: unknown): error is RequestFailure {
	return error instanceof RequestFailure && [400, 422].includes(error.details.statusCode!);
}

/** Whether a contact may have been written to although the request for it failed with this. */
export function mayBeWritten(error: unknown): boolean {
	if (error instanceof ItemProblem) return false;
	return !(error instanceof RequestFailure) || isOutcomeUnknown(error.details);
}

async function put(
	connection: Connection,
	contact: KnownContact,
	written: ContactFields,
): Promise<Written | { refusal: RequestFailure }> {
	const record = await updateContact(connection, contact.id, written).catch((error: unknown) => {
		if (isRefused(error)) return error;
		throw error;
	});
	if (record instanceof RequestFailure) return { refusal: record };
	const answer = record.id === undefined ? {} : record;
	return { written, answer, uncleared: unclearedFields(answer, written, contact) };
}

function unlessRefused(outcome: Written | { refusal: RequestFailure }): Written {
	if ('refusal' in outcome) throw outcome.refusal;
	return outcome;
}

/** Fields with the value that they had; with any, where that is not known. */
function unclearedFields(
	answer: Written['answer'],
	written: ContactFields,
	{ record, certain }: KnownContact,
): ContactFieldName[] {
	const isEmpty = (name: ContactFieldName, value: unknown) => isSameValue(name, value, undefined);
	return contactFieldNames
		.filter((name) => name in written && isEmpty(name, written[name]))
		.filter((name) => !isEmpty(name, answer[name]))
		.filter((name) => !certain.has(name) || isSameValue(name, answer[name], record[name]));
}

function withEmptyText(fields: ContactFields): ContactFields {
	const entries = Object.entries(fields).map(([name, value]) => [name, value ?? '']);
	return Object.fromEntries(entries) as ContactFields;
}
