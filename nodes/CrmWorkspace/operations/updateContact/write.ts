import { updateContact } from '../../service/crmWorkspace';
import {
	contactFieldNames,
	type ContactFieldName,
	type ContactFields,
} from '../../service/records';
import { listed } from '../../text/plainText';
import type { Connection } from '../../transport/connection';
import { isInDoubt, isRefusedContent, RequestFailure } from '../../transport/errors/failure';
import { ItemProblem } from '../itemProblem';
import { isSame } from './changes';
import { displayNames } from './fields';
import type { KnownContact } from './knownContact';

/** What was written, and the record that the service answered with: empty if it sent none. */
export interface Written {
	written: ContactFields;
	answer: Readonly<Record<string, unknown>>;
}

/**
 * Writes fields of a contact. The interface does not say what clears a field that has a format, and
 * empty text fits none: null is tried first, then empty text. Interface: OPEN-7.
 * @throws RequestFailure when the service does not take it: the first one where it refused both
 * @throws ItemProblem when it takes it, and shows that a field to be cleared has its value still
 */
export async function write(
	connection: Connection,
	contact: KnownContact,
	fields: ContactFields,
): Promise<Written> {
	const asGiven = put(connection, contact, fields);
	if (!Object.values(fields).includes(null)) return await asGiven;
	return await asGiven.catch(async (first: unknown) => {
		if (!isRefused(first) && !(first instanceof ItemProblem)) throw first;
		return await put(connection, contact, withEmptyText(fields)).catch((second: unknown) => {
			throw isRefused(second) ? first : second;
		});
	});
}

/** Whether the service turned a request down for its content. */
export function isRefused(error: unknown): error is RequestFailure {
	return error instanceof RequestFailure && isRefusedContent(error.details);
}

/** Whether a contact may have been written to although the request for it failed with this. */
export function mayBeWritten(error: unknown): boolean {
	return !(error instanceof RequestFailure) || isInDoubt(error.details);
}

async function put(
	connection: Connection,
	contact: KnownContact,
	written: ContactFields,
): Promise<Written> {
	const record = await updateContact(connection, contact.id, written);
	const answer = record.id === undefined ? {} : record;
	const uncleared = contactFieldNames.filter((name) => isUncleared(name, contact, written, answer));
	if (uncleared.length === 0) return { written, answer };
	throw new ItemProblem({
		message: `The service took the update and did not clear ${listed(uncleared.map((name) => displayNames[name]))}`,
		advice:
			'Its answer still shows a value there; all other fields are written. Empty the field in the service, or set Empty Fields in the options to Change Nothing.',
	});
}

/** Whether a field that was to be cleared is shown with the value that it had before. */
function isUncleared(
	name: ContactFieldName,
	{ record, certain }: KnownContact,
	written: ContactFields,
	answer: Written['answer'],
): boolean {
	if (!(name in written) || !isSame(name, written[name], undefined)) return false;
	if (isSame(name, answer[name], undefined)) return false;
	return !certain.has(name) || isSame(name, answer[name], record[name]);
}

function withEmptyText(fields: ContactFields): ContactFields {
	const entries = Object.entries(fields).map(([name, value]) => [name, value ?? '']);
	return Object.fromEntries(entries) as ContactFields;
}
