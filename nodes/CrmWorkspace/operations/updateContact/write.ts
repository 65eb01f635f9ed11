import { updateContact } from '../../service/crmWorkspace';
import type { ContactFields } from '../../service/records';
import type { Connection } from '../../transport/connection';
import { isInDoubt, isRefusedContent, RequestFailure } from '../../transport/errors/failure';

/** What was written, and the record that the service answered with: empty if it sent none. */
export interface Written {
	written: ContactFields;
	answer: Readonly<Record<string, unknown>>;
}

/**
 * Writes fields of a contact. The interface does not say what clears a field that has a format, and
 * empty text fits none: null is tried first, then empty text. Interface: OPEN-7.
 * @throws RequestFailure when the service does not take it: the first one where it refused both
 */
export async function write(
	connection: Connection,
	id: string,
	fields: ContactFields,
): Promise<Written> {
	const asGiven = put(connection, id, fields);
	if (!Object.values(fields).includes(null)) return await asGiven;
	return await asGiven.catch(async (first: unknown) => {
		if (!isRefused(first)) throw first;
		return await put(connection, id, withEmptyText(fields)).catch((second: unknown) => {
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

async function put(connection: Connection, id: string, written: ContactFields): Promise<Written> {
	const answer = await updateContact(connection, id, written);
	return { written, answer: answer.id === undefined ? {} : answer };
}

function withEmptyText(fields: ContactFields): ContactFields {
	const entries = Object.entries(fields).map(([name, value]) => [name, value ?? '']);
	return Object.fromEntries(entries) as ContactFields;
}
