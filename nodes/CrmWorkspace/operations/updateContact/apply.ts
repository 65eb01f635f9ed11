import type { IDataObject } from 'n8n-workflow';
import { updateContact } from '../../service/crmWorkspace';
import type { ContactFields } from '../../service/records';
import type { Connection } from '../../transport/connection';
import { RequestFailure } from '../../transport/failure';
import { isUnchanged, withCurrentValues, withKnownEmail } from './changes';
import { fieldNames } from './fields';
import type { Update } from './update';

/** A contact as far as the run knows it. */
export interface KnownContact {
	id: string;
	/** Its record as last read or written; absent when it was not read. */
	record?: IDataObject;
	/** Whether the service holds exactly this record, for all that is known. */
	isCurrent: boolean;
}

/** What came of an item. */
export interface UpdateResult {
	result: 'updated' | 'unchanged';
	/** The record as the service returned it; what was written when it returned none. */
	record: IDataObject;
}

/**
 * Writes to a contact what an item asks for, unless it need not be.
 * @throws RequestFailure when the service does not take it
 */
export async function apply(
	connection: Connection,
	contact: KnownContact,
	{ fields, skipUnchanged, preserve }: Update,
): Promise<{ contact: KnownContact; result: UpdateResult }> {
	const { id, record = {}, isCurrent } = contact;
	if (skipUnchanged && isCurrent && isUnchanged(record, fields)) {
		return { contact, result: { result: 'unchanged', record } };
	}
	const changes = withKnownEmail(record, fields);
	const body = preserve ? withCurrentValues(record, changes, fieldNames) : changes;
	const answer = await write(connection, id, body);
	const isRecord = answer.id !== undefined;
	return {
		contact: {
			id,
			record: isRecord ? answer : { ...record, ...body },
			isCurrent: isRecord || preserve,
		},
		result: { result: 'updated', record: isRecord ? answer : { id, ...body } },
	};
}

/**
 * The interface does not say what clears a field that has a format, and empty text fits none: null
 * is tried first, then empty text.
 */
async function write(
	connection: Connection,
	id: string,
	fields: ContactFields,
): Promise<IDataObject> {
	const written = updateContact(connection, id, fields) as Promise<IDataObject>;
	if (!Object.values(fields).includes(null)) return await written;

	const entries = Object.entries(fields).map(([name, value]) => [name, value ?? '']);
	const emptied = Object.fromEntries(entries) as ContactFields;
	return await written.catch(async (error) =>
		isRefusedContent(error)
			? ((await updateContact(connection, id, emptied)) as IDataObject)
			: await written,
	);
}

function isRefusedContent(error: unknown): boolean {
	return error instanceof RequestFailure && [400, 422].includes(error.details.statusCode ?? 0);
}
